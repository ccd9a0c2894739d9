"""The files that one run consists of, and one checksum for them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ..textsource import sha256_of

# Files of the same stem that change what is read.
_SIDE_FILES = {
    ".shp": (".dbf", ".shx", ".prj", ".cpg"),
    ".csv": (".prj", ".csvt"),
}


def with_side_files(path: Path) -> list[Path]:
    """Return the file and those beside it that belong to it, in order of their names."""
    endings = _SIDE_FILES.get(path.suffix.lower(), ())
    if not endings or not path.is_file():
        return [path]
    beside = [
        other
        for other in path.parent.iterdir()
        if other.stem == path.stem and other.suffix.lower() in endings
    ]
    return sorted([path, *beside])


def sha256_of_files(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of one file, or for several that of their list."""
    return sha256_of(paths[0]) if len(paths) == 1 else sha256_of_list(paths)


def sha256_of_list(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of the list of files that `sha256sum` prints.

    One line a file, in order of names by code point: checksum, two spaces, name without folder.
    """
    digest = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        digest.update(f"{sha256_of(path)}  {path.name}\n".encode())
    return digest.hexdigest()
