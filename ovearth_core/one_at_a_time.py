"""A lock that goes with the process that held it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path

from .errors import OutputError, OVEarthError, UsageError


def one_at_a_time(path: Path, what: str) -> AbstractContextManager[None]:
    """Hold the lock at a path for the length of a block.

    UsageError, saying `what` and to wait, where it is held; OutputError where it can't be made.
    """
    return held(path, UsageError(what, str(path.parent), "wait for its end"))


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
        mend = "check the rights and the space of the folder"
        raise OutputError(f"can't be written to ({fault})", str(path.parent), mend) from None
