"""GeoParquet as a table, read row group by row group (pyarrow)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingPackageError
from .features import Geometry, Row, feature_place

_LONLAT = "OGC:CRS84"
_ROWS_AT_ONCE = 1024
_WRITE_GEOPARQUET = "write GeoParquet, with GeoPandas' to_parquet or ogr2ogr"
_ABSENT = object()


class ParquetTable:
    """A GeoParquet file: the primary geometry column, as WKB, and the CRS of its metadata.

    Raises InputError where it is another Parquet file or damaged, MissingPackageError without
    pyarrow and shapely. Memory: one row group as it is packed, 1024 rows unpacked.
    """

    layer: str | None = None
    how_to_give_a_crs = "set the one that its coordinates are in (GeoPandas: set_crs) and write"

    def __init__(self, path: Path) -> None:
        self.path = path
        with _opened(path) as source:
            self.columns: Sequence[str] = list(source.schema_arrow.names)
            packed = (source.schema_arrow.metadata or {}).get(b"geo")
        column, properties = self._geometry_column(packed)
        self.geometry_column: str | None = column
        self.crs = _crs(properties.get("crs", _ABSENT))

    def rows(self, columns: Sequence[str], with_geometry: bool) -> Iterator[Row]:
        """Yield the rows' values and geometries."""
        wanted = [*columns, *([self.geometry_column] if with_geometry else [])]
        number = 0
        with _opened(self.path) as source:
            for batch in source.iter_batches(_ROWS_AT_ONCE, columns=wanted):
                values = {name: batch.column(name).to_pylist() for name in wanted}
                for index in range(batch.num_rows):
                    number += 1
                    wkb = values[self.geometry_column][index] if with_geometry else None
                    yield (
                        [values[column][index] for column in columns],
                        None if wkb is None else self._geometry(wkb, number),
                    )

    def _geometry(self, wkb: Any, number: int) -> Geometry:
        import shapely

        try:
            geometry = shapely.from_wkb(wkb)
        except (shapely.errors.GEOSException, TypeError, ValueError) as fault:
            where = f"{self.path} {feature_place(None, number)}"
            raise InputError(f"a geometry that is no WKB ({fault})", where, "mend it") from None
        return geometry.__geo_interface__  # type: ignore[no-any-return]

    def _geometry_column(self, packed: bytes | None) -> tuple[str, dict[str, Any]]:
        if packed is None:
            raise InputError("no 'geo' metadata in it", str(self.path), _WRITE_GEOPARQUET)
        try:
            document = json.loads(packed)
            column = document["primary_column"]
            properties = document["columns"][column]
            encoding = properties["encoding"]
        except (ValueError, TypeError, KeyError, RecursionError):
            what = "its 'geo' metadata names no primary column"
            raise InputError(what, str(self.path), _WRITE_GEOPARQUET) from None
        if encoding != "WKB":
            what = f"its geometry is encoded as {encoding!r}, not as WKB"
            raise InputError(what, str(self.path), _WRITE_GEOPARQUET)
        if column not in self.columns:
            what = f"no column {column!r}, which its 'geo' metadata names"
            raise InputError(what, str(self.path), _WRITE_GEOPARQUET)
        return column, properties


def _crs(value: Any) -> str | None:
    if value is _ABSENT:
        return _LONLAT
    return value if value is None or isinstance(value, str) else json.dumps(value)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open the file as Parquet; what pyarrow raises becomes InputError."""
    try:
        import pyarrow
        import pyarrow.parquet
        import shapely  # noqa: F401 - missed here rather than at the first geometry
    except ImportError:
        raise MissingPackageError(
            "GeoParquet needs pyarrow and shapely", str(path), "pip install pyarrow 'shapely>=2'"
        ) from None
    try:
        # Opened here, so that no path is taken for an address.
        with path.open("rb") as file:
            yield pyarrow.parquet.ParquetFile(file)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("no such file", str(path), "check the path") from None
    except (pyarrow.ArrowException, OSError) as fault:
        mend = "write or copy it again, whole"
        raise InputError(f"can't be read ({fault})", str(path), mend) from None
