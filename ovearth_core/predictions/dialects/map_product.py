"""Map products: vector files in any CRS, class and mask GeoTIFFs in any CRS and grid.

Those that name no query cover a scene: each object, and each class, goes to the images that it lies
in and to the queries that ask for it, cut at the image's edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ..header import Header
from ..run import model_name
from ..sources import VECTOR_ENDINGS
from ..vector_run import common_crs
from .answer import Answer
from .dialect import UNVERIFIED, Dialect
from .map_raster import GEOTIFFS, raster_answers
from .map_vector import opened_tables, vector_answers
from .reading import Reading


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`. Vector files are read twice."""
    if _is_raster(source):
        yield from raster_answers(source, reading)
    else:
        yield from vector_answers(source, reading)


def header(source: Path, reading: Reading) -> Header:
    """Return the header: shapes of vector files are in their CRS, masks of rasters in pixels."""
    if _is_raster(source):
        return Header(source.resolve().name if source.is_dir() else model_name(source))
    return Header(source.stem, in_map=True, crs=common_crs(source, opened_tables(source)))


def _is_raster(source: Path) -> bool:
    if source.is_dir() or source.suffix.lower() in GEOTIFFS:
        return True
    endings = (*VECTOR_ENDINGS, ".json")
    if source.suffix.lower() not in endings:
        listed = ", ".join((*GEOTIFFS, *VECTOR_ENDINGS))
        raise InputError("no map product by its ending", str(source), f"name one of {listed}")
    return False


DIALECTS = (
    Dialect(
        "map",
        ("any program that makes maps",),
        "map",
        "a vector file in any CRS (columns query_id, or else class, label, category or text, or the"
        " layer's or file's name; kind, score, image), or GeoTIFFs in any CRS and grid: a mask"
        " named after its query or class, or class numbers with --classes",
        f"{UNVERIFIED}: no model's own; GDAL's and QGIS's files",
        read,
        ("classes", "threshold", "duplicates", "modality"),
        header=header,
    ),
)
