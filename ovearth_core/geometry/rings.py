"""Polygons from GeoJSON, COCO's lists and plain rings, each checked as it comes in.

A polygon is a list of rings, the outer one first; a ring is (N, 2) float64, x and y, open or
closed as given, finite, of three distinct positions or more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import GeometryError
from .coordinates import shown

Ring = npt.NDArray[np.float64]
Polygon = list[Ring]

_DEEPEST = 16  # collections within collections
_FARTHEST = 1e15  # beyond, the arithmetic of edges loses whole pixels
_TYPES = "Polygon, MultiPolygon, or a collection or feature of these"


def polygons_of(shapes: Sequence[Any]) -> list[Polygon]:
    """Return the polygons of shapes, each a GeoJSON object or one ring (N, 2).

    GeometryError names the shape by its place in the list.
    """
    if isinstance(shapes, Mapping):
        shapes = [shapes]
    return _each(shapes, "shape", _shape)


def polygons_from_geojson(geojson: object) -> list[Polygon]:
    """Return the polygons of a GeoJSON geometry, feature or feature collection, third axis dropped.

    What is there but empty (a collection of none, a feature without geometry) gives none.
    GeometryError for other types of geometry and malformed ones.
    """
    return _geometry(geojson, _DEEPEST)


def polygons_from_coco(segmentation: object) -> list[Polygon]:
    """Return one polygon a list of COCO's [[x1, y1, x2, y2, …], …]; GeometryError if malformed."""
    return _each(segmentation, "polygon", lambda flat: [[ring_from_flat(flat)]])


def ring_from_flat(flat: object) -> Ring:
    """Return the ring (N, 2) of numbers [x1, y1, x2, y2, …]; GeometryError if malformed."""
    numbers = _numbers(_sequence(flat, "a list of numbers"))
    if len(numbers) % 2:
        raise GeometryError(
            f"a ring of {len(numbers)} numbers", mend="give x and y of each position"
        )
    return _checked(numbers.reshape(-1, 2))


def ring_from_positions(positions: object) -> Ring:
    """Return the ring (N, 2) of positions [[x, y], …], any third coordinate dropped.

    GeometryError for fewer than three distinct positions and for what is no finite number.
    """
    if isinstance(positions, np.ndarray) and positions.dtype.kind in "iuf":
        if positions.ndim != 2 or positions.shape[1] < 2:
            raise GeometryError(
                f"a ring of shape {positions.shape}", mend="give positions as (N, 2), x and y"
            )
        return _checked(positions[:, :2].astype(np.float64))
    listed = [
        _sequence(position, "a position [x, y]") for position in _sequence(positions, "a ring")
    ]
    if any(len(position) < 2 for position in listed):
        raise GeometryError("a position without x and y", mend="give each as [x, y]")
    numbers = _numbers(list(chain.from_iterable(position[:2] for position in listed)))
    return _checked(numbers.reshape(-1, 2))


def _shape(shape: object) -> list[Polygon]:
    if isinstance(shape, Mapping):
        return polygons_from_geojson(shape)
    return [[ring_from_positions(shape)]]


def _geometry(geojson: object, depth: int) -> list[Polygon]:
    if not isinstance(geojson, Mapping):
        raise GeometryError(f"{shown(geojson)} is no GeoJSON", mend=f"give a {_TYPES}")
    name = geojson.get("type")
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise GeometryError(f"GeoJSON of type {shown(name)} has no area", mend=f"give a {_TYPES}")
    if not depth:
        raise GeometryError(
            f"GeoJSON collections nested more than {_DEEPEST} deep", mend="flatten them"
        )
    return reader(geojson, depth - 1)


def _polygon(geojson: Mapping[str, Any], _: int) -> list[Polygon]:
    return _rings(geojson.get("coordinates"))


def _multi_polygon(geojson: Mapping[str, Any], _: int) -> list[Polygon]:
    return _each(geojson.get("coordinates"), "polygon", _rings)


def _geometry_collection(geojson: Mapping[str, Any], depth: int) -> list[Polygon]:
    return _each(geojson.get("geometries"), "geometry", lambda part: _geometry(part, depth))


def _feature(geojson: Mapping[str, Any], depth: int) -> list[Polygon]:
    geometry = geojson.get("geometry")
    return [] if geometry is None else _geometry(geometry, depth)


def _feature_collection(geojson: Mapping[str, Any], depth: int) -> list[Polygon]:
    return _each(geojson.get("features"), "feature", lambda part: _geometry(part, depth))


_READERS: dict[str, Callable[[Mapping[str, Any], int], list[Polygon]]] = {
    "Polygon": _polygon,
    "MultiPolygon": _multi_polygon,
    "GeometryCollection": _geometry_collection,
    "Feature": _feature,
    "FeatureCollection": _feature_collection,
}


def _rings(coordinates: object) -> list[Polygon]:
    rings = _each(coordinates, "ring", lambda positions: [ring_from_positions(positions)])
    return [rings] if rings else []


def _each(parts: object, noun: str, read: Callable[[Any], list[Any]]) -> list[Any]:
    """Return what all parts hold, end to end; an error names the part by its place."""
    listed = _sequence(parts, f"a list with one {noun} an entry")
    found = (_placed(part, f"{noun} {index}", read) for index, part in enumerate(listed))
    return list(chain.from_iterable(found))


def _placed(part: object, place: str, read: Callable[[Any], list[Any]]) -> list[Any]:
    try:
        return read(part)
    except GeometryError as error:
        raise error.at(place) from None


def _sequence(value: object, wanted: str) -> Sequence[Any]:
    if isinstance(value, np.ndarray) and value.ndim:
        return list(value)
    if not isinstance(value, (list, tuple)):
        raise GeometryError(f"{shown(value)} is not {wanted}", mend=f"give {wanted}")
    return value


def _numbers(values: Sequence[Any]) -> Ring:
    """Return numbers as float64; NumPy alone would take "1", True and None without a word."""
    strangers = {kind for kind in set(map(type, values)) if not _is_number(kind)}
    if strangers:
        stranger = next(value for value in values if type(value) in strangers)
        raise GeometryError(f"{shown(stranger)} is not a coordinate", mend="give finite numbers")
    try:
        return np.array(values, np.float64)
    except OverflowError:
        raise GeometryError("a coordinate is too large", mend="give pixel coordinates") from None


def _is_number(kind: type) -> bool:
    return issubclass(kind, (int, float, np.integer, np.floating)) and not issubclass(
        kind, (bool, np.timedelta64)
    )


def _checked(ring: Ring) -> Ring:
    """Return the ring if it is one."""
    # Written so that NaN fails too.
    near = np.abs(ring) <= _FARTHEST
    if not near.all():
        position = ring[int(np.argmin(near.all(axis=1)))]
        raise GeometryError(
            f"position {shown(position)} is not finite or more than {_FARTHEST:g} pixels away",
            mend="give pixel coordinates",
        )
    distinct = _up_to_three_distinct(ring)
    if distinct < 3:
        raise GeometryError(
            f"a ring of {distinct} distinct positions", mend="give three at least, or leave it out"
        )
    return ring


def _up_to_three_distinct(ring: Ring) -> int:
    if not len(ring):
        return 0
    other = (ring != ring[0]).any(axis=1)
    if not other.any():
        return 1
    second = ring[int(np.argmax(other))]
    return 3 if (other & (ring != second).any(axis=1)).any() else 2
