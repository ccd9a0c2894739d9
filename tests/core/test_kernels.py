"""Compiled kernels give what their NumPy bodies give, on the same cases, and can be switched."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ovearth_core import kernels
from ovearth_core.errors import GeometryError, UsageError
from ovearth_core.geometry import Runs, intersection_area

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

SIZES = st.tuples(st.integers(1, 30), st.integers(1, 30))
PAIRS = SIZES.flatmap(lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size)))


def with_both(work):
    """Return what `work` gives with either body, a refusal as its text."""
    results = []
    before = os.environ.get(kernels.SWITCH)
    for choice in ("numpy", "compiled"):
        os.environ[kernels.SWITCH] = choice
        try:
            results.append(work())
        except GeometryError as refusal:
            results.append(str(refusal))
        finally:
            os.environ.pop(kernels.SWITCH)
            if before is not None:
                os.environ[kernels.SWITCH] = before
    return results


@given(PAIRS)
def test_masks_and_what_they_share_are_the_same(pair):
    rles = [Runs.from_array(mask).to_rle() for mask in pair]
    numpy, compiled = with_both(lambda: [Runs.from_rle(rle) for rle in rles])
    assert numpy == compiled
    numpy, compiled = with_both(lambda: intersection_area(*map(Runs.from_rle, rles)))
    assert numpy == compiled == int((pair[0] & pair[1]).sum())


@given(st.lists(st.integers(0, 60), max_size=9) | st.text("0123456789ab<=Zo~", max_size=12))
def test_faulty_strings_are_refused_in_the_same_words(counts):
    from ovearth_core.geometry.rle import encode_counts

    text = counts if isinstance(counts, str) else encode_counts(np.array(counts, np.int64))
    rle = {"size": [6, 10], "counts": text}
    numpy, compiled = with_both(lambda: Runs.from_rle(rle))
    assert numpy == compiled


def test_an_unknown_choice_is_refused_with_the_nearest_right_word(monkeypatch):
    monkeypatch.setenv(kernels.SWITCH, "nunpy")
    with pytest.raises(UsageError, match="did you mean 'numpy'"):
        kernels.compiled_body("rle_bounds")


def test_numpy_alone_is_enough_and_numba_is_then_not_even_imported():
    program = (
        "import sys\n"
        "from ovearth_core.geometry import Runs\n"
        "Runs.from_rle({'size': [2, 5], 'counts': '37'})\n"
        "sys.exit('numba' in sys.modules)\n"
    )
    environment = {**os.environ, kernels.SWITCH: "numpy"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert done.returncode == 0
