"""Where a benchmark's images are, also after they moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from ..benchmark import Image


class ImageFiles:
    """Finds image files beside the benchmark, then in other folders a person named."""

    def __init__(self, benchmark_path: Path, folders: Sequence[Path] = ()) -> None:
        self._folders = (benchmark_path.parent, *folders)

    def also_in(self, folder: Path) -> ImageFiles:
        """Return the same, looking in one more folder after the others."""
        found = ImageFiles(Path(), ())
        found._folders = (*self._folders, folder)
        return found

    def path(self, image: Image) -> Path | None:
        """Return the image's file, None where no folder has it.

        In each folder as the benchmark names it, then without its first folders one by one: who
        names the folder `images` itself need not name the one above.
        """
        parts = PurePosixPath(image.file_name.replace("\\", "/")).parts
        for folder in self._folders:
            for start in range(len(parts)):
                path = folder.joinpath(*parts[start:])
                if path.is_file():
                    return path
        return None

    def that_are_there(self, images: Iterable[Image]) -> list[Path]:
        """Return the files of those images that have one, in their order."""
        found = (self.path(image) for image in images)
        return [path for path in found if path is not None]
