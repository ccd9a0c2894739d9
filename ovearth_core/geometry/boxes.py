"""Axis-aligned boxes: xmin, ymin, xmax, ymax in any one frame, and how far they overlap.

Areas are (xmax - xmin) (ymax - ymin): coordinates are continuous, so nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GeometryError
from ..kernels import compiled_body, same_kind
from ..kernels.threads import in_parts
from .coordinates import Floats, Indices, finite_rows, refused, safe_exponent, windows

Pairs = tuple[Indices, Indices, Floats]

_MEND = "give xmin, ymin, xmax, ymax as finite numbers, xmin <= xmax and ymin <= ymax"
_NOTHING = float(np.nextafter(0.0, 1.0))
# Temporaries of this many cells stay in a processor's cache.
_DENSE_CELLS = 1 << 16
_RAGGED_CELLS = 1 << 18
# So few are compared as fast by NumPy, and Numba, slow to import, may not be needed at all.
_FEW_CELLS = 1 << 12
# Boxes to compare below which a thread of its own doesn't pay.
_BOXES_A_THREAD = 4096


def envelope(points: ArrayLike) -> Floats:
    """Return [xmin, ymin, xmax, ymax] of points (N, 2), in their units and frame.

    Raises GeometryError for no points, a wrong shape, or anything that is not a finite number.
    """
    table = finite_rows(points, 2, "point", "give each point as x, y")
    if not len(table):
        raise GeometryError("no points have no envelope", mend="give at least one point")
    return np.concatenate([table.min(axis=0), table.max(axis=0)])


def check_boxes(boxes: object) -> Floats:
    """Return boxes as (N, 4) float64; zero size is legal, an empty list is no boxes.

    Raises GeometryError in one sentence with the index and the values of the first box that is
    not four finite numbers, or that is reversed. The result may be the array that was given.
    """
    table = finite_rows(boxes, 4, "box", _MEND)
    for axis, low, high in (("x", 0, 2), ("y", 1, 3)):
        reversed_ = table[:, low] > table[:, high]
        if reversed_.any():
            index = int(np.argmax(reversed_))
            fault = f"is reversed: {axis}min > {axis}max"
            raise refused("box", index, table[index], fault, _MEND)
    return table


def box_iou(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the IoU (N, M) of every box of `a` (N, 4) with every box of `b` (M, 4).

    A box of zero area has IoU 0 with everything, itself included. Never NaN.
    Raises GeometryError as check_boxes does.
    """
    first, second = _scaled(check_boxes(a), check_boxes(b))
    iou = np.empty((len(first), len(second)))
    step = max(1, _DENSE_CELLS // max(1, len(second)))
    for row in range(0, len(first), step):
        iou[row : row + step] = _iou(first[row : row + step, None], second[None])
    return iou


def box_pairs(a: ArrayLike, b: ArrayLike) -> Pairs:
    """Return i (K,), j (K,), IoU (K,) of every pair with IoU > 0, ordered by i, then j.

    a (N, 4), b (M, 4). Only boxes that meet on one axis are compared, a bounded number at once,
    so that 20,000 boxes against 20,000 need neither the time nor the memory of the full table.
    Raises GeometryError as check_boxes does.
    """
    first, second = _scaled(check_boxes(a), check_boxes(b))
    cells = len(first) * len(second)
    if cells <= _DENSE_CELLS:
        if cells > _FEW_CELLS and compiled_body("box_overlaps") is not None:
            every = np.full(len(first), len(second))
            return _joined(_compared(first, second, np.zeros_like(every), every))
        iou = _iou(first[:, None], second[None])
        i, j = np.nonzero(iou)
        return i, j, iou[i, j]
    i, j, iou = _joined(_swept(first, second))
    order = np.argsort(i * len(second) + j, kind="stable")
    return i[order], j[order], iou[order]


def grouped_box_pairs(
    a: ArrayLike, a_counts: NDArray[Any], b: ArrayLike, b_counts: NDArray[Any]
) -> Pairs:
    """Return what box_pairs returns, for pairs within a group only, many groups at once.

    a (N, 4) and b (M, 4) are the boxes of all groups (queries, images) one after another;
    a_counts and b_counts, both (G,), say how many of each belong to each group. i and j count
    through all of a and b. Raises GeometryError as check_boxes does, and for counts that don't
    add up.
    """
    first, second = _scaled(check_boxes(a), check_boxes(b))
    check_counts(len(first), a_counts, len(second), b_counts)
    stop = np.repeat(np.cumsum(b_counts), a_counts)
    start = stop - np.repeat(b_counts, a_counts)
    return _joined(_compared(first, second, start, stop))


def check_counts(n: int, a_counts: NDArray[Any], m: int, b_counts: NDArray[Any]) -> None:
    """Raise GeometryError unless n and m boxes are what the counts of the groups add up to."""
    if len(a_counts) != len(b_counts) or (n, m) != (int(a_counts.sum()), int(b_counts.sum())):
        raise GeometryError(
            f"{n} and {m} boxes are not what the counts of their groups add up to",
            mend="give one count a group on either side",
        )


def _iou(a: Floats, b: Floats) -> Floats:
    """Return the IoU of boxes (..., 4) and (..., 4), broadcast against each other."""
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    np.maximum(width, 0.0, out=width)
    np.maximum(height, 0.0, out=height)
    shared = np.multiply(width, height, out=width)
    union = np.add(_area(a), _area(b), out=height)
    union -= shared
    # Where both areas are 0 so is the union; any divisor gives 0 there, and no warning.
    np.maximum(union, _NOTHING, out=union)
    iou: Floats = np.divide(shared, union, out=union)
    return iou


def _area(boxes: Floats) -> Floats:
    area: Floats = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return area


def _scaled(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return both by the same power of two where their areas would overflow or vanish."""
    largest = max((float(np.abs(boxes).max()) for boxes in (a, b) if boxes.size), default=0.0)
    exponent = int(safe_exponent(np.array(largest)))
    return (np.ldexp(a, -exponent), np.ldexp(b, -exponent)) if exponent else (a, b)


def _swept(a: Floats, b: Floats) -> Iterator[Pairs]:
    """Yield the overlapping pairs, found along the axis on which fewer boxes meet.

    Two intervals meet when the lower end of one lies in the other: either b's in a's, or else
    a's inside b's. With the lower ends sorted both are ranges, and no pair is in both.
    """
    sweeps = []
    for axis in (0, 1):
        in_a, in_b = np.argsort(a[:, axis]), np.argsort(b[:, axis])
        a_low, b_low = a[in_a, axis], b[in_b, axis]
        a_start = np.searchsorted(b_low, a[:, axis], side="left")
        a_stop = np.searchsorted(b_low, a[:, axis + 2], side="left")
        b_start = np.searchsorted(a_low, b[:, axis], side="right")
        b_stop = np.searchsorted(a_low, b[:, axis + 2], side="left")
        b_stop = np.maximum(b_start, b_stop)
        meetings = int((a_stop - a_start).sum() + (b_stop - b_start).sum())
        sweeps.append((meetings, axis, in_a, in_b, a_start, a_stop, b_start, b_stop))
    _, _, in_a, in_b, a_start, a_stop, b_start, b_stop = min(sweeps, key=lambda sweep: sweep[:2])
    for i, position, iou in _compared(a, b[in_b], a_start, a_stop):
        yield i, in_b[position], iou
    for j, position, iou in _compared(b, a[in_a], b_start, b_stop):
        yield in_a[position], j, iou


def _compared(a: Floats, b: Floats, start: Indices, stop: Indices) -> Iterator[Pairs]:
    """Yield the pairs with IoU > 0 of each box of `a` with b[start:stop], by i, then j.

    The NumPy body is bounded in memory, the compiled one needs none beyond the pairs.
    """
    if (body := compiled_body("box_overlaps")) is not None:
        a, b = same_kind(a), same_kind(b)
        start, stop = (same_kind(ends.astype(np.int64, copy=False)) for ends in (start, stop))

        def work(some: slice) -> Pairs:
            i, j, iou = body(a[some], b, start[some], stop[some])
            return i + some.start, j, iou

        yield from in_parts(work, len(a), _BOXES_A_THREAD)
        return
    for i, j in windows(start, stop, _RAGGED_CELLS):
        # Most don't meet on both axes: the comparison is cheaper than the IoU.
        met = np.flatnonzero(_meet(a, b, i, j))
        i, j = i[met], j[met]  # noqa: PLW2901
        iou = _iou(a[i], b[j])
        some = np.flatnonzero(iou)
        yield i[some], j[some], iou[some]


def _meet(a: Floats, b: Floats, i: Indices, j: Indices) -> NDArray[np.bool_]:
    met: NDArray[np.bool_] = a[i, 0] < b[j, 2]
    met &= b[j, 0] < a[i, 2]
    met &= a[i, 1] < b[j, 3]
    met &= b[j, 1] < a[i, 3]
    return met


def _joined(parts: Iterable[Pairs]) -> Pairs:
    joined = list(parts)
    if not joined:
        nowhere = np.zeros(0, dtype=np.intp)
        return nowhere, nowhere.copy(), np.zeros(0)
    i, j, iou = (np.concatenate(column) for column in zip(*joined, strict=True))
    return i, j, iou
