"""Tables on a terminal, or as plain text where standard output is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .table import Cell, Table

if TYPE_CHECKING:
    from rich.console import Console

_WIDE = 1000
_LONGEST_TEXT = 60
_LONGEST_NAME = 40


def print_table(table: Table, console: Console, most: int | None = None) -> int:
    """Print a table; the best is bold, or where bold can't be seen has a star.

    most: so many rows only; returns how many were left out.
    """
    from rich.console import Console
    from rich.text import Text

    shown = _shown(table, console.is_terminal, most)
    # Numbers are never cut or folded: where the window is narrow, its own lines wrap.
    wide = Console(width=_WIDE).measure(shown).maximum
    console.width = max(console.width, wide)
    if len(table.title) > wide:  # it would be folded to the table's width
        shown.title = None
        console.print(Text(table.title, style="bold"))
    console.print(shown)
    return len(table.rows) - int(shown.row_count)


def _shown(table: Table, in_bold: bool, most_rows: int | None) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=Text(table.title),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in table.columns:
        justify: Any = "right" if column.is_number else "left"
        shown.add_column(Text(column.heading), justify=justify, no_wrap=True)
    longest = [
        _LONGEST_NAME if column.name == "model" else _LONGEST_TEXT for column in table.columns
    ]
    for row in table.texts()[:most_rows]:
        cells = [
            Text(_marked(cell, in_bold, most), style="bold" if cell.is_best else "")
            for cell, most in zip(row, longest, strict=True)
        ]
        shown.add_row(*cells)
    return shown


def _marked(cell: Cell, in_bold: bool, most: int) -> str:
    text = cell.text if len(cell.text) <= most else f"{cell.text[: most - 1]}…"
    return f"*{text}" if cell.is_best and not in_bold else text
