"""How an open raster is placed: by its transform, else by control points, else by RPCs."""

from __future__ import annotations

from typing import Any

from ...crs import shortest_name
from ...errors import FrameError
from ...frame import ImageFrame
from .address import hidden, without_secrets
from .fitted_placing import placed_by_points, placed_by_rpcs
from .placing import AffinePlacing, Placing

_HOW_TO_GEOREFERENCE = "georeference it first (gdal_edit.py, or QGIS's Georeferencer)"
_UNPLACED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def placing_of(dataset: Any, crs_if_none: str | None = None) -> Placing:
    """Return where an open raster lies; FrameError where nothing says so.

    crs_if_none: what a person knows of a raster that doesn't name its CRS.
    """
    transform = tuple(dataset.transform)[:6]
    own = _name(dataset.crs) if dataset.crs else crs_if_none
    if own and transform != _UNPLACED:
        return AffinePlacing(ImageFrame(own, transform, dataset.width, dataset.height))
    points, crs = dataset.gcps
    if points:
        named = _name(crs) if crs else crs_if_none
        if not named:
            raise FrameError("its ground control points have no CRS", "", _HOW_TO_GEOREFERENCE)
        return placed_by_points(points, named)
    if dataset.rpcs:
        return placed_by_rpcs(dataset.rpcs)
    if parts := dataset.subdatasets:
        what = f"it holds {len(parts)} rasters that are to be named one by one"
        raise FrameError(what, "", f"such as {hidden(without_secrets(parts[0]))!r}")
    lacking = "transform" if own else "CRS"
    raise FrameError(f"the raster has no {lacking}", "", _HOW_TO_GEOREFERENCE)


def _name(crs: Any) -> str:
    return shortest_name(crs.to_wkt())
