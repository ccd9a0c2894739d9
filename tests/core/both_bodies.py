"""What a piece of work gives with NumPy's bodies, and with the compiled ones."""

import os

import numpy as np
from hypothesis import strategies as st

from ovearth_core import kernels
from ovearth_core.errors import GeometryError

# Whole numbers touch and coincide; the scales bring in rounding, and exponents that are unsafe.
GRID = st.integers(-6, 6).map(float)
SCALES = st.sampled_from([1.0, 0.1, 1 / 3, 1e-9, 1e100, 1e-100, 1e160, 1e-160, 1e300, 1e-310])
SHIFTS = st.sampled_from([0.0, 0.5, 512_000.25, 4_323_000.1, -1e9])


def placed(table, scale, shift):
    """Return coordinates scaled and shifted, short of infinity."""
    return np.clip(table, -1e300 / max(scale, 1), 1e300 / max(scale, 1)) * scale + shift


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


def same(work):
    """Tell whether both bodies give equal arrays, types and all, or the same words."""
    numpy, compiled = with_both(work)
    if isinstance(numpy, str) or isinstance(compiled, str):
        return numpy == compiled
    return all(
        one.dtype == other.dtype and np.array_equal(one, other)
        for one, other in zip(_listed(numpy), _listed(compiled), strict=True)
    )


def _listed(result):
    return result if isinstance(result, (tuple, list)) else [result]
