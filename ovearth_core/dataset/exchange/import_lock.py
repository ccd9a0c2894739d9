"""One import at a time into a folder; the lock goes with the process that held it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ...errors import OutputError, OVEarthError, UsageError

_NAME = ".import.lock"


def is_left_over(folder: Path) -> bool:
    """Whether a lock file is there, held or not."""
    return (folder / _NAME).exists()


@contextmanager
def only_import(folder: Path) -> Iterator[None]:
    """Hold a folder's import lock for the length of the block; UsageError where it is held."""
    with held(folder / _NAME, UsageError(
        "another import into it is running", str(folder), "wait for its end"
    )):  # fmt: skip
        yield


@contextmanager
def held(path: Path, is_held: OVEarthError) -> Iterator[None]:
    """Hold a lock file for the length of the block, then remove it; raise `is_held` if it is held.

    SQLite's own lock on a file of its own: the one kind that every system has, and that a killed
    process lets go.
    """
    try:
        with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            try:
                yield
            finally:
                # While it is held, so that nobody else's is removed; Windows keeps open files.
                with suppress(OSError):
                    path.unlink()
    except sqlite3.OperationalError as fault:
        if "locked" in str(fault):
            raise is_held from None
        raise OutputError(
            f"can't be written to ({fault})", str(path.parent), "check the rights of the folder"
        ) from None
