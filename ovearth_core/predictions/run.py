"""A run: its header and its records, streamed from a file or held in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..entry import Entry, describe
from ..errors import InputError
from ..jsonstream import DECODER, refuse_half_characters
from ..textsource import open_text_bytes, sha256_of
from .header import Header, is_header, parse_header
from .record import Record, parse_record

# Longer than any mask of an image that a benchmark could hold; stops a gzip bomb.
_LONGEST_LINE = 1 << 28


def line_entry(number: int) -> str:
    """Name an entry of a run whose records are lines."""
    return f"line {number}"


class Predictions:
    """A run of one model. Iterating yields its records, anew each time.

    `source`: what messages call it. `folder`: of {"file"} masks. `entry`: names the place of a
    record in the source, given its `line`. `files`: all that was read, for no output to replace.
    """

    def __init__(
        self,
        header: Header,
        records: Iterable[Record],
        source: str = "predictions",
        folder: Path | None = None,
        sha256: str | None = None,
        entry: Callable[[int], str] = line_entry,
        files: Sequence[Path] = (),
    ) -> None:
        self.header = header
        self.source = source
        self.folder = folder
        self.sha256 = sha256
        self.entry = entry
        self.files = tuple(files)
        self._records = records

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def where(self, record: Record) -> str:
        """Name the record's place for a message."""
        return f"{self.place(record.line)}, query {record.query_id}"

    def place(self, line: int) -> str:
        """Name the place of the record with that `line`."""
        return f"{self.source} {self.entry(line)}"


class _FileRecords:
    """The records of a JSON Lines file, read line by line at each iteration."""

    def __init__(self, path: Path, has_header: bool, in_map: bool) -> None:
        self.in_map = in_map
        self.path = path
        self.has_header = has_header

    def __iter__(self) -> Iterator[Record]:
        entries = _entries(self.path)
        if self.has_header:
            next(entries)
        for line, entry in entries:
            yield parse_record(entry, line, self.in_map)


def read_json_lines(path: Path | str) -> Predictions:
    """Open the run at `path`: JSON Lines, gzip or not. Records are read when iterated.

    Raises InputError here for a faulty header or an empty file, and while iterating for a faulty
    record, naming file, line and query.
    """
    path = Path(path)
    first = next(_entries(path), None)
    if first is None:
        raise InputError("no record in it", str(path), "name a file with one JSON object a line")
    entry = first[1]
    has_header = is_header(entry.fields)
    model = model_name(path)
    header = parse_header(entry, model) if has_header else Header(model)
    return Predictions(
        header,
        _FileRecords(path, has_header, header.in_map),
        str(path),
        path.parent,
        sha256_of(path),
        files=[path],
    )


def predictions_from(
    documents: Iterable[dict[str, Any]], source: str = "predictions"
) -> Predictions:
    """Return a run from JSON-like objects in memory, an optional header first."""
    entries = [Entry(item, f"{source} line {line}") for line, item in enumerate(documents, 1)]
    header = Header(source)
    if entries and is_header(entries[0].fields):
        header = parse_header(entries[0], source)
        records = [
            parse_record(entry, line, header.in_map) for line, entry in enumerate(entries[1:], 2)
        ]
    else:
        records = [parse_record(entry, line) for line, entry in enumerate(entries, 1)]
    return Predictions(header, records, source)


def model_name(path: Path) -> str:
    """Return the name of a model whose run has no header: the file's, without its endings."""
    name = path.name
    for ending in (".gz", ".jsonl", ".ndjson", ".json"):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name


def _entries(path: Path) -> Iterator[tuple[int, Entry]]:
    """Yield every line that isn't blank, with its number, as a checked JSON object."""
    with open_text_bytes(path) as source:
        number = 0
        while line := source.readline(_LONGEST_LINE):
            number += 1
            where = f"{path} line {number}"
            if len(line) >= _LONGEST_LINE:
                raise InputError("the line is too long", where, "write one record a line")
            text = _decoded(line, where, is_first=number == 1)
            if text:
                yield number, _entry(text, where)


def _decoded(line: bytes, where: str, is_first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if is_first else "utf-8").strip()
    except UnicodeDecodeError as fault:
        raise InputError(
            f"not UTF-8 text ({fault.reason})", where, "save the file as UTF-8"
        ) from None


def _entry(text: str, where: str) -> Entry:
    if not text.startswith("{"):
        raise InputError(
            "not a record, which is a JSON object", where, 'write {"query_id": …} on each line'
        )
    try:
        value = DECODER.decode(text)
        refuse_half_characters(text, value)
    except json.JSONDecodeError as fault:
        is_cut = fault.msg.startswith("Unterminated") or fault.pos >= len(text)
        what = "JSON is cut off" if is_cut else f"not JSON ({fault.msg})"
        mend = "mend that line: a run has one whole JSON object on each"
        raise InputError(what, f"{where} column {fault.pos + 1}", mend) from None
    except RecursionError:
        raise InputError("JSON is nested too deep", where, "mend that line") from None
    except InputError as fault:
        raise fault.at(where) from None
    except ValueError as fault:
        raise InputError(f"not JSON ({describe(str(fault))})", where, "mend that line") from None
    return Entry(value, where)
