"""GeoParquet out: the features of the GeoJSON as a table, in EPSG:4326, row group by row group.

Source: https://geoparquet.org/releases/v1.1.0/.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ...atomic import AtomicFiles
from ...crs import LONLAT
from ...errors import MissingPackageError
from ..blob import polygons_wkb
from ..store import FILE_NAME, IMAGE_FOLDER
from ..view import View
from .model import Report, WriteOptions
from .outgoing import outgoing
from .outgoing_features import ATTRIBUTES, OutgoingFeature, OutgoingFeatures

_ROWS_AT_ONCE = 4096
_GEOMETRY = "geometry"


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write one table. MissingPackageError without pyarrow."""
    try:
        from pyarrow import RecordBatch, array
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        mend = "pip install pyarrow, or export geojson"
        raise MissingPackageError("GeoParquet needs pyarrow", mend=mend) from None
    going = outgoing(view, options)
    features = OutgoingFeatures(view, going)
    schema = _schema()
    inputs = [options.folder / FILE_NAME, options.folder / IMAGE_FOLDER]
    with (
        AtomicFiles(inputs) as files,
        files.open_bytes(out) as file,
        ParquetWriter(file, schema, compression="zstd") as table,
    ):
        for rows in _chunks(features.features()):
            columns = [array(_column(rows, field.name), field.type) for field in schema]
            table.write_batch(RecordBatch.from_arrays(columns, schema=schema))
    return Report(features.counts, going.left_out() | features.left_out)


def _chunks(features: Iterator[OutgoingFeature]) -> Iterator[list[OutgoingFeature]]:
    while rows := list(islice(features, _ROWS_AT_ONCE)):
        yield rows


def _column(rows: Sequence[OutgoingFeature], name: str) -> list[Any]:
    if name == _GEOMETRY:
        return [polygons_wkb(row.polygons, as_multi=len(row.polygons) > 1) for row in rows]
    return [row.attributes[name] for row in rows]


def _schema() -> Any:
    import pyarrow
    from pyproj import CRS

    types = {
        "text": pyarrow.string(),
        "whole": pyarrow.int64(),
        "flag": pyarrow.bool_(),
        "number": pyarrow.float64(),
        "numbers": pyarrow.list_(pyarrow.float64()),
    }
    column = {
        "encoding": "WKB",
        "geometry_types": ["Polygon", "MultiPolygon"],
        "crs": CRS.from_user_input(LONLAT).to_json_dict(),
        "orientation": "counterclockwise",
    }
    geo = {"version": "1.1.0", "primary_column": _GEOMETRY, "columns": {_GEOMETRY: column}}
    fields = [pyarrow.field(name, types[kind]) for name, kind in ATTRIBUTES.items()]
    fields.append(pyarrow.field(_GEOMETRY, pyarrow.binary()))
    return pyarrow.schema(fields, metadata={"geo": json.dumps(geo)})
