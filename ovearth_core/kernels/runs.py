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


@kernel
def unpaired(ordered: Ints) -> Ints:
    """Return the values that occur an odd number of times in the sorted `ordered`, (N,), once."""
    kept, found = np.empty(len(ordered), np.int64), 0
    for value in ordered:
        # A second one takes the first away, a third one comes again.
        if found and kept[found - 1] == value:
            found -= 1
        else:
            kept[found] = value
            found += 1
    return kept[:found].copy()


@kernel
def shared_bounds(a: Ints, b: Ints) -> Ints:
    """Return the bounds of what the bounds `a` and `b` both hold."""
    bounds = np.empty(len(a) + len(b), np.int64)
    i, j, found = 0, 0, 0
    while i < len(a) and j < len(b):
        start, end = max(a[i], b[j]), min(a[i + 1], b[j + 1])
        if start < end:
            bounds[found], bounds[found + 1] = start, end
            found += 2
        if a[i + 1] < b[j + 1]:
            i += 2
        else:
            j += 2
    return bounds[:found].copy()


@kernel
def _unite(bounds: Ints, begin: int, middle: int, end: int, to: Ints, found: int) -> int:
    """Write the union of bounds[begin:middle] and bounds[middle:end]; return where it ends."""
    i, j = begin, middle
    last = -1  # no bound is negative
    while i < middle or j < end:
        if j == end or (i < middle and bounds[i] < bounds[j]):
            start, stop = bounds[i], bounds[i + 1]
            i += 2
        else:
            start, stop = bounds[j], bounds[j + 1]
            j += 2
        if start > last:
            to[found], to[found + 1] = start, stop
            found += 2
            last = stop
        elif stop > last:
            to[found - 1] = last = stop
    return found


@kernel
def merged_bounds(bounds: Ints, counts: Ints) -> Ints:
    """Return the bounds of the union of masks: `bounds` has those of each, `counts` how many.

    Two and two are merged, until one is left.
    """
    source, target = bounds.copy(), np.empty(len(bounds), np.int64)
    ends = np.cumsum(counts)
    masks = len(counts)
    while masks > 1:
        found, begin = 0, 0
        for k in range(0, masks, 2):
            middle, end = ends[k], ends[min(k + 1, masks - 1)]
            found = _unite(source, begin, middle, end, target, found)
            begin = end
            ends[k // 2] = found
        masks = (masks + 1) // 2
        source, target = target, source
    return source[: ends[0]].copy()
