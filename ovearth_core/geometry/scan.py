"""Scan conversion: which pixels lie in a polygon, by the rule of GDAL's default rasteriser.

A pixel belongs to a polygon when its centre does. Ties are broken as `gv_rasterize` breaks them
(GDAL's alg/llrasterize.cpp, `GDALdllImageFilledPolygon`; tested against 3.10), which is what
`rasterio.features.rasterize(all_touched=False)` gives:

- the row y is cut at y + 0.5 by the edges with y_upper <= y + 0.5 < y_lower; the crossings,
  rounded half up, bound the filled columns in pairs, over all rings of one polygon (even-odd);
- a horizontal edge that lies on a row of centres is filled on top of that where it runs towards
  smaller x, once its ring is turned clockwise by `OGRLinearRing::isClockwise` (y up). A hole's
  edges are no exception. So one side of a shape keeps the centres on its border, the other not;
- polygons, and the parts of a MultiPolygon or collection, are united.

Vertices are rounded to 1e-6 pixel first. Beyond 2**31 pixels GDAL's own integers overflow; here
they don't.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..kernels import compiled_body
from .intervals import IntArray, united, unpaired

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_DECIMALS = 6
_SAME = 1e-5  # isClockwise's own tolerance
_MOST_CROSSINGS = 1 << 21  # worked on at once; more are cut into bands of rows, to bound memory
_LARGEST_KEY = 1 << 62


@dataclass(frozen=True)
class _Outline:
    """The vertices of all rings end to end, each ring open (its closing position dropped)."""

    x: FloatArray
    y: FloatArray
    before: IntArray  # index of the vertex before, in the same ring
    after: IntArray
    ring_start: IntArray
    ring: IntArray  # of each vertex
    polygon: IntArray  # of each vertex


@dataclass(frozen=True)
class _Edges:
    """Edges that cut rows, upper end (x, y), to lower end (x + dx, y + dy), rows [first, last)."""

    x: FloatArray
    y: FloatArray
    dx: FloatArray
    dy: FloatArray
    first: IntArray
    last: IntArray
    polygon: IntArray

    def within(self, top: int, bottom: int) -> _Edges:
        """Return the parts of the edges that cut the rows [top, bottom)."""
        first, last = np.maximum(self.first, top), np.minimum(self.last, bottom)
        cut = np.flatnonzero(first < last)
        x, y, dx, dy = self.x[cut], self.y[cut], self.dx[cut], self.dy[cut]
        return _Edges(x, y, dx, dy, first[cut], last[cut], self.polygon[cut])


def covered(polygons: Sequence[Sequence[FloatArray]], height: int, width: int) -> IntArray:
    """Return the column-major bounds, as `Runs` keeps them, of the pixels that polygons cover.

    polygons: each a list of rings (N, 2), x and y in pixels, finite, open or closed. What sticks
    out of the height x width image doesn't count.
    """
    if not any(len(rings) for rings in polygons):
        return np.empty(0, np.int64)
    edges_of, bounds_of = compiled_body("row_edges"), compiled_body("covered_bounds")
    if edges_of is not None and bounds_of is not None:
        edges, rows = edges_of(*_end_to_end(polygons), len(polygons), height, width)
        bounds: IntArray = bounds_of(edges, rows, height, width)
        return bounds
    outline = _outline(polygons)
    spans = _row_spans(_cutting_edges(outline, height), len(polygons), width)
    spans = _with_level_edges(spans, outline, height, width)
    return _column_major(spans, height, width)


def _end_to_end(
    polygons: Sequence[Sequence[FloatArray]],
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return all vertices (N, 2), rounded; each ring's length (R,) and its polygon (R,)."""
    rings = [ring for polygon in polygons for ring in polygon]
    size = np.array([len(ring) for ring in rings], np.int64)
    owner = np.repeat(np.arange(len(polygons)), [len(rings) for rings in polygons])
    vertices: FloatArray = np.concatenate(rings)
    return vertices.round(_DECIMALS), size, owner


def _outline(polygons: Sequence[Sequence[FloatArray]]) -> _Outline:
    xy, size, owner = _end_to_end(polygons)
    last = np.cumsum(size) - 1
    closed = (xy[last] == xy[last - size + 1]).all(axis=1) & (size > 1)
    xy = np.delete(xy, last[closed], axis=0)
    size -= closed
    start = np.cumsum(size) - size
    index = np.arange(len(xy))
    before, after = index - 1, index + 1
    before[start] = start + size - 1
    after[start + size - 1] = start
    ring = np.repeat(np.arange(len(size)), size)
    x, y = np.ascontiguousarray(xy.T)
    return _Outline(x, y, before, after, start, ring, owner[ring])


def _cutting_edges(outline: _Outline, height: int) -> _Edges:
    x0, y0 = outline.x[outline.before], outline.y[outline.before]
    x1, y1 = outline.x, outline.y
    down = y0 < y1
    x, upper = np.where(down, x0, x1), np.where(down, y0, y1)
    far_x, lower = np.where(down, x1, x0), np.where(down, y1, y0)
    # Clipped while still floating: a vertex at 1e12 costs nothing and overflows nothing.
    first = np.clip(np.ceil(upper - 0.5), 0, height).astype(np.int64)
    last = np.clip(np.ceil(lower - 0.5), 0, height).astype(np.int64)
    edges = _Edges(x, upper, far_x - x, lower - upper, first, last, outline.polygon)
    return edges.within(0, height)


