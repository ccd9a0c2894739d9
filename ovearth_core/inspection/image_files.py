"""Where a benchmark's images are, also after they moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..benchmark import Image
from ..errors import OVEarthError
from ..image_fit import Fit, compare
from ..raster_file import read_header

# On the screen; a file that is off by less is drawn over without a seam that one sees.
_MOST_SHIFT_PX = 0.5


@dataclass(frozen=True)
class FoundImage:
    """The file of an image, None where no folder has it.

    is_placed_by_benchmark: the file and the benchmark don't say the same of where it lies, because
    one of them says less: what the benchmark says holds. unfit: a file of that name that isn't the
    image, and why.
    """

    path: Path | None
    is_placed_by_benchmark: bool = False
    unfit: tuple[Path, str] | None = None


class ImageFiles:
    """Finds image files beside the benchmark, then in other folders a person named.

    In each folder as the benchmark names it, then without its first folders one by one: who names
    the folder `images` itself need not name the one above.
    """

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
        """Return the first file by the image's name, None where no folder has one."""
        return next(self._named(image), None)

    def find(self, image: Image) -> FoundImage:
        """Return the first file by the image's name that has its size, and lies where it does.

        A file that can't be read is returned as one that was found: whoever shows it says so.
        """
        unfit: tuple[Path, str] | None = None
        for path in self._named(image):
            try:
                compared = compare(image, read_header(path), _MOST_SHIFT_PX, "the benchmark")
            except OVEarthError:
                return FoundImage(path)
            if compared.fit is Fit.SAME or compared.fit.is_lacking:
                return FoundImage(path, compared.fit.is_lacking)
            unfit = unfit or (path, compared.what)
        return FoundImage(None, unfit=unfit)

    def that_are_there(self, images: Iterable[Image]) -> list[Path]:
        """Return every file by the name of one of those images, in their order."""
        return [path for image in images for path in self._named(image)]

    def _named(self, image: Image) -> Iterator[Path]:
        parts = PurePosixPath(image.file_name.replace("\\", "/")).parts
        for folder in self._folders:
            for start in range(len(parts)):
                path = folder.joinpath(*parts[start:])
                if path.is_file():
                    yield path
