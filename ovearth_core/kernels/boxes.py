"""Axis-aligned boxes against ranges of others, and the boxes around polygons."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NOTHING = float(np.nextafter(0.0, 1.0))
_FIRST_ROOM = 1024


@kernel
def _overlap(a: Floats, b: Floats, i: int, j: int) -> float:
    """Return the IoU of a[i] and b[j], which meet: geometry.boxes._iou, step by step."""
    width = min(a[i, 2], b[j, 2]) - max(a[i, 0], b[j, 0])
    height = min(a[i, 3], b[j, 3]) - max(a[i, 1], b[j, 1])
    shared = width * height
    one = (a[i, 2] - a[i, 0]) * (a[i, 3] - a[i, 1])
    other = (b[j, 2] - b[j, 0]) * (b[j, 3] - b[j, 1])
    return shared / max(one + other - shared, _NOTHING)


@kernel
def _met(a: Floats, b: Floats, i: int, start: int, stop: int, members: Ints) -> int:
    """Write which of b[start:stop] meet a[i]; return how many do. Without a branch in the loop."""
    left, low, right, high = a[i, 0], a[i, 1], a[i, 2], a[i, 3]
    met = 0
    for j in range(start, stop):
        members[met] = j
        met += (left < b[j, 2]) & (b[j, 0] < right) & (low < b[j, 3]) & (b[j, 1] < high)
    return met


@kernel
def _longer(values: NDArray[np.generic], room: int) -> NDArray[np.generic]:
    longer = np.empty(room, values.dtype)
    for k in range(len(values)):
        longer[k] = values[k]
    return longer


@kernel
def box_overlaps(a: Floats, b: Floats, start: Ints, stop: Ints) -> tuple[Ints, Ints, Floats]:
    """Return i, j, IoU, all (K,), of the pairs with IoU > 0 of each a[i] with b[start[i]:stop[i]].

    a (N, 4), b (M, 4), start, stop (N,). Ordered by i, then j.
    """
    room, found, longest = _FIRST_ROOM, 0, 0
    for i in range(len(a)):
        longest = max(longest, stop[i] - start[i])
    members = np.empty(longest + 1, np.int64)
    first, second, iou = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
    for i in range(len(a)):
        met = _met(a, b, i, start[i], stop[i], members)
        if found + met > room:
            room = 2 * (found + met)
            first, second, iou = _longer(first, room), _longer(second, room), _longer(iou, room)
        for k in range(met):
            overlap = _overlap(a, b, i, members[k])
            if overlap != 0:
                first[found], second[found], iou[found] = i, members[k], overlap
                found += 1
    return first[:found].copy(), second[:found].copy(), iou[:found].copy()


@kernel
def envelopes(polygons: Floats) -> Floats:
    """Return the boxes (N, 4) around polygons (N, V, 2)."""
    boxes = np.empty((len(polygons), 4))
    for n in range(len(polygons)):
        left, low = polygons[n, 0, 0], polygons[n, 0, 1]
        right, high = left, low
        for k in range(1, polygons.shape[1]):
            x, y = polygons[n, k, 0], polygons[n, k, 1]
            left, right = min(left, x), max(right, x)
            low, high = min(low, y), max(high, y)
        boxes[n, 0], boxes[n, 1], boxes[n, 2], boxes[n, 3] = left, low, right, high
    return boxes
