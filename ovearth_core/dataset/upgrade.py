"""Datasets of older versions brought up to this one, in one transaction, after a copy is made."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from uuid import uuid4

from .contents import register_hidden
from .database import connected, patiently, read_transaction, run_script, said_of, write_transaction
from .identity import version_in
from .project import PROJECT_TABLE, write_project
from .styles import STYLE_TABLE, register_styles, write_styles
from .tables import JUDGEMENT_TABLE, MODEL_COLUMNS, VERSION
from .triggers import all_triggers

_PATIENCE_S = 20.0


def upgrade_file(path: Path) -> Path | None:
    """Upgrade a dataset's file, and return the copy of what it was before, which stays beside it.

    Nothing is changed where the copy can't be made. Of two programs that try at once one does it,
    and the other returns None.
    """
    with read_transaction(path) as connection:
        before = version_in(connection, path)
    copy = _free_name(path, before)
    _copy(path, copy)
    with write_transaction(path) as connection:
        if version_in(connection, path) != before:
            copy.unlink()
            return None
        for version in range(before, VERSION):
            _STEPS[version](connection)
        _renew_triggers(connection)
        write_styles(connection)
        write_project(connection)
        connection.execute(
            "UPDATE ovearth_dataset SET value = ? WHERE key = 'version'", (str(VERSION),)
        )
    return copy


def _free_name(path: Path, version: int) -> Path:
    names = (f"{path.stem}-version-{version}{again}{path.suffix}" for again in _numbered())
    return next(place for name in names if not (place := path.with_name(name)).exists())


def _numbered() -> Iterator[str]:
    yield ""
    yield from (f"-{number}" for number in count(2))


def _copy(path: Path, copy: Path) -> None:
    """Copy a whole, consistent state of the file, beside its place and then into it."""
    beside = copy.with_name(f".{copy.name}.{uuid4().hex}")
    try:
        with (
            connected(path) as source,
            said_of(copy),
            closing(sqlite3.connect(beside, isolation_level=None)) as target,
        ):
            patiently(lambda: source.backup(target), path, _PATIENCE_S)
        beside.rename(copy)
    finally:
        beside.unlink(missing_ok=True)


def _renew_triggers(connection: sqlite3.Connection) -> None:
    """Replace the log's and the guards' triggers; those of the spatial index are GeoPackage's."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE 'rtree!_%' "
        "ESCAPE '!' AND tbl_name NOT LIKE 'gpkg!_%' ESCAPE '!'"
    ).fetchall()
    for (name,) in found:
        connection.execute(" ".join(["DROP TRIGGER", '"' + name.replace('"', '""') + '"']))
    run_script(connection, all_triggers(spatial_indexes=False))


def _add_styles(connection: sqlite3.Connection) -> None:
    # QGIS makes these tables itself when somebody saves a style or a project.
    if not _has_table(connection, "layer_styles"):
        run_script(connection, STYLE_TABLE)
        register_styles(connection)
    if not _has_table(connection, "qgis_projects"):
        run_script(connection, PROJECT_TABLE)


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    (there,) = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
    ).fetchone()
    return bool(there)


def _change_nothing(_connection: sqlite3.Connection) -> None:
    """Leave the tables as they are: triggers are renewed by every upgrade."""


def _add_model_columns(connection: sqlite3.Connection) -> None:
    run_script(connection, MODEL_COLUMNS)
    register_hidden(connection, "query_runs", "When language models were asked")


def _add_judgements(connection: sqlite3.Connection) -> None:
    run_script(connection, JUDGEMENT_TABLE)
    register_hidden(connection, "query_judgements", "What reviewers say of texts")


# From each version to the next.
_STEPS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: _add_styles,
    2: _change_nothing,
    3: _add_model_columns,
    4: _add_judgements,
}
