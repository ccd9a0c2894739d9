"""How an image's label file is called, where a format has one of text for each image."""

from __future__ import annotations

from pathlib import PurePosixPath

from ...errors import OutputError
from ...labels.label_text import ENDING
from ..rows import ImageRow
from ..store import IMAGE_FOLDER


def label_name(image: ImageRow, taken: dict[str, str]) -> str:
    """Return the name of an image's label file, folders under `images/` kept.

    `taken`: the names given so far, and by which image. OutputError where two images have one.
    """
    path = PurePosixPath(image.file_name)
    parts = path.parts[1:] if path.parts[0] == IMAGE_FOLDER and len(path.parts) > 1 else path.parts
    name = PurePosixPath(*parts).with_suffix("").as_posix() + ENDING
    # As a file system without upper and lower case sees it.
    other = taken.setdefault(name.casefold(), image.file_name)
    if other != image.file_name:
        what = f"the labels of {other} and {image.file_name} would be one file, {name}"
        raise OutputError(what, mend="rename one of the images")
    return name
