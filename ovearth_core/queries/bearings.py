"""Directions: on the picture, where up is up, and on the ground, where north is north.

Angles are degrees clockwise, from up or from true north, in [0, 360).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..frame import ImageFrame

COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_ON_PICTURE = (
    "up", "to the upper right", "to the right", "to the lower right", "down",
    "to the lower left", "to the left", "to the upper left",
)  # fmt: skip
_OCTANT = 45.0
# Of true north on a picture that people call upright: a grid's own convergence is less.
_UPRIGHT = 5.0
_STEP_PX = 1.0

Floats = NDArray[np.float64]


def azimuth(vector: Floats) -> float:
    """Return the direction of (2,) metres east and north, or pixels right and up."""
    return float(np.degrees(np.arctan2(vector[0], vector[1])) % 360.0)


def apart(one: float, other: float) -> float:
    """Return how far apart two directions are, 0 to 180."""
    return abs((one - other + 180.0) % 360.0 - 180.0)


def compass_word(degrees: float) -> str:
    """Return the nearest of the eight directions of the compass."""
    return COMPASS[round(degrees / _OCTANT) % len(COMPASS)]


def north_on_picture(frame: ImageFrame, about: Floats | None = None) -> float:
    """Return in which direction on the picture true north is, from up, at a pixel (2,)."""
    place = np.array([frame.width, frame.height]) / 2.0 if about is None else about
    east_north = np.array([[0.0, _STEP_PX * (frame.gsd() or 1.0)]])
    x, y = (frame.ground_to_pixel(east_north, place) - place)[0]
    return azimuth(np.array([x, -y]))


def north_words(degrees: float) -> str:
    """Say where north is on a picture."""
    if apart(degrees, 0.0) <= _UPRIGHT:
        return "north is up"
    towards = _ON_PICTURE[round(degrees / _OCTANT) % len(_ON_PICTURE)]
    return f"north is {towards}: {degrees:.0f} degrees clockwise from up"
