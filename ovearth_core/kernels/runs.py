"""Sets of whole numbers as strictly increasing bounds: geometry.intervals in one pass each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Ints = NDArray[np.int64]


@kernel
def shared_length(a: Ints, b: Ints) -> int:
    """Return how many numbers the strictly increasing bounds `a` and `b` both hold."""
    i, j, length = 0, 0, 0
    while i < len(a) and j < len(b):
        start, end = max(a[i], b[j]), min(a[i + 1], b[j + 1])
        if end > start:
            length += end - start
        if a[i + 1] < b[j + 1]:
            i += 2
        else:
            j += 2
    return length
