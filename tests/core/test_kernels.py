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
from ovearth_core.errors import UsageError
from ovearth_core.geometry import Runs, intersection_area
from ovearth_core.kernels import threads

from .both_bodies import with_both

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

SIZES = st.tuples(st.integers(1, 30), st.integers(1, 30))
PAIRS = SIZES.flatmap(lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size)))


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


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", "²"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, value):
    monkeypatch.setenv(threads.THREADS, value)
    with pytest.raises(UsageError, match="OVEARTH_THREADS is"):
        threads.thread_count()


def test_parts_are_handed_back_in_order_and_small_batches_stay_whole(monkeypatch):
    for count in ("1", "3"):
        monkeypatch.setenv(threads.THREADS, count)
        parts = threads.in_parts(lambda some: list(range(100))[some], 100, 10)
        assert [number for part in parts for number in part] == list(range(100))
        assert len(parts) == {"1": 1, "3": 6}[count]
        assert len(threads.in_parts(lambda some: some, 19, 10)) == 1
        assert threads.in_parts(lambda some: some, 0, 10) == [slice(0, 0)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_makes_threads_of_its_own():
    program = (
        "import os\n"
        "from ovearth_core.kernels.threads import in_parts\n"
        "in_parts(lambda some: some, 100, 10)\n"
        "child = os.fork()\n"
        "done = len(in_parts(lambda some: some, 100, 10)) == 4\n"
        "if not child:\n"
        "    os._exit(0 if done else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    environment = {**os.environ, threads.THREADS: "2"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False, timeout=60)
    assert done.returncode == 0


def test_without_a_folder_to_keep_them_in_kernels_are_compiled_all_the_same(monkeypatch):
    from ovearth_core.kernels import compiling

    def njit(cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(compiling, "njit", njit)
    assert compiling.kernel(abs) is abs
