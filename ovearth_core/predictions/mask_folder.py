"""A folder of mask files as a run: each is named after the query that it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from ..errors import InputError
from .header import Header
from .record import Record
from .run import Predictions
from .run_files import sha256_of_list

_ENDINGS = (".png", ".tif", ".tiff")
# What GIS programs and file managers leave beside images. PAM (.aux.xml) may hold nodata.
_PAM = ".aux.xml"
_SIDE_ENDINGS = (_PAM, ".ovr", ".tfw", ".tifw", ".tiffw", ".pgw", ".pngw", ".wld", ".prj")
_SIDE_NAMES = ("thumbs.db", "desktop.ini")
_ENCODED = frozenset({"mask"})


def mask_folder_run(folder: Path) -> Predictions:
    """Return the run that a folder of `<query_id>.png`, `.tif` or `.tiff` files is.

    Stems are percent-decoded (UTF-8). One band, the image's size, foreground neither zero nor
    nodata; a georeference is not looked at. Files are opened when the run is iterated, by name.
    Hidden files and side files are passed over. Memory: the names.

    The checksum is `sha256_of_list` of the masks and their .aux.xml files. Raises InputError for
    a folder without a mask, for sub-folders and other files, two files for one query, names that
    are no UTF-8 or unsafe.
    """
    names, beside = _sorted_names(folder)
    if not names:
        wanted = "put <query_id>.png or .tif into it"
        raise InputError("no mask in the folder", str(folder), wanted)
    by_id: dict[str, str] = {}
    for name in names:
        query_id = _query_id(folder, name)
        if query_id in by_id:
            raise InputError(
                f"query {query_id!r} has two masks",
                f"{folder}, files {by_id[query_id]!r} and {name!r}",
                "keep one of them",
            )
        by_id[query_id] = name
    files = [folder / name for name in (*names, *beside)]
    return Predictions(
        Header(folder.resolve().name, modalities=("mask",)),
        _MaskRecords(by_id),
        str(folder),
        folder,
        sha256_of_list(files),
        entry=lambda number: f"file {names[number - 1]!r}",
        files=files,
    )


class _MaskRecords:
    """One record a file; its `line` is the file's number by name, from 1."""

    def __init__(self, by_id: dict[str, str]) -> None:
        self.by_id = by_id

    def __iter__(self) -> Iterator[Record]:
        for number, (query_id, name) in enumerate(self.by_id.items(), 1):
            yield Record(query_id, number, _ENCODED, {"file": name})


def _sorted_names(folder: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of the masks and of their PAM files, each sorted."""
    masks, beside = [], []
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"can't be read ({reason})", str(folder), "check the folder") from None
    for entry in entries:
        name = entry.name.lower()
        if name.startswith(".") or name in _SIDE_NAMES:
            continue
        if entry.is_dir():
            mend = "keep masks only in the folder, or name the folder that holds them"
            raise InputError("is a folder among masks", str(entry), mend)
        if entry.exists() and not entry.is_file():
            raise InputError("is no regular file", str(entry), "keep masks only in the folder")
        if name.endswith(_SIDE_ENDINGS):
            beside += [entry.name] if name.endswith(_PAM) else []
        elif name.endswith(_ENDINGS):
            masks.append(entry.name)
        else:
            mend = "keep <query_id>.png or .tif only in the folder"
            raise InputError("is no mask", str(entry), mend)
    return masks, beside


def _query_id(folder: Path, name: str) -> str:
    stem = Path(name).stem
    try:
        name.encode()
        query_id = unquote(stem, errors="strict")
    except UnicodeError:
        mend = "percent-encode the query id as UTF-8"
        raise InputError("a file name that is no UTF-8", f"{folder}, {name!r}", mend) from None
    # A drive or a folder in Windows, and so no path inside this folder.
    if name[1:2] == ":" or "\\" in name:
        safe = f"{quote(query_id, safe='')}{Path(name).suffix}"
        where = f"{folder}, {name!r}"
        raise InputError("a file name that is unsafe elsewhere", where, f"name it {safe!r}")
    return query_id
