"""COCO's compressed run lengths, character by character, one or many in one call.

A body that meets anything odd gives up instead of naming it: its NumPy twin finds the words.
Behind the last string the codes have a margin (`geometry.rle.MARGIN`), to look ahead into.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import inlined, kernel

Ints = NDArray[np.int64]

_BASE = 48
_MOST_BITS = 55
_MARGIN = 11

# Unsigned places: for signed ones Numba asks at each access whether they count from the end.
_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def _are_known(codes: NDArray[np.uint8], start: int, stop: int) -> bool:
    groups = np.uint8(0)
    for place in range(start, stop):
        groups |= codes[place] - np.uint8(_BASE)
    return groups < 64


@inlined
def _long_number(codes: NDArray[np.uint8], place: int, number: int) -> tuple[int, int]:
    """Return the number whose first two characters say `number`, and the place behind it.

    It is -1 << 62, which no pixel count comes near, where it has too many characters.
    """
    shift = 10
    while shift < _MOST_BITS:
        group = np.int64(codes[place]) - _BASE
        place += _ONE
        if group < 32:
            return number | ((group ^ 16) - 16) << shift, place
        number |= (group & 31) << shift
        shift += 5
    return -1 << 62, place


@inlined
def _number(codes: NDArray[np.uint8], place: int) -> tuple[int, int]:
    """Return the number at `place`, five bits a character, and the place behind it."""
    first = np.int64(codes[place]) - _BASE
    place += _ONE
    if first < 32:
        return (first ^ 16) - 16, place
    second = np.int64(codes[place]) - _BASE
    place += _ONE
    if second < 32:
        return ((second ^ 16) - 16) << 5 | first & 31, place
    return _long_number(codes, place, (second & 31) << 5 | first & 31)


@inlined
def _changed(bounds: Ints, found: int, place: int) -> int:
    """Note a change of colour at `place`, or that two of them cancel; return how many there are."""
    if found and bounds[found - _ONE] == place:
        return found - _ONE
    bounds[found] = place
    return found + _ONE


@kernel
def _parsed(codes: NDArray[np.uint8], start: int, stop: int, size: int, bounds: Ints) -> int:
    """Write the bounds of one compressed RLE into `bounds`; return their number, -1 if faulty."""
    if not _are_known(codes, start, stop):
        return -1
    place, end, found = np.uint64(start), np.uint64(stop), np.uint64(0)
    total, counted, before, before_that = 0, 0, 0, 0
    while place < end:
        count, place = _number(codes, place)
        if counted > 2:
            count += before_that
        if count < 0 or count > size - total:
            return -1
        before_that, before = before, count
        total += count
        counted += 1
        found = _changed(bounds, found, total)
    if place > end or total != size:
        return -1
    # After an odd number the last count was background: its end is no change.
    return np.int64(_changed(bounds, found, total) if counted % 2 else found)


@kernel
def _common(a: Ints, a_stop: int, b: Ints, b_start: int, b_stop: int) -> int:
    """Return how many numbers the bounds a[:a_stop] and b[b_start:b_stop] both hold."""
    i, j, length = np.uint64(0), np.uint64(b_start), 0
    a_end, b_end = np.uint64(a_stop), np.uint64(b_stop)
    while i < a_end and j < b_end:
        a_ends, b_ends = a[i + _ONE], b[j + _ONE]
        start, end = max(a[i], b[j]), min(a_ends, b_ends)
        if end > start:
            length += end - start
        if a_ends < b_ends:
            i += _TWO
        else:
            j += _TWO
    return length


@kernel
def rle_areas(
    codes: NDArray[np.uint8], stops: Ints, sizes: Ints, truths: Ints, truth_stops: Ints
) -> Ints:
    """Return what `geometry.mask_areas.areas_of_each` does, whose words the arguments have too."""
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


@kernel
def rle_bounds(codes: NDArray[np.uint8], size: int) -> Ints:
    """Return the bounds of a compressed RLE of `size` pixels; one lone number where it is faulty.

    codes: the characters and the margin. Bounds: where the colour changes, so their number is even.
    """
    stop = len(codes) - _MARGIN
    bounds = np.empty(stop + 1, np.int64)
    found = _parsed(codes, 0, stop, size, bounds)
    return np.zeros(1, np.int64) if found < 0 else bounds[:found].copy()
