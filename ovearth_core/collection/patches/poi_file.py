"""Places from a file: any vector file in any CRS, or a table with lon and lat."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ...crs import LONLAT, shortest_name
from ...dataset import FILE_NAME
from ...errors import InputError, MissingPackageError
from ...operation import choose_operation
from ..identity import worldwide_reference
from .place import Place

_HOW_TO_MEND = "give a vector file (GeoJSON, GeoPackage, …) or a CSV with lon and lat"
_LON, _LAT = ("lon", "longitude", "lng", "x"), ("lat", "latitude", "y")
_REFERENCE = ("reference", "source_id", "osm_id", "osm", "id", "fid")
_MOST_PLACES = 5_000_000


def read_places(path: Path) -> Iterator[Place]:
    """Yield a file's places, one by one; the middle of the bounds where they aren't points.

    Columns that are understood: name, category, source, source_id (or reference), continent, tags
    (JSON). Raises InputError, naming file and record, for what is no place.
    """
    if not path.is_file():
        raise InputError("there is no such file", str(path), _HOW_TO_MEND)
    if path.name == FILE_NAME:
        raise InputError("is a dataset", str(path), "leave --pois out to take the dataset's own")
    records = _csv_records(path) if path.suffix.lower() == ".csv" else _vector_records(path)
    for number, (lon, lat, values) in enumerate(records, 1):
        if number > _MOST_PLACES:
            raise InputError(f"more than {_MOST_PLACES:,} places", str(path), "split the file")
        where = f"{path}, record {number}"
        if not (isfinite(lon) and isfinite(lat) and abs(lat) <= 90.0 and abs(lon) <= 540.0):
            raise InputError(f"no place on Earth ({lon}, {lat})", where, "give lon and lat")
        yield place_of(lon, lat, values, where)


def place_of(lon: float, lat: float, values: Mapping[str, Any], where: str) -> Place:
    """Return a record's place, in degrees; columns as for `read_places`, in any case of letters."""
    lower = {str(name).lower(): value for name, value in values.items()}
    tags = lower.get("tags")
    if isinstance(tags, str):
        try:
            tags = json.loads(tags)
        except ValueError:
            tags = {"tags": tags}
    return Place(
        lon=lon, lat=lat, name=_text(lower.get("name")), category=_text(lower.get("category")),
        source=_text(lower.get("source")), continent=_text(lower.get("continent")),
        reference=worldwide_reference(lower)
        or next((found for key in _REFERENCE if (found := _text(lower.get(key)))), None),
        tags=tags if isinstance(tags, Mapping) else {}, where=where,
    )  # fmt: skip


def _text(value: object) -> str | None:
    text = "" if value is None else str(value).strip()
    return text or None


def _csv_records(path: Path) -> Iterator[tuple[float, float, Mapping[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            names = {str(name).strip().lower(): name for name in rows.fieldnames or ()}
            lon = next((names[n] for n in _LON if n in names), None)
            lat = next((names[n] for n in _LAT if n in names), None)
            if lon is None or lat is None:
                what, mend = "has no columns lon and lat", _HOW_TO_MEND
                if len(names) == 1 and ";" in next(iter(names)):
                    what = "has no columns lon and lat that commas part"
                    mend = "save it with commas instead of semicolons, and points in numbers"
                raise InputError(what, str(path), mend)
            for row in rows:
                try:
                    yield float(row[lon]), float(row[lat]), row
                except (TypeError, ValueError):
                    raise InputError(
                        f"no number in {lon}, {lat}",
                        f"{path}, line {rows.line_num}",
                        "give degrees, with a point",
                    ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError(f"can't be read ({fault})", str(path), _HOW_TO_MEND) from None


def _vector_records(path: Path) -> Iterator[tuple[float, float, Mapping[str, Any]]]:
    try:
        import fiona
        from fiona.errors import FionaError
    except ImportError:
        raise MissingPackageError(
            "reading vector files needs fiona", mend="pip install fiona"
        ) from None
    try:
        with fiona.open(path) as layer:
            crs = shortest_name(layer.crs.to_wkt()) if layer.crs else LONLAT
            way = choose_operation(crs, LONLAT)
            for number, record in enumerate(layer, 1):
                middle = _middle(record.geometry)
                if middle is None:
                    raise InputError(
                        "has no geometry", f"{path}, record {number}", "remove it, or mend it"
                    )
                lon, lat = way.forward(middle)[0]
                yield float(lon), float(lat), dict(record.properties)
    except (FionaError, OSError, ValueError) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"can't be read ({fault})", str(path), _HOW_TO_MEND) from None


def _middle(geometry: Any) -> Any:
    """Return the middle (1,2) of a geometry's bounds, None where it has none."""
    points = list(_points(geometry))
    if not points:
        return None
    table = np.array(points)
    return (table.min(axis=0, keepdims=True) + table.max(axis=0, keepdims=True)) / 2.0


def _points(geometry: Any) -> Iterator[tuple[float, float]]:
    if geometry is None:
        return
    if geometry["type"] == "GeometryCollection":
        for part in geometry["geometries"]:
            yield from _points(part)
        return
    waiting = [geometry["coordinates"]]
    while waiting:
        found = waiting.pop()
        if found and isinstance(found[0], (int, float)):
            yield float(found[0]), float(found[1])
        elif found:
            waiting += found
