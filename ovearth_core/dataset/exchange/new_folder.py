"""An output folder that appears whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import OutputError
from .beside import folder_beside

_NAME_ANOTHER = "name another folder, or empty it"


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Yield a folder to fill, which is at `out` when the block ends well, and gone otherwise.

    Raises OutputError where there is something already: what an earlier export left there and
    this one doesn't write would be taken for labels.
    """
    place = out.resolve()
    _check_free(place)
    made = [folder for folder in place.parents if not folder.exists()]
    try:
        with folder_beside(place) as filling:
            yield filling
            if place.is_dir():
                place.rmdir()
            filling.rename(place)
    except BaseException as fault:
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        if type(fault).__module__ == "builtins" and isinstance(fault, OSError):
            what = f"can't write it ({fault.strerror or fault})"
            raise OutputError(what, str(out), "check the folder and its space") from None
        raise


def _check_free(place: Path) -> None:
    if place.is_file():
        raise OutputError("is a file, not a folder", str(place), "name a folder")
    if place.is_dir() and any(place.iterdir()):
        raise OutputError("the folder is not empty", str(place), _NAME_ANOTHER)
