"""What a GeoParquet file says of itself: geometry, CRS, and where the bounds of its rows are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...crs import LONLAT, same_crs
from ...errors import InputError
from .area import Area
from .parquet_geometry import ENCODINGS, POINT

_CRS84 = "OGC:CRS84"
_SIDES = ("xmin", "ymin", "xmax", "ymax")
_USUAL = {side: f"bbox.{side}" for side in _SIDES}
_WRITE = "write GeoParquet, with GeoPandas' to_parquet or ogr2ogr"


class ParquetLayout:
    """The layout of an open pyarrow ParquetFile; InputError where it is no GeoParquet.

    columns: top-level names. encoding: of the geometries, one of ENCODINGS. bound_columns: of
    xmin, ymin, xmax, ymax the leaf columns in degrees, None where there are none.
    """

    def __init__(self, file: Any, where: str) -> None:
        self._file = file
        self.where = where
        self.columns: list[str] = list(file.schema_arrow.names)
        geo = (file.schema_arrow.metadata or {}).get(b"geo")
        self.geometry_column, about = _primary_column(geo, self.columns, where)
        self.encoding = str(about["encoding"])
        self.crs = _crs_of(about, where)
        leaves = {file.schema.column(i).path: i for i in range(len(file.schema))}
        self.bound_columns = self._bounds(about, leaves)
        self._leaves = leaves

    @property
    def own_columns(self) -> set[str]:
        """The columns that only say where a row is."""
        bounds = self.bound_columns or {}
        roots = {path.partition(".")[0] for path in bounds.values()}
        return {self.geometry_column, *roots}

    def may_meet(self, group: int, area: Area) -> bool:
        """Whether a row group may have a row that meets the area, by its statistics alone."""
        if self.bound_columns is None:
            return True
        metadata = self._file.metadata.row_group(group)
        known = {}
        for side, path in self.bound_columns.items():
            statistics = metadata.column(self._leaves[path]).statistics
            if statistics is None or not statistics.has_min_max:
                return True
            known[side] = statistics
        # A row across ±180 has its west right of its east: its group can't be told by these.
        west, east = known["xmin"], known["xmax"]
        return (
            west.max > east.max
            or east.min < west.min
            or any(
                known["xmin"].min <= box.east
                and known["xmax"].max >= box.west
                and known["ymin"].min <= box.north
                and known["ymax"].max >= box.south
                for box in area.boxes
            )
        )

    def _bounds(self, about: Mapping[str, Any], leaves: Mapping[str, int]) -> dict[str, str] | None:
        if not same_crs(self.crs, LONLAT):
            return None
        covering = about.get("covering")
        box = covering.get("bbox") if isinstance(covering, dict) else None
        paths = dict(_USUAL)
        if isinstance(box, dict) and all(isinstance(box.get(side), list) for side in _SIDES):
            paths = {side: ".".join(map(str, box[side])) for side in _SIDES}
        if not all(path in leaves for path in paths.values()) and self.encoding == POINT:
            # Points are their own bounds.
            paths = {side: f"{self.geometry_column}.{side[0]}" for side in _SIDES}
        return paths if all(path in leaves for path in paths.values()) else None


def _primary_column(
    packed: bytes | None, columns: list[str], where: str
) -> tuple[str, Mapping[str, Any]]:
    if packed is None:
        raise InputError("no 'geo' metadata in it", where, _WRITE)
    try:
        document = json.loads(packed)
        column = document["primary_column"]
        about = document["columns"][column]
        encoding = about["encoding"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError("its 'geo' metadata names no primary column", where, _WRITE) from None
    if encoding not in ENCODINGS or column not in columns:
        raise InputError(f"no encoding of GeoParquet ({encoding!r})", where, _WRITE)
    return column, about


def _crs_of(about: Mapping[str, Any], where: str) -> str:
    crs = about.get("crs", _CRS84)
    if crs is None:
        mend = "set the one that its coordinates are in (GeoPandas: set_crs) and write"
        raise InputError("the CRS is missing", where, mend)
    return crs if isinstance(crs, str) else json.dumps(crs)
