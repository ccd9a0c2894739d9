"""A lock that goes with the process that held it."""

from __future__ import annotations

import os
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
        # SQLite makes the file: whoever else closed it here would let go of this process's locks.
        sqlite3.connect(path, timeout=0.0).close()
        with (
            _known(path) as file,
            closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection,
        ):
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                if not _is_at(path, file):
                    raise is_held from None
                raise
            if not _is_at(path, file):
                # Its last holder removed it while it was opened here: another may hold the new one.
                raise is_held
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


@contextmanager
def _known(path: Path) -> Iterator[os.stat_result | None]:
    """Keep what tells the file that is there now from any later one, None where there is none.

    Linux gives the number of a file that was removed to the next one, unless it is kept open; this
    way of opening is the one whose closing leaves locks alone. Other systems don't have it, and
    give each number once.
    """
    opened = None
    try:
        if hasattr(os, "O_PATH"):
            opened = os.open(path, os.O_PATH)
        found = path.stat() if opened is None else os.fstat(opened)
    except OSError:
        found = None
    try:
        yield found
    finally:
        if opened is not None:
            os.close(opened)


def _is_at(path: Path, file: os.stat_result | None) -> bool:
    try:
        return file is not None and os.path.samestat(file, path.stat())
    except OSError:
        return False
