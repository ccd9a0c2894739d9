"""CSV with columns of longitude and latitude, as a table of points."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...crs import LONLAT
from ...errors import InputError

_LON_NAMES = ("lon", "longitude", "lng", "x")
_LAT_NAMES = ("lat", "latitude", "y")
_MOST_CHARACTERS = 16 << 20
_MEND = "mend or leave out that line"


class LonLatCsv:
    """A CSV file in UTF-8 with a header; longitude and latitude in degrees of EPSG:4326."""

    layer: str | None = None
    crs: str | None = LONLAT
    geometry_column: str | None = None
    how_to_give_a_crs = "write degrees of EPSG:4326"

    def __init__(self, path: Path) -> None:
        self.path = path
        with _reader(path) as lines:
            self.columns: Sequence[str] = next(lines, [])
        _refuse_semicolons(self.columns, path)
        self._lon = _column(self.columns, _LON_NAMES)
        self._lat = _column(self.columns, _LAT_NAMES)

    @property
    def has_places(self) -> bool:
        """Whether it has both columns."""
        return self._lon is not None and self._lat is not None

    def rows(
        self, columns: Sequence[str], with_geometry: bool
    ) -> Iterator[tuple[Sequence[Any], Mapping[str, Any] | None]]:
        """Yield the values of the columns, and a point, None where it is left empty."""
        at = [self.columns.index(column) for column in columns]
        with _reader(self.path) as lines:
            next(lines, None)
            for values in lines:
                where = f"{self.path} line {lines.line_num}"
                if not values:
                    continue
                if len(values) != len(self.columns):
                    what = f"{len(values)} values for {len(self.columns)} columns"
                    raise InputError(what, where, _MEND)
                yield [values[index] for index in at], self._point(values, where)

    def _point(self, values: Sequence[str], where: str) -> Mapping[str, Any] | None:
        if self._lon is None or self._lat is None:
            return None
        texts = values[self._lon], values[self._lat]
        if not any(text.strip() for text in texts):
            return None
        try:
            place = tuple(map(float, texts))
        except ValueError:
            raise InputError(f"{' '.join(texts)!r} is no place", where, _MEND) from None
        return {"type": "Point", "coordinates": place}


def _column(columns: Sequence[str], names: Sequence[str]) -> int | None:
    lower = [column.strip().lower() for column in columns]
    return next((lower.index(name) for name in names if name in lower), None)


def _refuse_semicolons(columns: Sequence[str], path: Path) -> None:
    parts = [part.strip('"') for column in columns[:1] for part in column.split(";")]
    if len(columns) == 1 and None not in (_column(parts, _LON_NAMES), _column(parts, _LAT_NAMES)):
        what = "has no columns lon and lat that commas part"
        mend = "save it with commas instead of semicolons, and points in numbers"
        raise InputError(what, str(path), mend)


@contextmanager
def _reader(path: Path) -> Iterator[Any]:
    if not path.is_file():
        raise InputError("no such file", str(path), "check the path")
    csv.field_size_limit(_MOST_CHARACTERS)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield csv.reader(file)
    except UnicodeDecodeError:
        raise InputError("no text in UTF-8", str(path), "save it as UTF-8") from None
    except csv.Error as fault:
        raise InputError(f"no whole CSV ({fault})", str(path), "mend it") from None
    except OSError as fault:
        what = f"can't be read ({fault.strerror or fault})"
        raise InputError(what, str(path), "check the file") from None
