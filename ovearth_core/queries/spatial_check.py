"""What texts say of places, held against the geometry: north is north, also on a rotated image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..geometry import Polygon
from .bearings import apart, azimuth
from .naming import names_category, names_thing
from .situation import CENTRAL, Situation, centre_of, has_place
from .subject import Subject
from .wording import GROUND, NEAR, PART, POSITION, Claim, claims

Floats = NDArray[np.float64]

# Beyond the next of the eight directions, and halfway to the one after it.
_WRONG_DEG = 67.5
_OFF_MIDDLE = 2.0 / 3.0
# What is next to something lies within so many of its own lengths, or this part of the image.
_NEAR_LENGTHS = 2.0
_NEAR_PART = 0.25
# At a part of something: nearer to its middle than this part of its size, no direction is said.
_MIDDLE_OF_THING = 0.1


def wrong_claims(text: str, subject: Subject, others: Sequence[Subject]) -> Iterator[Claim]:
    """Yield what a text says of the target's place that the geometry contradicts.

    others: the other targets on the image, by whose names a text may tell the place. What can't be
    told (a thing that nobody drew, an image whose place isn't known) isn't contradicted.
    """
    situation = Situation(subject)
    for claim in claims(text):
        if claim.axes == GROUND and claim.kind != NEAR and not has_place(subject.frame):
            continue
        if claim.kind == POSITION:
            is_wrong = _is_elsewhere(claim, situation)
        else:
            is_wrong = _is_wrong_to(claim, subject, others)
        if is_wrong:
            yield claim


def _is_elsewhere(claim: Claim, situation: Situation) -> bool:
    offset = situation.on_ground if claim.axes == GROUND else situation.on_picture
    points = situation.offsets(claim.axes == GROUND)
    if offset is None or points is None:
        return False
    low, high = points.min(axis=0), points.max(axis=0)
    if claim.degrees is None:
        covers_middle = bool((low <= 0).all() and (high >= 0).all())
        return not covers_middle and float(np.abs(offset).max()) > _OFF_MIDDLE
    toward = np.radians(claim.degrees)
    wanted = np.round([np.sin(toward), np.cos(toward)], 6)
    reach = np.where(wanted > 0, high, -low)
    if bool((reach[wanted != 0] < 0).any()):
        # All of it is on the other side of the middle.
        return True
    is_central = float(np.abs(offset).max()) < CENTRAL
    if is_central:
        is_all_central = float(np.abs(points).max()) < CENTRAL
        return claim.is_extreme and is_all_central
    return apart(azimuth(offset), claim.degrees) > _WRONG_DEG


def _is_wrong_to(claim: Claim, subject: Subject, others: Sequence[Subject]) -> bool:
    """Whether a claim is wrong to each thing that its words may mean, and they mean any."""
    meant = [other for other in others if _is_named(other, claim.reference)]
    if not meant or names_category(claim.reference, subject.names):
        return False
    things = [shape for other in meant for shape in other.shapes]
    return all(_contradicts(claim, subject, _Thing(subject, shape)) for shape in things)


def _is_named(other: Subject, words: str) -> bool:
    phrases = (q.text for q in other.queries if q.task == "vocabulary" and q.polarity == "positive")
    return names_thing(words, (*other.names, *phrases)) is not None


class _Thing:
    """A shape near the target, both in pixels right and up, or in metres east and north of it."""

    def __init__(self, subject: Subject, shape: list[Polygon]) -> None:
        self._subject = subject
        self._about = centre_of(shape)
        self._rings = [np.asarray(rings[0], np.float64) for rings in shape]

    def on(self, axes: str) -> tuple[Floats, list[Floats], Floats, list[Floats]]:
        """Return the thing's middle and rings, and the target's, in these axes."""
        rings = [np.asarray(rings[0], np.float64) for rings in self._subject.polygons]
        middle = centre_of(self._subject.polygons)
        everything = [self._about[None], *self._rings, middle[None], *rings]
        moved = self._moved(np.vstack(everything), axes)
        parts = np.split(moved, np.cumsum([len(part) for part in everything])[:-1])
        count = len(self._rings)
        return parts[0][0], parts[1 : 1 + count], parts[1 + count][0], parts[2 + count :]

    def _moved(self, xy: Floats, axes: str) -> Floats:
        if axes == GROUND and has_place(self._subject.frame):
            return self._subject.frame.pixel_to_ground(xy, self._about)
        return (xy - self._about) * [1.0, -1.0]


def _contradicts(claim: Claim, subject: Subject, thing: _Thing) -> bool:
    thing_middle, thing_rings, middle, rings = thing.on(claim.axes)
    gap = _gap(rings, thing_rings)
    if claim.kind == NEAR:
        points = np.vstack(rings)
        length = float((points.max(axis=0) - points.min(axis=0)).max())
        return gap > max(_NEAR_LENGTHS * length, _NEAR_PART * _image_side(subject))
    if claim.degrees is None or (claim.is_over and gap == 0.0):
        return False
    size = float(np.ptp(np.vstack(thing_rings), axis=0).max())
    away = middle - thing_middle
    is_within = claim.kind == PART or gap == 0.0
    if is_within and float(np.hypot(*away)) < _MIDDLE_OF_THING * size:
        return False
    # Of something long, also from its nearest place: a river's middle may be anywhere.
    nearest = _nearest(thing_rings, middle)
    directions = [away] if claim.kind == PART else [away, middle - nearest]
    return all(
        float(np.hypot(*way)) > 0 and apart(azimuth(way), claim.degrees) > _WRONG_DEG
        for way in directions
    )


def _image_side(subject: Subject) -> float:
    """Return the image's shorter side, in metres where its place is known, else in pixels."""
    side = float(min(subject.image.width, subject.image.height))
    gsd = subject.frame.gsd() if has_place(subject.frame) else None
    return side * (gsd or 1.0)


def _nearest(rings: Sequence[Floats], point: Floats) -> Floats:
    """Return the place on rings that is nearest to a point (2,)."""
    places = np.vstack([_feet(ring, point[None])[0] for ring in rings])
    return np.asarray(places[np.argmin(np.hypot(*(places - point).T))])


def _gap(rings: Sequence[Floats], others: Sequence[Floats]) -> float:
    """Return how far apart rings are, 0 where their envelopes overlap."""
    one, other = np.vstack(rings), np.vstack(others)
    if (one.min(0) <= other.max(0)).all() and (other.min(0) <= one.max(0)).all():
        return 0.0
    there = [_distance(ring, other) for ring in rings]
    return min(*there, *(_distance(ring, one) for ring in others))


def _distance(ring: Floats, points: Floats) -> float:
    # A piece at a time: both may have thousands of vertices.
    pieces = np.array_split(points, -(-len(points) * len(ring) // 1_000_000))
    return min(
        float(np.hypot(*np.moveaxis(_feet(ring, piece) - piece[:, None], 2, 0)).min())
        for piece in pieces
    )


def _feet(ring: Floats, points: Floats) -> Floats:
    """Return the places (N, M, 2) on M edges of a ring that are nearest to N points."""
    start, end = ring, np.roll(ring, -1, axis=0)
    way = end - start
    squared = np.maximum((way**2).sum(axis=1), 1e-30)
    along = ((points[:, None] - start) * way).sum(axis=2) / squared
    return np.asarray(start + np.clip(along, 0.0, 1.0)[:, :, None] * way)
