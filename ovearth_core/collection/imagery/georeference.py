"""How an open raster is placed: by its transform, else by control points, else by RPCs."""

from __future__ import annotations

from typing import Any

from ...crs import shortest_name
from ...errors import FrameError
from ...frame import ImageFrame
from .placing import AffinePlacing, Placing, placed_by_points, placed_by_rpcs

_HOW_TO_GEOREFERENCE = "georeference it first (gdal_edit.py, or QGIS's Georeferencer)"
_UNPLACED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def placing_of(dataset: Any) -> Placing:
    """Return where an open raster lies; FrameError where nothing says so."""
    transform = tuple(dataset.transform)[:6]
    if dataset.crs and transform != _UNPLACED:
        frame = ImageFrame(_name(dataset.crs), transform, dataset.width, dataset.height)
        return AffinePlacing(frame)
    points, crs = dataset.gcps
    if points:
        if not crs:
            raise FrameError("its ground control points have no CRS", "", _HOW_TO_GEOREFERENCE)
        return placed_by_points(points, _name(crs))
    if dataset.rpcs:
        return placed_by_rpcs(dataset.rpcs)
    lacking = "transform" if dataset.crs else "CRS"
    raise FrameError(f"the raster has no {lacking}", "", _HOW_TO_GEOREFERENCE)


def _name(crs: Any) -> str:
    return shortest_name(crs.to_wkt())
