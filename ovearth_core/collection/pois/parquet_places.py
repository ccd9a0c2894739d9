"""GeoParquet of any size, such as Overture Maps' places, local or over HTTP range requests.

Of a file with a column of bounds (GeoParquet's `covering`, or a struct `bbox` as Overture has it)
only the row groups are read whose statistics meet the area, of those only the columns that decide,
and the rest of the columns only where a row is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...daemons import DaemonPool, awaited
from ...errors import InputError, MissingPackageError, OVEarthError
from ..exchange import Politeness, shown_url
from ..ranged_file import RangedFile
from .area import Area
from .category_mapping import CategoryMapping, FeatureCategories, SeenValues
from .feature_poi import feature_pois, lonlat_of, reference_of, shapes_of_geometry
from .parquet_geometry import Shape, shapes
from .parquet_layout import ParquetLayout
from .poi import Dropped, Poi
from .source import NO_COORDINATES, Progress

if TYPE_CHECKING:
    from ...taxonomy import Category

SUFFIXES = (".parquet", ".geoparquet")
_AGAIN = "write or copy it again, whole"


class ParquetPlaces:
    """A GeoParquet file, a folder of them, or the address of one.

    row_groups_read, row_groups: of the last search. Raises InputError for what is missing or
    damaged, ServiceError for a server's faults, MissingPackageError without pyarrow.
    """

    def __init__(
        self,
        place: str,
        mapping: CategoryMapping | None = None,
        politeness: Politeness | None = None,
    ) -> None:
        _check_packages(place)
        self._places = _files_of(place)
        self._mapping = mapping
        self._politeness = politeness or Politeness()
        self.name = Path(shown_url(place)).name
        self.row_groups_read = self.row_groups = 0
        self.requests = self.bytes_read = 0

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the files have; see PoiSource and FeatureCategories."""
        self.row_groups_read = self.row_groups = 0
        self.requests = self.bytes_read = 0
        looked_at = found = 0
        values = SeenValues()
        for place in self._places:
            with self._opened(place) as file:
                layout = ParquetLayout(file.parquet, shown_url(place))
                deciding = FeatureCategories(
                    layout.columns, categories, self._mapping, shown_url(place), values
                )
                first = 0
                for group in range(file.parquet.num_row_groups):
                    self.row_groups += 1
                    count = file.parquet.metadata.row_group(group).num_rows
                    if layout.may_meet(group, area):
                        self.row_groups_read += 1
                        looked_at += count
                        reader = _GroupReader(file, layout, group, first, self._mapping)
                        for poi in reader.pois(deciding, area, Path(place).stem, self.name):
                            found += isinstance(poi, Poi)
                            yield poi
                        progress(looked_at, found)
                    first += count
        values.tell(self.name)

    @contextmanager
    def _opened(self, place: str) -> Iterator[_File]:
        import pyarrow

        try:
            # While pyarrow waits for a server it hears no Ctrl-C: it waits in a thread of its own,
            # which ends as soon as the file is closed.
            with DaemonPool(1, "parquet") as threads, self._stream(place) as stream:
                yield _File(stream, threads)
                self.requests += getattr(stream, "requests", 0)
                self.bytes_read += getattr(stream, "bytes_read", 0)
        except OVEarthError:
            raise
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as fault:
            raise InputError(f"can't be read ({fault})", shown_url(place), _AGAIN) from None

    def _stream(self, place: str) -> Any:
        return RangedFile(place, self._politeness) if _is_url(place) else Path(place).open("rb")


class _File:
    """A GeoParquet file that is open: `parquet`, pyarrow's own, is read in another thread."""

    def __init__(self, stream: Any, threads: DaemonPool) -> None:
        from pyarrow.parquet import ParquetFile

        self._threads = threads
        # Read ahead column by column, so that a request is made per column, not per page.
        self.parquet = awaited(threads.submit(ParquetFile, stream, pre_buffer=True))

    def read(self, group: int, columns: list[str] | None = None) -> Any:
        """Return columns of a row group, or all, as a table."""
        reading = self._threads.submit(self.parquet.read_row_group, group, columns=columns)
        return awaited(reading)


