"""Keeps a folder of kept answers from growing without end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# Only what a cache has named itself, also half of it, left by a process that was killed: the folder
# may be any that a person has named.
_SHELF = re.compile(r"[0-9a-f]{2}")
_KEPT = re.compile(r"(?:\.)?[0-9a-f]{62}(?:\..*)?")


def tidy(folder: Path, oldest: float, most_bytes: int) -> None:
    """Remove answers from before a moment (seconds since 1970), and the oldest above a size.

    What another process removes or writes meanwhile does no harm, nor what may not be removed.
    """
    kept: list[tuple[float, int, Path]] = []
    for path, status in _answers(folder):
        if status.st_mtime < oldest:
            _remove(path)
        else:
            kept.append((status.st_mtime, status.st_size, path))
    too_many = sum(size for _, size, _ in kept) - most_bytes
    for _, size, path in sorted(kept):
        if too_many <= 0:
            break
        _remove(path)
        too_many -= size


def _answers(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with suppress(OSError):
        for shelf in folder.iterdir():
            if _SHELF.fullmatch(shelf.name) and shelf.is_dir():
                for path in shelf.iterdir():
                    if _KEPT.fullmatch(path.name) and path.is_file():
                        yield path, path.stat()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
