"""Quadrilaterals, as oriented boxes are given, and how far they overlap.

Corners are the truth, in either direction and from any start; concave ones are valid, crossing
ones are not. Overlap is polygon IoU in double precision about an origin local to each pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GeometryError
from ..kernels import compiled_body, same_kind
from ..kernels.threads import in_parts
from .boxes import Pairs, box_pairs, check_counts, grouped_box_pairs
from .clipping import area, shared_area
from .coordinates import Floats, Indices, finite_rows, refused, safe_exponent

_MEND = "give x1, y1, x2, y2, x3, y3, x4, y4 as finite numbers, in order around the quadrilateral"
# A crossing less deep than this part of the diagonal is a corner that touches, not a crossing:
# what is left of a flat box after a trip through map coordinates.
_TOUCH = 1e-6
# Flat to within the rounding of its own coordinates: no area.
_FLAT = 8 * float(np.finfo(np.float64).eps)
# Temporaries of this many pairs stay in a processor's cache.
_PAIRS_AT_ONCE = 4096
# Pairs to clip below which a thread of its own doesn't pay.
_PAIRS_A_THREAD = 2048


def check_quads(quads: object) -> Floats:
    """Return quadrilaterals as (N, 4, 2) float64 from rows of eight numbers or of four points.

    Raises GeometryError in one sentence with the index and the values of the first that is not
    eight finite numbers, or that has crossing sides. The result may be the array that was given.
    """
    if isinstance(quads, np.ndarray) and quads.ndim == 3 and quads.shape[1:] == (4, 2):
        quads = quads.reshape(-1, 8)
    if isinstance(quads, (list, tuple)):
        quads = [_flat(row) for row in quads]
    table = finite_rows(quads, 8, "quadrilateral", _MEND).reshape(-1, 4, 2)
    crossing = _crosses(table)
    if crossing.any():
        index = int(np.argmax(crossing))
        raise refused("quadrilateral", index, table[index].ravel(), "has sides that cross", _MEND)
    return table


def finite_quads(quads: object) -> Floats:
    """Return quadrilaterals as check_quads does, without asking whether sides cross."""
    if isinstance(quads, (list, tuple)):
        quads = [_flat(row) for row in quads]
    return finite_rows(quads, 8, "quadrilateral", _MEND).reshape(-1, 4, 2)


def envelopes(quads: ArrayLike) -> Floats:
    """Return the axis-aligned boxes (N, 4) around polygons (N, V, 2) of any one V, unchecked."""
    table = np.asarray(quads, dtype=np.float64)
    if (body := compiled_body("envelopes")) is not None:
        boxes: Floats = body(same_kind(table))
        return boxes
    return np.concatenate([table.min(axis=1), table.max(axis=1)], axis=1)


def quad_areas(quads: Floats) -> Floats:
    """Return the areas (N,) of quadrilaterals (N, 4, 2), unchecked; 0 for those on a line."""
    local = quads - quads[:, :1]
    return np.abs(area(local[..., 0].T, local[..., 1].T))


def quad_iou(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the IoU (N, M) of every quadrilateral of `a` (N, 4, 2) with every one of `b`.

    A quadrilateral of zero area has IoU 0 with everything, itself included. Never NaN, and never
    outside [0, 1]. Raises GeometryError as check_quads does.
    """
    first, second = check_quads(a), check_quads(b)
    iou = np.zeros((len(first), len(second)))
    i, j, _ = box_pairs(envelopes(first), envelopes(second))
    iou[i, j] = _iou_at(first, second, i, j)
    return iou


def quad_pairs(a: ArrayLike, b: ArrayLike) -> Pairs:
    """Return i (K,), j (K,), IoU (K,) of every pair with IoU > 0, ordered by i, then j.

    a (N, 4, 2), b (M, 4, 2). Raises GeometryError as check_quads does.
    """
    first, second = check_quads(a), check_quads(b)
    i, j, _ = box_pairs(envelopes(first), envelopes(second))
    return _overlapping(first, second, i, j)


