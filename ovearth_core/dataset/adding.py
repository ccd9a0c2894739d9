"""Takes image files into a dataset before anything is drawn on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..raster_file import check_pixels
from .exchange.image_files import ImageFiles
from .rows import ImageRow
from .store import IMAGE_FOLDER, Dataset


@dataclass(frozen=True)
class Added:
    """The images taken in, in order, and how many were in the dataset already."""

    images: tuple[ImageRow, ...]
    known: int


def add_images(
    dataset: Dataset, paths: Sequence[Path], who: str | None = None, **about: Any
) -> Added:
    """Take georeferenced images in, all of them or none; files from elsewhere are copied.

    An image that is in already, unchanged, is counted and left alone. about: as for
    `Dataset.add_image`. Raises FrameError without a CRS and an affine transform, InputError for
    what is no image or lacks pixels, two files of one name, and an image that differs from the one
    of its name.
    """
    with ImageFiles(dataset.folder) as files:
        names = _names(dataset, paths)
        rows, known = [], 0
        for path, name in zip(paths, names, strict=True):
            checksum = files.bring(path, name)
            with dataset.reading() as view:
                before = view.image_of_file(name)
            if before is None:
                rows.append(dataset.read_image(dataset.folder / name, **about))
                check_pixels(path)
            elif before.sha256 == checksum:
                known += 1
            else:
                raise InputError(
                    "another image of this name is in the dataset", str(path), "rename the file"
                )
        with dataset.writing(who) as edit:
            added = tuple(edit.add(row) for row in rows)
    return Added(added, known)


def _names(dataset: Dataset, paths: Sequence[Path]) -> list[str]:
    """Return where each file belongs in the dataset's folder; it may lie there already."""
    folder = dataset.folder.resolve()
    names: dict[str, Path] = {}
    for path in paths:
        if not path.is_file():
            raise InputError("no such file", str(path), "check the path")
        whole = path.resolve()
        is_inside = folder in whole.parents
        name = whole.relative_to(folder).as_posix() if is_inside else f"{IMAGE_FOLDER}/{path.name}"
        if name in names:
            raise InputError(
                f"{names[name]} would be {name} too", str(path), "rename one, or leave it out"
            )
        names[name] = path
    return list(names)
