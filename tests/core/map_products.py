"""Map products made for tests: features of a run, written as each vector format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import fiona
import geopandas
from pyproj import CRS
from shapely import to_wkt
from shapely.geometry import shape

DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".fgb": "FlatGeobuf", ".geojson": "GeoJSON"}
FORMATS = (*DRIVERS, ".csv", ".parquet")

Feature = dict[str, Any]


def feature(query_id: Any, kind: Any, geometry: Any, score: Any = None) -> Feature:
    return {"query_id": query_id, "kind": kind, "score": score, "geometry": geometry}


def polygon(*positions: Iterable[float]) -> dict[str, Any]:
    """A GeoJSON polygon of one ring, closed here."""
    ring = [tuple(position) for position in positions]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def box(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    return polygon((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def features_of(records: Iterable[dict[str, Any]]) -> Iterator[Feature]:
    """A run's records as features; what has nothing in it becomes a feature without geometry."""
    for record in records:
        found = list(_shapes_of(record))
        for kind in ("mask", "hbb", "obb"):
            if kind in record and not any(part["kind"] == kind for part in found):
                found.append(feature(record["query_id"], kind, None))
        yield from found


def _shapes_of(record: dict[str, Any]) -> Iterator[Feature]:
    query_id, scores = record["query_id"], record.get("scores")
    for part in record.get("mask") or []:
        for rings in part["polygons"]["coordinates"]:
            yield feature(query_id, "mask", {"type": "Polygon", "coordinates": rings})
    for index, corners in enumerate(record.get("hbb") or []):
        yield feature(query_id, "hbb", box(*corners), scores and scores[index])
    for index, corners in enumerate(record.get("obb") or []):
        quad = polygon(*zip(corners[::2], corners[1::2], strict=True))
        yield feature(query_id, "obb", quad, scores and scores[index])


def raised(found: Feature, height: float = 321.5) -> Feature:
    """The same feature in three dimensions."""
    geometry = found["geometry"]
    if geometry is None:
        return found
    rings = [[(x, y, height) for x, y, *_ in ring] for ring in geometry["coordinates"]]
    return {**found, "geometry": {"type": "Polygon", "coordinates": rings}}


def write(
    path: Path,
    features: Iterable[Feature],
    crs: str | None = "EPSG:32632",
    without: Iterable[str] = (),
    geometry: str = "Polygon",
    query_id: str = "str",
    **options: Any,
) -> Path:
    """Write features in the format of the path's ending, without some of the columns.

    `geometry`, `query_id`: types as fiona names them. `options`: for fiona, such as a layer.
    """
    columns = [name for name in ("query_id", "kind", "score") if name not in without]
    listed = list(features)
    if path.suffix == ".csv":
        return _write_csv(path, listed, columns, crs)
    if path.suffix == ".parquet":
        return _write_parquet(path, listed, columns, crs)
    is_solid = any(_is_solid(found["geometry"]) for found in listed)
    types = {"query_id": query_id, "kind": "str", "score": "float"}
    schema = {
        "geometry": f"3D {geometry}" if is_solid else geometry,
        "properties": {name: types[name] for name in columns},
    }
    driver = DRIVERS[path.suffix]
    if driver == "FlatGeobuf":
        options["SPATIAL_INDEX"] = "NO"  # with one, GDAL writes no features without geometry
    with fiona.open(path, "w", driver=driver, crs=crs, schema=schema, **options) as file:
        file.writerecords(
            {
                "type": "Feature",
                "geometry": found["geometry"],
                "properties": {name: found[name] for name in columns},
            }
            for found in listed
        )
    return path


def _is_solid(geometry: Any) -> bool:
    return bool(geometry) and len(geometry["coordinates"][0][0]) == 3


def _write_csv(path: Path, features: list[Feature], columns: list[str], crs: str | None) -> Path:
    lines = [",".join([*columns, "WKT"])]
    for found in features:
        values = ["" if found[name] is None else str(found[name]) for name in columns]
        geometry = found["geometry"]
        wkt = "" if geometry is None else to_wkt(shape(geometry), rounding_precision=-1)
        lines.append(",".join([*values, f'"{wkt}"']))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if crs is not None:
        path.with_suffix(".prj").write_text(CRS(crs).to_wkt("WKT1_GDAL"), encoding="utf-8")
    return path


def _write_parquet(
    path: Path, features: list[Feature], columns: list[str], crs: str | None
) -> Path:
    table = geopandas.GeoDataFrame(
        {name: [found[name] for found in features] for name in columns},
        geometry=[found["geometry"] and shape(found["geometry"]) for found in features],
        crs=crs,
    )
    table.to_parquet(path, row_group_size=7)
    return path


def collection(path: Path, features: Iterable[Feature], **members: Any) -> Path:
    """Write a GeoJSON FeatureCollection as it is, its members first."""
    listed = [
        {
            "type": "Feature",
            "properties": {k: v for k, v in found.items() if k != "geometry"},
            "geometry": found["geometry"],
        }
        for found in features
    ]
    document = {"type": "FeatureCollection", **members, "features": listed}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
