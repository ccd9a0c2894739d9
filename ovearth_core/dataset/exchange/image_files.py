"""Image files that come into a dataset's folder with an import: copied whole, or taken back."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType
from uuid import uuid4

from ...errors import InputError, OutputError
from ...paths import inside
from ...raster_file import file_sha256


class ImageFiles:
    """Copies image files into a dataset's folder; after an error its copies are gone again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._copies: list[Path] = []
        self._folders: list[Path] = []
        self.checksums: dict[str, str] = {}
        """The SHA-256 of every file that was at hand, by its path in the dataset's folder."""

    def __enter__(self) -> ImageFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            return
        for path in self._copies:
            path.unlink(missing_ok=True)
        for folder in self._folders:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    @property
    def found(self) -> int:
        """How many files were at hand, copied or there already."""
        return len(self.checksums)

    def bring(self, source: Path, file_name: str) -> str:
        """Have the file at its relative path in the dataset's folder; return its SHA-256.

        InputError where another file has that path, OutputError where it can't be copied.
        """
        place = inside(self._folder, file_name)
        checksum = file_sha256(source)
        self.checksums[file_name] = checksum
        if place.exists():
            if not place.samefile(source) and file_sha256(place) != checksum:
                raise InputError(
                    "another file of this name is in the dataset's folder", str(place),
                    f"rename {source}",
                )  # fmt: skip
            return checksum
        try:
            self._copy(source, place)
        except OSError as fault:
            raise OutputError(
                f"can't copy it ({fault.strerror})", f"{source} to {place}", "check the space"
            ) from None
        return checksum

    def _copy(self, source: Path, place: Path) -> None:
        self._folders += [f for f in (place.parent, *place.parent.parents) if not f.exists()]
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{uuid4().hex}")
        try:
            shutil.copyfile(source, beside)
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
        self._copies.append(place)
