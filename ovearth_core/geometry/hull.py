"""Convex hulls of many point sets at once, all in flat arrays: set after set, with their counts.

Andrew's two chains (1979), but pruned in rounds: in a chain sorted by x, a point on or outside the
segment between its neighbours is no corner of the hull, whatever else is dropped in the same
round. So all sets and points go in lockstep, and a round costs a few passes over what is left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .coordinates import Floats, Indices

# Polygons need about ten rounds at most; a chain that unravels point by point is walked instead.
_ROUNDS = 32
_WIDEST_ROW = 64
_ROW_STEP = 4


def sort_points(x: Floats, y: Floats, counts: Indices) -> tuple[Floats, Floats, Indices]:
    """Return each set's distinct points sorted by x, then y, and how many there are of each set."""
    points = np.empty(len(x), dtype=np.complex128)
    points.real, points.imag = x, y
    starts = np.cumsum(counts) - counts
    widths = -(-counts // _ROW_STEP) * _ROW_STEP
    for width in np.unique(widths[widths <= _WIDEST_ROW]).tolist():
        members = np.flatnonzero(widths == width)
        place = starts[members, None] + np.arange(width)
        used = np.arange(width) < counts[members, None]
        rows = np.where(used, points[np.minimum(place, len(x) - 1)], np.inf)
        rows.sort(axis=1)  # complex numbers sort by their real, then their imaginary part
        points[place[used]] = rows[used]
    for member in np.flatnonzero(widths > _WIDEST_ROW).tolist():
        points[starts[member] : starts[member] + counts[member]].sort()
    distinct = np.ones(len(points), dtype=bool)
    distinct[1:] = points[1:] != points[:-1]
    distinct[starts] = True
    points = points[distinct]
    left = np.add.reduceat(distinct, starts, dtype=np.intp)
    return points.real.copy(), points.imag.copy(), left


def hulls(x: Floats, y: Floats, counts: Indices) -> tuple[Floats, Floats, Indices]:
    """Return the corners of each set's hull, from its first point on, and how many there are.

    x, y, counts: as from sort_points, every set with at least one point. Corners go from +x
    towards +y (positive shoelace sum), none on the side between two others. A set on a line has
    its two ends, a single point itself.
    """
    sets = len(counts)
    owner = np.repeat(np.arange(sets), counts)
    x, y, chain = _prune(
        np.concatenate([x, x[::-1]]),
        np.concatenate([y, y[::-1]]),
        np.concatenate([owner, sets + owner[::-1]]),
    )
    # The last point of a chain is the first of the set's other one; a lone point is both.
    changes = chain[1:] != chain[:-1]
    last, first = np.append(changes, True), np.append(True, changes)
    kept = np.flatnonzero(~last | (first & (chain < sets)))
    x, y, chain = x[kept], y[kept], chain[kept]
    lower, upper = np.bincount(chain, minlength=2 * sets).reshape(2, sets)
    counts = lower + upper
    starts = np.cumsum(counts) - counts
    # Forward chains come in the order of their sets, backward chains in the opposite one.
    forward, backward = np.arange(sets), np.arange(sets)[::-1]
    place = np.concatenate(
        [_places(starts[forward], lower), _places((starts + lower)[backward], upper[backward])]
    )
    hull_x, hull_y = np.empty(len(x)), np.empty(len(x))
    hull_x[place], hull_y[place] = x, y
    return hull_x, hull_y, counts


def _places(starts: Indices, counts: Indices) -> Indices:
    """Return start, start + 1, … for each start, as many as its count."""
    before = np.cumsum(counts) - counts
    places: Indices = np.arange(int(counts.sum())) + np.repeat(starts - before, counts)
    return places


def _prune(x: Floats, y: Floats, chain: Indices) -> tuple[Floats, Floats, Indices]:
    """Drop every point of each chain that lies on its left turnless side, ends excepted."""
    for _ in range(_ROUNDS):
        kept = _turns_left(x, y, chain)
        if kept.all():
            return x, y, chain
        left = np.flatnonzero(kept)
        x, y, chain = x[left], y[left], chain[left]
    kept = _turns_left(x, y, chain)
    for unfinished in np.unique(chain[~kept]).tolist():
        members = np.flatnonzero(chain == unfinished)
        kept[members] = False
        kept[members[_walk(x[members].tolist(), y[members].tolist())]] = True
    return x[kept], y[kept], chain[kept]


def _turns_left(x: Floats, y: Floats, chain: Indices) -> NDArray[np.bool_]:
    """Tell which points are an end of their chain or a left turn in it."""
    dx, dy = np.diff(x), np.diff(y)
    kept = np.ones(len(x), dtype=bool)
    kept[1:-1] = dx[:-1] * dy[1:] > dy[:-1] * dx[1:]
    kept[1:-1] |= chain[:-2] != chain[2:]
    return kept


def _walk(x: list[float], y: list[float]) -> list[int]:
    """Return which points of one chain are left turns, by Andrew's scan."""
    stack: list[int] = []
    for k in range(len(x)):
        while len(stack) > 1:
            p, q = stack[-2], stack[-1]
            if (x[q] - x[p]) * (y[k] - y[q]) > (y[q] - y[p]) * (x[k] - x[q]):
                break
            stack.pop()
        stack.append(k)
    return stack