class _GroupReader:
    """Reads one row group: first what decides, then all columns, where a row is wanted."""

    def __init__(
        self,
        file: _File,
        layout: ParquetLayout,
        group: int,
        first: int,
        mapping: CategoryMapping | None,
    ) -> None:
        self._file = file
        self._layout = layout
        self._group = group
        self._first = first
        self._mapping = mapping

    def pois(
        self, deciding: FeatureCategories, area: Area, stem: str, source: str
    ) -> Iterator[Poi | Dropped]:
        """Yield the rows of the wanted categories with their centres in the area."""
        rows = self._rows_of(deciding, self._rows_in(area))
        if not len(rows):
            return
        table = self._file.read(self._group).take(rows)
        geometries = self._shapes(table)
        others = [name for name in table.column_names if name not in self._layout.own_columns]
        for index, properties in enumerate(table.select(others).to_pylist()):
            kind, xy = geometries[index]
            wanted = deciding.of(properties, shapes_of_geometry(kind))
            number = self._first + int(rows[index]) + 1
            reference = reference_of(properties, self._mapping, stem, number)
            lonlat = lonlat_of(xy, self._layout.crs, area)
            found = feature_pois(wanted, reference, properties, lonlat, self._mapping, source)
            yield from (poi for poi in found if area.contains(poi.lon, poi.lat))
            if not found:
                yield from (Dropped(reference, c.id, NO_COORDINATES) for c in wanted)

    def _rows_in(self, area: Area) -> NDArray[np.int64]:
        """Return the rows whose bounds meet the area; all where there is no such column."""
        columns = self._layout.bound_columns
        count = self._file.parquet.metadata.row_group(self._group).num_rows
        if columns is None:
            return np.arange(count)
        table = self._file.read(self._group, list(dict.fromkeys(columns.values()))).flatten()
        west, south, east, north = (
            table.column(columns[side]).to_numpy() for side in ("xmin", "ymin", "xmax", "ymax")
        )
        # Bounds across ±180 are written the other way round: such rows are looked at.
        meets = np.asarray(west > east)
        for box in area.boxes:
            beside = (east < box.west) | (west > box.east)
            meets |= ~(beside | (north < box.south) | (south > box.north))
        return np.flatnonzero(meets)

    def _rows_of(self, deciding: FeatureCategories, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of the rows that one column alone makes of a wanted category."""
        if deciding.column is None or not len(rows):
            return rows
        column = self._file.read(self._group, [deciding.column]).take(rows)
        wanted = [bool(deciding.of(row, frozenset())) for row in column.to_pylist()]
        return rows[np.array(wanted, dtype=np.bool_)]

    def _shapes(self, table: Any) -> list[Shape]:
        values = table.column(self._layout.geometry_column).to_pylist()
        return shapes(values, self._layout.encoding, self._layout.where)


def _is_url(place: str) -> bool:
    return place.lower().startswith(("http://", "https://"))


def _files_of(place: str) -> list[str]:
    if _is_url(place):
        return [place]
    path = Path(place)
    if not path.is_dir():
        if not path.is_file():
            raise InputError("no such file", place, "check the path")
        return [place]
    found = sorted(str(file) for suffix in SUFFIXES for file in path.rglob(f"*{suffix}"))
    if not found:
        raise InputError("no GeoParquet file in it", place, f"name one that ends in {SUFFIXES[0]}")
    return found


def _check_packages(place: str) -> None:
    # Missed here rather than at the first geometry.
    try:
        import pyarrow.parquet  # noqa: F401
        import shapely  # noqa: F401
    except ImportError:
        mend = "pip install pyarrow 'shapely>=2'"
        raise MissingPackageError(
            "GeoParquet needs pyarrow and shapely", shown_url(place), mend
        ) from None
