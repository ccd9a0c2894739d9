"""One import at a time into a folder."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from ...one_at_a_time import one_at_a_time

_NAME = ".import.lock"


def only_import(folder: Path) -> AbstractContextManager[None]:
    """Hold a folder's import lock for the length of a block; UsageError where it is held."""
    return one_at_a_time(folder / _NAME, "another import into it is running")
