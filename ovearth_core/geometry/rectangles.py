"""The enclosing rectangle of minimum area, for one point set or for many at once.

One of its sides lies on a side of the convex hull (Freeman and Shapira 1975), so the directions
of those are tried, about an origin local to each set. GEOS and OpenCV lose precision, or the
minimum itself, at map coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GeometryError
from ..kernels import compiled_body, same_kind
from .calipers import side_areas
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
_POINTS_AT_ONCE = 1 << 16
_SETS_AT_ONCE = 1024  # so that an array looked at is still in the cache when it is copied
_kind, _dimensions = attrgetter("dtype"), attrgetter("ndim")


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
    rectangles = np.empty((len(polygons), 4, 2))
    for begin in range(0, len(polygons), _SETS_AT_ONCE):
        points, counts = _end_to_end(list(polygons[begin : begin + _SETS_AT_ONCE]), begin)
        for first, last, before, after in _batches(np.cumsum(counts)):
            found = _rectangles(points[before:after], counts[first:last])
            rectangles[begin + first : begin + last] = found
    return rectangles


def _end_to_end(polygons: Sequence[ArrayLike], number: int) -> tuple[Floats, Indices]:
    """Return the points (N, 2) of all polygons and how many each has (M,), or refuse the first.

    number: what the first polygon is counted as.
    """
    if _are_float_arrays(polygons):
        # By far the most: looked at together, and without a line of Python for each.
        counts = np.fromiter(map(len, polygons), dtype=np.intp, count=len(polygons))
        # Shapes that differ can't be joined; their fault is named below.
        with suppress(ValueError):
            points = np.concatenate(polygons)
            if counts.all() and points.shape[1] == 2 and np.isfinite(points).all():
                return points, counts
    tables = [_points(number + k, polygon) for k, polygon in enumerate(polygons)]
    counts = np.fromiter(map(len, tables), dtype=np.intp, count=len(tables))
    return np.concatenate(tables), counts


def _are_float_arrays(polygons: Sequence[Any]) -> TypeGuard[Sequence[Floats]]:
    """Tell whether all are tables of float64, and nothing that only looks like them."""
    return (
        set(map(type, polygons)) == {np.ndarray}
        and set(map(_kind, polygons)) == {np.dtype(np.float64)}
        and set(map(_dimensions, polygons)) == {2}
    )


def _points(index: int, polygon: ArrayLike) -> Floats:
    try:
        table = finite_rows(polygon, 2, "point", _MEND)
    except GeometryError as error:
        raise error.at(f"polygon {index}") from None
    if not len(table):
        raise GeometryError("no points have no rectangle", f"polygon {index}", _MEND)
    return table


def _batches(ends: Indices) -> list[tuple[int, int, int, int]]:
    """Return first set, last set, first point, last point (ends excluded) of each batch of sets."""
    batches = []
    first = before = 0
    while first < len(ends):
        last = int(np.searchsorted(ends, before + _POINTS_AT_ONCE, side="right"))
        last = max(first + 1, last)
        after = int(ends[last - 1])
        batches.append((first, last, before, after))
        first, before = last, after
    return batches


def _rectangles(points: Floats, counts: Indices) -> Floats:
    """Return the rectangles (M, 4, 2) of M sets of points, one after another."""
    if (body := compiled_body("local_hulls")) is None:
        x, y, counts, exponents, low, largest = _about_lower_ends(points, counts)
        hull = hulls(x, y, counts)
    else:
        counts = same_kind(counts)
        x, y, exponents, low, largest, *hull = body(same_kind(points), counts)
    ux, uy = _directions(*hull)
    u0, u1, v0, v1 = _extents(x, y, counts, ux, uy, _FLAT * largest)
    # With u from 0° to 90°, x + y grows along it; along v only up to 45°.
    turned = (uy - ux) * (v1 - v0) > _SAME_PLACE * np.hypot(u1 - u0, v1 - v0)
    return _corners(ux, uy, (u0, u1, v0, v1), turned, low, exponents)


def _about_lower_ends(
    points: Floats, counts: Indices
) -> tuple[Floats, Floats, Indices, NDArray[np.int32], Floats, Floats]:
    """Return x, y, counts, exponents, low, largest: distinct points about the lower ends of each.

    low and largest are the lower ends (M, 2) and the largest magnitude (M,) of each set, scaled,
    as all is, by 2**-exponent.
    """
    starts = np.cumsum(counts) - counts
    low = np.minimum.reduceat(points, starts)
    high = np.maximum.reduceat(points, starts)
    largest = np.maximum(np.abs(low), np.abs(high)).max(axis=1)
    exponents = safe_exponent(largest)
    if exponents.any():
        points = np.ldexp(points, -np.repeat(exponents, counts)[:, None])
        low, largest = np.ldexp(low, -exponents[:, None]), np.ldexp(largest, -exponents)
    # The lower ends are coordinates of points nearby, so the differences are exact.
    local = points - np.repeat(low, counts, axis=0)
    return *sort_points(local[:, 0], local[:, 1], counts), exponents, low, largest


def _directions(x: Floats, y: Floats, counts: Indices) -> tuple[Floats, Floats]:
    """Return the unit vector (M,), (M,) in [0°, 90°) along which each hull's rectangle lies."""
    dx, dy = _sides(x, y, counts)
    length = np.hypot(dx, dy)
    dx /= length
    dy /= length
    areas = side_areas(x, y, dx, dy, counts)
    tied, owner = _smallest(areas, counts)
    dx, dy = _first_quadrant(dx[tied], dy[tied])
    best = _smallest_angle(np.arctan2(dy, dx), length[tied], owner)
    return dx[best], dy[best]


