"""Sources of one JSON object an answer: JSON Lines, or a folder of a text or JSON file each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from ...entry import Entry
from ...errors import InputError
from ...jsonstream import DECODER, refuse_half_characters
from ...textsource import open_text_bytes
from ..header import Header, is_header, parse_header
from ..json_lines import first_object, json_entries
from ..run import line_entry, model_name
from .mask_values import ARRAYS, RASTERS
from .reading import Reading

# Kinds of dialects whose sources these are.
ENTRY_KINDS = ("text", "records")
LINES = "lines that are no record"
MAPS = (*ARRAYS, *RASTERS)
_ENDINGS = (".txt", ".json")
_LONGEST = 1 << 28


def entries(source: Path, reading: Reading) -> Iterator[tuple[int, str, Entry]]:
    """Yield the number, the query id and the object of each answer, once a query that it is for.

    In a folder, a file's name without its ending is the query id, percent-decoded: `.txt` holds the
    raw answer, `.json` the object. A mapping file may say otherwise, also of ids in JSON Lines;
    unmapped names are taken as they are. Raises InputError for what is none, or counts it.
    """
    for number, entry in _objects(source, reading):
        try:
            name = entry.text("query_id")
        except InputError as fault:
            reading.refuse(fault, LINES)
            continue
        wanted = reading.mapping.of(name)
        for query_id in (name,) if wanted is None else wanted:
            yield number, query_id, Entry(entry.fields, f"{entry.where}, query {query_id}")


def has_header(source: Path, kind: str) -> bool:
    """Whether a source begins with a header of its own."""
    if kind not in ENTRY_KINDS or source.is_dir():
        return False
    try:
        first = first_object(source)
    except InputError:
        return False
    return first is not None and "query_id" not in first.fields and is_header(first.fields)


def read_header(source: Path) -> Header:
    """Return the header; InputError for one that isn't right, or says map coordinates."""
    first = first_object(source)
    header = parse_header(first or Entry({}, str(source)), model_name(source))
    if header.in_map:
        what = "the header says map coordinates, and the dialect answers in pixels"
        raise InputError(what, str(source), 'leave out "coordinates"')
    return header


def place_in(source: Path, kind: str) -> Callable[[int], str]:
    """Return what names an answer by its number."""
    if not source.is_dir():
        return line_entry if kind in ENTRY_KINDS else lambda number: f"answer {number}"
    if kind in ENTRY_KINDS:
        return lambda number: f"file {_listed(source)[number - 1].name!r}"
    if kind == "masks":
        return lambda number: f"file {maps_in(source)[number - 1]!r}"
    return lambda number: f"answer {number}"


def maps_in(folder: Path) -> list[str]:
    """Return the maps (arrays and rasters) in a folder and those within it, by path, sorted."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix.lower() in MAPS and path.is_file() and not path.name.startswith(".")
    )


def _objects(source: Path, reading: Reading) -> Iterator[tuple[int, Entry]]:
    if source.is_dir():
        yield from _of_folder(source, reading)
        return
    skip = has_header(source, ENTRY_KINDS[0])
    for number, entry in json_entries(source, lambda fault: reading.refuse(fault, LINES)):
        if skip:
            skip = False
            continue
        yield number, entry


def _of_folder(source: Path, reading: Reading) -> Iterator[tuple[int, Entry]]:
    _listed.cache_clear()
    for number, path in enumerate(_listed(source), 1):
        try:
            yield number, _entry(path)
        except InputError as fault:
            reading.refuse(fault, "files that can't be read")


@lru_cache(maxsize=4)
def _listed(folder: Path) -> list[Path]:
    found = sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in _ENDINGS and path.is_file() and not path.name.startswith(".")
    )
    if not found:
        mend = "put <query_id>.txt or .json into it, or name a JSON Lines file"
        raise InputError("no answer in the folder", str(folder), mend)
    return found


def _entry(path: Path) -> Entry:
    with open_text_bytes(path) as file:
        whole = file.read(_LONGEST + 1)
    if len(whole) > _LONGEST:
        raise InputError("too long for one answer", str(path), "write one answer a file")
    try:
        text = whole.decode("utf-8-sig")
        query_id = unquote(path.stem, errors="strict")
    except UnicodeError:
        raise InputError("text that is not UTF-8", str(path), "save it as UTF-8") from None
    if path.suffix.lower() == ".txt":
        return Entry({"query_id": query_id, "text": text}, str(path))
    try:
        value = DECODER.decode(text.strip())
        refuse_half_characters(text, value)
    except json.JSONDecodeError as fault:
        raise InputError(f"not JSON ({fault.msg})", str(path), "mend that file") from None
    except InputError as fault:
        raise fault.at(str(path)) from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON ({type(fault).__name__})", str(path), "mend it") from None
    found = Entry(value, str(path))
    return Entry({"query_id": query_id, **found.fields}, str(path))
