"""The area that two convex polygons share, for many pairs at once.

Sutherland and Hodgman's reentrant polygon clipping (1974): one polygon is cut by each side of the
other in turn. Every step moves the area by no more than the rounding of one signed distance, so
sides that coincide, touch or nearly do need no special case. Points lie along the last axis, one
pair a column: each operation runs over contiguous memory.
"""

from __future__ import annotations

import numpy as np

from .coordinates import Floats


def shared_area(ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Floats:
    """Return the area (K,) that convex polygons a and b share, in squared units of the input.

    ax, ay (V, K) and bx, by (W, K): column k is a pair, both with a positive shoelace sum, near
    the origin. A polygon of fewer vertices repeats one of its own.
    """
    x, y = ax, ay
    for corner in range(len(bx)):
        after = (corner + 1) % len(bx)
        side_x, side_y = bx[after] - bx[corner], by[after] - by[corner]
        distance = side_x * (y - by[corner])
        distance -= side_y * (x - bx[corner])
        x, y = _cut(x, y, distance)
    return area(x, y)


def area(x: Floats, y: Floats) -> Floats:
    """Return the signed area (K,) of polygons x, y (V, K), positive from +x towards +y.

    Taken as a fan about the first vertex: a repeated vertex adds exactly nothing.
    """
    total = np.zeros(x.shape[1])
    u, v = x - x[0], y - y[0]
    for k in range(1, len(x) - 1):
        total += u[k] * v[k + 1] - u[k + 1] * v[k]
    total *= 0.5
    return total


def _cut(x: Floats, y: Floats, distance: Floats) -> tuple[Floats, Floats]:
    """Keep the part of each polygon where distance (V, K) is not negative.

    Unused places repeat the polygon's last vertex; a polygon with nothing left is a point.
    """
    pairs = x.shape[1]
    inside = distance >= 0
    if inside.all():
        return x, y
    crossed = inside != np.roll(inside, 1, axis=0)
    # The edge from vertex k - 1 to vertex k gives its crossing first, then its end.
    last = np.cumsum(crossed.astype(np.intp) + inside, axis=0)
    count = last[-1]
    length = max(1, int(count.max()))
    place = (last - 1) * pairs + np.arange(pairs)
    cut = np.zeros((2, length * pairs))
    kept = np.flatnonzero(inside)
    to = place.ravel()[kept]
    cut[0, to], cut[1, to] = x.ravel()[kept], y.ravel()[kept]
    end = np.flatnonzero(crossed)
    begin = end - pairs  # before the first vertex comes the last: index -k counts from the end
    to = place.ravel()[end] - pairs * inside.ravel()[end]
    flat = distance.ravel()
    part = flat[begin] / (flat[begin] - flat[end])
    for axis, values in enumerate((x.ravel(), y.ravel())):
        cut[axis, to] = values[begin] + part * (values[end] - values[begin])
    left = cut.reshape(2, length, pairs)
    for k in range(1, length):
        short = np.flatnonzero(count <= k)
        left[:, k, short] = left[:, k - 1, short]
    return left[0], left[1]
