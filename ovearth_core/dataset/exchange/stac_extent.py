"""Where and when the images of a STAC collection are."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rows import ImageRow

# An item needs a date, or a span: of an image whose date nobody knows, all of time.
EARLIEST = datetime(1, 1, 1, tzinfo=timezone.utc)
LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc)


class Extents:
    """The span of all items added. undated: how many have no date."""

    def __init__(self) -> None:
        self.undated = 0
        self._west, self._south, self._east, self._north = np.inf, np.inf, -np.inf, -np.inf
        self._dates: list[datetime] = []

    def add(self, item: Any) -> None:
        """Take a pystac item in."""
        west, south, east, north = item.bbox
        if west > east:  # across the antimeridian
            west, east = -180.0, 180.0
        self._west, self._south = min(self._west, west), min(self._south, south)
        self._east, self._north = max(self._east, east), max(self._north, north)
        if item.datetime is None:
            self.undated += 1
        else:
            self._dates = [min([*self._dates, item.datetime]), max([*self._dates, item.datetime])]

    def as_stac(self) -> Any:
        """Return the pystac extent; the whole world while there is nothing."""
        import pystac

        box = [float(v) for v in (self._west, self._south, self._east, self._north)]
        if not np.isfinite(box).all():
            box = [-180.0, -90.0, 180.0, 90.0]
        span: list[datetime | None] = [*self._dates] or [None, None]
        return pystac.Extent(pystac.SpatialExtent([box]), pystac.TemporalExtent([span]))


def footprint(image: ImageRow) -> tuple[dict[str, Any], list[float]]:
    """Return an image's outline as GeoJSON within ±180 degrees, and its bbox.

    Across the antimeridian it is cut there, and the bbox's west is east of its east, as RFC 7946
    has both; around a pole, the bbox goes around the world.
    """
    ring = image.frame().footprint()
    low, high = ring.min(axis=0), ring.max(axis=0)
    if low[0] >= -180.0 and high[0] <= 180.0:
        return _polygons([ring]), [*low.tolist(), *high.tolist()]
    parts = _cut(ring)
    if high[0] - low[0] >= 360.0:
        return _polygons(parts), [-180.0, float(low[1]), 180.0, float(high[1])]
    west, east = ((np.array([low[0], high[0]]) + 180.0) % 360.0 - 180.0).tolist()
    return _polygons(parts), [west, float(low[1]), east, float(high[1])]


def instant(text: str | None) -> datetime | None:
    """Return a date in ISO 8601 as a moment in UTC, midnight where no time is given; else None."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    return found.astimezone(timezone.utc) if found.tzinfo else found.replace(tzinfo=timezone.utc)


def _cut(ring: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    import shapely

    whole = shapely.Polygon(ring)
    parts: list[NDArray[np.float64]] = []
    for turn in range(-2, 3):
        window = shapely.box(360.0 * turn - 180.0, -90.0, 360.0 * turn + 180.0, 90.0)
        found = shapely.get_parts(shapely.intersection(whole, window))
        kept = (part for part in found if part.geom_type == "Polygon" and part.area > 0.0)
        parts += [np.array(part.exterior.coords) - [360.0 * turn, 0.0] for part in kept]
    return parts


def _polygons(rings: list[NDArray[np.float64]]) -> dict[str, Any]:
    listed = [[_counterclockwise(ring).tolist()] for ring in rings]
    if len(listed) == 1:
        return {"type": "Polygon", "coordinates": listed[0]}
    return {"type": "MultiPolygon", "coordinates": listed}


def _counterclockwise(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = (ring - ring[0]).T
    return ring if np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) > 0.0 else ring[::-1]
