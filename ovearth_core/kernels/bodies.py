"""The compiled bodies. They release the interpreter lock, and are kept on disk between runs.

A body that meets anything odd gives up instead of naming it: its NumPy twin finds the words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_MOST_BITS = 55

_kernel: Any = njit(cache=True, nogil=True, error_model="numpy")


@_kernel
def _number(codes: NDArray[np.uint8], place: int) -> tuple[int, int]:
    """Return the number written at `place`, and the place after it; -1 where it is no number."""
    number, shift, more = 0, 0, True
    while more:
        if place >= len(codes) or shift >= _MOST_BITS:
            return 0, -1
        group = np.int64(codes[place]) - 48
        if group < 0 or group > 63:
            return 0, -1
        place += 1
        number |= (group & 31) << shift
        shift += 5
        more = group & 32 != 0
        if not more and group & 16:
            number |= -1 << shift
    return number, place


@_kernel
def _changed(bounds: Ints, found: int, place: int) -> int:
    """Note a change of colour at `place`, or that two of them cancel; return how many there are."""
    if found and bounds[found - 1] == place:
        return found - 1
    bounds[found] = place
    return found + 1


@_kernel
def rle_bounds(codes: NDArray[np.uint8], size: int) -> Ints:
    """Return the bounds of a compressed RLE of `size` pixels; one lone number where it is faulty.

    codes: the characters (N,). Bounds: where the colour changes, so their number is even.
    """
    bounds = np.empty(len(codes) + 1, np.int64)
    faulty = np.zeros(1, np.int64)
    found, total, counted, place = 0, 0, 0, 0
    before, before_that = 0, 0
    while place < len(codes):
        count, place = _number(codes, place)
        if counted > 2:
            count += before_that
        if place < 0 or count < 0 or count > size - total:
            return faulty
        before_that, before = before, count
        total += count
        counted += 1
        found = _changed(bounds, found, total)
    if total != size:
        return faulty
    if counted % 2:  # the last count was background: its end is no change
        found = _changed(bounds, found, total)
    return bounds[:found].copy()


@_kernel
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
