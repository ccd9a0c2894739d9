"""A mapping file: which output belongs to which query, or to which category."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...entry import describe
from ...errors import InputError
from ...jsonstream import distinct_keys, refuse_half_characters
from ...textsource import open_text_bytes

Wanted = tuple[str, ...]

_LONGEST = 1 << 28
_HEADINGS = (("output", "query"), ("output", "query_id"), ("class", "category"))
_WANTED = 'write {"output": "query id or category", or a list of them, or null to leave it out}'


@dataclass(frozen=True)
class OutputMapping:
    """What outputs are: by name, the query ids or categories meant, none where to be left out.

    used: those that have been asked for.
    """

    meant: Mapping[str, Wanted]
    where: str
    used: set[str] = field(default_factory=set, compare=False)

    def of(self, name: str, *other_names: str) -> Wanted | None:
        """Return what an output is meant for, by the first of its names that is mapped."""
        for each in (name, *other_names):
            if each in self.meant:
                self.used.add(each)
                return self.meant[each]
        return None

    def unused(self) -> list[str]:
        """Return the outputs that are mapped and have not been asked for, in the file's order."""
        return [name for name in self.meant if name not in self.used]


def read_output_mapping(path: Path) -> OutputMapping:
    """Read a mapping file: a JSON object, or CSV of two columns.

    Raises InputError, with the line or key, for anything else.
    """
    with open_text_bytes(path) as file:
        whole = file.read(_LONGEST + 1)
    if len(whole) > _LONGEST:
        raise InputError("too long for a mapping file", str(path), _WANTED)
    try:
        text = whole.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("text that is not UTF-8", str(path), "save it as UTF-8") from None
    is_json = text.lstrip().startswith(("{", "[")) or path.suffix.lower() == ".json"
    return OutputMapping(_from_json(text, path) if is_json else _from_csv(text, path), str(path))


def _from_json(text: str, path: Path) -> dict[str, Wanted]:
    try:
        found: Any = json.loads(text, object_pairs_hook=distinct_keys)
        refuse_half_characters(text, found)
    except InputError as fault:
        raise fault.at(str(path)) from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON ({fault})", str(path), "mend it") from None
    if not isinstance(found, dict):
        raise InputError(f"{describe(found)}, no JSON object", str(path), _WANTED)
    return {name: _meant(value, name, path) for name, value in found.items()}


def _meant(value: Any, name: str, path: Path) -> Wanted:
    values = value if isinstance(value, list) else [] if value in (None, "") else [value]
    for each in values:
        if type(each) not in (str, int):
            what = f"{name!r} is mapped to {describe(each)}"
            raise InputError(what, str(path), _WANTED)
    return tuple(str(each) for each in values)


def _from_csv(text: str, path: Path) -> dict[str, Wanted]:
    found: dict[str, Wanted] = {}
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path} line {number}"
        try:
            rows = list(csv.reader([line], strict=True))
        except csv.Error as fault:
            raise InputError(f"no CSV ({fault})", where, "mend it") from None
        row = [cell.strip() for cell in rows[0]] if rows else []
        is_heading = number == 1 and tuple(cell.lower() for cell in row) in _HEADINGS
        if not any(row) or is_heading:
            continue
        if len(row) != 2 or not row[0]:
            raise InputError(f"{len(row)} columns", where, "write two: output,query")
        # A line each for an output that answers several queries.
        found[row[0]] = (*found.get(row[0], ()), *([row[1]] if row[1] else []))
    return found
