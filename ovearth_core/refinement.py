"""Inverting a forward mapping to the limit of double precision, from a rough inverse or from none.

PROJ's own inverses of datum shifts are off by up to millimetres; what a file holds are forward
images, so the point wanted is the one whose forward image is the given one, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Mapping = Callable[[Points], Points]

_GOAL_PX = 1e-10
_MOST_STEPS = 30
_HALF_PX = 0.5


def refined_inverse(
    forward: Mapping,
    backward: Mapping | None,
    targets: Points,
    start: Points,
    *,
    turn: float | None = None,
    tolerance_px: float = 2.5e-7,
) -> tuple[Points, NDArray[np.bool_]]:
    """Return the points (N,2), in pixels, whose forward images are `targets`, and which are good.

    backward is a rough inverse of forward. Points that it can't bring home, or all where there is
    none, are found by Newton's method with a numeric Jacobian from `start` (2,). turn is the
    period of the targets' first coordinate. Each point is refined until it stands still, and is
    good if it then moves by less than `tolerance_px`.
    """
    found = np.full(targets.shape, np.nan)
    error = np.full(len(targets), np.inf)
    if backward is not None and len(targets):
        home = backward(targets)
        rough = backward

        def correction(points: Points, rows: NDArray[np.intp]) -> Points:
            return np.asarray(home[rows] - rough(forward(points)))

        _descend(correction, home.copy(), np.arange(len(targets)), found, error)
    lost = np.flatnonzero(error > tolerance_px)
    if len(lost):

        def newton(points: Points, rows: NDArray[np.intp]) -> Points:
            return _newton_step(forward, targets[rows], points, turn)

        _descend(newton, np.tile(start, (len(lost), 1)), lost, found, error)
    return found, error <= tolerance_px


def _descend(
    correction: Callable[[Points, NDArray[np.intp]], Points],
    points: Points,
    rows: NDArray[np.intp],
    found: Points,
    error: NDArray[np.float64],
) -> None:
    """Correct `points` until they stand still; keep the best of each row in `found`, `error`."""
    with np.errstate(all="ignore"):
        for _ in range(_MOST_STEPS):
            step = correction(points, rows)
            size = np.abs(step).max(axis=1)
            better = size < error[rows]
            found[rows[better]] = points[better]
            error[rows[better]] = size[better]
            going = better & (size > _GOAL_PX)
            points, rows = (points + step)[going], rows[going]
            if not len(rows):
                return


def _newton_step(forward: Mapping, targets: Points, points: Points, turn: float | None) -> Points:
    def difference(to: Points, of: Points) -> Points:
        change = to - of
        if turn:
            change[:, 0] -= turn * np.round(change[:, 0] / turn)
        return change

    right, down = np.array([_HALF_PX, 0.0]), np.array([0.0, _HALF_PX])
    a, d = difference(forward(points + right), forward(points - right)).T
    b, e = difference(forward(points + down), forward(points - down)).T
    u, v = difference(targets, forward(points)).T
    determinant = a * e - b * d
    step = [(e * u - b * v) / determinant, (a * v - d * u) / determinant]
    return np.column_stack(step)
