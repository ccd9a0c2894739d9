"""A run as JSON Lines: read some lines at once, each object checked, in file order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from ..entry import Entry, describe
from ..errors import InputError
from ..jsonstream import DECODER, quick_objects, refuse_half_characters
from ..textsource import open_text_bytes
from .record import Record, joint_records, parse_record

# Longer than any mask of an image that a benchmark could hold; stops a gzip bomb.
_LONGEST_LINE = 1 << 28
_CHUNK_BYTES = 1 << 20
_LINES_AT_ONCE = 256

Lines = list[tuple[int, bytes]]
JsonLine = tuple[int, Entry]


class JsonLinesRecords:
    """The records of a file, read anew at each iteration; `has_header`: the first object is one."""

    def __init__(self, path: Path, has_header: bool, in_map: bool) -> None:
        self.path = path
        self.has_header = has_header
        self.in_map = in_map

    def __iter__(self) -> Iterator[Record]:
        is_header = self.has_header
        for lines in _some_lines(self.path):
            yield from self._records(lines[1:] if is_header else lines)
            is_header = False

    def _records(self, lines: Lines) -> Iterator[Record]:
        try:
            quick = quick_objects([line for _, line in lines])
            objects = [
                _entry(line, self.path, number).fields if found is None else found
                for (number, line), found in zip(lines, quick, strict=True)
            ]
            records = joint_records([number for number, _ in lines], objects, self.in_map)
        except InputError:
            records = None
        if records is not None:
            yield from records
            return
        # Something is odd in one of them: one by one, those before it are heard of first.
        for number, line in lines:
            entry = _entry(line, self.path, number)
            yield parse_record(entry, number, self.in_map)


def json_entries(path: Path, skip_faulty: Callable[[InputError], None]) -> Iterator[JsonLine]:
    """Yield the number and the checked JSON object of each line that is not blank.

    skip_faulty: called with the error of a line that is none; what it raises ends the reading.
    """
    for lines in _some_lines(path):
        for number, line in lines:
            try:
                found = number, _entry(line, path, number)
            except InputError as fault:
                skip_faulty(fault)
            else:
                yield found


def first_object(path: Path) -> Entry | None:
    """Return the first line that isn't blank as a checked JSON object; None in an empty file."""
    for lines in _some_lines(path):
        number, line = lines[0]
        return _entry(line, path, number)
    return None


def json_objects(path: Path) -> Iterator[Entry]:
    """Yield the object on each line that isn't blank; InputError, with its place, for none."""
    for lines in _some_lines(path):
        quick = quick_objects([line for _, line in lines])
        for (number, line), found in zip(lines, quick, strict=True):
            where = f"{path} line {number}"
            yield _entry(line, path, number) if found is None else Entry(found, where)


def record_at(records: JsonLinesRecords, number: int, offset: int, query_id: str) -> Record:
    """Return the record on the line that begins `offset` bytes into a plain file.

    Raises InputError where another one, or none, is there: the file has changed.
    """
    where = f"{records.path} line {number}"
    try:
        with records.path.open("rb") as file:
            file.seek(offset)
            line = file.readline(_LONGEST_LINE)
    except OSError as fault:
        what = f"can't be read ({fault.strerror})"
        raise InputError(what, where, "put the file back, or add the run again") from None
    changed = InputError("the file has changed since it was read", where, "add the run again")
    try:
        record = parse_record(_entry(line, records.path, number), number, records.in_map)
    except InputError:
        raise changed from None
    if record.query_id != query_id:
        raise changed
    return record


def _some_lines(path: Path) -> Iterator[Lines]:
    """Yield the lines that are not blank with their numbers, a bounded number of them at once."""
    with open_text_bytes(path) as source:
        before = 0
        pending: list[bytes] = []
        while chunk := source.read(_CHUNK_BYTES):
            head, *lines = chunk.split(b"\n")
            pending.append(head)
            if not lines:
                _check_length(pending, path, before + 1)
                continue
            ended = [b"".join(pending), *lines[:-1]]
            pending = [lines[-1]]
            yield from _numbered(ended, before + 1)
            before += len(ended)
        yield from _numbered([b"".join(pending)], before + 1)


def _check_length(pending: list[bytes], path: Path, number: int) -> None:
    if sum(map(len, pending)) >= _LONGEST_LINE:
        raise InputError("the line is too long", f"{path} line {number}", "write one record a line")


def _numbered(lines: list[bytes], first: int) -> Iterator[Lines]:
    numbered = [
        (number, line) for number, line in enumerate(lines, first) if line and not line.isspace()
    ]
    for start in range(0, len(numbered), _LINES_AT_ONCE):
        yield numbered[start : start + _LINES_AT_ONCE]


def _entry(line: bytes, path: Path, number: int) -> Entry:
    """Return the object on a line; InputError says, with line and column, why it is none."""
    where = f"{path} line {number}"
    text = _decoded(line, where, is_first=number == 1)
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


def _decoded(line: bytes, where: str, is_first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if is_first else "utf-8").strip()
    except UnicodeDecodeError as fault:
        raise InputError(
            f"not UTF-8 text ({fault.reason})", where, "save the file as UTF-8"
        ) from None
