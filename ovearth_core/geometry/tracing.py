"""Masks as polygons along the edges of their pixels, several masks so that no seam opens.

Masks of one image that lie side by side share every vertex of their common borders: carried over
to a map, where straight edges become curves, they still meet. Pixels hang together by their
sides (4-connected); polygons are valid, holes may touch their outline or each other at points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .intervals import IntArray, complement, shared
from .rings import Polygon
from .runs import Runs

# No edge is longer, so that its middle stays on the image whatever the projection: a hundredth of
# a pixel at 10 m per pixel. At fixed places, which masks side by side share.
LONGEST_EDGE = 64

_EAST, _SOUTH, _WEST, _NORTH = range(4)
_STEPS_X = np.array([1, 0, -1, 0])
_STEPS_Y = np.array([0, 1, 0, -1])


def traced(masks: Sequence[Runs], longest_edge: int = LONGEST_EDGE) -> list[list[Polygon]]:
    """Return the polygons of each mask, closed rings (N, 2) of pixel edges, the outer one first.

    masks: of one size. Outer rings run clockwise as seen on the image (y down), holes the other
    way. A vertex of one ring on the edge of another is a vertex of that too.
    """
    outlines = [_Edges.of(mask) for mask in masks]
    corners = np.unique(np.concatenate([edges.nodes() for edges in outlines] or [_NONE]))
    return [edges.polygons(corners, longest_edge) for edges in outlines]


def without(mask: Runs, other: Runs) -> Runs:
    """Return the pixels of a mask that another one of its size doesn't hold."""
    size = mask.height * mask.width
    left = shared(mask.bounds, complement(other.bounds, size))
    return Runs(mask.height, mask.width, left)


_NONE: IntArray = np.empty(0, np.int64)


