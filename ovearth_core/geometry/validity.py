"""Whether polygons are simple: no ring crosses itself or another, holes lie inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError
from .rings import Polygon, Ring

# Parts this small against the whole are what is left of a spike, not a second polygon.
_CRUMB = 1e-3
_PLACE = re.compile(r"(.*?)\s*\[\s*([^\s\]]+)\s+([^\s\]]+)\s*\]")


@dataclass(frozen=True)
class ValidityFault:
    """What is wrong, in words, and where: x, y (2,), None where nobody says."""

    what: str
    place: NDArray[np.float64] | None


def validity_fault(polygons: Sequence[Polygon]) -> ValidityFault | None:
    """Return what is wrong with the first of the polygons that is not valid, or None.

    Each is looked at on its own: parts of one shape may overlap (COCO's often do).
    """
    for rings in polygons:
        reason = _reason([_closed(ring) for ring in rings])
        if reason is not None:
            found = _PLACE.match(reason)
            if found is None:
                return ValidityFault(reason.strip().lower(), None)
            place = np.array([float(found[2]), float(found[3])])
            return ValidityFault(found[1].strip().lower(), place)
    return None


def made_valid(polygons: Sequence[Polygon]) -> list[Polygon] | None:
    """Return the same area as as many valid polygons, or None where more than one way is open.

    Even-odd, as pixels are counted: what a crossing encloses twice is outside. Crumbs below a
    thousandth of the area are left out. None also where a polygon falls into several.
    """
    made = [_large_parts(rings) for rings in polygons]
    return [parts[0] for parts in made] if all(len(parts) == 1 for parts in made) else None


def parts_left(polygons: Sequence[Polygon]) -> list[int]:
    """Return into how many valid polygons each falls (crumbs left out): 1 where it stays whole."""
    return [len(_large_parts(rings)) for rings in polygons]


def _large_parts(rings: Polygon) -> list[Polygon]:
    parts = _valid_parts([_closed(ring) for ring in rings])
    whole = sum(area for area, _ in parts)
    return [part for area, part in parts if area >= _CRUMB * whole]


def _reason(rings: list[Ring]) -> str | None:
    """Return GEOS's words for what is wrong, with its position in brackets, or None."""
    try:
        import shapely
    except ImportError:
        return _reason_by_ogr(rings)
    polygon = shapely.polygons(shapely.linearrings(rings[0]), _holes(shapely, rings))
    if bool(shapely.is_valid(polygon)):
        return None
    return str(shapely.is_valid_reason(polygon))


def _holes(shapely: Any, rings: list[Ring]) -> Any:
    return [shapely.linearrings(ring) for ring in rings[1:]] or None


def _reason_by_ogr(rings: list[Ring]) -> str | None:
    polygon = _ogr_polygon(rings)
    from osgeo import gdal

    # GEOS's reason comes as a warning: "Self-intersection at or near point 30 30".
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.ErrorReset()
    try:
        is_valid = polygon.IsValid()
        return None if is_valid else _in_brackets(gdal.GetLastErrorMsg()) or "not simple"
    finally:
        gdal.PopErrorHandler()


def _in_brackets(reason: str) -> str:
    what, _, place = reason.partition(" at or near point ")
    return f"{what}[{' '.join(place.split()[:2])}]" if place else what


def _valid_parts(rings: list[Ring]) -> list[tuple[float, Polygon]]:
    try:
        import shapely
    except ImportError:
        return _valid_parts_by_ogr(rings)
    polygon = shapely.polygons(shapely.linearrings(rings[0]), _holes(shapely, rings))
    parts = shapely.get_parts(shapely.make_valid(polygon))
    return [
        (float(part.area), [_xy(part.exterior), *map(_xy, part.interiors)])
        for part in _flat(shapely, parts)
    ]


def _flat(shapely: Any, parts: Any) -> list[Any]:
    """Return the polygons among parts, those inside of multipolygons too; lines are dropped."""
    flat = [inner for part in parts for inner in shapely.get_parts(part)]
    return [part for part in flat if part.geom_type == "Polygon"]


def _xy(ring: Any) -> Ring:
    return np.array(ring.coords, dtype=np.float64)[:, :2]


def _ogr_polygon(rings: list[Ring]) -> Any:
    try:
        from osgeo import ogr
    except ImportError:
        raise MissingPackageError(
            "checking polygons needs Shapely", "here", "pip install shapely"
        ) from None
    polygon = ogr.Geometry(ogr.wkbPolygon)
    for ring in rings:
        line = ogr.Geometry(ogr.wkbLinearRing)
        for x, y in ring:
            line.AddPoint_2D(float(x), float(y))
        polygon.AddGeometry(line)
    return polygon


def _valid_parts_by_ogr(rings: list[Ring]) -> list[tuple[float, Polygon]]:
    from osgeo import ogr

    found = []
    waiting = [_ogr_polygon(rings).MakeValid()]
    while waiting:
        geometry = waiting.pop()
        if geometry is None:
            continue
        if ogr.GT_Flatten(geometry.GetGeometryType()) == ogr.wkbPolygon:
            lines = [geometry.GetGeometryRef(at) for at in range(geometry.GetGeometryCount())]
            polygon = [np.array(line.GetPoints(), dtype=np.float64)[:, :2] for line in lines]
            found.append((float(geometry.GetArea()), polygon))
        else:
            waiting += [geometry.GetGeometryRef(at).Clone()
                        for at in range(geometry.GetGeometryCount())]  # fmt: skip
    return found


def _closed(ring: Ring) -> Ring:
    return ring if np.array_equal(ring[0], ring[-1]) else np.vstack([ring, ring[:1]])
