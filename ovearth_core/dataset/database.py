"""Short-lived SQLite connections to a dataset's GeoPackage, beside whoever else has it open.

Nothing but SQLite touches the file: another open() and close() of it in a process that holds a
lock would drop the lock (POSIX). The journal mode stays as found: QGIS changes it itself, and
reads nothing without a word when somebody else does.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from ..errors import InputError, OutputError, OVEarthError
from .blob import envelope_of_blob

PATIENCE_S = 20.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.1

ResultT = TypeVar("ResultT")

# SQLite's own words: Python 3.10 tells no codes.
_BUSY = ("database is locked", "database table is locked", "database schema is locked")
# What is said of a file in WAL mode where its log and its index can't be made.
_NO_LOG = ("unable to open database file", "attempt to write a readonly database")
_FAULTS: tuple[tuple[str, type[OVEarthError], str, str], ...] = (
    ("disk is full", OutputError, "the disk is full, nothing was changed", "make room"),
    ("readonly", OutputError, "can't be written to", "check the rights of file and folder"),
    ("unable to open", OutputError, "can't be opened", "check the rights of file and folder"),
    ("not a database", InputError, "is not a GeoPackage", "restore the dataset's own file"),
    ("malformed", InputError, "is damaged", "restore it from a backup"),
    ("disk i/o", OutputError, "can't be read or written (disk I/O error)", "check the disk"),
)


class HeldError(OutputError):
    """Another program holds the file; in a moment it may not."""


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing file for the length of the block, without a transaction.

    Faults of SQLite leave the block as OVEarthError, in one line that names the file.
    """
    with said_of(path), closing(_opened(path, "mode=rw")) as connection:
        yield connection


def _opened(path: Path, options: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)
    prepare(connection)
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Turn foreign keys on, and give the spatial index's triggers their five functions."""
    connection.execute("PRAGMA foreign_keys = ON")
    functions: dict[str, Callable[[bytes | None], float | int | None]] = {
        "ST_IsEmpty": _is_empty,
        "ST_MinX": lambda blob: _side(blob, 0),
        "ST_MaxX": lambda blob: _side(blob, 1),
        "ST_MinY": lambda blob: _side(blob, 2),
        "ST_MaxY": lambda blob: _side(blob, 3),
    }
    for name, function in functions.items():
        connection.create_function(name, 1, function, deterministic=True)


@contextmanager
def read_transaction(path: Path, patience_s: float = PATIENCE_S) -> Iterator[sqlite3.Connection]:
    """Read one consistent state of the file for the length of the block.

    Without a write-ahead log this holds writers off: QGIS can't commit before the block ends.
    A file that was left in WAL mode, in a folder where none can be made, is read as it lies there.
    """
    with said_of(path), closing(_begun(path, patience_s)) as connection:
        try:
            yield connection
        finally:
            _roll_back(connection)


@contextmanager
def write_transaction(path: Path, patience_s: float = PATIENCE_S) -> Iterator[sqlite3.Connection]:
    """Write in one transaction: all of the block's changes are there at its end, or none."""
    with connected(path) as connection:
        # Pages written early would keep others from reading long before COMMIT.
        connection.execute("PRAGMA cache_spill = OFF")
        patiently(lambda: connection.execute("BEGIN IMMEDIATE"), path, patience_s)
        try:
            yield connection
            patiently(lambda: connection.execute("COMMIT"), path, patience_s)
        finally:
            _roll_back(connection)


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run statements one by one inside the transaction: `executescript` would commit it first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def patiently(action: Callable[[], ResultT], path: Path, patience_s: float) -> ResultT:
    """Return what `action` does, tried again while somebody else holds the file.

    Raises OutputError when it is still held after `patience_s` seconds.
    """
    end = time.monotonic() + patience_s
    pause = _FIRST_PAUSE_S
    while True:
        try:
            return action()
        except sqlite3.OperationalError as fault:
            if not str(fault).startswith(_BUSY):
                raise
            if time.monotonic() + pause > end:
                raise _held(path, patience_s) from None
        time.sleep(pause)
        pause = min(2.0 * pause, _LONGEST_PAUSE_S)


@contextmanager
def said_of(path: Path) -> Iterator[None]:
    """Turn SQLite's faults into errors of one line that name the file."""
    try:
        yield
    except sqlite3.IntegrityError as fault:
        raise InputError(str(fault), str(path), "nothing was changed") from fault
    except sqlite3.Error as fault:
        raise _said(fault, path) from fault


def _said(fault: sqlite3.Error, path: Path) -> OVEarthError:
    text = str(fault).lower()
    if text.startswith(_BUSY):
        return _held(path, 0.0)
    for sign, kind, what, mend in _FAULTS:
        if sign in text:
            return kind(what, str(path), mend)
    return InputError(f"SQLite can't do it ({fault})", str(path), "run ovearth check")


def _held(path: Path, patience_s: float) -> HeldError:
    waited = f" for {patience_s:.0f} s" if patience_s >= 1.0 else ""
    return HeldError(
        f"another program holds the dataset{waited}",
        str(path),
        "save or stop editing there (in QGIS: Save Layer Edits), then try again",
    )


def _begun(path: Path, patience_s: float) -> sqlite3.Connection:
    """Return a connection with a read transaction, without any locks where none can be made."""
    try:
        return _begun_with(path, "mode=rw", patience_s)
    except sqlite3.OperationalError as fault:
        if not str(fault).startswith(_NO_LOG) or can_write(path.parent):
            raise
    log = path.with_name(path.name + "-wal")
    if log.is_file() and log.stat().st_size:
        raise InputError(
            f"its last changes are still in {log.name}, which can't be read in a folder that"
            " can't be written to",
            str(path),
            "copy the whole folder to where you may write, or close it in QGIS",
        )
    return _begun_with(path, "mode=ro&immutable=1", patience_s)


def _begun_with(path: Path, options: str, patience_s: float) -> sqlite3.Connection:
    connection = _opened(path, options)
    try:
        patiently(lambda: _begin_reading(connection), path, patience_s)
    except BaseException:
        connection.close()
        raise
    return connection


def can_write(place: Path) -> bool:
    """Whether the rights of a file or folder let this user write there."""
    if os.access in os.supports_effective_ids:
        return os.access(place, os.W_OK, effective_ids=True)
    return os.access(place, os.W_OK)


def _begin_reading(connection: sqlite3.Connection) -> None:
    # A deferred BEGIN locks nothing yet: the first read does.
    if not connection.in_transaction:
        connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _is_empty(blob: bytes | None) -> int | None:
    if blob is None:
        return None
    return int(envelope_of_blob(blob) is None)


def _side(blob: bytes | None, which: int) -> float | None:
    envelope = None if blob is None else envelope_of_blob(blob)
    return None if envelope is None else envelope[which]
