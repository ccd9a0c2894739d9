"""The order in which a rectangle's corners are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SAME_PLACE = 1e-6
_FLAT = 1e-12


def corner_order(pixels: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the order (4,) of a rectangle's corners, from where they lie in pixels (4, 2).

    Clockwise as seen on the image; the first has the smallest x + y, then the smallest y,
    differences below 1e-6 of the diagonal being none. A rectangle made in another frame keeps
    this order there.
    """
    order: NDArray[np.intp] = corner_orders(pixels[None])[0]
    return order


def corner_orders(pixels: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return `corner_order` (N, 4) of rectangles (N, 4, 2)."""
    local = pixels - pixels[:, :1]
    turns = _turns(local)
    order = np.where(turns[:, None], np.arange(4), np.arange(4)[::-1])
    x, y = np.take_along_axis(local, order[..., None], axis=1).transpose(2, 0, 1)
    same = _SAME_PLACE * np.hypot(np.ptp(x, axis=1), np.ptp(y, axis=1))
    total = x + y
    is_nearest = total <= (total.min(axis=1) + same)[:, None]
    first = np.argmin(np.where(is_nearest, y, np.inf), axis=1)
    return np.take_along_axis(order, (first[:, None] + np.arange(4)) % 4, axis=1)


def _turns(local: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether corners (N, 4, 2) about their first go from +x towards +y; flat ones count as so."""
    x, y = local.transpose(2, 0, 1)
    area = x[:, 1] * y[:, 2] + x[:, 2] * y[:, 3] - y[:, 1] * x[:, 2] - y[:, 2] * x[:, 3]
    is_flat = np.abs(area) <= _FLAT * np.square(local).sum(axis=(1, 2))
    turns: NDArray[np.bool_] = area >= 0.0
    for row in np.flatnonzero(is_flat):
        # Rounding decides: sum as it always was, so that no box changes its first corner.
        u, v = local[row].T
        turns[row] = np.dot(u, np.roll(v, -1)) - np.dot(v, np.roll(u, -1)) >= 0.0
    return turns
