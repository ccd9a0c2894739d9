"""Finds the image that a label file means, by whatever name it gives it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from ...errors import FrameError, InputError
from ...frame import ImageFrame
from ...raster_file import placed_frame
from ..rows import ImageRow
from ..store import IMAGE_FOLDER, Dataset

_SUFFIXES = frozenset(
    {".tif", ".tiff", ".gtiff", ".jp2", ".png", ".jpg", ".jpeg", ".img", ".vrt", ".bmp", ".webp"}
)


@dataclass(frozen=True)
class KnownImage:
    """An image by its path in the dataset's folder: with its row, or a file that is new."""

    file_name: str
    row: ImageRow | None = None
    path: Path | None = None


class UnknownImageError(InputError):
    """A label file names an image that is nowhere."""


class DatasetImages:
    """A dataset's images, then files of its `images/`, then those of another folder.

    Of one name, the first of these three that has it is meant.
    """

    def __init__(self, dataset: Dataset, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise InputError("there is no such folder", str(folder), "mend --images")
        self._dataset = dataset
        self._folder = folder
        self._frames: dict[str, ImageFrame] = {}

    def find(self, file_name: str) -> KnownImage:
        """Return the image; UnknownImageError where there is none, InputError for several."""
        name = file_name.replace("\\", "/")
        base = PurePosixPath(name).name
        ways = [(name, "path"), (base, "name"), (base, "stem")]
        # Only what is an ending: `tile.0002` is not another name of `tile.tif`.
        if PurePosixPath(base).suffix.lower() in _SUFFIXES:
            ways.append((PurePosixPath(base).stem, "stem"))
        for tier in self._tiers:
            for wanted, way in ways:
                found = tier[way].get(wanted, [])
                if len(found) > 1:
                    shown = ", ".join(image.file_name for image in found[:3])
                    raise InputError(
                        f"{file_name!r} may be {len(found)} images: {shown}",
                        mend="name it by its path",
                    )
                if found:
                    return found[0]
        raise UnknownImageError(
            f"there is no image {file_name!r}", mend="name its folder: --images"
        )

    def frame(self, file_name: str) -> ImageFrame:
        """Return the frame of an image; FrameError, with its path, where it can't be placed."""
        image = self.find(file_name)
        found = self._frames.get(image.file_name)
        if found is None:
            found = self._frames[image.file_name] = _frame(image)
        return found

    def names(self) -> tuple[str, ...]:
        """Return every image's path in the dataset's folder, as it is or would be."""
        return tuple(self._known)

    @cached_property
    def _known(self) -> dict[str, KnownImage]:
        return {image.file_name: image for tier in self._listed for image in tier}

    @cached_property
    def _listed(self) -> tuple[list[KnownImage], ...]:
        with self._dataset.reading() as view:
            rows = [KnownImage(row.file_name, row) for row in view.images()]
        taken = {image.file_name for image in rows}
        own = self._dataset.folder / IMAGE_FOLDER
        lists = [rows]
        for folder in (own, self._folder):
            found = [] if folder is None else list(self._files(folder, taken))
            taken |= {image.file_name for image in found}
            lists.append(found)
        return tuple(lists)

    def _files(self, folder: Path, taken: set[str]) -> Iterator[KnownImage]:
        """Yield the image files of a folder that the dataset has no row of."""
        root = self._dataset.folder.resolve()
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in _SUFFIXES or path.name.startswith("."):
                continue
            if not path.is_file():
                continue
            whole = path.resolve()
            is_own = root in whole.parents
            name = (
                whole.relative_to(root).as_posix()
                if is_own
                else f"{IMAGE_FOLDER}/{path.relative_to(folder).as_posix()}"
            )
            if name not in taken:
                yield KnownImage(name, None, path)

    @cached_property
    def _tiers(self) -> tuple[dict[str, dict[str, list[KnownImage]]], ...]:
        return tuple(map(_indexed, self._listed))


def _indexed(images: list[KnownImage]) -> dict[str, dict[str, list[KnownImage]]]:
    """Return images by path (also without `images/` in front, and ending), bare name, and stem."""
    index: dict[str, dict[str, list[KnownImage]]] = {"path": {}, "name": {}, "stem": {}}
    for image in images:
        path = PurePosixPath(image.file_name)
        paths = [path]
        if path.parts[0] == IMAGE_FOLDER and len(path.parts) > 1:
            paths.append(PurePosixPath(*path.parts[1:]))
        # Each once, also where a name has no ending.
        for way in dict.fromkeys([*paths, *(whole.with_suffix("") for whole in paths)]):
            index["path"].setdefault(way.as_posix(), []).append(image)
        index["name"].setdefault(path.name, []).append(image)
        index["stem"].setdefault(path.stem, []).append(image)
    return index


def _frame(image: KnownImage) -> ImageFrame:
    if image.row is not None:
        return image.row.frame()
    if image.path is None:
        raise FrameError("the image has no file", image.file_name, "put it there")
    return placed_frame(image.path)
