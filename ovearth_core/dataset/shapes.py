"""Polygons on an image's pixel grid, and the same polygons in longitude and latitude.

Every vertex is carried over by the operation recorded for the image, and comes back as the point
whose forward image it is, within 1e-6 pixel, whichever program wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import numpy as np

from ..crs import LONLAT
from ..errors import GeometryError
from ..frame import ImageFrame
from ..geometry.rings import polygons_from_geojson, ring_from_positions
from ..operation import Points
from .blob import Polygons, Ring


def as_polygons(shape: object) -> tuple[Polygons, bool]:
    """Return a shape's polygons, their rings closed, and whether it is a multipolygon.

    shape: GeoJSON, one ring (N, 2), or polygons as a tuple of tuples of rings. GeometryError for
    malformed ones and those without any polygon; what crosses itself is taken as it is.
    """
    if isinstance(shape, Mapping):
        found = polygons_from_geojson(shape)
        is_multi = shape.get("type") != "Polygon" or len(found) != 1
    elif _is_nested(shape):
        found = [[ring_from_positions(ring) for ring in polygon] for polygon in shape]
        is_multi = len(found) != 1
    else:
        found = [[ring_from_positions(shape)]]
        is_multi = False
    if not found or not all(found):
        raise GeometryError("a shape without a polygon", mend="draw one")
    return tuple(tuple(_closed(ring) for ring in polygon) for polygon in found), is_multi


def _is_nested(shape: object) -> TypeGuard[tuple[tuple[object, ...], ...]]:
    """Tell polygons of rings from one ring given as pairs of numbers."""
    return (
        isinstance(shape, tuple)
        and bool(shape)
        and isinstance(shape[0], tuple)
        and bool(shape[0])
        and not isinstance(shape[0][0], (int, float))
    )


def geojson_of(polygons: Polygons, *, is_multi: bool) -> dict[str, Any]:
    """Return polygons as a GeoJSON geometry."""
    listed = [[ring.tolist() for ring in polygon] for polygon in polygons]
    if is_multi or len(listed) != 1:
        return {"type": "MultiPolygon", "coordinates": listed}
    return {"type": "Polygon", "coordinates": listed[0]}


def to_lonlat(frame: ImageFrame, polygons: Polygons) -> Polygons:
    """Return polygons in pixels of one object carried to EPSG:4326; FrameError where they can't.

    Longitudes are in one piece and run past ±180 across the antimeridian.
    """
    return _mapped(polygons, lambda xy: frame.object_to_crs(xy, LONLAT))


def to_pixels(frame: ImageFrame, polygons: Polygons) -> Polygons:
    """Return polygons in EPSG:4326 brought back to pixels; FrameError where they can't be."""
    return _mapped(polygons, frame.lonlat_to_pixel)


def _mapped(polygons: Polygons, carry: Callable[[Points], Points]) -> Polygons:
    rings = [ring for polygon in polygons for ring in polygon]
    if not rings:
        return polygons
    ends = np.cumsum([len(ring) for ring in rings])
    carried = iter(np.split(carry(np.vstack(rings)), ends[:-1]))
    return tuple(tuple(next(carried) for _ in polygon) for polygon in polygons)


def _closed(ring: Ring) -> Ring:
    if np.array_equal(ring[0], ring[-1]):
        return ring
    return np.vstack([ring, ring[:1]])
