"""Where a benchmark's images are, also after they moved."""

from __future__ import annotations

from collections.abc import Sequence
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

    @property
    def folders(self) -> tuple[Path, ...]:
        """What is looked in after the benchmark's own folder."""
        return self._folders[1:]

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
