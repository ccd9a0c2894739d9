"""A run: its header and its records, streamed from a file or held in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..entry import Entry
from ..errors import InputError
from ..textsource import sha256_later
from .header import Header, is_header, parse_header
from .json_lines import JsonLinesRecords, first_object
from .record import Record, parse_record


def line_entry(number: int) -> str:
    """Name an entry of a run whose records are lines."""
    return f"line {number}"


class Predictions:
    """A run of one model. Iterating yields its records, anew each time.

    `source`: what messages call it. `folder`: of {"file"} masks. `entry`: names the place of a
    record in the source, given its `line`. `files`: all that was read, for no output to replace.
    `told`: what a dialect left out or warns of, counted anew at each iteration.
    """

    def __init__(
        self,
        header: Header,
        records: Iterable[Record],
        source: str = "predictions",
        folder: Path | None = None,
        sha256: str | Callable[[], str] | None = None,
        entry: Callable[[int], str] = line_entry,
        files: Sequence[Path] = (),
        told: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self.header = header
        self.source = source
        self.folder = folder
        self._sha256 = sha256
        self.entry = entry
        self.files = tuple(files)
        self.told = told or {}
        self._records = records

    @property
    def sha256(self) -> str | None:
        """The checksum of what was read, waited for if need be; None in memory."""
        return self._sha256() if callable(self._sha256) else self._sha256

    @property
    def records(self) -> Iterable[Record]:
        """What holds the records."""
        return self._records

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def without_records(self, named: Iterable[Record] = ()) -> Predictions:
        """Return the same run without any record, to be sent away; it can name those in `named`."""
        entry = self.entry
        if entry is not line_entry:
            entry = {record.line: self.entry(record.line) for record in named}.__getitem__
        return Predictions(self.header, (), self.source, self.folder, None, entry)

    def where(self, record: Record) -> str:
        """Name the record's place for a message."""
        return f"{self.place(record.line)}, query {record.query_id}"

    def place(self, line: int) -> str:
        """Name the place of the record with that `line`."""
        return f"{self.source} {self.entry(line)}"


def read_json_lines(path: Path | str) -> Predictions:
    """Open the run at `path`: JSON Lines, gzip or not. Records are read when iterated.

    Raises InputError here for a faulty header or an empty file, and while iterating for a faulty
    record, naming file, line and query.
    """
    path = Path(path)
    entry = first_object(path)
    if entry is None:
        raise InputError("no record in it", str(path), "name a file with one JSON object a line")
    has_header = is_header(entry.fields)
    model = model_name(path)
    header = parse_header(entry, model) if has_header else Header(model)
    return Predictions(
        header,
        JsonLinesRecords(path, has_header, header.in_map),
        str(path),
        path.parent,
        sha256_later(path),
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