def grouped_quad_pairs(
    a: ArrayLike, a_counts: NDArray[Any], b: ArrayLike, b_counts: NDArray[Any]
) -> Pairs:
    """Return what quad_pairs returns, for pairs within a group only, many groups at once.

    Arguments and order as in grouped_box_pairs. Raises GeometryError as check_quads does.
    """
    first, second = check_quads(a), check_quads(b)
    check_counts(len(first), a_counts, len(second), b_counts)
    i, j, _ = grouped_box_pairs(envelopes(first), a_counts, envelopes(second), b_counts)
    return _overlapping(first, second, i, j)


def quad_pair_iou(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the IoU (K,) of a[k] with b[k], both (K, 4, 2).

    Raises GeometryError as check_quads does, and for lists of different length.
    """
    first, second = check_quads(a), check_quads(b)
    if len(first) != len(second):
        raise GeometryError(
            f"{len(first)} and {len(second)} quadrilaterals are not pairs",
            mend="give as many of one as of the other",
        )
    every = np.arange(len(first))
    return _iou_at(first, second, every, every)


def _overlapping(a: Floats, b: Floats, i: Indices, j: Indices) -> Pairs:
    iou = _iou_at(a, b, i, j)
    some = np.flatnonzero(iou)
    return i[some], j[some], iou[some]


def _iou_at(a: Floats, b: Floats, i: Indices, j: Indices) -> Floats:
    if (body := compiled_body("pair_iou")) is not None:
        a, b, i, j = same_kind(a), same_kind(b), same_kind(i), same_kind(j)
        parts = in_parts(lambda some: body(a, b, i[some], j[some]), len(i), _PAIRS_A_THREAD)
        return np.concatenate(parts)
    iou = np.zeros(len(i))
    for first in range(0, len(i), _PAIRS_AT_ONCE):
        some = slice(first, first + _PAIRS_AT_ONCE)
        iou[some] = _pair_iou(a[i[some]], b[j[some]])
    return iou


def _pair_iou(a: Floats, b: Floats) -> Floats:
    """Return the IoU (K,) of a[k] with b[k], both (K, 4, 2) and valid."""
    points = np.concatenate([a, b], axis=1).transpose(2, 1, 0).copy()
    largest = np.abs(points).max(axis=(0, 1))
    exponent = safe_exponent(largest)
    if exponent.any():
        points, largest = np.ldexp(points, -exponent), np.ldexp(largest, -exponent)
    points -= points[:, :1].copy()
    (ax, bx), (ay, by) = points[0].reshape(2, 4, -1), points[1].reshape(2, 4, -1)
    a_pieces, b_pieces = _pieces(ax, ay), _pieces(bx, by)
    a_area, b_area = _area_of(a_pieces, largest), _area_of(b_pieces, largest)
    shared = np.zeros(len(a))
    for a_of, a_x, a_y in a_pieces:
        for b_of, b_x, b_y in b_pieces:
            if len(a_of) == len(b_of) == len(a):
                shared += shared_area(a_x, a_y, b_x, b_y)
                continue
            pair, in_a, in_b = np.intersect1d(a_of, b_of, True, return_indices=True)
            shared[pair] += shared_area(a_x[:, in_a], a_y[:, in_a], b_x[:, in_b], b_y[:, in_b])
    # Rounding must neither make a part larger than its whole nor an overlap negative.
    shared = np.clip(shared, 0.0, np.minimum(a_area, b_area))
    union = a_area + b_area - shared
    return np.divide(shared, union, out=np.zeros(len(a)), where=shared > 0)


Piece = tuple[Indices, Floats, Floats]


def _pieces(x: Floats, y: Floats) -> list[Piece]:
    """Return the convex pieces of quadrilaterals x, y (4, K): [(which, x, y), …].

    All have a positive shoelace sum. A concave quadrilateral is cut in two from its reflex corner
    to the opposite one; the triangles repeat a vertex. The first piece is there for all K.
    """
    turned = area(x, y) < 0
    if turned.any():
        x, y = np.where(turned, x[::-1], x), np.where(turned, y[::-1], y)
    dx, dy = np.roll(x, -1, axis=0) - x, np.roll(y, -1, axis=0) - y
    turn = np.roll(dx, 1, axis=0) * dy - np.roll(dy, 1, axis=0) * dx
    reflex = turn.argmin(axis=0)
    concave = np.flatnonzero(turn.min(axis=0) < 0)
    whole = np.arange(x.shape[1])
    if not len(concave):
        return [(whole, x, y)]
    around = (reflex[concave] + np.arange(4)[:, None]) % 4
    corners_x = np.take_along_axis(x[:, concave], around, axis=0)
    corners_y = np.take_along_axis(y[:, concave], around, axis=0)
    x, y = x.copy(), y.copy()
    x[:, concave], y[:, concave] = corners_x[[0, 1, 2, 2]], corners_y[[0, 1, 2, 2]]
    return [(whole, x, y), (concave, corners_x[[0, 2, 3, 3]], corners_y[[0, 2, 3, 3]])]


def _area_of(pieces: list[Piece], largest: Floats) -> Floats:
    """Return the area (K,) of quadrilaterals in pieces, 0 for those flat to within rounding."""
    total = np.zeros(len(largest))
    reach = np.zeros(len(largest))
    for which, x, y in pieces:
        total[which] += area(x, y)
        size = np.maximum(np.ptp(x, axis=0), np.ptp(y, axis=0))
        reach[which] = np.maximum(reach[which], size)
    return np.where(total > _FLAT * largest * reach, total, 0.0)


def _crosses(quads: Floats) -> NDArray[np.bool_]:
    """Tell which quadrilaterals (N, 4, 2) have opposite sides that properly cross."""
    if (body := compiled_body("may_cross")) is None:
        return _properly_cross(quads)
    crosses = np.zeros(len(quads), dtype=bool)
    if len(suspects := np.flatnonzero(body(same_kind(quads)))):
        crosses[suspects] = _properly_cross(quads[suspects])
    return crosses


def _properly_cross(quads: Floats) -> NDArray[np.bool_]:
    corners = quads.transpose(2, 1, 0)
    exponent = safe_exponent(np.abs(corners).max(axis=(0, 1), initial=0.0))
    if exponent.any():
        corners = np.ldexp(corners, -exponent)
    x, y = corners - corners[:, :1]
    side = np.hypot(np.roll(x, -1, axis=0) - x, np.roll(y, -1, axis=0) - y)
    touch = _TOUCH * np.hypot(x.max(axis=0) - x.min(axis=0), y.max(axis=0) - y.min(axis=0))
    t012, t013 = _twice_area(x, y, 0, 1, 2), _twice_area(x, y, 0, 1, 3)
    t023, t123 = _twice_area(x, y, 0, 2, 3), _twice_area(x, y, 1, 2, 3)
    crosses: NDArray[np.bool_] = _parts(t012, t013, side[0] * touch)
    crosses &= _parts(t023, t123, side[2] * touch)
    other = _parts(t012, t123, side[1] * touch)
    other &= _parts(t013, t023, side[3] * touch)
    return crosses | other


def _parts(p: Floats, q: Floats, least: Floats) -> NDArray[np.bool_]:
    """Tell where two points lie on different sides of a line, neither within `least` of it."""
    apart: NDArray[np.bool_] = (p > 0) != (q > 0)
    apart &= np.abs(p) > least
    apart &= np.abs(q) > least
    return apart


def _twice_area(x: Floats, y: Floats, p: int, q: int, r: int) -> Floats:
    twice: Floats = (x[q] - x[p]) * (y[r] - y[p]) - (x[r] - x[p]) * (y[q] - y[p])
    return twice


def _flat(row: object) -> object:
    """Return four points as one row of eight numbers, anything else as it is."""
    if isinstance(row, np.ndarray):
        return row.reshape(8) if row.shape == (4, 2) else row
    if isinstance(row, (list, tuple)) and len(row) == 4 and all(map(_is_point, row)):
        return [number for point in row for number in point]
    return row


def _is_point(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return bool(value.shape == (2,))
    return isinstance(value, (list, tuple)) and len(value) == 2
