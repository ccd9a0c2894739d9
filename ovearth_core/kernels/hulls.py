"""Convex hulls of many point sets, set by set: geometry.hull and the start of .rectangles.

The points are dropped in the rounds of the NumPy body: near a line a walk keeps other corners.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Hulls = tuple[Floats, Floats, Ints, Floats, Floats, Floats, Floats, Ints]

_LOWEST, _HIGHEST = -240, 240  # exponents: geometry.coordinates.safe_exponent
_ROUNDS = 32  # as many as geometry.hull goes
_BLOCK = 32  # so many points are sorted by counting, more by merging


@kernel
def _place_locally(points: Floats, x: Floats, y: Floats, low: Floats) -> tuple[int, float]:
    """Write points (N, 2) about their lower ends; return the exponent and the scaled largest.

    low: (2,), written too. All three are times 2**-exponent, which is 0 nearly always.
    """
    low_x, low_y = points[0, 0], points[0, 1]
    high_x, high_y = low_x, low_y
    for k in range(1, len(points)):
        low_x, high_x = min(low_x, points[k, 0]), max(high_x, points[k, 0])
        low_y, high_y = min(low_y, points[k, 1]), max(high_y, points[k, 1])
    largest = max(abs(low_x), abs(low_y), abs(high_x), abs(high_y))
    exponent = math.frexp(largest)[1]
    if largest == 0 or _LOWEST <= exponent <= _HIGHEST:
        exponent = 0
        for k in range(len(points)):
            x[k], y[k] = points[k, 0] - low_x, points[k, 1] - low_y
    else:
        low_x, low_y = math.ldexp(low_x, -exponent), math.ldexp(low_y, -exponent)
        largest = math.ldexp(largest, -exponent)
        for k in range(len(points)):
            x[k] = math.ldexp(points[k, 0], -exponent) - low_x
            y[k] = math.ldexp(points[k, 1], -exponent) - low_y
    low[0], low[1] = low_x, low_y
    return exponent, largest


@kernel
def _insert(x: Floats, y: Floats, start: int, stop: int) -> None:
    """Sort points [start, stop) by x, then y, by insertion."""
    for k in range(start + 1, stop):
        own_x, own_y = x[k], y[k]
        to = k
        while to > start and (x[to - 1] > own_x or (x[to - 1] == own_x and y[to - 1] > own_y)):
            x[to], y[to] = x[to - 1], y[to - 1]
            to -= 1
        x[to], y[to] = own_x, own_y


@kernel
def _rank(x: Floats, y: Floats, start: int, stop: int, spare: Floats, rank: Ints) -> None:
    """Sort points [start, stop): each goes to the place that the count of smaller x says.

    Without a branch, and in a processor's vectors; equal x are left to _insert.
    """
    count = stop - start
    own = spare[0, :count]
    for k in range(count):
        spare[0, k], spare[1, k], rank[k] = x[start + k], y[start + k], 0
    for other in own:
        for k in range(count):
            rank[k] += other < own[k]
    total = 0
    for k in range(count):
        x[start + rank[k]], y[start + rank[k]] = spare[0, k], spare[1, k]
        total += rank[k]
    if total != count * (count - 1) // 2:
        for k in range(count):
            x[start + k], y[start + k] = spare[0, k], spare[1, k]
        _insert(x, y, start, stop)


@kernel
def _merge(x: Floats, y: Floats, start: int, middle: int, stop: int, spare: Floats) -> None:
    """Merge the sorted points [start, middle) and [middle, stop)."""
    first = middle - start
    for k in range(first):
        spare[0, k], spare[1, k] = x[start + k], y[start + k]
    k, other, to = 0, middle, start
    while k < first:
        own_x, own_y = spare[0, k], spare[1, k]
        if other < stop and (x[other] < own_x or (x[other] == own_x and y[other] < own_y)):
            x[to], y[to] = x[other], y[other]
            other += 1
        else:
            x[to], y[to] = own_x, own_y
            k += 1
        to += 1


@kernel
def _sort(x: Floats, y: Floats, spare: Floats, rank: Ints) -> None:
    """Sort points by x, then y."""
    count = len(x)
    for start in range(0, count, _BLOCK):
        _rank(x, y, start, min(start + _BLOCK, count), spare, rank)
    width = _BLOCK
    while width < count:
        for start in range(0, count - width, 2 * width):
            _merge(x, y, start, start + width, min(start + 2 * width, count), spare)
        width *= 2


@kernel
def _drop_straight(x: Floats, y: Floats, count: int) -> int:
    """Drop all points of a chain that are no left turn between their neighbours, in one round."""
    if count < 3:
        return count
    in_x, in_y = x[1] - x[0], y[1] - y[0]
    left = 1
    for k in range(1, count - 1):
        own_x, own_y = x[k], y[k]
        out_x, out_y = x[k + 1] - own_x, y[k + 1] - own_y
        x[left], y[left] = own_x, own_y
        left += in_x * out_y > in_y * out_x
        in_x, in_y = out_x, out_y
    x[left], y[left] = x[count - 1], y[count - 1]
    return left + 1


@kernel
def _walk(x: Floats, y: Floats, count: int) -> int:
    """Keep the left turns of a chain by Andrew's scan; return how many there are."""
    top = 0
    for k in range(count):
        own_x, own_y = x[k], y[k]
        while top > 1:
            side_x, side_y = x[top - 1] - x[top - 2], y[top - 1] - y[top - 2]
            if side_x * (own_y - y[top - 1]) > side_y * (own_x - x[top - 1]):
                break
            top -= 1
        x[top], y[top] = own_x, own_y
        top += 1
    return top


