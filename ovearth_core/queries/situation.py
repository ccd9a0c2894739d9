"""Where a target lies within its image: on the picture, and on the ground.

Offsets are from the image's middle, in half widths and half heights: 1 is at the border. On a
rotated image the ground's are those of its footprint's envelope in metres east and north.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..frame import ImageFrame
from ..geometry import Polygon
from .bearings import azimuth, compass_word
from .subject import Subject

Floats = NDArray[np.float64]

# Nearer to the middle than this, no direction is said.
CENTRAL = 1.0 / 3.0
_PICTURE_WORDS = {
    "north": "top", "northeast": "upper right", "east": "right", "southeast": "lower right",
    "south": "bottom", "southwest": "lower left", "west": "left", "northwest": "upper left",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Situation:
    """A subject's place. Its pixels are counted from the image's upper left corner."""

    subject: Subject

    @cached_property
    def middle(self) -> Floats:
        """The centre of the target's area (2,) in pixels."""
        return centre_of(self.subject.polygons)

    @cached_property
    def on_picture(self) -> Floats:
        """The middle's offset right and up (2,)."""
        return np.asarray(self._picture_offsets(self.middle[None])[0])

    @cached_property
    def on_ground(self) -> Floats | None:
        """The middle's offset east and north (2,), None where the image has no place."""
        found = self._ground_offsets(self.middle[None])
        return None if found is None else found[0]

    def offsets(self, is_ground: bool) -> Floats | None:
        """Return the offsets (N, 2) of the outer rings' vertices, on the ground or the picture."""
        points = self.subject.points
        return self._ground_offsets(points) if is_ground else self._picture_offsets(points)

    def _picture_offsets(self, xy: Floats) -> Floats:
        half = np.array([self.subject.image.width, self.subject.image.height]) / 2.0
        return np.asarray((xy - half) / half * [1.0, -1.0])

    def _ground_offsets(self, xy: Floats) -> Floats | None:
        frame = self.subject.frame
        if not has_place(frame):
            return None
        size = np.array([frame.width, frame.height], np.float64)
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
        en = frame.pixel_to_ground(np.vstack([corners, xy]))
        low, high = en[:4].min(axis=0), en[:4].max(axis=0)
        return np.asarray((en[4:] - (low + high) / 2.0) / ((high - low) / 2.0))

    def words(self) -> dict[str, str]:
        """Say where it is: on the picture, and on the ground where that is known."""
        found = {"part_of_the_picture": part_words(self.on_picture, _PICTURE_WORDS)}
        if self.on_ground is not None:
            found["part_of_the_ground"] = part_words(self.on_ground)
        return found


def has_place(frame: ImageFrame) -> bool:
    """Whether it is known where the image lies."""
    return frame.crs is not None and frame.transform is not None


def part_words(offset: Floats, words: dict[str, str] | None = None) -> str:
    """Name the part of an image that an offset (2,) is in."""
    if float(np.abs(offset).max()) < CENTRAL:
        return "middle"
    word = compass_word(azimuth(offset))
    return words[word] if words else word


def centre_of(polygons: Sequence[Polygon]) -> Floats:
    """Return the centre of the polygons' area (2,), holes taken off; of lines, of their points."""
    total, moment = 0.0, np.zeros(2)
    for rings in polygons:
        for number, ring in enumerate(rings):
            area, centre = _ring_area(np.asarray(ring, np.float64))
            weight = -area if number else area
            total += weight
            moment = moment + weight * centre
    if total > 0:
        return np.asarray(moment / total)
    return np.asarray(np.concatenate([rings[0] for rings in polygons]).mean(axis=0))


def _ring_area(ring: Floats) -> tuple[float, Floats]:
    about = ring[0]
    x, y = (ring - about).T
    nx, ny = np.roll(x, -1), np.roll(y, -1)
    cross = x * ny - nx * y
    doubled = float(cross.sum())
    if doubled == 0.0:
        return 0.0, ring.mean(axis=0)
    centre = np.array([((x + nx) * cross).sum(), ((y + ny) * cross).sum()]) / (3.0 * doubled)
    return abs(doubled) / 2.0, centre + about
