"""Reads the small JSON files that a report keeps beside its page."""

from __future__ import annotations

from pathlib import Path

from ..entry import Entry
from ..errors import InputError
from ..jsonstream import DECODER
from ..textsource import open_text_bytes

_LARGEST = 1 << 24
_MEND = "make the report anew, without --add"


def read_kept(path: Path, kind: str) -> Entry:
    """Return the object in a file; InputError for more than 16 MB, or another format than `kind`.

    What is wrong further down is the caller's to say.
    """
    with open_text_bytes(path) as source:
        whole = source.read(_LARGEST + 1)
    if len(whole) > _LARGEST:
        raise InputError("larger than 16 MB", str(path), _MEND)
    try:
        document = Entry(DECODER.decode(whole.decode("utf-8").strip()), str(path))
    except InputError as fault:
        raise fault.at(str(path)) from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON ({fault})", str(path), _MEND) from None
    if document.fields.get("format") != kind:
        raise document.fail(f"format is not {kind!r}", _MEND)
    return document


def kept_list(document: Entry, key: str) -> list[Entry]:
    """Return the objects of a list; InputError for anything else."""
    found = document.fields.get(key)
    if not isinstance(found, list):
        raise document.fail(f"'{key}' is no list", _MEND)
    return [Entry(each, f"{document.where}, {key} {n}") for n, each in enumerate(found, 1)]