@kernel
def _is_straight_somewhere(x: Floats, y: Floats, count: int) -> bool:
    for k in range(1, count - 1):
        in_x, in_y = x[k] - x[k - 1], y[k] - y[k - 1]
        if not in_x * (y[k + 1] - y[k]) > in_y * (x[k + 1] - x[k]):
            return True
    return False


@kernel
def _prune(x: Floats, y: Floats, count: int) -> int:
    """Keep the corners of a chain; return how many there are, ends included."""
    for _ in range(_ROUNDS):
        left = _drop_straight(x, y, count)
        if left == count:
            return count
        count = left
    return _walk(x, y, count) if _is_straight_somewhere(x, y, count) else count


@kernel
def _hull(x: Floats, y: Floats, hull_x: Floats, hull_y: Floats, spare: Floats, rank: Ints) -> int:
    """Sort the points and write the corners of their hull; return how many there are."""
    _sort(x, y, spare, rank)
    count = 0
    for k in range(len(x)):
        if k == 0 or x[k] != x[k - 1] or y[k] != y[k - 1]:
            hull_x[count], hull_y[count] = x[k], y[k]
            count += 1
    for k in range(count):
        spare[0, k], spare[1, k] = hull_x[count - 1 - k], hull_y[count - 1 - k]
    lower = _prune(hull_x, hull_y, count)
    upper = _prune(spare[0], spare[1], count)
    # The last point of a chain is the first of the other one; a lone point is both.
    corners = max(1, lower - 1)
    for k in range(upper - 1):
        hull_x[corners + k], hull_y[corners + k] = spare[0, k], spare[1, k]
    return corners + max(0, upper - 1)


@kernel
def local_hulls(points: Floats, counts: Ints) -> Hulls:
    """Return x, y (N,), exponents (M,), low (M, 2), largest (M,); hull x, y (H,), counts (M,).

    points (N, 2): M sets one after another, every one with a point. x and y are the points of
    each set in some order, about its lower ends `low`; all are times 2**-exponent. Hulls are as
    geometry.hull.hulls gives them, `largest` is the largest magnitude of each set.
    """
    x, y = np.empty(len(points)), np.empty(len(points))
    exponents, low = np.empty(len(counts), np.int64), np.empty((len(counts), 2))
    largest, corners = np.empty(len(counts)), np.empty(len(counts), np.int64)
    # Rounding may put a point into both chains of a set.
    hull_x, hull_y = np.empty(2 * len(points)), np.empty(2 * len(points))
    longest = 0
    for count in counts:
        longest = max(longest, count)
    spare, rank = np.empty((2, longest)), np.empty(_BLOCK, np.int64)
    start, place = 0, 0
    for n in range(len(counts)):
        stop = start + counts[n]
        own_x, own_y = x[start:stop], y[start:stop]
        exponents[n], largest[n] = _place_locally(points[start:stop], own_x, own_y, low[n])
        corners[n] = _hull(own_x, own_y, hull_x[place:], hull_y[place:], spare, rank)
        start = stop
        place += corners[n]
    hull_x, hull_y = hull_x[:place].copy(), hull_y[:place].copy()
    return x, y, exponents, low, largest, hull_x, hull_y, corners
