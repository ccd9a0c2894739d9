"""Rectangles around point sets, set by set: the steps of geometry.rectangles.

Lengths and angles are not taken here but by NumPy, for both bodies: libraries round them
differently.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def hull_sides(x: Floats, y: Floats, counts: Ints) -> tuple[Floats, Floats]:
    """Return how far each side of each hull goes, (H,) and (H,); +x by 1 for a single point."""
    dx, dy = np.empty(len(x)), np.empty(len(x))
    start = 0
    for count in counts:
        last = start + count - 1
        for k in range(start, last):
            dx[k], dy[k] = x[k + 1] - x[k], y[k + 1] - y[k]
        dx[last], dy[last] = x[start] - x[last], y[start] - y[last]
        if count == 1:
            dx[last] = 1.0
        start += count
    return dx, dy


@kernel
def _areas(x: Floats, y: Floats, ux: Floats, uy: Floats, most: Floats, areas: Floats) -> None:
    """Write the area of the rectangle on each side of one hull: every corner on every axis.

    most: (3, h) scratch. The loop within is over sides, so that it runs in a processor's vectors.
    """
    count = len(x)
    farthest, nearest, height = most[0], most[1], most[2]
    for side in range(count):
        farthest[side], nearest[side], height[side] = -np.inf, np.inf, -np.inf
    for k in range(count):
        own_x, own_y = x[k], y[k]
        for side in range(count):
            along = ux[side] * own_x + uy[side] * own_y
            across = ux[side] * own_y - uy[side] * own_x
            farthest[side] = along if along > farthest[side] else farthest[side]
            nearest[side] = along if along < nearest[side] else nearest[side]
            height[side] = across if across > height[side] else height[side]
    for side in range(count):
        base = ux[side] * y[side] - uy[side] * x[side]
        areas[side] = (farthest[side] - nearest[side]) * (height[side] - base)


@kernel
def side_areas(x: Floats, y: Floats, ux: Floats, uy: Floats, counts: Ints, most: int) -> Floats:
    """Return the areas (H,) of the rectangles on the sides of hulls of at most `most` corners.

    ux, uy: the directions of the sides. Of larger hulls the areas are 0.
    """
    areas = np.zeros(len(x))
    scratch = np.empty((3, most))
    start = 0
    for count in counts:
        stop = start + count
        if count <= most:
            _areas(
                x[start:stop],
                y[start:stop],
                ux[start:stop],
                uy[start:stop],
                scratch[:, :count],
                areas[start:stop],
            )
        start = stop
    return areas


@kernel
def smallest_sides(areas: Floats, counts: Ints, within: float) -> tuple[Ints, Ints]:
    """Return which sides (T,) have an area within a factor of the least of their hull, and whose.

    Ordered; the second is the number of each one's hull.
    """
    tied, owner = np.empty(len(areas), np.int64), np.empty(len(areas), np.int64)
    found, start = 0, 0
    for n in range(len(counts)):
        stop = start + counts[n]
        least = areas[start]
        for k in range(start + 1, stop):
            least = min(least, areas[k])
        limit = least * within
        for k in range(start, stop):
            tied[found], owner[found] = k, n
            found += areas[k] <= limit
        start = stop
    return tied[:found].copy(), owner[:found].copy()


@kernel
def _ends(low: float, high: float, rounding: float) -> tuple[float, float]:
    """Return both ends, or their middle twice where they are no farther apart than rounding."""
    if high - low <= rounding:
        middle = 0.5 * (low + high)
        return middle, middle
    return low, high


@kernel
def extents(
    x: Floats, y: Floats, counts: Ints, ux: Floats, uy: Floats, rounding: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return how far each set reaches along its unit vector and across: u0, u1, v0, v1, (M,)."""
    sets = len(counts)
    u0, u1, v0, v1 = np.empty(sets), np.empty(sets), np.empty(sets), np.empty(sets)
    start = 0
    for n in range(sets):
        c, s = ux[n], uy[n]
        left = right = c * x[start] + s * y[start]
        low = high = c * y[start] - s * x[start]
        for k in range(start + 1, start + counts[n]):
            along, across = c * x[k] + s * y[k], c * y[k] - s * x[k]
            left, right = min(left, along), max(right, along)
            low, high = min(low, across), max(high, across)
        u0[n], u1[n] = _ends(left, right, rounding[n])
        v0[n], v1[n] = _ends(low, high, rounding[n])
        start += counts[n]
    return u0, u1, v0, v1


@kernel
def _turned(ux: float, uy: float, u: float, v: float) -> tuple[float, float]:
    return ux * u - uy * v, uy * u + ux * v


@kernel
def set_corners(
    ux: Floats,
    uy: Floats,
    ends: tuple[Floats, Floats, Floats, Floats],
    turned: NDArray[np.bool_],
    low: Floats,
    exponents: Ints,
) -> Floats:
    """Return the corners (M, 4, 2) of rectangles; `turned` tells which start at u0, v1.

    ends: as from extents. The corners are moved by low (M, 2), then scaled by 2**exponent.
    """
    corners = np.empty((len(ux), 4, 2))
    u0, u1, v0, v1 = ends
    for n in range(len(ux)):
        first = 3 if turned[n] else 0
        for k in range(4):
            u = u0[n] if k in (0, 3) else u1[n]
            v = v0[n] if k < 2 else v1[n]
            x, y = _turned(ux[n], uy[n], u, v)
            x, y = x + low[n, 0], y + low[n, 1]
            if exponents[n] != 0:
                x, y = math.ldexp(x, exponents[n]), math.ldexp(y, exponents[n])
            to = (k - first) % 4
            corners[n, to, 0], corners[n, to, 1] = x, y
    return corners
