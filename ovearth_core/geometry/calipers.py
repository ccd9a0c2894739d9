"""The areas of the rectangles on all sides of convex hulls, many hulls at once in flat arrays."""

from __future__ import annotations

import numpy as np

from ..kernels import compiled_body
from .coordinates import Floats, Indices

# Temporaries of this many cells stay in a processor's cache.
_CELLS_AT_ONCE = 1 << 15
_MOST_SIDES = 128


def side_areas(x: Floats, y: Floats, ux: Floats, uy: Floats, counts: Indices) -> Floats:
    """Return the area of the rectangle on each side of each hull, ux, uy the side's direction."""
    if (body := compiled_body("side_areas")) is None:
        areas = _areas_by_size(x, y, ux, uy, counts)
    else:
        areas = body(x, y, ux, uy, counts, _MOST_SIDES)
    ends = np.cumsum(counts)
    for large in np.flatnonzero(counts > _MOST_SIDES).tolist():
        one = slice(ends[large] - counts[large], ends[large])
        areas[one] = _areas_by_calipers(x[one], y[one], ux[one], uy[one])
    return areas


def _areas_by_size(x: Floats, y: Floats, ux: Floats, uy: Floats, counts: Indices) -> Floats:
    """Return the areas for hulls of at most so many sides, hulls of one size at once."""
    starts = np.cumsum(counts) - counts
    areas = np.zeros(len(x))
    for size in np.unique(counts[counts <= _MOST_SIDES]).tolist():
        first = starts[counts == size]
        step = max(1, _CELLS_AT_ONCE // size)
        for k in range(0, len(first), step):
            place = np.arange(size)[:, None] + first[k : k + step]
            areas[place] = _areas_of_size(x[place], y[place], ux[place], uy[place])
    return areas


def _areas_of_size(x: Floats, y: Floats, ux: Floats, uy: Floats) -> Floats:
    """Return the areas (h, M) for M hulls of h corners: every corner on every side's axes."""
    farthest = np.full(x.shape, -np.inf)
    nearest, height = -farthest, farthest.copy()
    step = max(1, _CELLS_AT_ONCE // x.size)
    for k in range(0, len(x), step):
        px, py = x[k : k + step, None], y[k : k + step, None]
        part = ux * px
        part += uy * py
        np.maximum(farthest, part.max(axis=0), out=farthest)
        np.minimum(nearest, part.min(axis=0), out=nearest)
        np.multiply(ux, py, out=part)
        part -= uy * px
        np.maximum(height, part.max(axis=0), out=height)
    # The side itself is the lowest: a hull lies to the left of its sides.
    height -= ux * y - uy * x
    areas: Floats = (farthest - nearest) * height
    return areas


def _areas_by_calipers(x: Floats, y: Floats, ux: Floats, uy: Floats) -> Floats:
    """Return the areas (h,) for one hull of many corners, its touching corners found by angle."""
    angle = np.unwrap(np.arctan2(uy, ux))
    around = np.concatenate([angle, angle + 2 * np.pi])

    def reach(turn: float, ax: Floats, ay: Floats) -> Floats:
        # The corner farthest along a direction ends the last side that turns less than that.
        touch = np.searchsorted(around, angle + turn)
        near = (touch[:, None] + np.arange(-2, 3)) % len(x)
        farthest: Floats = (ax[:, None] * x[near] + ay[:, None] * y[near]).max(axis=1)
        return farthest

    width = reach(np.pi / 2, ux, uy) + reach(3 * np.pi / 2, -ux, -uy)
    areas: Floats = width * (reach(np.pi, -uy, ux) - (ux * y - uy * x))
    return areas