def _row_spans(edges: _Edges, polygons: int, width: int) -> IntArray:
    """Return row-major bounds, position = row * (width + 1) + x, of the even-odd fill."""
    if not len(edges.x):
        return np.empty(0, np.int64)
    top, bottom = int(np.min(edges.first)), int(np.max(edges.last))
    crossings = int((edges.last - edges.first).sum())
    too_many = crossings > _MOST_CROSSINGS
    too_wide = polygons * (bottom - top) * (width + 1) > _LARGEST_KEY
    if (too_many or too_wide) and bottom - top > 1:
        middle = (top + bottom) // 2
        halves = edges.within(top, middle), edges.within(middle, bottom)
        return np.concatenate([_row_spans(half, polygons, width) for half in halves])
    crossed = _crossings(edges, top, bottom, width)
    return united(crossed[0::2], crossed[1::2])


def _crossings(edges: _Edges, top: int, bottom: int, width: int) -> IntArray:
    """Return the row-major positions of all crossings, by polygon, row and x; pairs follow."""
    count = edges.last - edges.first
    edge = np.repeat(np.arange(len(count)), count)
    row = np.arange(len(edge)) + (edges.first - np.cumsum(count) + count)[edge]
    # The order of operations is GDAL's: another one rounds other centres out.
    x = (row + 0.5 - edges.y[edge]) * edges.dx[edge] / edges.dy[edge] + edges.x[edge]
    column = np.clip(np.floor(x + 0.5), 0, width).astype(np.int64)
    line, plane = width + 1, (bottom - top) * (width + 1)
    key = edges.polygon[edge] * plane + (row - top) * line + column
    key.sort()
    return key % plane + top * line


def _with_level_edges(spans: IntArray, outline: _Outline, height: int, width: int) -> IntArray:
    """Add the horizontal edges on rows of centres that GDAL fills."""
    x0, x1, y = outline.x[outline.before], outline.x, outline.y
    level = (y == outline.y[outline.before]) & (x0 != x1) & (y > 0) & (y < height)
    level &= y - 0.5 == np.floor(y)
    if not level.any():
        return spans
    filled = np.flatnonzero(level & ((x0 > x1) == _clockwise(outline)[outline.ring]))
    ends = np.stack((x0[filled], x1[filled]))
    left, right = np.clip(np.floor(np.sort(ends, axis=0) + 0.5), 0, width).astype(np.int64)
    line = np.floor(y[filled]).astype(np.int64) * (width + 1)
    return united(
        np.concatenate((spans[0::2], line + left)), np.concatenate((spans[1::2], line + right))
    )


def _clockwise(outline: _Outline) -> BoolArray:
    """Tell of each ring whether OGRLinearRing::isClockwise says so, y up.

    It looks at the turn at the lowest (then rightmost) vertex; where that is there twice, or a
    neighbour is nearly the same, at the signed area.
    """
    x, y, start, ring = outline.x, outline.y, outline.ring_start, outline.ring
    lowest = y == np.minimum.reduceat(y, start)[ring]
    rightmost = np.maximum.reduceat(np.where(lowest, x, -np.inf), start)[ring]
    pivots = lowest & (x == rightmost)
    pivot = np.minimum.reduceat(np.where(pivots, np.arange(len(x)), len(x)), start)
    before, after = outline.before[pivot], outline.after[pivot]
    x0, y0 = x[before] - x[pivot], y[before] - y[pivot]
    x1, y1 = x[after] - x[pivot], y[after] - y[pivot]
    turn = x1 * y0 - x0 * y1
    unclear = np.add.reduceat(pivots, start, dtype=np.int64) > 1
    unclear |= (np.abs(x0) < _SAME) & (np.abs(y0) < _SAME)
    unclear |= (np.abs(x1) < _SAME) & (np.abs(y1) < _SAME)
    unclear |= turn == 0
    clockwise: BoolArray = turn < 0
    stop = np.append(start[1:], len(x))
    for index in np.flatnonzero(unclear):
        own = slice(start[index], stop[index])
        clockwise[index] = _signed_area(x[own], y[own]) < 0
    return clockwise


def _signed_area(x: FloatArray, y: FloatArray) -> float:
    """Return twice the area of one open ring, its terms added in GDAL's order.

    GDAL's sum runs over the closed ring, so the first vertex enters by halves, first and last.
    """
    x_closed, y_closed = np.append(x, x[0]), np.append(y, y[0])
    rise = np.empty_like(y_closed)
    rise[0] = y_closed[1] - y_closed[-1]
    rise[1:-1] = y_closed[2:] - y_closed[:-2]
    rise[-1] = y_closed[0] - y_closed[-2]
    return float(np.cumsum(x_closed * rise)[-1])


def _column_major(spans: IntArray, height: int, width: int) -> IntArray:
    """Turn row-major spans into column-major bounds, without the pixels between."""
    line = width + 1
    # A column changes at row r where the spans of r and of r - 1 differ: what both have cancels.
    changed = unpaired(np.sort(np.concatenate((spans, spans + line)), kind="stable"))
    row, column = np.divmod(changed[0::2], line)
    count = changed[1::2] - changed[0::2]
    begin = column * height + row - (np.cumsum(count) - count) * height
    bounds = np.repeat(begin, count) + np.arange(count.sum()) * height
    bounds.sort()
    # The foot of one column and the head of the next are the same position, and cancel.
    return unpaired(bounds)
