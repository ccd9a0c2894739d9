"""Files that are no text, told by their first bytes, so that people learn what to choose."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from .errors import InputError

DATASET = "dataset.gpkg"
_LONGEST = 16
# What the first bytes of a file say that it is. GeoPackages are SQLite's too.
_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"II+\0", "a TIFF image"),
    (b"MM\0+", "a TIFF image"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"SQLite format 3", "a GeoPackage or another SQLite database"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet file"),
    (b"fgb\x03", "a FlatGeobuf file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
)
# These are told by their name: opening and closing one lets go of another program's lock.
_BY_ENDING = {".gpkg": "a GeoPackage", ".sqlite": "an SQLite database"}


def refuse_foreign(path: Path, what: str, mend: str) -> None:
    """Raise InputError for a file that is plainly something else, such as an image.

    what: the thing that was wanted, as "no benchmark". mend: which file to choose.
    """
    kind = "an OVEarth dataset" if path.name == DATASET else kind_of(path)
    if kind is not None:
        raise InputError(f"is {kind}, {what}", str(path), mend)


def kind_of(path: Path) -> str | None:
    """Return what a file is that is no text, None for any other and where it can't be read."""
    named = _BY_ENDING.get(path.suffix.lower())
    if named is not None and path.is_file():
        return named
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            start = file.read(_LONGEST)
    except OSError:
        return None
    return next((kind for magic, kind in _KINDS if start.startswith(magic)), None)


def refuse_dataset(source: Path) -> None:
    """Refuse the file of a dataset: GDAL, closing it, would take its locks from this process."""
    if source.suffix.lower() != ".gpkg":
        return
    uri = f"{source.resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as database:
            found = database.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'ovearth_dataset'"
            ).fetchone()
    except sqlite3.Error:
        return  # said in more words by whoever reads it
    if found:
        mend = "export it first: ovearth export DATASET OUT --format benchmark"
        raise InputError("a dataset of OVEarth", str(source), mend)
