"""Outlines of masks with few vertices, within half a pixel of the way between the pixels.

That way joins the middles of the edges between foreground and none. Each of these edges is
crossed, in order, between the two pixels' centres: no middle is farther than half a pixel from
the outline, which holds the same pixel centres as the mask; no ring crosses itself or another,
and holes stay holes, whatever the mask (see `_Reach`). Corners of pixels may be up to 0.71 pixels
away: those of a straight edge that lies slantwise are. Among all such outlines one of least cost
is taken: a unit for each straight line, and for how far it strays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rings import Polygon, Ring
from .runs import Runs
from .tracing import traced

# Half edges that one straight line may follow; longer ones are put together afterwards.
_LONGEST = 128
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
    # The first way round begins anywhere; what it passes on the far side is a good beginning.
    passed = _cheapest(track)
    track = track.turned(int(passed[len(passed) // 2]))
    return _without_straight(track.places[_cheapest(track)])


@dataclass(frozen=True)
class _Track:
    """A closed way along unit edges, foreground on its right, as points half an edge apart.

    places (M, 2): corners and middles in turn. is_middle (M,). steps (M, 2): of the edge that a
    corner begins, or that a middle is on.
    """

    places: Floats
    is_middle: NDArray[np.bool_]
    steps: Floats

    @classmethod
    def along(cls, corners: Floats) -> _Track:
        steps = np.roll(corners, -1, axis=0) - corners
        places = np.stack([corners, corners + steps / 2.0], axis=1).reshape(-1, 2)
        is_middle = np.tile([False, True], len(corners))
        return cls(places, is_middle, np.repeat(steps, 2, axis=0))

    def __len__(self) -> int:
        return len(self.places)

    def turned(self, start: int) -> _Track:
        """Return the same way, beginning at another of its points."""
        return _Track(
            np.roll(self.places, -start, axis=0),
            np.roll(self.is_middle, -start),
            np.roll(self.steps, -start, axis=0),
        )


def _cheapest(track: _Track) -> Indices:
    """Return the points that the cheapest way round from point 0 has as vertices."""
    size = len(track)
    best = np.full(size + 1, np.inf)
    best[0] = 0.0
    before = np.zeros(size + 1, np.int64)
    strays = _Strays.of(track)
    for first in range(0, size, _STARTS_AT_ONCE):
        starts = np.arange(first, min(first + _STARTS_AT_ONCE, size))
        costs = _costs(track, strays, starts)
        for start, row in zip(starts.tolist(), costs, strict=True):
            ends = slice(start + 1, min(start + 1 + costs.shape[1], size + 1))
            total = row[: ends.stop - ends.start] + best[start]
            is_better = total < best[ends]
            best[ends][is_better] = total[is_better]
            before[ends][is_better] = start
    return _followed_back(before)


def _followed_back(before: Indices) -> Indices:
    points: list[int] = []
    point = len(before) - 1
    while point:
        point = int(before[point])
        points.append(point)
    return np.array(points[::-1], np.int64)


def _costs(track: _Track, strays: _Strays, starts: Indices) -> Floats:
    """Return what a line costs from each start to each of the next points, inf where none may be.

    Shape (starts, at most _LONGEST).
    """
    longest = min(_LONGEST, len(track) - 1)
    costs = np.full((len(starts), longest), np.inf)
    reach = _Reach.of(track, starts)
    for step in range(1, longest + 1):
        rows = reach.admitted(step)
        costs[rows, step - 1] = 1.0 + strays.cost(starts[rows], step)
        if not reach.go_on(step):
            return costs[:, :step]
    return costs


class _Reach:
    """Which points a straight line from each start may lead to, asked step by step.

    A line has to pass every edge's middle between the two pixels' centres, strictly. Between two
    edges that follow on each other it then stays in the square of the four centres about the
    corner that they share, and in each square the lines of one way, or of two at a corner where
    pixels meet crosswise, don't cross. The directions left are those between two vectors, `low`
    and `high`, that close in on each other. All numbers are quarters, so exact.
    """

    def __init__(self, track: _Track, rows: Indices, starts: Indices) -> None:
        self._track = track
        self._rows = rows
        self._starts = starts
        self._at = track.places[starts]
        # Nothing is known of a direction before the first edge.
        self._low = np.zeros((len(starts), 2))
        self._high = np.zeros((len(starts), 2))
        self._used = np.zeros((len(starts), 2))

    @classmethod
    def of(cls, track: _Track, starts: Indices) -> _Reach:
        """Return what is reached before the first step."""
        return cls(track, np.arange(len(starts)), starts)

    def admitted(self, step: int) -> Indices:
        """Return the rows of the starts from which a line may lead `step` points on."""
        ahead = self._track.places[(self._starts + step) % len(self._track)] - self._at
        is_free = ~self._low.any(axis=1)
        between = (_cross(self._low, ahead) > 0) & (_cross(ahead, self._high) > 0)
        return self._rows[is_free | between]

    def go_on(self, step: int) -> bool:
        """Go beyond the point `step` on; False where no start leads any farther."""
        points = (self._starts + step) % len(self._track)
        is_middle = self._track.is_middle[points]
        self._narrow(points, is_middle)
        self._keep(self._is_open(points))
        return bool(len(self._rows))

    def _narrow(self, points: Indices, chosen: NDArray[np.bool_]) -> None:
        """Leave the directions between the centres left and right of the edges chosen."""
        middle = self._track.places[points] - self._at
        step = self._track.steps[points]
        right = np.column_stack([-step[:, 1], step[:, 0]]) / 2.0
        is_first = ~self._low.any(axis=1)
        left_of, right_of = middle - right, middle + right
        low = chosen & (is_first | (_cross(self._low, left_of) > 0))
        high = chosen & (is_first | (_cross(right_of, self._high) > 0))
        self._low = np.where(low[:, None], left_of, self._low)
        self._high = np.where(high[:, None], right_of, self._high)

    def _is_open(self, points: Indices) -> NDArray[np.bool_]:
        """Whether any direction is left; a line never follows edges that lead back."""
        step = self._track.steps[points]
        leads_back = (self._used * step < 0).any(axis=1)
        self._used = np.where(step != 0, step, self._used)
        is_free = ~self._low.any(axis=1)
        return ~leads_back & (is_free | (_cross(self._low, self._high) > 0))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        if kept.all():
            return
        for name in ("_rows", "_starts", "_at", "_low", "_high", "_used"):
            setattr(self, name, getattr(self, name)[kept])


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

    def cost(self, starts: Indices, step: int) -> Floats:
        """Return the cost of the lines from points to those `step` on, (N,).

        The sum of squared distances, half an edge a point, and the area between.
        """
        ends = starts + step
        at, line = self.places[starts], self.places[ends] - self.places[starts]
        x, y, xx, xy, yy = (self.sums[ends] - self.sums[starts + 1]).T
        count = step - 1
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


__all__: Sequence[str] = ("outlines", "pixel_outlines", "ring_area", "simplified")
