"""Polygons on an image's pixel grid, and the same polygons in longitude and latitude.

Every vertex is carried over by the operation recorded for the image, and comes back as the point
whose forward image it is, within 1e-6 pixel, whichever program wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


def many_to_lonlat(frame: ImageFrame, shapes: Sequence[Polygons]) -> list[Polygons]:
    """Return `to_lonlat` of many objects of one image, carried in one go, to the same bits."""
    objects = [_vertices(polygons) for polygons in shapes]
    carried = iter(frame.objects_to_crs([xy for xy in objects if len(xy)], LONLAT))
    return [
        _rings_again(polygons, next(carried)) if len(xy) else polygons
        for polygons, xy in zip(shapes, objects, strict=True)
    ]


def to_pixels(frame: ImageFrame, polygons: Polygons) -> Polygons:
    """Return polygons in EPSG:4326 brought back to pixels; FrameError where they can't be."""
    return _mapped(polygons, frame.lonlat_to_pixel)


def _mapped(polygons: Polygons, carry: Callable[[Points], Points]) -> Polygons:
    xy = _vertices(polygons)
    return _rings_again(polygons, carry(xy)) if len(xy) else polygons


def _vertices(polygons: Polygons) -> Points:
    """Return the vertices (N, 2) of all rings, end to end."""
    rings = [ring for polygon in polygons for ring in polygon]
    if len(rings) == 1:
        return rings[0]
    return np.concatenate(rings) if rings else np.empty((0, 2))


def _rings_again(polygons: Polygons, vertices: Points) -> Polygons:
    """Return vertices (N, 2) cut into rings as long as those of polygons."""
    start, made = 0, []
    for polygon in polygons:
        rings = []
        for ring in polygon:
            rings.append(vertices[start : start + len(ring)])
            start += len(ring)
        made.append(tuple(rings))
    return tuple(made)


def _closed(ring: Ring) -> Ring:
    if np.array_equal(ring[0], ring[-1]):
        return ring
    return np.vstack([ring, ring[:1]])
