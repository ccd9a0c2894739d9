"""Geometries of a map product as what a record holds: mask polygons, boxes, oriented boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..entry import are_numbers
from ..errors import GeometryError, MissingPackageError
from ..geometry import Polygon, envelope, min_area_rect
from ..geometry.rings import ring_from_positions

Floats = NDArray[np.float64]

_DEEPEST = 16
# As far as a position may lie: see geometry.rings.
_FARTHEST = 1e15


def map_polygons(geometry: Mapping[str, Any] | None) -> list[Polygon]:
    """Return the polygons of a GeoJSON-like geometry, each a list of rings (N, 2), z dropped.

    Null and empty geometries give none. GeometryError, without a place, for points and lines and
    for coordinates that are no finite numbers.
    """
    return [] if geometry is None else _polygons(geometry, _DEEPEST)


def in_one_piece(polygons: list[Polygon], period: float | None) -> list[Polygon]:
    """Return an object's polygons, each turned next to the first by whole turns of the world.

    period: one turn in x, None where the CRS has none. RFC 7946 cuts objects at 180 degrees, and
    the envelope of both parts as they are would go once around the world.
    """
    if period is None or len(polygons) < 2:
        return polygons
    first = _middle(polygons[0])
    turned = []
    for rings in polygons:
        shift = period * round((first - _middle(rings)) / period)
        turned.append([ring + np.array([shift, 0.0]) for ring in rings])
    return turned


def mask_polygons(polygons: list[Polygon]) -> list[Polygon]:
    """Return them if every ring has three distinct positions; GeometryError else."""
    return [[ring_from_positions(ring) for ring in rings] for rings in polygons]


def map_box(polygons: list[Polygon]) -> Floats:
    """Return the envelope (4,) of all polygons together."""
    return envelope(np.concatenate([ring for rings in polygons for ring in rings]))


def map_quad(polygons: list[Polygon]) -> Floats:
    """Return an oriented box (4, 2): the four vertices of a ring that has four, as they follow.

    Else the rectangle of minimum area, in the file's CRS, around all polygons together. Sides of
    four vertices that cross are found out in pixels, as those of other runs; GeometryError for a
    ring of more that crosses itself.
    """
    outer = [rings[0] for rings in polygons]
    if len(outer) == 1:
        corners = _corners(outer[0])
        if len(corners) == 4:
            return corners
    for ring in outer:
        _check_simple(_corners(ring))
    return min_area_rect(np.concatenate(outer))


def check_simple(polygons: list[Polygon]) -> None:
    """Raise GeometryError where an outer ring crosses itself."""
    for rings in polygons:
        _check_simple(_corners(rings[0]))


def _middle(rings: Polygon) -> float:
    x = rings[0][:, 0]
    return float(np.min(x) + np.max(x)) / 2.0


def _polygons(geometry: Mapping[str, Any], depth: int) -> list[Polygon]:
    kind = geometry.get("type")
    if kind == "Polygon":
        rings = _rings(geometry.get("coordinates"))
        return [rings] if rings else []
    if kind == "MultiPolygon":
        parts = [_rings(part) for part in _listed(geometry.get("coordinates"))]
        return [rings for rings in parts if rings]
    if kind == "GeometryCollection" and depth:
        parts = _listed(geometry.get("geometries"))
        return [polygon for part in parts for polygon in _polygons(_mapping(part), depth - 1)]
    raise GeometryError(f"a {kind} has no area", mend="keep polygons only in the file")


def _mapping(part: Any) -> Mapping[str, Any]:
    # Fiona's geometries within a collection are objects that speak the same protocol.
    part = getattr(part, "__geo_interface__", part)
    if not isinstance(part, Mapping):
        raise GeometryError("a collection with something else in it", mend="write it again")
    return part


def _rings(coordinates: Any) -> list[Floats]:
    rings = [_ring(positions) for positions in _listed(coordinates)]
    return [ring for ring in rings if len(ring)]


def _ring(positions: Any) -> Floats:
    positions = _listed(positions)
    if not positions:
        return np.zeros((0, 2))
    try:
        numbers = [number for position in positions for number in position[:2]]
        ring = np.array(numbers, np.float64).reshape(len(positions), 2)
    except (TypeError, ValueError, OverflowError):
        numbers = [None]
    # NumPy alone would take "1" and True without a word.
    if not are_numbers(numbers):
        raise GeometryError("a ring whose positions are not numbers x, y", mend="write it again")
    far = ~(np.abs(ring) <= _FARTHEST).all(axis=1)  # written so that NaN is far too
    if far.any():
        raise GeometryError(
            f"position {ring[int(np.argmax(far))].tolist()} is not finite or beyond {_FARTHEST:g}",
            mend="mend or leave out that feature",
        )
    return ring


def _listed(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        raise GeometryError("coordinates that are no list", mend="write the geometry again")
    return value


def _corners(ring: Floats) -> Floats:
    """Return a ring without its closing position and without repeated ones."""
    turns: NDArray[np.bool_] = (ring != np.roll(ring, -1, axis=0)).any(axis=1)
    return np.asarray(ring[turns], np.float64)


def _check_simple(ring: Floats) -> None:
    if len(ring) < 4:
        return
    try:
        from shapely import LinearRing
    except ImportError:
        is_simple = _is_simple_by_ogr(ring)
    else:
        is_simple = bool(LinearRing(ring).is_simple)
    if not is_simple:
        raise GeometryError("a ring that crosses itself", mend="give the box its four corners")


def _is_simple_by_ogr(ring: Floats) -> bool:
    try:
        from osgeo import ogr
    except ImportError:
        raise MissingPackageError(
            "oriented boxes of more than four vertices need shapely", mend="pip install shapely"
        ) from None
    line = ogr.Geometry(ogr.wkbLineString)
    for x, y in [*ring.tolist(), ring[0].tolist()]:
        line.AddPoint_2D(x, y)
    return bool(line.IsSimple())
