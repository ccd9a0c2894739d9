"""The rows of an import on their way into a dataset, and a file beside it where they wait.

They wait until all of them are read and found good; then they land. An import that is killed
while it lands can so be carried on by whoever opens the dataset next.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from .. import mapping
from ..blob import polygons_blob, polygons_of_blob
from ..database import said_of
from ..mapping import Table
from ..rows import CategoryRow, ImageRow, InstanceRow, QueryRow, TargetRow

Row = CategoryRow | ImageRow | TargetRow | InstanceRow | QueryRow

FILE_NAME = ".import.rows"
_TABLES: dict[type[Any], Table] = {
    CategoryRow: mapping.CATEGORIES,
    ImageRow: mapping.IMAGES,
    TargetRow: mapping.TARGETS,
    InstanceRow: mapping.INSTANCES,
    QueryRow: mapping.QUERIES,
}
_OF_NAME = {table.name: table for table in _TABLES.values()}
_SCRIPT = """
CREATE TABLE arrivals (number INTEGER PRIMARY KEY, how TEXT, kind TEXT, cells TEXT,
    shape BLOB, is_multi INTEGER, image TEXT, category_id INTEGER, geometry BLOB);
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
"""


@dataclass(frozen=True)
class Arrival:
    """One row on its way.

    how: "row", as it is; "image", unless there is one of its file, with its id where that is free;
    "label", an instance that joins or opens the target of a category_id on the image of a file
    name, with its id where that is free. geometry: of an instance, carried with those of its image.
    """

    how: str
    row: Row
    image: str | None = None
    category_id: int | None = None
    geometry: bytes | None = None


@dataclass(frozen=True)
class Ending:
    """What is to be kept with the dataset at the end of an import.

    notes: set as they are. bare: file names of images that came without any label. imported: a
    line of the list of what was imported (source, sha256).
    """

    notes: Mapping[str, Any] = field(default_factory=dict)
    bare: tuple[str, ...] = ()
    imported: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Staged:
    """A file of arrivals, all of them there. key: tells it from every other. count: how many."""

    path: Path
    key: str
    count: int
    ending: Ending

    def arrivals(self, after: int = 0) -> Iterator[Arrival]:
        """Yield the arrivals in their order, without the first so many."""
        with said_of(self.path), closing(_opened(self.path)) as connection:
            cursor = connection.execute(
                "SELECT how, kind, cells, shape, is_multi, image, category_id, geometry "
                "FROM arrivals WHERE number > ? ORDER BY number",
                (after,),
            )
            for how, kind, cells, shape, is_multi, *more in cursor:
                yield Arrival(how, _row_of(kind, cells, shape, bool(is_multi)), *more)


def stage(folder: Path, arrivals: Iterable[Arrival], ending: Callable[[], Ending]) -> Staged:
    """Write all arrivals into a file of the folder, which is whole when this returns.

    ending: asked for when the last one is written. OutputError where there is no room.
    """
    path = folder / FILE_NAME
    clear(folder)
    key, count = uuid4().hex, 0
    with said_of(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Nobody knows the file before it is whole: there is nothing to roll back to.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.executescript(_SCRIPT)
        connection.execute("BEGIN")
        for count, arrival in enumerate(arrivals, start=1):
            connection.execute(
                "INSERT INTO arrivals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (count, *_cells(arrival))
            )
        told = ending()
        about = {
            "key": key, "count": count, "notes": dict(told.notes), "bare": list(told.bare),
            "imported": None if told.imported is None else dict(told.imported),
        }  # fmt: skip
        connection.executemany(
            "INSERT INTO about VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in about.items()],
        )
        connection.execute("COMMIT")
    return Staged(path, key, count, told)


def staged_in(folder: Path, key: str) -> Staged | None:
    """Return the file of arrivals that a key is of, None where it lacks or is another."""
    path = folder / FILE_NAME
    try:
        with closing(_opened(path)) as connection:
            found = connection.execute("SELECT key, value FROM about").fetchall()
    except sqlite3.Error:
        return None
    about = {name: json.loads(value) for name, value in found}
    if about.get("key") != key:
        return None
    ending = Ending(about["notes"], tuple(about["bare"]), about["imported"])
    return Staged(path, key, about["count"], ending)


def clear(folder: Path) -> None:
    """Remove the file of arrivals, if there is one."""
    with suppress(OSError):  # Windows keeps open files: the next one to come removes it
        (folder / FILE_NAME).unlink(missing_ok=True)


def _opened(path: Path) -> sqlite3.Connection:
    uri = path.absolute().as_uri() + "?mode=ro"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _cells(arrival: Arrival) -> tuple[Any, ...]:
    row = arrival.row
    table = _TABLES[type(row)]
    shape, is_multi = None, False
    if isinstance(row, InstanceRow) and row.polygons is not None:
        shape, is_multi = polygons_blob(row.polygons), row.is_multi
    cells = json.dumps(table.values(row))
    more = (arrival.image, arrival.category_id, arrival.geometry)
    return (arrival.how, table.name, cells, shape, is_multi, *more)


def _row_of(kind: str, cells: str, shape: bytes | None, is_multi: bool) -> Row:
    table = _OF_NAME[kind]
    row: Row = table.row(**table.fields(tuple(json.loads(cells))))
    if isinstance(row, InstanceRow) and shape is not None:
        return replace(row, polygons=polygons_of_blob(shape), is_multi=is_multi)
    return row
