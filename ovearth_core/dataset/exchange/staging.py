"""A new dataset that is filled before anybody sees it, then put in its place whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import OutputError, UsageError
from ..rows import CategoryRow
from ..store import FILE_NAME, Dataset

_NAME = ".import"


@contextmanager
def staged(folder: Path, categories: Iterable[CategoryRow]) -> Iterator[Dataset]:
    """Make a dataset aside; at the block's good end it is that of `folder`, else there is none.

    What a killed import has left aside is cleared first. UsageError where there is a dataset.
    """
    aside = folder / _NAME
    shutil.rmtree(aside, ignore_errors=True)
    try:
        yield Dataset.create(aside, categories)
        _put_in_place(aside / FILE_NAME, folder / FILE_NAME)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(made: Path, place: Path) -> None:
    try:
        # Unlike a rename, a link never replaces a dataset made in the meantime.
        place.hardlink_to(made)
    except FileExistsError:
        raise UsageError("there is a dataset already", str(place), "import into it") from None
    except OSError:
        # Not every file system has links.
        try:
            os.rename(made, place)  # noqa: PTH104 - fails on Windows where there is one
        except OSError as fault:
            raise OutputError(
                f"can't make it ({fault.strerror})", str(place), "check the folder and its space"
            ) from None


@contextmanager
def folder_for(folder: Path) -> Iterator[None]:
    """Make a folder where it lacks, and remove it again if the block fails and it is empty."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise OutputError(
            f"can't make the folder ({fault.strerror})", str(folder), "name another"
        ) from None
    try:
        yield
    except BaseException:
        for made in missing:
            if made.is_dir() and not any(made.iterdir()):
                made.rmdir()
        raise