def _sides(x: Floats, y: Floats, counts: Indices) -> tuple[Floats, Floats]:
    """Return how far each side of each hull goes, (H,) and (H,); +x by 1 for a single point."""
    if (body := compiled_body("hull_sides")) is not None:
        dx, dy = body(x, y, counts)
        return dx, dy
    starts = np.cumsum(counts) - counts
    after = np.arange(1, len(x) + 1)
    after[starts + counts - 1] = starts
    dx, dy = x[after] - x, y[after] - y
    dx[starts[counts == 1]] = 1.0
    return dx, dy


def _smallest(areas: Floats, counts: Indices) -> tuple[Indices, Indices]:
    """Return which sides (T,) have an area near the least of their hull, and whose they are."""
    if (body := compiled_body("smallest_sides")) is not None:
        tied, owner = body(areas, counts, _TIED_AREAS)
        return tied, owner
    least = np.minimum.reduceat(areas, np.cumsum(counts) - counts)
    tied = np.flatnonzero(areas <= np.repeat(least * _TIED_AREAS, counts))
    return tied, np.repeat(np.arange(len(counts)), counts)[tied]


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


Ends = tuple[Floats, Floats, Floats, Floats]


def _extents(
    x: Floats, y: Floats, counts: Indices, ux: Floats, uy: Floats, rounding: Floats
) -> Ends:
    """Return how far each set reaches along its unit vector and across: u0, u1, v0, v1, (M,)."""
    if (body := compiled_body("extents")) is not None:
        ends: Ends = body(x, y, counts, ux, uy, rounding)
        return ends
    starts = np.cumsum(counts) - counts
    c, s = np.repeat(ux, counts), np.repeat(uy, counts)
    return *_ends(c * x + s * y, starts, rounding), *_ends(c * y - s * x, starts, rounding)


def _ends(values: Floats, starts: Indices, rounding: Floats) -> tuple[Floats, Floats]:
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    flat = high - low <= rounding
    middle = 0.5 * (low + high)
    return np.where(flat, middle, low), np.where(flat, middle, high)


def _corners(
    ux: Floats,
    uy: Floats,
    ends: Ends,
    turned: NDArray[np.bool_],
    low: Floats,
    exponents: NDArray[Any],
) -> Floats:
    """Return the corners (M, 4, 2) of rectangles, moved by low (M, 2), then scaled back.

    turned: which start at u0, v1 and not at u0, v0.
    """
    if (body := compiled_body("set_corners")) is not None:
        placed: Floats = body(ux, uy, ends, turned, low, exponents)
        return placed
    u0, u1, v0, v1 = ends
    u = np.where(turned, [u0, u0, u1, u1], [u0, u1, u1, u0])
    v = np.where(turned, [v1, v0, v0, v1], [v0, v0, v1, v1])
    corners: Floats = np.stack([ux * u - uy * v, uy * u + ux * v], axis=-1).transpose(1, 0, 2)
    corners = corners + low[:, None]
    return np.ldexp(corners, exponents[:, None, None]) if exponents.any() else corners
