"""COCO's compressed run lengths, character by character.

A body that meets anything odd gives up instead of naming it: its NumPy twin finds the words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Ints = NDArray[np.int64]

_MOST_BITS = 55


@kernel
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


@kernel
def _changed(bounds: Ints, found: int, place: int) -> int:
    """Note a change of colour at `place`, or that two of them cancel; return how many there are."""
    if found and bounds[found - 1] == place:
        return found - 1
    bounds[found] = place
    return found + 1


@kernel
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
