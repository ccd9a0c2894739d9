"""A new, empty dataset file: made beside its place, whole, and moved there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..errors import OutputError, UsageError
from .contents import register_hidden
from .database import prepare, run_script, said_of
from .edit import Edit
from .project import PROJECT_TABLE, write_project
from .rows import CategoryRow
from .styles import STYLE_TABLE, register_styles, write_styles
from .tables import DATASET_TABLES, LAYERS, SPATIAL_REFERENCES, SPECIFICATION_TABLES, VERSION
from .triggers import all_triggers

_APPLICATION_ID = 0x47504B47  # "GPKG"
_SPECIFICATION = 10300
_RTREE = "http://www.geopackage.org/spec120/#extension_rtree"


def make_file(
    path: Path, categories: Iterable[CategoryRow], notes: Mapping[str, Any] | None = None
) -> None:
    """Make a dataset's GeoPackage with its categories and notes; UsageError where it exists."""
    if path.exists():
        raise UsageError("there is a dataset already", str(path), "open it, or choose a folder")
    if path.parent.exists() and not path.parent.is_dir():
        raise UsageError("is a file, not a folder", str(path.parent), "name another folder")
    # SQLite makes the file itself; until it is whole it has a name that nobody opens.
    beside = path.with_name(f".{path.name}.{uuid4().hex}")
    is_new_folder = not path.parent.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write_new(beside, categories, notes or {}, path)
            _move_to(path, beside)
        finally:
            beside.unlink(missing_ok=True)
            beside.with_name(beside.name + "-journal").unlink(missing_ok=True)
            if is_new_folder and not path.exists():
                with suppress(OSError):
                    path.parent.rmdir()
    except FileExistsError:
        raise UsageError("there is a dataset already", str(path), "open it") from None
    except OSError as fault:
        if isinstance(fault, OutputError):
            raise
        raise OutputError(
            f"can't make it ({fault.strerror})", str(path), "check the folder and its space"
        ) from None


def _move_to(path: Path, beside: Path) -> None:
    try:
        # Unlike a rename, a link never replaces a dataset made in the meantime.
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        beside.rename(path)


def _write_new(
    beside: Path, categories: Iterable[CategoryRow], notes: Mapping[str, Any], path: Path
) -> None:
    with said_of(path), closing(sqlite3.connect(beside, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 4096")
        prepare(connection)
        connection.execute("BEGIN")
        run_script(connection, SPECIFICATION_TABLES + DATASET_TABLES)
        run_script(connection, STYLE_TABLE + PROJECT_TABLE)
        run_script(connection, all_triggers(spatial_indexes=True))
        _register(connection)
        write_styles(connection)
        write_project(connection)
        edit = Edit(connection)
        for category in categories:
            edit.add(category)
        for key, value in notes.items():
            edit.set_note(key, value)
        edit.finish()
        connection.execute("COMMIT")


def _register(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {_SPECIFICATION}")
    connection.executemany(
        "INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, ?)", SPATIAL_REFERENCES
    )
    for layer in LAYERS:
        connection.execute(
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                layer.table,
                "features" if layer.geometry else "attributes",
                layer.title,
                layer.description,
                4326 if layer.geometry else 0,
            ),
        )
        if layer.geometry:
            connection.execute(
                "INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, 4326, 0, 0)",
                (layer.table, layer.geometry),
            )
            connection.execute(
                "INSERT INTO gpkg_extensions VALUES (?, 'geom', 'gpkg_rtree_index', ?, "
                "'write-only')",
                (layer.table, _RTREE),
            )
    register_styles(connection)
    register_hidden(connection, "ovearth_dataset", "Version and notes")
    register_hidden(connection, "query_runs", "When language models were asked")
    register_hidden(connection, "query_judgements", "What reviewers say of texts")
    connection.execute("INSERT INTO ovearth_dataset VALUES ('version', ?)", (str(VERSION),))
