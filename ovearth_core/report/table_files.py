"""Tables as files: text, Markdown, CSV, LaTeX and JSON, by the ending of the file's name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError, one_line
from ..spelling import nearest
from .latex import latex
from .plain_table import plain_lines
from .table import Cell, Table

_BEST = "*"


def tables_text(tables: Sequence[Table], path: Path) -> str:
    """Return the tables as the file `path` is to hold them.

    Its ending is .txt, .md, .csv, .tex (booktabs) or .json; raises UsageError for another.
    """
    check_ending(path)
    return _WRITERS[path.suffix.lower()](tables)


def check_ending(path: Path) -> None:
    """Raise UsageError for a file name that says no kind of table."""
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        raise UsageError(f"no table of kind {ending!r}", str(path), nearest(ending, _WRITERS))


def plain_text(tables: Sequence[Table]) -> str:
    """Return the tables as aligned text, the best marked with a star."""
    return "\n".join("\n".join(_plain(table)) + "\n" for table in tables)


def _plain(table: Table) -> Iterable[str]:
    yield table.title
    numbers = frozenset(place for place, each in enumerate(table.columns) if each.is_number)
    rows = [[_starred(cell) for cell in row] for row in table.texts()]
    yield from (line.rstrip() for line in plain_lines(table.headings, rows, numbers)[1:-1])
    yield from table.notes


def _starred(cell: Cell) -> str:
    return f"{_BEST}{cell.text}" if cell.is_best else cell.text


def markdown(tables: Sequence[Table]) -> str:
    """Return the tables in GitHub's Markdown, the best in bold."""
    return "\n".join("\n".join(_markdown(table)) + "\n" for table in tables)


def _markdown(table: Table) -> Iterable[str]:
    yield f"**{_escaped_markdown(table.title)}**"
    yield ""
    yield _markdown_row(map(_escaped_markdown, table.headings))
    yield _markdown_row("---:" if column.is_number else "---" for column in table.columns)
    for row in table.texts():
        texts = ((_escaped_markdown(cell.text), cell.is_best) for cell in row)
        yield _markdown_row(f"**{text}**" if is_best else text for text, is_best in texts)
    for note in table.notes:
        yield ""
        yield _escaped_markdown(note)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|~#$&])", r"\\\1", one_line(text))


def csv_text(tables: Sequence[Table]) -> str:
    """Return the tables as one CSV: fractions in full precision, what is undefined empty.

    Of several tables, a first column names each row's, and the others are all that any has.
    """
    names = list(dict.fromkeys(column.name for table in tables for column in table.columns))
    first = [] if len(tables) == 1 else ["table"]
    out = io.StringIO()
    writer = csv.DictWriter(out, [*first, *names], lineterminator="\n")
    writer.writeheader()
    for table in tables:
        for row in table.rows:
            cells = zip(table.columns, row, strict=True)
            record = {column.name: _csv_cell(cell) for column, cell in cells}
            writer.writerow({**({"table": table.name} if first else {}), **record})
    return out.getvalue()


def _csv_cell(cell: Cell) -> str | int | float:
    if cell.value is None:
        return ""
    return one_line(cell.value) if isinstance(cell.value, str) else cell.value


def tables_json(tables: Sequence[Table]) -> str:
    """Return the tables as JSON: for each its name, title, columns, and rows of full values."""
    return json.dumps([_document(table) for table in tables], indent=1, ensure_ascii=False) + "\n"


def _document(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "columns": [
            {"name": column.name, "heading": column.heading, "kind": column.kind.value}
            for column in table.columns
        ],
        "rows": [
            {
                column.name: cell.value
                for column, cell in zip(table.columns, row, strict=True)
            }
            for row in table.rows
        ],
        "best": [
            [column.name for column, cell in zip(table.columns, row, strict=True) if cell.is_best]
            for row in table.rows
        ],
        "notes": list(table.notes),
    }  # fmt: skip


_WRITERS: dict[str, Callable[[Sequence[Table]], str]] = {
    ".txt": plain_text,
    ".md": markdown,
    ".csv": csv_text,
    ".tex": latex,
    ".json": tables_json,
}
