"""The edges of polygons that cut rows of pixels: the start of geometry.scan."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Outline = tuple[Floats, Floats, Ints]

_SAME = 1e-5  # isClockwise's own tolerance


@kernel
def _opened(xy: Floats, size: Ints) -> Outline:
    """Return x, y and ring starts of rings (N, 2) end to end, closing positions dropped."""
    x, y = np.empty(len(xy)), np.empty(len(xy))
    start = np.zeros(len(size) + 1, np.int64)
    read, place = 0, 0
    for ring in range(len(size)):
        last = read + size[ring] - 1
        closed = last > read and xy[last, 0] == xy[read, 0] and xy[last, 1] == xy[read, 1]
        for k in range(read, last if closed else last + 1):
            x[place], y[place] = xy[k, 0], xy[k, 1]
            place += 1
        read = last + 1
        start[ring + 1] = place
    return x[:place], y[:place], start


@kernel
def _whole(value: float, most: int) -> int:
    """Return a whole number cut to [0, most], compared while still floating."""
    if value <= 0:
        return 0
    return most if value >= most else np.int64(value)


@kernel
def _signed_area(x: Floats, y: Floats) -> float:
    """Return twice the area of one open ring, its terms added in GDAL's order."""
    count = len(x)
    after = y[1] if count > 1 else y[0]
    total = x[0] * (after - y[0])
    for k in range(1, count):
        after = y[k + 1] if k + 1 < count else y[0]
        total += x[k] * (after - y[k - 1])
    return total + x[0] * (y[0] - y[count - 1])


@kernel
def _clockwise(x: Floats, y: Floats) -> bool:
    """Tell whether OGRLinearRing::isClockwise says so of one open ring, y up."""
    pivot, times = 0, 1
    for k in range(1, len(x)):
        if y[k] < y[pivot] or (y[k] == y[pivot] and x[k] > x[pivot]):
            pivot, times = k, 1
        elif y[k] == y[pivot] and x[k] == x[pivot]:
            times += 1
    before, after = (pivot - 1) % len(x), (pivot + 1) % len(x)
    x0, y0 = x[before] - x[pivot], y[before] - y[pivot]
    x1, y1 = x[after] - x[pivot], y[after] - y[pivot]
    turn = x1 * y0 - x0 * y1
    unclear = times > 1 or turn == 0
    unclear |= abs(x0) < _SAME and abs(y0) < _SAME
    unclear |= abs(x1) < _SAME and abs(y1) < _SAME
    return _signed_area(x, y) < 0 if unclear else turn < 0


@kernel
def _add_level(
    x0: float, x1: float, y: float, width: int, planes: Ints, edges: Floats, rows: Ints, found: int
) -> int:
    """Write a horizontal edge to be filled as two upright ones, a polygon of their own."""
    row = np.int64(np.floor(y))
    for end in (x0, x1):
        edges[found, 0], edges[found, 1] = _whole(np.floor(end + 0.5), width), y
        edges[found, 2], edges[found, 3] = 0.0, 1.0
        rows[found, 0], rows[found, 1], rows[found, 2] = row, row + 1, planes[0]
        found += 1
    planes[0] += 1
    return found


@kernel
def row_edges(
    xy: Floats, size: Ints, owner: Ints, planes: int, height: int, width: int
) -> tuple[Floats, Ints]:
    """Return edges that cut rows: x, y, dx, dy (E, 4); first row, last row, polygon (E, 3).

    xy (N, 2): all rings end to end, rounded; size, owner (R,): how long each ring is, and the
    number of its polygon, below `planes`. Last rows are excluded. Horizontal edges that GDAL fills
    are two upright ones, each pair a polygon of its own.
    """
    x, y, start = _opened(xy, size)
    edges, rows = np.empty((2 * len(x), 4)), np.empty((2 * len(x), 3), np.int64)
    next_plane = np.full(1, planes)
    found = 0
    for ring in range(len(owner)):
        # Whether it is clockwise is asked for few: -1 is not known yet.
        clockwise, before = -1, start[ring + 1] - 1
        for k in range(start[ring], start[ring + 1]):
            x0, y0, x1, y1 = x[before], y[before], x[k], y[k]
            before = k
            if y0 == y1:
                if x0 == x1 or not 0 < y0 < height or y0 - 0.5 != np.floor(y0):
                    continue
                if clockwise < 0:
                    own = slice(start[ring], start[ring + 1])
                    clockwise = np.int64(_clockwise(x[own], y[own]))
                if (x0 > x1) == (clockwise == 1):
                    found = _add_level(x0, x1, y0, width, next_plane, edges, rows, found)
                continue
            if y0 > y1:
                x0, y0, x1, y1 = x1, y1, x0, y0
            first = _whole(np.ceil(y0 - 0.5), height)
            last = _whole(np.ceil(y1 - 0.5), height)
            if first < last:
                edges[found, 0], edges[found, 1] = x0, y0
                edges[found, 2], edges[found, 3] = x1 - x0, y1 - y0
                rows[found, 0], rows[found, 1], rows[found, 2] = first, last, owner[ring]
                found += 1
    return edges[:found], rows[:found]
