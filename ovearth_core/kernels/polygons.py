"""How far quadrilaterals overlap, pair by pair: geometry.quadrilaterals and .clipping, in scalars.

The operations are those of the NumPy bodies in their order. Where these pad a polygon by its last
vertex, nothing is padded here: a repeated vertex adds an exact zero to the area.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FLAT = 8 * float(np.finfo(np.float64).eps)
_LOWEST, _HIGHEST = -240, 240  # exponents: geometry.coordinates.safe_exponent
# A cut adds at most half as many vertices, even where rounding made a polygon concave: 4 sides
# make 4, 6, 9, 13, 19.
_ROOM = 24


@kernel
def _exponent(largest: float) -> int:
    """Return what safe_exponent does."""
    exponent = math.frexp(largest)[1]
    return 0 if largest == 0 or _LOWEST <= exponent <= _HIGHEST else exponent


@kernel
def _area(x: Floats, y: Floats, count: int) -> float:
    """Return the signed area of a polygon of `count` vertices, as a fan about the first."""
    total = 0.0
    for k in range(1, count - 1):
        total += (x[k] - x[0]) * (y[k + 1] - y[0]) - (x[k + 1] - x[0]) * (y[k] - y[0])
    return total * 0.5


@kernel
def _place_locally(a: Floats, b: Floats, x: Floats, y: Floats) -> float:
    """Write both quadrilaterals (4, 2), scaled, about the first corner of a; return the largest.

    x, y: (2, 4), a first. The largest magnitude is that of the scaled coordinates.
    """
    largest = 0.0
    for k in range(4):
        largest = max(largest, abs(a[k, 0]), abs(a[k, 1]))
        largest = max(largest, abs(b[k, 0]), abs(b[k, 1]))
        x[0, k], y[0, k] = a[k, 0], a[k, 1]
        x[1, k], y[1, k] = b[k, 0], b[k, 1]
    exponent = _exponent(largest)
    if exponent != 0:
        largest = math.ldexp(largest, -exponent)
        for part in range(2):
            for k in range(4):
                x[part, k] = math.ldexp(x[part, k], -exponent)
                y[part, k] = math.ldexp(y[part, k], -exponent)
    origin_x, origin_y = x[0, 0], y[0, 0]
    for part in range(2):
        for k in range(4):
            x[part, k] -= origin_x
            y[part, k] -= origin_y
    return largest


@kernel
def _reflex(x: Floats, y: Floats) -> int:
    """Return the corner of a quadrilateral that turns most to the right, -1 where none does."""
    corner, least = -1, 0.0
    for k in range(4):
        before, after = (k + 3) % 4, (k + 1) % 4
        in_x, in_y = x[k] - x[before], y[k] - y[before]
        turn = in_x * (y[after] - y[k]) - in_y * (x[after] - x[k])
        if turn < least:
            corner, least = k, turn
    return corner


@kernel
def _cut_up(x: Floats, y: Floats, pieces: Floats) -> int:
    """Write the convex pieces (piece, axis, corner) of a quadrilateral; return how many there are.

    x, y: (4,), turned round in place where the area is negative.
    """
    if _area(x, y, 4) < 0:
        for k in range(2):
            x[k], x[3 - k] = x[3 - k], x[k]
            y[k], y[3 - k] = y[3 - k], y[k]
    reflex = _reflex(x, y)
    if reflex < 0:
        for k in range(4):
            pieces[0, 0, k], pieces[0, 1, k] = x[k], y[k]
        return 1
    # The triangles 0, 1, 2 and 0, 2, 3 from the reflex corner on, each with its last one twice.
    for k in range(4):
        one, other = (reflex + min(k, 2)) % 4, (reflex + (0 if k == 0 else min(k + 1, 3))) % 4
        pieces[0, 0, k], pieces[0, 1, k] = x[one], y[one]
        pieces[1, 0, k], pieces[1, 1, k] = x[other], y[other]
    return 2


@kernel
def _width(corners: Floats) -> float:
    low = high = corners[0]
    for k in range(1, 4):
        low, high = min(low, corners[k]), max(high, corners[k])
    return high - low


@kernel
def _area_of(pieces: Floats, count: int, largest: float) -> float:
    """Return the area of a quadrilateral in pieces, 0 where it is flat to within rounding."""
    total, reach = 0.0, 0.0
    for piece in range(count):
        x, y = pieces[piece, 0], pieces[piece, 1]
        total += _area(x, y, 4)
        reach = max(reach, _width(x), _width(y))
    return total if total > _FLAT * largest * reach else 0.0


@kernel
def _cut(x: Floats, y: Floats, count: int, distance: Floats, to_x: Floats, to_y: Floats) -> int:
    """Write the part of a polygon where distance is not negative; return its vertices' number."""
    left, before = 0, count - 1
    for k in range(count):
        inside = distance[k] >= 0
        if inside != (distance[before] >= 0):
            part = distance[before] / (distance[before] - distance[k])
            to_x[left] = x[before] + part * (x[k] - x[before])
            to_y[left] = y[before] + part * (y[k] - y[before])
            left += 1
        if inside:
            to_x[left], to_y[left] = x[k], y[k]
            left += 1
        before = k
    return left


