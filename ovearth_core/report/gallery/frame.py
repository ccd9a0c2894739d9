"""Which part of an image a picture shows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ..shown_pixels import Window

# Around what is shown, as a share of its longer side.
_MARGIN = 0.35
# A part keeps this much of the image at least, to be recognised.
_LEAST_SHARE = 0.25


def window_about(rings: Iterable[NDArray[np.float64]], image: Image) -> Window:
    """Return a window that holds all vertices (N, 2), as square as the image lets it be.

    The whole image where there are none, or none on it.
    """
    whole = (0, 0, image.width, image.height)
    points = np.concatenate([np.zeros((0, 2)), *rings])
    size = np.array([image.width, image.height], dtype=np.float64)
    points = points[np.isfinite(points).all(axis=1)].clip(0, size)
    if not len(points):
        return whole
    low, high = points.min(axis=0), points.max(axis=0)
    side = max(float((high - low).max()) * (1 + 2 * _MARGIN), _LEAST_SHARE * float(size.max()))
    sides = np.minimum(np.ceil(side), size)
    start = np.clip(np.floor((low + high) / 2 - sides / 2), 0, size - sides)
    left, top, width, height = (int(number) for number in (*start, *sides))
    return left, top, width, height
