"""Compiled bodies that look at the masks of many queries in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Ints = NDArray[np.int64]

_MOST_BITS = 55


@kernel
def _changed(bounds: Ints, found: int, place: int) -> int:
    """Note a change of colour at `place`, or that two of them cancel; return how many there are."""
    if found and bounds[found - 1] == place:
        return found - 1
    bounds[found] = place
    return found + 1


@kernel
def _number(codes: NDArray[np.uint8], place: int, stop: int) -> tuple[int, int]:
    """Return the number written at `place`, five bits a character, and the place after it.

    A place of -1 says that it is no number.
    """
    number, shift = 0, 0
    while place < stop and shift < _MOST_BITS:
        group = np.int64(codes[place]) - 48
        place += 1
        if group < 0 or group > 63:
            return 0, -1
        number |= (group & 31) << shift
        shift += 5
        if group < 32:
            return (number - (1 << shift) if group & 16 else number), place
    return 0, -1


@kernel
def _parsed(codes: NDArray[np.uint8], place: int, stop: int, size: int, bounds: Ints) -> int:
    """Write the bounds of one compressed RLE into `bounds`; return their number, -1 if faulty."""
    found, total, counted = 0, 0, 0
    before, before_that = 0, 0
    while place < stop:
        count, place = _number(codes, place, stop)
        if counted > 2:
            count += before_that
        if place < 0 or count < 0 or count > size - total:
            return -1
        before_that, before = before, count
        total += count
        counted += 1
        found = _changed(bounds, found, total)
    if total != size:
        return -1
    # After an odd number the last count was background: its end is no change.
    return _changed(bounds, found, total) if counted % 2 else found


@kernel
def _common(a: Ints, a_stop: int, b: Ints, b_start: int, b_stop: int) -> int:
    """Return how many numbers the bounds a[:a_stop] and b[b_start:b_stop] both hold."""
    i, j, length = 0, b_start, 0
    while i < a_stop and j < b_stop:
        start, end = max(a[i], b[j]), min(a[i + 1], b[j + 1])
        if end > start:
            length += end - start
        if a[i + 1] < b[j + 1]:
            i += 2
        else:
            j += 2
    return length


@kernel
def rle_areas(
    codes: NDArray[np.uint8], stops: Ints, sizes: Ints, truths: Ints, truth_stops: Ints
) -> Ints:
    """Return pixels of each RLE, and those it shares with its truth: see `masks_batch`."""
    areas = np.empty((len(stops), 2), np.int64)
    longest, start = 0, 0
    for stop in stops:
        longest = max(longest, stop - start)
        start = stop
    bounds = np.empty(longest + 1, np.int64)
    start, truth_start = 0, 0
    for k in range(len(stops)):
        found = _parsed(codes, start, stops[k], sizes[k], bounds)
        area = -1
        if found >= 0:
            area = 0
            for place in range(0, found, 2):
                area += bounds[place + 1] - bounds[place]
        areas[k, 0] = area
        areas[k, 1] = _common(bounds, max(0, found), truths, truth_start, truth_stops[k])
        start, truth_start = stops[k], truth_stops[k]
    return areas