@kernel
def _shared_area(a: Floats, b: Floats, room: Floats, distance: Floats) -> float:
    """Return the area that convex pieces a and b, (axis, corner), share (Sutherland–Hodgman).

    room: (2, axis, vertex) and distance (vertex,) are scratch.
    """
    used, count = 0, 4
    for k in range(count):
        room[used, 0, k], room[used, 1, k] = a[0, k], a[1, k]
    for corner in range(4):
        after = (corner + 1) % 4
        start_x, start_y = b[0, corner], b[1, corner]
        side_x, side_y = b[0, after] - start_x, b[1, after] - start_y
        x, y = room[used, 0], room[used, 1]
        outside = 0
        for k in range(count):
            distance[k] = side_x * (y[k] - start_y) - side_y * (x[k] - start_x)
            outside += not distance[k] >= 0
        if outside == count:
            return 0.0
        if outside:
            count = _cut(x, y, count, distance, room[1 - used, 0], room[1 - used, 1])
            used = 1 - used
    return _area(room[used, 0], room[used, 1], count)


@kernel
def pair_iou(a: Floats, b: Floats, i: Ints, j: Ints) -> Floats:
    """Return the IoU (K,) of a[i[k]] with b[j[k]], quadrilaterals (N, 4, 2) and (M, 4, 2)."""
    iou = np.zeros(len(i))
    x, y, pieces = np.empty((2, 4)), np.empty((2, 4)), np.empty((2, 2, 2, 4))
    room, distance = np.empty((2, 2, _ROOM)), np.empty(_ROOM)
    for k in range(len(i)):
        largest = _place_locally(a[i[k]], b[j[k]], x, y)
        a_count, b_count = _cut_up(x[0], y[0], pieces[0]), _cut_up(x[1], y[1], pieces[1])
        a_area = _area_of(pieces[0], a_count, largest)
        b_area = _area_of(pieces[1], b_count, largest)
        shared = 0.0
        for p in range(a_count):
            for q in range(b_count):
                shared += _shared_area(pieces[0, p], pieces[1, q], room, distance)
        # Rounding must neither make a part larger than its whole nor an overlap negative.
        shared = min(max(shared, 0.0), a_area, b_area)
        if shared > 0:
            iou[k] = shared / (a_area + b_area - shared)
    return iou


@kernel
def _apart(p: float, q: float) -> bool:
    return (p > 0) != (q > 0) and p != 0 and q != 0


@kernel
def may_cross(quads: Floats) -> NDArray[np.bool_]:
    """Tell which of the quadrilaterals (N, 4, 2) may have sides that cross; few others.

    Those of unsafe exponents are among them. How deep a crossing is takes a hypot, and is
    NumPy's to say: libraries round it differently.
    """
    may = np.zeros(len(quads), np.bool_)
    for n in range(len(quads)):
        quad = quads[n]
        largest = 0.0
        for k in range(4):
            largest = max(largest, abs(quad[k, 0]), abs(quad[k, 1]))
        if _exponent(largest) != 0:
            may[n] = True
            continue
        x1, y1 = quad[1, 0] - quad[0, 0], quad[1, 1] - quad[0, 1]
        x2, y2 = quad[2, 0] - quad[0, 0], quad[2, 1] - quad[0, 1]
        x3, y3 = quad[3, 0] - quad[0, 0], quad[3, 1] - quad[0, 1]
        t012, t013 = x1 * y2 - x2 * y1, x1 * y3 - x3 * y1
        t023 = x2 * y3 - x3 * y2
        t123 = (x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)
        may[n] = (_apart(t012, t013) and _apart(t023, t123)) or (
            _apart(t012, t123) and _apart(t013, t023)
        )
    return may
