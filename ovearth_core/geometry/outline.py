"""Outlines of masks with few vertices, within half a pixel of the way between the pixels.

That way joins the middles of the edges between foreground and none. Each of these edges is
crossed, in order, between the two pixels' centres: no middle is farther than half a pixel from
the outline, which holds the same pixel centres as the mask; no ring crosses itself or another,
and holes stay holes, whatever the mask (see `_Reach`). Corners of pixels may be up to 0.71 pixels
away: those of a straight edge that lies slantwise are. Among all such outlines one of least cost
is taken: a unit for each straight line, and for how far it strays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rings import Polygon, Ring
from .runs import Runs
from .tracing import traced

# Half edges that one straight line may follow; longer ones are put together afterwards.
_LONGEST = 128
# Edges in a row after which there may be a vertex.
_LONGEST_STRAIGHT = 48
_STARTS_AT_ONCE = 4096
# Against one line more: pixels of area between a line and the pixels' edges.
_AREA_COST = 2.0
# Squared distances, half an edge a point, that weigh as much as one line more.
_SQUARES_PER_LINE = 6.0

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def outlines(mask: Runs) -> list[Polygon]:
    """Return the polygons of a mask, closed rings (N, 2) in pixel coordinates, the outer one first.

    One polygon for pixels that hang together by their sides. Vertices are corners of pixels and
    middles of their sides. Rings turn as those of `tracing.traced`.
    """
    return [[simplified(ring) for ring in rings] for rings in pixel_outlines(mask)]


def pixel_outlines(mask: Runs) -> list[Polygon]:
    """Return the polygons of a mask along the edges of its pixels, a vertex at every pixel."""
    return traced([mask], longest_edge=1)[0]


def ring_area(ring: Ring) -> float:
    """Return the area of a closed ring (N, 2), whichever way it turns."""
    x, y = ring[:-1, 0], ring[:-1, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2.0


def simplified(ring: Ring) -> Ring:
    """Return a ring of `pixel_outlines` with few vertices, closed (N, 2)."""
    track = _Track.along(ring[:-1])
    lines = _Lines.of(track)
    # The first way round begins anywhere; what it passes on the far side is a good beginning.
    passed = lines.cheapest(0)
    around = lines.cheapest(int(passed[len(passed) // 2]))
    return _without_straight(track.places[lines.points[around]])


@dataclass(frozen=True)
class _Track:
    """A closed way along unit edges, foreground on its right, as points half an edge apart.

    places (M, 2): corners and middles in turn. steps (M, 2): of the edge that a corner begins, or
    that a middle is on.
    """

    places: Floats
    steps: Floats

    @classmethod
    def along(cls, corners: Floats) -> _Track:
        steps = np.roll(corners, -1, axis=0) - corners
        places = np.stack([corners, corners + steps / 2.0], axis=1).reshape(-1, 2)
        return cls(places, np.repeat(steps, 2, axis=0))

    def __len__(self) -> int:
        return len(self.places)

    def vertices(self) -> Indices:
        """Return the points that may be vertices: where the way turns, and halfway between.

        On long straight parts more, so that a line always reaches the next.
        """
        turns = np.flatnonzero((self.steps[::2] != np.roll(self.steps[::2], 1, axis=0)).any(axis=1))
        lengths = np.diff(turns, append=turns[0] + len(self) // 2)
        extra = lengths // _LONGEST_STRAIGHT
        run = np.repeat(np.arange(len(turns)), extra)
        nth = np.arange(len(run)) - np.repeat(np.cumsum(extra) - extra, extra) + 1
        marks = 2 * (turns[run] + nth * _LONGEST_STRAIGHT)
        return np.unique(np.concatenate([2 * turns, 2 * turns + lengths, marks]) % len(self))


@dataclass(frozen=True)
class _Lines:
    """All straight lines that may be part of an outline, by their beginnings.

    points (V,): of the track, that may be vertices. first (V + 1,): of each, its first line.
    ahead, cost (L,): of each line, how many vertices on it ends, and what it costs.
    """

    points: Indices
    first: Indices
    ahead: Indices
    cost: Floats

    @classmethod
    def of(cls, track: _Track) -> _Lines:
        points = track.vertices()
        number = np.full(len(track), -1, np.int64)
        number[points] = np.arange(len(points))
        strays = _Strays.of(track)
        found = [
            part
            for begin in range(0, len(points), _STARTS_AT_ONCE)
            for part in _reached(track, points[begin : begin + _STARTS_AT_ONCE], number)
        ]
        starts, steps = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(starts, kind="stable")
        starts, steps = starts[order], steps[order]
        begins, ends = number[starts], number[(starts + steps) % len(track)]
        first = np.searchsorted(begins, np.arange(len(points) + 1))
        cost = 1.0 + strays.cost(starts, steps)
        return cls(points, first, (ends - begins) % len(points), cost)

    def cheapest(self, start: int) -> Indices:
        """Return the vertices, as places in `points`, of the cheapest way round from one."""
        count = len(self.points)
        best = np.full(count + _LONGEST + 1, np.inf)
        best[0] = 0.0
        before = np.zeros(len(best), np.int64)
        bounds = self.first.tolist()
        for passed in range(count):
            vertex = (start + passed) % count
            lines = slice(bounds[vertex], bounds[vertex + 1])
            ends = self.ahead[lines] + passed
            total = self.cost[lines] + best[passed]
            is_better = total < best[ends]
            better = ends[is_better]
            best[better] = total[is_better]
            before[better] = passed
        found = [int(before[count])]
        while found[-1]:
            found.append(int(before[found[-1]]))
        return (np.array(found[::-1], np.int64) + start) % count


def _reached(track: _Track, starts: Indices, number: Indices) -> Iterator[tuple[Indices, Indices]]:
    """Yield starts and how many points on a line from each may end, (N,) and (N,).

    number: of each point of the track as a vertex, below 0 where it may be none. Corners have even
    places on the track, middles odd ones.
    """
    longest = min(_LONGEST, len(track) - 1)
    for parity in (0, 1):
        reach = _Reach(track, starts[starts % 2 == parity])
        for step in range(1, longest + 1):
            points = (reach.starts + step) % len(track)
            ending = np.flatnonzero(number[points] >= 0)
            if len(ending):
                ending = ending[reach.admits(points, ending)]
                yield reach.starts[ending], np.full(len(ending), step)
            is_middle = (parity + step) % 2
            if is_middle and not reach.passes(points):
                break


class _Reach:
    """Which points a straight line from each start may lead to, asked step by step.

    A line has to pass every edge's middle between the two pixels' centres, strictly. Between two
    edges that follow on each other it then stays in the square of the four centres about the
    corner that they share, and in each square the lines of one way, or of two at a corner where
    pixels meet crosswise, don't cross. The directions left are those between two vectors, low and
    high, that close in on each other. All numbers are halves, so exact.
    """

    def __init__(self, track: _Track, starts: Indices) -> None:
        self._track = track
        self.starts = starts
        self._x, self._y = track.places[starts].T
        # All zero: nothing is known of a direction before the first edge.
        self._low_x, self._low_y, self._high_x, self._high_y = np.zeros((4, len(starts)))
        self._used_x, self._used_y = np.zeros((2, len(starts)))
        self._is_free = True

    def admits(self, points: Indices, rows: Indices) -> NDArray[np.bool_]:
        """Return whether lines from some rows of the starts may end in their points."""
        if self._is_free:
            return np.ones(len(rows), np.bool_)
        x, y = self._track.places[points[rows]].T
        x, y = x - self._x[rows], y - self._y[rows]
        above = self._low_x[rows] * y - self._low_y[rows] * x > 0
        found: NDArray[np.bool_] = above & (x * self._high_y[rows] - y * self._high_x[rows] > 0)
        return found

    def passes(self, points: Indices) -> bool:
        """Pass the edges whose middles the points are; False where no start leads any farther.

        A line never follows edges that lead back.
        """
        x, y = self._track.places[points].T
        step_x, step_y = self._track.steps[points].T
        x, y = x - self._x, y - self._y
        low_x, low_y = x + step_y / 2.0, y - step_x / 2.0
        high_x, high_y = x - step_y / 2.0, y + step_x / 2.0
        if not self._is_free:
            keeps = self._low_x * low_y - self._low_y * low_x <= 0
            low_x = np.where(keeps, self._low_x, low_x)
            low_y = np.where(keeps, self._low_y, low_y)
            keeps = high_x * self._high_y - high_y * self._high_x <= 0
            high_x = np.where(keeps, self._high_x, high_x)
            high_y = np.where(keeps, self._high_y, high_y)
        is_open = low_x * high_y - low_y * high_x > 0
        is_open &= (self._used_x * step_x >= 0) & (self._used_y * step_y >= 0)
        self._low_x, self._low_y, self._high_x, self._high_y = low_x, low_y, high_x, high_y
        self._used_x = np.where(step_x != 0, step_x, self._used_x)
        self._used_y = np.where(step_y != 0, step_y, self._used_y)
        self._is_free = False
        self._keep(is_open)
        return bool(len(self.starts))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            for name in _PER_START:
                setattr(self, name, getattr(self, name)[kept])


_PER_START = (
    *("starts", "_x", "_y", "_used_x", "_used_y"),
    *("_low_x", "_low_y", "_high_x", "_high_y"),
)


@dataclass(frozen=True)
class _Strays:
    """How far straight lines stray from a track, from sums along it.

    places (2M, 2): the track twice, about its middle. sums (2M + 1, 5): of x, y, xx, xy, yy of the
    points before each. areas (2M,): twice the area swept from the middle up to each point.
    """

    places: Floats
    sums: Floats
    areas: Floats

    @classmethod
    def of(cls, track: _Track) -> _Strays:
        places = np.tile(track.places - track.places.mean(axis=0), (2, 1))
        x, y = places[:, 0], places[:, 1]
        powers = np.column_stack([x, y, x * x, x * y, y * y])
        sums = np.concatenate([np.zeros((1, 5)), np.cumsum(powers, axis=0)])
        swept = np.cumsum(_cross(places[:-1], places[1:]))
        return cls(places, sums, np.concatenate([[0.0], swept]))

    def cost(self, starts: Indices, steps: Indices) -> Floats:
        """Return the cost of the lines from points to those so many steps on, (N,).

        The sum of squared distances, half an edge a point, and the area between.
        """
        ends = starts + steps
        at, line = self.places[starts], self.places[ends] - self.places[starts]
        x, y, xx, xy, yy = (self.sums[ends] - self.sums[starts + 1]).T
        count = steps - 1
        ax, ay = at.T
        # Sums of squares and products of what lies between, as seen from the start.
        sxx = xx - 2.0 * ax * x + count * ax * ax
        syy = yy - 2.0 * ay * y + count * ay * ay
        sxy = xy - ax * y - ay * x + count * ax * ay
        dx, dy = line.T
        squares = (dx * dx * syy - 2.0 * dx * dy * sxy + dy * dy * sxx) / (dx * dx + dy * dy)
        between = self.areas[ends] - self.areas[starts] - _cross(at, self.places[ends])
        cost: Floats = (
            np.maximum(squares, 0.0) / _SQUARES_PER_LINE + _AREA_COST * np.abs(between) / 2.0
        )
        return cost


def _without_straight(vertices: Floats) -> Ring:
    """Return the closed ring without vertices on a straight line; coordinates are halves: exact."""
    before = vertices - np.roll(vertices, 1, axis=0)
    after = np.roll(vertices, -1, axis=0) - vertices
    corners = vertices[_cross(before, after) != 0]
    return np.vstack([corners, corners[:1]])


def _cross(a: Floats, b: Floats) -> Floats:
    """Return the cross product, above zero where b is right of a as seen on the image (y down)."""
    product: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product
