"""An image's outline in the project's CRS."""

from __future__ import annotations

from itertools import pairwise

from qgis.core import Qgis, QgsCoordinateTransform, QgsCsException, QgsPointXY, QgsRectangle

# Of the ring's size.
_MOST_APART = 1e-3


def placed_ring(
    ring: list[QgsPointXY], transform: QgsCoordinateTransform
) -> list[QgsPointXY] | None:
    """Return a closed ring in another CRS, None where that CRS hasn't it in one piece.

    Across the 180th meridian or around a pole the middle of a side lands far from between its ends.
    Seen from the other side of the globe it may not; but then the way back ends elsewhere, and
    QGIS, which looks up each pixel of an image that way, leaves half of it out.
    """
    size = _size(ring)
    try:
        placed = [transform.transform(point) for point in ring]
        for (a, b), (u, v) in zip(pairwise(ring), pairwise(placed), strict=True):
            middle = transform.transform(_between(a, b))
            if not middle.distance(_between(u, v)) <= u.distance(v) / 4:
                return None
        for point, there in zip(ring, placed, strict=True):
            again = transform.transform(there, Qgis.TransformDirection.Reverse)
            if not again.distance(point) <= _MOST_APART * size:
                return None
    except QgsCsException:
        return None
    return placed


def _size(ring: list[QgsPointXY]) -> float:
    box = QgsRectangle(ring[0], ring[0])
    for point in ring:
        box.combineExtentWith(point.x(), point.y())
    return max(box.width(), box.height())


def _between(a: QgsPointXY, b: QgsPointXY) -> QgsPointXY:
    return QgsPointXY((a.x() + b.x()) / 2, (a.y() + b.y()) / 2)
