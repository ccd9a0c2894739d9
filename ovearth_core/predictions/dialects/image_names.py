"""Finds a benchmark's image by whatever name an output gives it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from ...benchmark import Image
from ...errors import InputError
from ...spelling import shortened
from .reading import Reading

UNKNOWN_IMAGES = "outputs about images that the benchmark doesn't have"
_ENDINGS = frozenset(
    (".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".bmp", ".webp", ".img", ".vrt")
)


class ImageNames:
    """Images by path, or what is left of it without folders and ending, and by id where by none."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._by_name: dict[str, list[Image]] = {}
        for image in reading.benchmark.images:
            for name in dict.fromkeys(_names(image.file_name)):
                self._by_name.setdefault(name, []).append(image)
        self.find = lru_cache(maxsize=4096)(self._find)

    def of(self, name: str, where: str) -> Image | None:
        """Return the image of a name; None for an unknown one where lenient.

        Raises InputError, with its place, for an unknown name and one of several images.
        """
        found = self.find(name)
        if len(found) == 1:
            return found[0]
        what = "there is no image" if not found else f"{len(found)} images are called"
        mend = "name it by its path in the benchmark"
        fault = InputError(f"{what} {shortened(name)!r}", where, mend)
        self._reading.refuse(fault, UNKNOWN_IMAGES)
        return None

    def of_id(self, image_id: int, where: str) -> Image | None:
        """Return the image of an id; as `of` does."""
        image = self._reading.benchmark.image_by_id.get(image_id)
        if image is None:
            fault = InputError(f"there is no image {image_id}", where, "mend the image's id")
            self._reading.refuse(fault, UNKNOWN_IMAGES)
        return image

    def _find(self, name: str) -> list[Image]:
        whole = name.strip().replace("\\", "/")
        for each in (*_names(whole), whole):
            if each in self._by_name:
                return self._by_name[each]
        by_id = self._reading.benchmark.image_by_id
        if whole.isascii() and whole.isdecimal() and len(whole) < 17 and int(whole) in by_id:
            return [by_id[int(whole)]]
        return []


def _names(file_name: str) -> Iterator[str]:
    """Yield a file's path, and what is left of it, from the whole to the bare stem."""
    path = PurePosixPath(file_name)
    while path.parts[:1] in (("..",), (".",), ("/",)):
        path = PurePosixPath(*path.parts[1:])
    for start in range(len(path.parts)):
        yield PurePosixPath(*path.parts[start:]).as_posix()
    # Only what is an ending: `tile.0002` is not another name of `tile.tif`.
    if path.suffix.lower() in _ENDINGS:
        for start in range(len(path.parts)):
            yield PurePosixPath(*path.parts[start:]).with_suffix("").as_posix()
