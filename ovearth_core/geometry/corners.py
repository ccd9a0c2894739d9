"""The order in which a rectangle's corners are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SAME_PLACE = 1e-6


def corner_order(pixels: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the order (4,) of a rectangle's corners, from where they lie in pixels (4, 2).

    Clockwise as seen on the image; the first has the smallest x + y, then the smallest y,
    differences below 1e-6 of the diagonal being none. A rectangle made in another frame keeps
    this order there.
    """
    x, y = (pixels - pixels[0]).T
    signed_area = np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))
    order = np.arange(4) if signed_area >= 0 else np.arange(4)[::-1]
    x, y = x[order], y[order]
    same = _SAME_PLACE * np.hypot(np.ptp(x), np.ptp(y))
    nearest = np.flatnonzero(x + y <= (x + y).min() + same)
    first = int(nearest[np.argmin(y[nearest])])
    return np.roll(order, -first)
