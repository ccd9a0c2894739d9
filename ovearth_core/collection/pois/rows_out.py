"""Places of interest as a file: GeoJSON, GeoPackage or CSV, by the ending of its name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...atomic import AtomicFiles
from ...crs import LONLAT
from ...dataset import FILE_NAME
from ...errors import MissingPackageError, OutputError, UsageError
from ...spelling import nearest
from .choosing import Choice
from .poi import Poi

_LAYER = "pois"
_FIELDS = ("reference", "category", "category_number", "name", "continent", "source", "bounds")


def check_out(path: Path) -> None:
    """Raise UsageError for an ending that no format has, before anything is searched."""
    if path.suffix.lower() not in _WRITERS:
        what = f"{path.suffix or 'no ending'!r} is no format for places"
        raise UsageError(what, f"--out {path}", nearest(path.suffix, _WRITERS))
    if path.name == FILE_NAME:
        raise UsageError("that is a dataset", f"--out {path}", "write --dataset FOLDER")


def write_choice(path: Path, choice: Choice, files: AtomicFiles) -> None:
    """Write the chosen places, in degrees of EPSG:4326, with all their tags."""
    _WRITERS[path.suffix.lower()](path, choice, files)


def _write_geojson(path: Path, choice: Choice, files: AtomicFiles) -> None:
    with files.open(path) as file:
        file.write('{"type": "FeatureCollection", "features": [')
        for number, (poi, continent) in enumerate(_each(choice)):
            file.write("\n" if number == 0 else ",\n")
            file.write(json.dumps(_feature(poi, continent), ensure_ascii=False, allow_nan=False))
        file.write("\n]}\n")


def _feature(poi: Poi, continent: str) -> dict[str, Any]:
    properties = {**_values(poi, continent), "tags": dict(poi.tags or {})}
    properties["bounds"] = None if poi.bounds is None else list(poi.bounds)
    return {
        "type": "Feature",
        "id": poi.id,
        "geometry": {"type": "Point", "coordinates": [poi.lon, poi.lat]},
        "properties": properties,
    }


def _write_csv(path: Path, choice: Choice, files: AtomicFiles) -> None:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["id", "lon", "lat", *_FIELDS, "tags"])
    for poi, continent in _each(choice):
        values = _values(poi, continent)
        table.writerow(
            [poi.id, repr(poi.lon), repr(poi.lat), *(values[f] for f in _FIELDS), _tags(poi)]
        )
    files.write(path, text.getvalue())


def _write_geopackage(path: Path, choice: Choice, files: AtomicFiles) -> None:
    try:
        import fiona
    except ImportError:
        raise MissingPackageError(
            "GeoPackages need fiona", str(path), "pip install fiona"
        ) from None
    fields = {name: "int" if name == "category_number" else "str" for name in _FIELDS}
    schema = {"geometry": "Point", "properties": {"id": "str", **fields, "tags": "str"}}
    # GDAL wants a name with the right ending, which a temporary file beside the target hasn't.
    with TemporaryDirectory(prefix="ovearth-") as folder:
        whole = Path(folder) / "pois.gpkg"
        try:
            with fiona.open(
                str(whole), "w", driver="GPKG", layer=_LAYER, crs=LONLAT, schema=schema
            ) as layer:
                layer.writerecords(_record(*placed) for placed in _each(choice))
            packed = whole.read_bytes()
        except (fiona.errors.FionaError, OSError, RuntimeError) as fault:
            what = f"can't write it ({fault})"
            raise OutputError(what, str(path), "check the folder and its space") from None
    files.write_bytes(path, packed)


def _record(poi: Poi, continent: str) -> dict[str, Any]:
    return {
        "geometry": {"type": "Point", "coordinates": (poi.lon, poi.lat)},
        "properties": {"id": poi.id, **_values(poi, continent), "tags": _tags(poi)},
    }


def _values(poi: Poi, continent: str) -> dict[str, Any]:
    """Return the fields of _FIELDS, plain."""
    return {
        "reference": poi.reference,
        "category": poi.category,
        "category_number": poi.category_number,
        "name": poi.name,
        "continent": continent,
        "source": poi.source,
        "bounds": None if poi.bounds is None else " ".join(f"{b:.7f}" for b in poi.bounds),
    }


# Kept: the standard function makes one for every call that wants other than ASCII.
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def _tags(poi: Poi) -> str:
    return _ENCODER.encode(dict(poi.tags or {}))


def _each(choice: Choice) -> Sequence[tuple[Poi, str]]:
    return list(zip(choice.chosen, choice.continents, strict=True))


_WRITERS: dict[str, Callable[[Path, Choice, AtomicFiles], None]] = {
    ".geojson": _write_geojson,
    ".json": _write_geojson,
    ".gpkg": _write_geopackage,
    ".csv": _write_csv,
}
