"""Opens a run, whatever holds it: JSON Lines, a vector file, a folder of masks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import InputError
from ..foreign_file import DATASET, refuse_foreign
from ..textsource import open_text_bytes
from .features import Table
from .gdal_table import DRIVERS, gdal_tables
from .geojson_table import GeoJsonTable, starts_as_geojson
from .mask_folder import mask_folder_run
from .parquet_table import ParquetTable
from .run import Predictions, read_json_lines
from .vector_run import vector_run

_MEND = "choose a file of predictions, or a folder of masks"
_BENCHMARK_START = re.compile(
    rb'\s*\{\s*"(info|licenses|categories|images|annotations|targets)"\s*:'
)
_LONGEST_START = 1024
_GEOJSON = ".geojson"
_TABLES: dict[str, Callable[[Path], Sequence[Table]]] = {
    **dict.fromkeys(DRIVERS, gdal_tables),
    _GEOJSON: lambda path: [GeoJsonTable(path)],
    ".parquet": lambda path: [ParquetTable(path)],
    ".geoparquet": lambda path: [ParquetTable(path)],
}


VECTOR_ENDINGS = tuple(_TABLES)


def read_predictions(path: Path | str, modality: str | None = None) -> Predictions:
    """Open the run at `path`. Records are read when it is iterated.

    A folder holds masks. The endings .gpkg, .shp, .fgb, .csv, .geojson, .parquet and .geoparquet
    are vector files, and so is .json where its first key is the type of a FeatureCollection.
    Everything else is JSON Lines, gzip or not. `modality`: what the features of a vector file are
    where no column says so; other runs have no use for it.

    Raises InputError for what is wrong with the file as a whole, here, and for a faulty record or
    feature, naming its place, while iterating; MissingPackageError where a reader isn't installed.
    """
    path = Path(path)
    if path.name == DATASET or (path / DATASET).is_file():
        # Not even opened: closing it would let go of another program's lock.
        raise InputError("is an OVEarth dataset, no run", str(path), _MEND)
    if path.is_dir():
        return mask_folder_run(path)
    tables = vector_tables(path)
    if tables is None:
        refuse_foreign(path, "no run", _MEND)
        _refuse_benchmark(path)
        return read_json_lines(path)
    return vector_run(path, tables, modality)


def _refuse_benchmark(path: Path) -> None:
    with open_text_bytes(path) as file:
        start = file.read(_LONGEST_START)
    if _BENCHMARK_START.match(start):
        raise InputError("is a benchmark, no run", str(path), _MEND)


def vector_tables(path: Path) -> Sequence[Table] | None:
    """Return the layers of a vector file, None for a file that by its ending is none.

    Raises InputError where it is damaged, MissingPackageError where its reader isn't installed.
    """
    ending = path.suffix.lower()
    if ending == ".json" and starts_as_geojson(path):
        ending = _GEOJSON
    tables = _TABLES.get(ending)
    return None if tables is None else tables(path)
