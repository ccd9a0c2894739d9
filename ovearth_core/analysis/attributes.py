"""What is said of models in a small file: interface, family and so on."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..entry import Entry
from ..errors import InputError
from ..jsonstream import DECODER
from ..predictions.header import ATTRIBUTES, attributes_of
from ..spelling import nearest
from ..textsource import open_text_bytes
from .notes import named

_LARGEST = 1 << 24
_FLAGS = ("mllm", "eo_specific")
_WORDS = {**dict.fromkeys(("true", "yes", "1"), True), **dict.fromkeys(("false", "no", "0"), False)}
_MODEL = "model"


def read_attributes(path: Path) -> dict[str, dict[str, Any]]:
    """Return the attributes of models, by name.

    JSON: {MODEL: {"interface": …}}, or a list of objects with a "model". CSV: a line a model under
    headings, of which `model` is one, empty cells for what isn't known. Raises InputError with the
    place of what can't be understood.
    """
    with open_text_bytes(path) as source:
        whole = source.read(_LARGEST + 1)
    if len(whole) > _LARGEST:
        raise InputError("larger than 16 MB", str(path), "name a file of attributes")
    try:
        text = whole.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(
            f"not UTF-8 text ({fault.reason})", str(path), "save the file as UTF-8"
        ) from None
    entries = _json(text, path) if text.lstrip()[:1] in ("{", "[") else _csv(text, path)
    found: dict[str, dict[str, Any]] = {}
    for model, entry in entries:
        if model in found:
            raise entry.fail(f"the model {model!r} occurs twice", "keep one of them")
        for key in entry.fields:
            if key not in (*ATTRIBUTES, _MODEL):
                raise entry.fail(f"unknown attribute {key!r}", nearest(key, ATTRIBUTES))
        found[model] = attributes_of(entry)
    return found


def unused_attributes(known: Iterable[str], models: Iterable[str]) -> list[str]:
    """Say of which models something is known that are no run here: a name may be misspelt."""
    present = set(models)
    others = [model for model in known if model not in present]
    return [f"attributes of what is no run here: {named(others)}"] if others else []


def _json(text: str, path: Path) -> Iterator[tuple[str, Entry]]:
    try:
        document = DECODER.decode(text.strip())
    except InputError as fault:
        raise fault.at(str(path)) from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON ({fault})", str(path), "mend the file") from None
    if isinstance(document, dict):
        for model, value in document.items():
            yield model, Entry(value, f"{path}, model {model}")
        return
    for number, value in enumerate(document, 1):
        entry = Entry(value, f"{path}, entry {number}")
        yield entry.text(_MODEL), entry


def _csv(text: str, path: Path) -> Iterator[tuple[str, Entry]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if reader.fieldnames is None or _MODEL not in reader.fieldnames:
        raise InputError("no column 'model'", str(path), "write headings in the first line")
    try:
        for row in reader:
            entry = Entry(_values(row), f"{path} line {reader.line_num}")
            if None in row:
                raise entry.fail("more cells than headings", "mend that line")
            yield entry.text(_MODEL), entry
    except csv.Error as fault:
        raise InputError(f"not CSV ({fault})", str(path), "mend the file") from None


def _values(row: dict[str, Any]) -> dict[str, Any]:
    """Return a line's cells, those empty left out, yes and no as such."""
    filled = {key: cell.strip() for key, cell in row.items() if isinstance(cell, str)}
    return {
        key: _WORDS.get(cell.lower(), cell) if key in _FLAGS else cell
        for key, cell in filled.items()
        if cell
    }
