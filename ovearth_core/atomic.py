"""Files written beside their place and moved there whole, all of a command's or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from .errors import OutputError, OVEarthError, UsageError

_DEFAULT_MODE = 0o666
# A dataset holds people's work: no output takes the place of its file, or of SQLite's beside it.
_DATASET = "dataset.gpkg"


class AtomicFiles:
    """Several output files that appear together when the block ends well, and not at all otherwise.

    A process killed between two of the final renames may leave the first ones in place, each whole.
    `inputs` are files that no output may replace, and folders that none may be put into.
    """

    def __init__(self, inputs: Iterable[Path] = ()) -> None:
        self._inputs = {path.resolve() for path in inputs}
        self._waiting: list[tuple[Path, Path]] = []
        self._made_folders: list[Path] = []

    def __enter__(self) -> AtomicFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self._move_into_place()
        else:
            self._discard()

    @contextmanager
    def open(self, path: Path) -> Iterator[IO[str]]:
        """Open a UTF-8 text file that will be at `path`; its folder is made where it lacks."""
        temporary = self._reserve(path)
        try:
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except OVEarthError:
            # What fails in the block has its own words, a server that is an OSError too.
            raise
        except OSError as fault:
            raise _unwritable(path, fault) from None

    def check(self, path: Path) -> None:
        """Raise OutputError or UsageError where no file may be written to `path`."""
        self._check_place(path.resolve())

    def write(self, path: Path, text: str) -> None:
        """Write a whole text file."""
        with self.open(path) as file:
            file.write(text)

    @contextmanager
    def open_bytes(self, path: Path) -> Iterator[IO[bytes]]:
        """Open a binary file that will be at `path`; its folder is made where it lacks."""
        temporary = self._reserve(path)
        try:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
        except OVEarthError:
            raise
        except OSError as fault:
            raise _unwritable(path, fault) from None

    def write_bytes(self, path: Path, whole: bytes) -> None:
        """Write a whole binary file."""
        with self.open_bytes(path) as file:
            file.write(whole)

    def _reserve(self, path: Path) -> Path:
        try:
            # A link is followed: what it points at is replaced, the link stays.
            path = path.resolve()
            self._check_place(path)
            self._make_folder(path.parent)
            handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
            os.fchmod(handle, _DEFAULT_MODE & ~_umask()) if hasattr(os, "fchmod") else None
            os.close(handle)
        except (OutputError, UsageError):
            raise
        except OSError as fault:
            raise _unwritable(path, fault) from None
        self._waiting.append((Path(name), path))
        return Path(name)

    def _check_place(self, path: Path) -> None:
        if path.is_dir():
            raise OutputError("is a folder, not a file", str(path), "name a file")
        if path.exists() and not path.is_file():
            raise OutputError("is no regular file", str(path), "name a file")
        if path.name.startswith(_DATASET):
            raise UsageError("output would replace a dataset", str(path), "name another file")
        if path in self._inputs or not self._inputs.isdisjoint(path.parents):
            raise UsageError(
                "output would replace what is read, or lie in its folder",
                str(path),
                "name another file",
            )
        if any(path == taken for _, taken in self._waiting):
            raise UsageError("two outputs are one file", str(path), "name two files")

    def _make_folder(self, folder: Path) -> None:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        self._made_folders += missing

    def _move_into_place(self) -> None:
        moving = Path()
        try:
            for temporary, path in self._waiting:
                moving = path
                temporary.replace(path)
        except OSError as fault:
            self._discard()
            raise _unwritable(moving, fault) from None
        self._waiting.clear()

    def _discard(self) -> None:
        for temporary, _ in self._waiting:
            temporary.unlink(missing_ok=True)
        for folder in sorted(self._made_folders, key=lambda made: -len(made.parts)):
            # Another process may put something there meanwhile.
            with suppress(OSError):
                folder.rmdir()
        self._waiting.clear()


class PartFile:
    """A file that one process writes beside its place, and another moves there when it is wanted.

    The name beside is told from the place: who does the work anew replaces what a killed process
    left. path: the place, its folder made where it lacks. Methods raise OutputError.
    """

    def __init__(self, path: Path) -> None:
        # A link is followed: what it points at is replaced, the link stays.
        self._path = path.resolve()
        self._part = self._path.with_name(f".{self._path.name[:100]}.part")

    def write(self, whole: bytes) -> None:
        """Write all of it, and wait until the disk has it."""
        try:
            self._part.parent.mkdir(parents=True, exist_ok=True)
            with self._part.open("wb") as file:
                file.write(whole)
                file.flush()
                os.fsync(file.fileno())
        except OSError as fault:
            self.drop()
            raise _unwritable(self._path, fault) from None

    def keep(self) -> None:
        """Move it into its place."""
        try:
            self._part.replace(self._path)
        except OSError as fault:
            raise _unwritable(self._path, fault) from None

    def drop(self) -> None:
        """Remove it, where it is there."""
        self._part.unlink(missing_ok=True)


def write_text(path: Path, text: str, inputs: Iterable[Path] = ()) -> None:
    """Write one text file whole, or leave what was there; never over one of `inputs`."""
    with AtomicFiles(inputs) as files:
        files.write(path, text)


def _unwritable(path: Path, fault: OSError) -> OutputError:
    return OutputError(
        f"can't write it ({fault.strerror or fault})", str(path), "check the folder and its space"
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
