"""A lock that goes with the process that held it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from .errors import OutputError, UsageError


@contextmanager
def one_at_a_time(path: Path, what: str) -> Iterator[None]:
    """Hold the lock at a path for the length of the block.

    UsageError, saying `what` and to wait, where it is held; OutputError where it can't be made.
    SQLite's own lock: the one kind that every system has, and that a killed process lets go.
    """
    where = str(path.parent)
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
            raise UsageError(what, where, "wait for its end") from None
        raise OutputError(
            f"can't be written to ({fault})", where, "check the rights and the space of the folder"
        ) from None
