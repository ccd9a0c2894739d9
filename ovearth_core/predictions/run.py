"""A run: its header and its records, streamed from a JSON Lines file or held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..entry import Entry
from ..errors import InputError
from ..textsource import sha256_of
from .header import Header, is_header, parse_header
from .json_lines import JsonLinesRecords, first_object
from .record import Record, parse_record


class Predictions:
    """A run of one model. Iterating yields its records, anew each time, in file order."""

    def __init__(
        self,
        header: Header,
        records: Iterable[Record],
        source: str = "predictions",
        folder: Path | None = None,
        sha256: str | None = None,
    ) -> None:
        self.header = header
        self.source = source
        self.folder = folder
        self.sha256 = sha256
        self._records = records

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def without_records(self) -> Predictions:
        """Return the same run without any record: what else there is to know of it."""
        return Predictions(self.header, (), self.source, self.folder, self.sha256)

    def where(self, record: Record) -> str:
        """Name the record's place for a message."""
        return f"{self.source} line {record.line}, query {record.query_id}"


def read_predictions(path: Path | str) -> Predictions:
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
        sha256_of(path),
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
