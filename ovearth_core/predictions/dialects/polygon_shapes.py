"""What a polygon without a kind is: a region, and an object with its boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import GeometryError, MissingPackageError
from ...geometry import Polygon
from ..map_shapes import map_box, map_polygons, map_quad, mask_polygons

Floats = NDArray[np.float64]
Shapes = tuple[Sequence[Polygon] | None, Floats | None, Floats | None]

_LONGEST_WKT = 1 << 26


def shapes_of(polygons: list[Polygon], kind: str | None) -> Shapes:
    """Return an object's mask, horizontal box (4,) and oriented box (4, 2), in its own coordinates.

    kind: which of them it is ("mask", "hbb", "obb"), all three where None. GeometryError for
    polygons that are none.
    """
    if not polygons:
        raise GeometryError("an empty geometry", mend="leave it out")
    mask = mask_polygons(polygons) if kind in (None, "mask") else None
    hbb = map_box(polygons) if kind in (None, "hbb") else None
    return mask, hbb, map_quad(polygons) if kind in (None, "obb") else None


def polygons_of_wkt(text: str) -> list[Polygon]:
    """Return the polygons of a WKT geometry; GeometryError for what is none, or has no area."""
    if len(text) > _LONGEST_WKT:
        raise GeometryError("a WKT too long for one object", mend="split it")
    try:
        import shapely
    except ImportError:
        return map_polygons(_by_ogr(text))
    try:
        geometry = shapely.from_wkt(text)
    except shapely.errors.ShapelyError as fault:
        said = " ".join(str(fault).split())[:80]
        raise GeometryError(f"no WKT ({said})", mend="write POLYGON((x y, …))") from None
    return map_polygons(shapely.geometry.mapping(geometry))


def _by_ogr(text: str) -> dict[str, object]:
    try:
        import json

        from osgeo import ogr
    except ImportError:
        raise MissingPackageError("WKT needs Shapely", mend="pip install shapely") from None
    geometry = ogr.CreateGeometryFromWkt(text)
    if geometry is None:
        raise GeometryError("no WKT", mend="write POLYGON((x y, …))")
    found: dict[str, object] = json.loads(geometry.ExportToJson())
    return found
