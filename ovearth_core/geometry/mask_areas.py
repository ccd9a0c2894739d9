"""Pixels of many compressed RLEs, and those that each shares with its truth, without their runs."""

from __future__ import annotations

from collections.abc import Sequence
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GeometryError
from ..kernels import compiled_body, same_kind
from .intervals import IntArray
from .rle import MARGIN

Codes = NDArray[np.uint8]

_BASE = np.uint8(48)
_CONTINUES, _SIGN, _PAYLOAD, _BITS = 32, 16, 31, 5
_LARGEST_CODE = 63
_PAIR_BITS = 6
_MOST_GROUPS = 11
_FAULTY = (-1, 0)
# So many numbers of up to 2**53 can't pass what 64 bits hold.
_NEVER_WRAPS = 512


def rle_areas(counts: Sequence[str], sizes: IntArray, truths: Sequence[IntArray]) -> IntArray:
    """Return (B, 2): the pixels of each RLE, -1 if it is faulty, and those in its truth too.

    counts: B compressed strings; sizes (B,): pixels of their images; truths: B masks' bounds, as
    Runs keeps them. `Runs.from_rle` tells what is wrong with a faulty one. Raises GeometryError
    where a string is not even ASCII.
    """
    try:
        codes = np.frombuffer("".join([*counts, MARGIN]).encode("ascii"), np.uint8)
    except UnicodeEncodeError:
        raise GeometryError("RLE counts that are not ASCII") from None
    stops = np.cumsum(np.fromiter(map(len, counts), np.int64, len(counts)))
    truth_stops = np.cumsum(np.fromiter(map(len, truths), np.int64, len(truths)))
    body = compiled_body("rle_areas") or areas_of_each
    given: tuple[NDArray[Any], ...] = (codes, stops, sizes, _end_to_end(truths), truth_stops)
    areas: IntArray = body(*map(same_kind, given))
    return areas


class _Room(local):
    """Memory of each thread that is used again: to get and to give back megabytes takes longer
    than to fill them.
    """

    def __init__(self) -> None:
        self.bounds = np.empty(0, np.int64)


_ROOM = _Room()


def _end_to_end(arrays: Sequence[IntArray]) -> IntArray:
    """Return the arrays in one, which is good until this thread asks for the next."""
    count = sum(map(len, arrays))
    if len(_ROOM.bounds) < count:
        _ROOM.bounds = np.empty(2 * count, np.int64)
    together = _ROOM.bounds[:count]
    np.concatenate(arrays, out=together)
    return together


def areas_of_each(
    codes: Codes, stops: IntArray, sizes: IntArray, truths: IntArray, truth_stops: IntArray
) -> IntArray:
    """Return what rle_areas does: strings and truths end to end, and where each of them ends.

    Behind the last string the codes have a margin, so that a reader may look ahead.
    """
    areas = np.empty((len(stops), 2), np.int64)
    start = truth_start = 0
    ends = zip(stops.tolist(), truth_stops.tolist(), sizes.tolist(), strict=True)
    for row, (stop, truth_stop, size) in enumerate(ends):
        areas[row] = _areas(codes[start:stop], size, truths[truth_start:truth_stop])
        start, truth_start = stop, truth_stop
    return areas


def _areas(codes: Codes, size: int, truth: IntArray) -> tuple[int, int]:
    counts = _counts(codes)
    if counts is None or np.min(counts) < 0 or np.max(counts) > size:
        return _FAULTY
    bounds = np.cumsum(counts)
    # A sum that wraps has first passed `size`, so the largest shows it.
    if bounds[-1] != size or (len(bounds) > _NEVER_WRAPS and np.max(bounds) != size):
        return _FAULTY
    area = int(counts[1::2].sum())
    if not len(truth):
        return area, 0
    # Where both have a bound they cancel, so that what is left bounds the pixels of one alone.
    edges = np.concatenate((bounds[: len(bounds) // 2 * 2], truth))
    edges.sort(kind="stable")
    return area, (area + _length(truth) - _length(edges)) // 2


def _length(bounds: IntArray) -> int:
    return int(bounds[1::2].sum() - bounds[0::2].sum())


def _counts(codes: Codes) -> IntArray | None:
    """Return the counts (N,), N > 0, of one compressed string, or None if it is faulty."""
    groups = codes - _BASE  # below chr(48) it wraps to a large one
    last = np.flatnonzero(groups < _CONTINUES)
    is_whole = len(last) and last[-1] == len(codes) - 1 and np.max(groups) <= _LARGEST_CODE
    if not is_whole:
        return None
    # Before the first number lies the last character of all, which continues nothing.
    before = groups[last - 1]
    counts: IntArray = _SHORT_NUMBERS[(before.astype(np.uint16) << _PAIR_BITS) | groups[last]]
    longer = np.flatnonzero(before >= _CONTINUES)
    for back in range(2, _MOST_GROUPS + 1):
        more = groups[last[longer] - back]
        longer, more = longer[more >= _CONTINUES], more[more >= _CONTINUES]
        if not len(longer):
            break
        counts[longer] = (counts[longer] << _BITS) + (more & _PAYLOAD)
    if len(longer):
        return None
    # From the fourth count on, each was written less the one two before.
    counts[1::2] = np.cumsum(counts[1::2])
    counts[2::2] = np.cumsum(counts[2::2])
    return counts


def _short_numbers() -> IntArray:
    """Return what two characters say, the one before and the last: (4096,), by both codes."""
    codes = np.arange(1 << (2 * _PAIR_BITS))
    before, last = codes >> _PAIR_BITS, codes & (_CONTINUES - 1)
    signed = (last ^ _SIGN) - _SIGN
    return np.where(before >= _CONTINUES, (signed << _BITS) + (before & _PAYLOAD), signed)


_SHORT_NUMBERS = _short_numbers()
