"""The enclosing rectangle of minimum area, for one point set or for many at once.

One of its sides lies on a side of the convex hull (Freeman and Shapira 1975), so the directions
of those are tried, about an origin local to each set. GEOS and OpenCV lose precision, or the
minimum itself, at map coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GeometryError
from .coordinates import Floats, Indices, finite_rows, safe_exponent
from .hull import hulls, sort_points

_MEND = "give a list of one or more points x, y"
_TIED_AREAS = 1 + 1e-6
_RIGHT_ANGLE = np.pi / 2 - np.deg2rad(0.001)
# Parallel sides differ by the rounding of their corners; the longest has the truest direction.
_SAME_ANGLE = 1e-6
_SAME_PLACE = 1e-6
# Narrower than the rounding of the coordinates that it was made from: no width.
_FLAT = 4 * float(np.finfo(np.float64).eps)
_POINTS_AT_ONCE = 1 << 15
_CELLS_AT_ONCE = 1 << 15
_MOST_SIDES = 128


def min_area_rect(points: ArrayLike) -> Floats:
    """Return the corners (4, 2) of the enclosing rectangle of minimum area of points (N, 2).

    Units and frame are the input's. Of rectangles within 1e-6 of the minimum, the one with the
    smallest angle in [0°, 90°) from +x towards +y is taken. The first corner has the smallest
    x + y, then the smallest y; the others follow from +x towards +y (clockwise on an image).
    Points on a line give a rectangle without width, one point one without size.
    Raises GeometryError for no points, a wrong shape, or anything that is not a finite number.
    """
    table = finite_rows(points, 2, "point", _MEND)
    if not len(table):
        raise GeometryError("no points have no rectangle", mend=_MEND)
    rectangle: Floats = _rectangles(table, np.array([len(table)]))[0]
    return rectangle


def min_area_rects(polygons: Sequence[ArrayLike] | NDArray[np.float64]) -> Floats:
    """Return min_area_rect of each of M point sets (N, 2), to the same bits, as (M, 4, 2).

    Raises GeometryError as min_area_rect does, naming the polygon by its index.
    """
    tables = [_points(k, polygon) for k, polygon in enumerate(polygons)]
    counts = np.fromiter(map(len, tables), dtype=np.intp, count=len(tables))
    rectangles = np.empty((len(tables), 4, 2))
    ends = np.cumsum(counts)
    first = 0
    while first < len(tables):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + _POINTS_AT_ONCE, side="right")))
        points = np.concatenate(tables[first:last])
        if not np.isfinite(points).all():
            for k in range(first, last):
                _finite(k, tables[k])
        rectangles[first:last] = _rectangles(points, counts[first:last])
        first = last
    return rectangles


def _points(index: int, polygon: ArrayLike) -> Floats:
    # Plain float arrays, by far the most, are looked through for NaN together.
    if (
        type(polygon) is not np.ndarray
        or polygon.dtype != np.float64
        or polygon.ndim != 2
        or polygon.shape[1] != 2
    ):
        polygon = _finite(index, polygon)
    if not len(polygon):
        raise GeometryError("no points have no rectangle", f"polygon {index}", _MEND)
    return polygon


def _finite(index: int, polygon: ArrayLike) -> Floats:
    try:
        return finite_rows(polygon, 2, "point", _MEND)
    except GeometryError as error:
        raise error.at(f"polygon {index}") from None


def _rectangles(points: Floats, counts: Indices) -> Floats:
    """Return the rectangles (M, 4, 2) of M sets of points, one after another."""
    starts = np.cumsum(counts) - counts
    low = np.minimum.reduceat(points, starts)
    high = np.maximum.reduceat(points, starts)
    largest = np.maximum(np.abs(low), np.abs(high)).max(axis=1)
    exponent = safe_exponent(largest)
    if exponent.any():
        points = np.ldexp(points, -np.repeat(exponent, counts)[:, None])
        low = np.ldexp(low, -exponent[:, None])
    # The lower ends are coordinates of points nearby, so the differences are exact.
    local = points - np.repeat(low, counts, axis=0)
    x, y, counts = sort_points(local[:, 0], local[:, 1], counts)
    along = _directions(*hulls(x, y, counts))
    rounding = _FLAT * np.ldexp(largest, -exponent)
    corners: Floats = _corners(x, y, counts, along, rounding) + low[:, None]
    if exponent.any():
        corners = np.ldexp(corners, exponent[:, None, None])
    return corners


def _directions(x: Floats, y: Floats, counts: Indices) -> tuple[Floats, Floats]:
    """Return the unit vector (M,), (M,) in [0°, 90°) along which each hull's rectangle lies."""
    starts = np.cumsum(counts) - counts
    after = np.arange(1, len(x) + 1)
    after[starts + counts - 1] = starts
    dx, dy = x[after] - x, y[after] - y
    dx[starts[counts == 1]] = 1.0
    length = np.hypot(dx, dy)
    dx /= length
    dy /= length
    areas = _areas(x, y, dx, dy, counts)
    least = np.minimum.reduceat(areas, starts)
    tied = np.flatnonzero(areas <= np.repeat(least * _TIED_AREAS, counts))
    owner = np.repeat(np.arange(len(counts)), counts)[tied]
    dx, dy = _first_quadrant(dx[tied], dy[tied])
    best = _smallest_angle(np.arctan2(dy, dx), length[tied], owner)
    return dx[best], dy[best]


