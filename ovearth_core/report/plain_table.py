"""A table of texts on standard output, aligned, never cut."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

_GAP = "  "
_RULE, _PLAIN_RULE = "─", "-"


def print_plain_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int] = frozenset()
) -> None:
    """Print rows of cells under their headings; the columns in `numbers` are set to the right.

    What can't be printed, a line's end too, is escaped: each row is one line.
    """
    sys.stdout.write("\n".join(plain_lines(headings, rows, numbers, _rule())) + "\n")


def plain_lines(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: frozenset[int] = frozenset(),
    rule: str = _RULE,
) -> list[str]:
    """Return what print_plain_table prints, line by line: a blank one, headings, a rule, rows."""
    # A table of rich takes a millisecond a row.
    from rich.cells import cell_len

    table = [[_printable(cell) for cell in row] for row in (headings, *rows)]
    lengths = [[cell_len(cell) for cell in row] for row in table]
    widths = [max(column) for column in zip(*lengths, strict=True)]
    lines = [
        _line(row, [w - n for w, n in zip(widths, of_row, strict=True)], numbers)
        for row, of_row in zip(table, lengths, strict=True)
    ]
    total = sum(widths) + len(_GAP) * (len(widths) - 1)
    blank = " " * (total + 2)
    return [blank, lines[0], f" {rule * total} ", *lines[1:], blank]


def _line(row: Sequence[str], lacking: Sequence[int], numbers: frozenset[int]) -> str:
    cells = [
        " " * blanks + cell if place in numbers else cell + " " * blanks
        for place, (cell, blanks) in enumerate(zip(row, lacking, strict=True))
    ]
    return f" {_GAP.join(cells)} "


def _printable(cell: str) -> str:
    if cell.isprintable():
        return cell
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cell)


def _rule() -> str:
    try:
        _RULE.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return _PLAIN_RULE
    return _RULE
