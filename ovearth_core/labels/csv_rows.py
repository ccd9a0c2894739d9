"""CSV, its cells line by line, whatever divides them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from .label_text import line_place, lines_of

# Of one quoted text: a quote that is never closed would take in the rest of the file.
_MOST_LINES = 20
_DELIMITERS = ",;\t|"


def rows_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines' cells with the number of the line, the header too.

    InputError, with the line, for what is no CSV and for lines of another length than the first.
    """
    delimiter = ","
    columns = None
    begun: list[str] = []
    for number, text in lines_of(path):
        if columns is None and not begun:
            delimiter = max(_DELIMITERS, key=text.count)
        begun.append(text)
        first = number - len(begun) + 1
        try:
            (cells,) = csv.reader(["\n".join(begun)], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError) as fault:
            # A quoted text may go on in the next line.
            if "unexpected end" in str(fault) and len(begun) < _MOST_LINES:
                continue
            raise InputError(f"no CSV ({fault})", line_place(path, first), "mend it") from None
        begun = []
        columns = columns or len(cells)
        if len(cells) != columns:
            what = f"{len(cells)} values under {columns} columns"
            raise InputError(what, line_place(path, first), "mend that line")
        yield first, cells
    if begun:
        raise InputError("a quote without an end", line_place(path, first), "close it")