@dataclass(frozen=True)
class _Edges:
    """The straight edges of a mask, the foreground on their right as seen on the image.

    x, y (E,): where each begins; length (E,); direction (E,). runs: x, y of the top of each
    vertical run of pixels, and y below its bottom, in the order of x and y.
    """

    stride: int
    x: IntArray
    y: IntArray
    length: IntArray
    direction: IntArray
    runs: tuple[IntArray, IntArray, IntArray]

    @classmethod
    def of(cls, mask: Runs) -> _Edges:
        height = mask.height
        x, top, bottom = _columns(mask.bounds, height)
        ends = [
            _along_rows(x, top, _EAST),
            _along_rows(x, bottom, _WEST),
            _along_columns(mask.bounds, height, _SOUTH),
            _along_columns(mask.bounds, height, _NORTH),
        ]
        begin_x, begin_y, length, direction = (
            np.concatenate(parts) for parts in zip(*ends, strict=True)
        )
        runs = (x, top, bottom)
        return cls(mask.width + 1, begin_x, begin_y, length, direction, runs)

    def nodes(self) -> IntArray:
        """Return the node where each edge begins, as a number: row by row."""
        return self.y * self.stride + self.x

    def polygons(self, corners: IntArray, longest_edge: int) -> list[Polygon]:
        """Return the polygons, a vertex wherever one of the corners lies on an edge."""
        if not len(self.x):
            return []
        rings = _rings(self.nodes(), self._following())
        order = np.concatenate([np.array(ring, np.int64) for ring in rings])
        points, counts = self._points(order, corners, longest_edge)
        ends = np.cumsum([len(ring) for ring in rings])
        stops = np.cumsum(counts)[ends - 1]
        outlines = [np.vstack([ring, ring[:1]]) for ring in np.split(points, stops[:-1])]
        parents = self._parents(order, ends)
        polygons: dict[int, Polygon] = {}
        for ring, parent in enumerate(parents):
            if parent == ring:
                polygons[ring] = [outlines[ring]]
        for ring, parent in enumerate(parents):
            if parent != ring:
                polygons[parent].append(outlines[ring])
        return list(polygons.values())

    def _following(self) -> list[int]:
        """Return which edge comes after each: at its own pixel's corner where two meet."""
        stop_x = self.x + self.length * _STEPS_X[self.direction]
        stop_y = self.y + self.length * _STEPS_Y[self.direction]
        stops = (stop_y * self.stride + stop_x) * 4
        starts = self.nodes() * 4 + self.direction
        order = np.argsort(starts, kind="stable")
        ordered = starts[order]
        right = stops + (self.direction + 1) % 4
        place = np.minimum(np.searchsorted(ordered, right), len(ordered) - 1)
        left = np.searchsorted(ordered, stops + (self.direction + 3) % 4)
        following = np.where(ordered[place] == right, place, np.minimum(left, len(ordered) - 1))
        return list(order[following].tolist())

    def _points(
        self, order: IntArray, corners: IntArray, longest_edge: int
    ) -> tuple[NDArray[np.float64], IntArray]:
        """Return the vertices of edges in an order, and how many each brings along."""
        x, y = self.x[order], self.y[order]
        length, direction = self.length[order], self.direction[order]
        step_x, step_y = _STEPS_X[direction], _STEPS_Y[direction]
        is_level = step_y == 0
        # Along rows and along columns, as numbers that count up along the edge.
        along = np.where(is_level, x, y)
        across = np.where(is_level, y, x)
        low = np.where(step_x + step_y > 0, along, along - length)
        rows, columns = np.divmod(corners, self.stride)
        span = int(max(rows.max(initial=0), columns.max(initial=0))) + 2
        inner = [
            _between(corner_lines, low, length, across, is_level == level, span)
            for level, corner_lines in (
                (True, np.sort(rows * span + columns)),
                (False, np.sort(columns * span + rows)),
            )
        ]
        inner.append(_marks(low, length, longest_edge))
        edge = np.concatenate([np.arange(len(order)), *(part[0] for part in inner)])
        place = np.concatenate([along, *(part[1] for part in inner)])
        sign = (step_x + step_y)[edge]
        sequence = np.lexsort((place * sign, edge))
        edge, place = edge[sequence], place[sequence]
        fresh = np.concatenate(([True], (np.diff(edge) != 0) | (np.diff(place) != 0)))
        edge, place = edge[fresh], place[fresh]
        level = is_level[edge]
        points = np.column_stack(
            [np.where(level, place, across[edge]), np.where(level, across[edge], place)]
        )
        return points.astype(np.float64), np.bincount(edge, minlength=len(order))

    def _parents(self, order: IntArray, ends: IntArray) -> list[int]:
        """Return the outline in which each ring is a hole, itself for outlines.

        The pixels above the upper edge of a hole begin below the edge of a ring farther up, which
        is an outline, or a hole of the same one.
        """
        ring_of = np.empty(len(self.x), np.int64)
        ring_of[order] = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        doubled = np.zeros(len(ends), np.int64)
        # Twice the area, by the level edges: y down, outlines run clockwise.
        level = self.length * _STEPS_X[self.direction]
        np.add.at(doubled, ring_of, -level * self.y)
        x, top, bottom = self.runs
        of_top = ring_of[self._level_edges(_EAST, x, top)]
        of_bottom = ring_of[self._level_edges(_WEST, x, bottom)]
        highest = np.lexsort((bottom, of_bottom))
        rings, first = np.unique(of_bottom[highest], return_index=True)
        above = np.arange(len(ends))
        above[rings] = of_top[highest[first]]
        parents = np.where(doubled > 0, np.arange(len(ends)), above)
        while not np.array_equal(parents, further := parents[parents]):
            parents = further
        return list(parents.tolist())

    def _level_edges(self, direction: int, x: IntArray, y: IntArray) -> IntArray:
        """Return the edge along the row y that passes over the pixel column x."""
        level = np.flatnonzero(self.direction == direction)
        west = self.x[level] - (self.length[level] if direction == _WEST else 0)
        keys = self.y[level] * self.stride + west
        sequence = np.argsort(keys, kind="stable")
        place = np.searchsorted(keys[sequence], y * self.stride + x, side="right") - 1
        found: IntArray = level[sequence[place]]
        return found


