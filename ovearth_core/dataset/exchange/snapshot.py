"""A dataset as of one moment, copied aside: reading it at leisure keeps nobody from writing."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...errors import OutputError
from ..database import connected, read_transaction
from ..store import Dataset
from ..view import View


@contextmanager
def snapshot(dataset: Dataset) -> Iterator[View]:
    """Read a copy of a dataset's file, made by SQLite, for the length of the block.

    Writers wait only while the file is copied. OutputError where there is no room for the copy.
    """
    with tempfile.TemporaryDirectory(prefix="ovearth-") as folder:
        path = Path(folder) / dataset.path.name
        try:
            with (
                connected(dataset.path) as source,
                closing(sqlite3.connect(path)) as copy,
            ):
                source.backup(copy)
        except OutputError as fault:
            raise OutputError(
                fault.what, f"{dataset.path}, copied to {folder}", fault.mend
            ) from None
        with read_transaction(path) as connection:
            yield View(connection)
