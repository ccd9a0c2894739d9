"""One import at a time into a folder; the lock goes with the process that held it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from ...one_at_a_time import one_at_a_time

_NAME = ".import.lock"


def is_left_over(folder: Path) -> bool:
    """Whether a lock file is there, held or not."""
    return (folder / _NAME).exists()


def only_import(folder: Path) -> AbstractContextManager[None]:
    """Hold a folder's import lock for the length of a block; UsageError where it is held."""
    return one_at_a_time(folder / _NAME, "another import into it is running")