def _first_quadrant(dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """Return unit vectors turned by quarters until x > 0 and y >= 0."""
    upright = ((dx <= 0) & (dy > 0)) | ((dx >= 0) & (dy < 0))
    return np.abs(np.where(upright, dy, dx)), np.abs(np.where(upright, dx, dy))


def _smallest_angle(angle: Floats, length: Floats, owner: Indices) -> Indices:
    """Return, for each owner, which of its sides has the smallest angle; of equals the longest."""
    angle = np.where(angle >= _RIGHT_ANGLE, 0.0, angle)
    starts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    least = np.minimum.reduceat(angle, starts)[owner]
    length = np.where(angle <= least + _SAME_ANGLE, length, -1.0)
    longest = np.flatnonzero(length == np.maximum.reduceat(length, starts)[owner])
    firsts = np.append(True, owner[longest][1:] != owner[longest][:-1])
    best: Indices = longest[firsts]
    return best


def _areas(x: Floats, y: Floats, ux: Floats, uy: Floats, counts: Indices) -> Floats:
    """Return the area of the rectangle on each side of each hull, ux, uy the side's direction."""
    starts = np.cumsum(counts) - counts
    areas = np.empty(len(x))
    for size in np.unique(counts).tolist():
        first = starts[counts == size]
        if size > _MOST_SIDES:
            for start in first.tolist():
                one = slice(start, start + size)
                areas[one] = _areas_by_calipers(x[one], y[one], ux[one], uy[one])
            continue
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


def _corners(
    x: Floats, y: Floats, counts: Indices, along: tuple[Floats, Floats], rounding: Floats
) -> Floats:
    """Return the corners (M, 4, 2) of the rectangles along unit vectors around all of each set."""
    ux, uy = along
    starts = np.cumsum(counts) - counts
    c, s = np.repeat(ux, counts), np.repeat(uy, counts)
    u0, u1 = _ends(c * x + s * y, starts, rounding)
    v0, v1 = _ends(c * y - s * x, starts, rounding)
    # With u from 0° to 90°, x + y grows along it; along v only up to 45°.
    diagonal = np.hypot(u1 - u0, v1 - v0)
    turned = (uy - ux) * (v1 - v0) > _SAME_PLACE * diagonal
    u = np.where(turned, [u0, u0, u1, u1], [u0, u1, u1, u0])
    v = np.where(turned, [v1, v0, v0, v1], [v0, v0, v1, v1])
    corners: Floats = np.stack([ux * u - uy * v, uy * u + ux * v], axis=-1).transpose(1, 0, 2)
    return corners


def _ends(values: Floats, starts: Indices, rounding: Floats) -> tuple[Floats, Floats]:
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    flat = high - low <= rounding
    middle = 0.5 * (low + high)
    return np.where(flat, middle, low), np.where(flat, middle, high)
