"""GeoJSON as a table, read feature by feature without GDAL.

GDAL fetches a `crs` of type link from the network, takes one that it can't read for WGS 84, and
makes dates of ids that look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..entry import describe
from ..errors import InputError
from ..jsonstream import JsonStream
from .features import Row, feature_place

_LONLAT = "OGC:CRS84"
_START = re.compile(r'\s*\{\s*"type"\s*:\s*"FeatureCollection"')
_ENOUGH_FOR_START = 1000
_ABSENT = object()


def starts_as_geojson(path: Path) -> bool:
    """Whether the first key of the file is the type of a FeatureCollection."""
    try:
        with path.open("rb") as file:
            start = file.read(_ENOUGH_FOR_START)
    except OSError:
        return False
    return _START.match(start.decode("utf-8-sig", "replace")) is not None


class GeoJsonTable:
    """A FeatureCollection: longitude and latitude unless a named `crs` says otherwise.

    Columns are the properties that any feature has. Memory: one feature at a time.
    """

    layer: str | None = None
    geometry_column: str | None = None
    how_to_give_a_crs = (
        'remove "crs" where the coordinates are longitude and latitude, else assign one:'
        " ogr2ogr -a_srs EPSG:code out.gpkg in.geojson"
    )

    def __init__(self, path: Path) -> None:
        self.path = path
        crs: Any = _ABSENT
        columns: dict[str, None] = {}
        stream = JsonStream(path)
        for member in stream.members():
            if member.key == "crs":
                crs = member.value
            elif member.key == "features" and member.in_list:
                columns.update(dict.fromkeys(self._properties(member.value, member.line)))
        if "features" not in stream.keys:
            raise InputError("no 'features' in it", str(path), "name a FeatureCollection")
        self.columns: Sequence[str] = list(columns)
        self.crs = self._crs(crs)

    def rows(self, columns: Sequence[str], with_geometry: bool) -> Iterator[Row]:
        """Yield the features' values and geometries."""
        number = 0
        for member in JsonStream(self.path).members():
            if member.key != "features" or not member.in_list:
                continue
            number += 1
            properties = self._properties(member.value, member.line)
            geometry = member.value.get("geometry") if with_geometry else None
            if not isinstance(geometry, dict | None):
                where = f"{self.path} {feature_place(None, number)}"
                raise InputError(f"'geometry' is {describe(geometry)}", where, "write {…} or null")
            yield [properties.get(column) for column in columns], geometry

    def _properties(self, feature: Any, line: int) -> dict[str, Any]:
        where = f"{self.path} line {line}"
        if not isinstance(feature, dict) or feature.get("type") != "Feature":
            raise InputError("not a GeoJSON feature", where, 'write {"type": "Feature", …}')
        properties = feature.get("properties") or {}
        if not isinstance(properties, dict):
            raise InputError(f"'properties' is {describe(properties)}", where, "write {…}")
        return properties

    def _crs(self, crs: Any) -> str | None:
        if crs is _ABSENT:
            return _LONLAT
        if crs is None:
            return None
        properties = crs.get("properties") if isinstance(crs, dict) else None
        name = properties.get("name") if isinstance(properties, dict) else None
        if not isinstance(name, str) or crs.get("type") != "name":
            raise InputError(
                "'crs' is not one that is given by name", str(self.path), self.how_to_give_a_crs
            )
        return name
