"""Outlines in ground metres, x east and y north: the shapes that the scene is made of."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin, tau

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]

_TANK_SIDES = 36


def placed(ring: Sequence[tuple[float, float]] | Ring, x: float, y: float, turn: float = 0) -> Ring:
    """Return a ring turned by `turn` degrees counter-clockwise about its origin, then moved."""
    c, s = cos(radians(turn)), sin(radians(turn))
    turned = np.asarray(ring, dtype=np.float64) @ np.array([[c, s], [-s, c]])
    return np.asarray(turned + np.array([x, y]))


def spot(along: float, aside: float, x: float, y: float, turn: float) -> tuple[float, float]:
    """Return the point that lies so far along and left of the direction `turn` from (x, y)."""
    c, s = cos(radians(turn)), sin(radians(turn))
    return x + c * along - s * aside, y + s * along + c * aside


def rectangle(x: float, y: float, length: float, width: float, turn: float = 0) -> Ring:
    """Return a rectangle about (x, y), its length along `turn` degrees from east."""
    a, b = length / 2, width / 2
    return placed([(-a, -b), (a, -b), (a, b), (-a, b)], x, y, turn)


def disc(x: float, y: float, radius: float, sides: int = _TANK_SIDES) -> Ring:
    """Return a regular polygon about (x, y)."""
    angles = np.arange(sides) * (tau / sides)
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])


def blob(x: float, y: float, radii: Sequence[float], stretch: float = 1.0) -> Ring:
    """Return a rounded outline through the given radii, at equal angles about (x, y)."""
    steps = np.arange(4 * len(radii))
    known = np.asarray([*radii, radii[0]], dtype=np.float64)
    position = steps / 4
    before = position.astype(np.int64)
    share = position - before
    share = share * share * (3 - 2 * share)
    radius = known[before] * (1 - share) + known[before + 1] * share
    angle = steps * (tau / len(steps))
    return np.column_stack([x + stretch * radius * np.cos(angle), y + radius * np.sin(angle)])


def corner(x: float, y: float, long: float, wide: float, wing: float, *, turn: float = 0) -> Ring:
    """Return an L: a block of `long` by `wide`, and as deep a wing of length `wing` at its end."""
    a, b = long / 2, wide / 2
    outline = [(-a, -b), (a - wide, -b), (a - wide, -b - wing), (a, -b - wing), (a, b), (-a, b)]
    return placed(outline, x, y, turn)


def ribbon(line: Sequence[tuple[float, float]], width: float) -> Ring:
    """Return the band of `width` along a smooth curve through the points."""
    curve = _smooth(np.asarray(line, dtype=np.float64))
    along = np.gradient(curve, axis=0)
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    side = np.column_stack([-along[:, 1], along[:, 0]]) * (width / 2)
    return np.concatenate([curve + side, (curve - side)[::-1]])


def point_on(line: Sequence[tuple[float, float]], share: float) -> tuple[float, float, float]:
    """Return x, y and the direction in degrees at a share (0 to 1) of a smooth curve's steps."""
    curve = _smooth(np.asarray(line, dtype=np.float64))
    index = min(int(share * len(curve)), len(curve) - 2)
    dx, dy = curve[index + 1] - curve[index]
    return float(curve[index, 0]), float(curve[index, 1]), float(np.degrees(np.arctan2(dy, dx)))


def _smooth(points: Ring, steps: int = 6) -> Ring:
    """Return Catmull and Rom's curve through the points, `steps` pieces between two of them."""
    ends = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    t = (np.arange(steps) / steps)[:, None]
    pieces = [
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(ends[:-3], ends[1:-2], ends[2:-1], ends[3:], strict=True)
    ]
    return np.concatenate([*pieces, points[-1:]])
