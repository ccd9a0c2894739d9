"""The geometries of a GeoParquet column: well-known binary, or GeoArrow's own nested coordinates.

Source: GeoParquet 1.1, "encoding".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

WKB, POINT = "WKB", "point"
# The kind of GeoJSON that each native encoding holds, and how deep its lists of points are nested.
_NATIVE: Mapping[str, tuple[str, int]] = {
    POINT: ("Point", 0),
    "linestring": ("LineString", 1),
    "multipoint": ("MultiPoint", 1),
    "polygon": ("Polygon", 2),
    "multilinestring": ("MultiLineString", 2),
    "multipolygon": ("MultiPolygon", 3),
}
ENCODINGS = (WKB, *_NATIVE)

# The kind of a geometry, "" for none, and its vertices (N,2), x first.
Shape = tuple[str, NDArray[np.float64]]


def shapes(values: list[Any], encoding: str, where: str) -> list[Shape]:
    """Return the shape of each value of a column; InputError for one that is no geometry."""
    if encoding == WKB:
        return [_unpacked(value, where) for value in values]
    kind, depth = _NATIVE[encoding]
    try:
        return [_nested(value, kind, depth) for value in values]
    except (TypeError, KeyError, ValueError) as fault:
        raise InputError(f"a geometry that is no {encoding} ({fault})", where, "mend it") from None


def _unpacked(packed: Any, where: str) -> Shape:
    import shapely

    if packed is None:
        return "", np.empty((0, 2))
    try:
        geometry = shapely.from_wkb(packed)
    except (shapely.errors.GEOSException, TypeError, ValueError) as fault:
        raise InputError(f"a geometry that is no WKB ({fault})", where, "mend it") from None
    return geometry.geom_type, np.asarray(shapely.get_coordinates(geometry), dtype=np.float64)


def _nested(value: Any, kind: str, depth: int) -> Shape:
    if value is None:
        return "", np.empty((0, 2))
    points = [(point["x"], point["y"]) for point in _flat(value, depth)]
    return kind, np.array(points, dtype=np.float64).reshape(-1, 2)


def _flat(value: Any, depth: int) -> Iterator[Any]:
    if depth == 0:
        yield value
        return
    for part in value:
        yield from _flat(part, depth - 1)