def _columns(bounds: IntArray, height: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return column, first row and row after the last of each run of pixels within one column."""
    start, stop = bounds[0::2], bounds[1::2]
    first, last = start // height, (stop - 1) // height
    pieces = last - first + 1
    run = np.repeat(np.arange(len(start)), pieces)
    x = np.arange(len(run)) - np.repeat(np.cumsum(pieces) - pieces, pieces) + first[run]
    top = np.maximum(start[run] - x * height, 0)
    bottom = np.minimum(stop[run] - x * height, height)
    return x, top, bottom


def _along_rows(x: IntArray, y: IntArray, direction: int) -> tuple[IntArray, ...]:
    """Join sides of single pixels, x to x + 1 at y, that follow on each other."""
    order = np.lexsort((x, y))
    x, y = x[order], y[order]
    breaks = np.concatenate(([True], (np.diff(y) != 0) | (np.diff(x) != 1)))[: len(x)]
    first = np.flatnonzero(breaks)
    length = np.diff(first, append=len(x))
    begin = x[first] + (length if direction == _WEST else 0)
    return begin, y[first], length, np.full(len(first), direction, np.int64)


def _along_columns(bounds: IntArray, height: int, direction: int) -> tuple[IntArray, ...]:
    """Return the sides between foreground and none in neighbouring columns.

    Positions are those of pixels right of a border: the column left of it is shifted there.
    """
    size = (int(bounds[-1]) if len(bounds) else 0) + height
    right, left = bounds, bounds + height
    held, lacking = (right, left) if direction == _NORTH else (left, right)
    x, top, bottom = _columns(shared(held, complement(lacking, size)), height)
    begin = top if direction == _SOUTH else bottom
    return x, begin, bottom - top, np.full(len(x), direction, np.int64)


def _rings(nodes: IntArray, following: list[int]) -> list[list[int]]:
    """Return the edges of each ring in order, none of which passes a node twice."""
    starts, counts = np.unique(nodes, return_counts=True)
    shared_nodes = set(starts[counts > 1].tolist())
    listed = nodes.tolist()
    waiting = [True] * len(listed)
    rings: list[list[int]] = []
    for first in range(len(listed)):
        if not waiting[first]:
            continue
        ring: list[int] = []
        passed: dict[int, int] = {}
        edge = first
        while waiting[edge]:
            waiting[edge] = False
            if (node := listed[edge]) in shared_nodes:
                if (since := passed.get(node)) is not None:
                    rings.append(ring[since:])
                    for again in ring[since:]:
                        passed.pop(listed[again], None)
                    del ring[since:]
                passed[node] = len(ring)
            ring.append(edge)
            edge = following[edge]
        rings.append(ring)
    return rings


def _between(
    lines: IntArray,
    low: IntArray,
    length: IntArray,
    across: IntArray,
    is_meant: NDArray[np.bool_],
    span: int,
) -> tuple[IntArray, IntArray]:
    """Return edge and place along it of the corners inside of edges.

    lines: the corners as sorted numbers, line * span + place.
    """
    edges = np.flatnonzero(is_meant)
    begin = across[edges] * span + low[edges]
    first = np.searchsorted(lines, begin, side="right")
    counts = np.maximum(np.searchsorted(lines, begin + length[edges]) - first, 0)
    edge = np.repeat(edges, counts)
    nth = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    found = lines[np.repeat(first, counts) + nth]
    return edge, found - across[edge] * span


def _marks(low: IntArray, length: IntArray, longest: int) -> tuple[IntArray, IntArray]:
    """Return edge and place along it of the multiples of `longest` inside of edges."""
    first = low // longest + 1
    counts = (low + length - 1) // longest - first + 1
    counts = np.maximum(counts, 0)
    edge = np.repeat(np.arange(len(low)), counts)
    nth = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    return edge, (first[edge] + nth) * longest
