"""Tables as a page shows them: in groups, and not longer than a page can bear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...errors import one_line
from ..table import Cell, Table

# A table of 49 models in three tasks has 1,500.
_MOST_CELLS = 2000
_LEAST_ROWS = 20
_LONGEST_TEXT = 240


@dataclass(frozen=True)
class ShownHeading:
    """A column's heading."""

    text: str
    is_number: bool = False


@dataclass(frozen=True)
class ShownGroup:
    """Rows under a name, which is empty where there are no groups."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class ShownTable:
    """A table for the page. left_out: how many rows it lacks."""

    title: str
    headings: tuple[ShownHeading, ...]
    groups: tuple[ShownGroup, ...]
    notes: tuple[str, ...] = ()
    left_out: int = 0
    is_ranking: bool = False

    @property
    def row_count(self) -> int:
        """How many rows it shows."""
        return sum(len(group.rows) for group in self.groups)


def shown_table(table: Table, is_whole: bool = False) -> ShownTable:
    """Return a table as the page shows it; `is_whole`: with all of its rows."""
    skipped = 1 if table.grouped else 0
    headings = tuple(
        ShownHeading(shortened(column.heading), column.is_number)
        for column in table.columns[skipped:]
    )
    most = max(_LEAST_ROWS, _MOST_CELLS // max(1, len(headings)))
    kept = table.rows if is_whole else _some_of_each_group(table, most)
    groups: dict[str, list[tuple[Cell, ...]]] = {}
    for row in kept:
        name = row[0].text if table.grouped else ""
        shown = tuple(replace(cell, text=shortened(cell.text)) for cell in row[skipped:])
        groups.setdefault(name, []).append(shown)
    return ShownTable(
        shortened(table.title),
        headings,
        tuple(ShownGroup(shortened(name), tuple(rows)) for name, rows in groups.items()),
        tuple(map(one_line, table.notes)),
        len(table.rows) - len(kept),
    )


def ranked(table: Table, by: str) -> ShownTable:
    """Return a whole table, each group's rows in the order of a column, highest first."""
    place = [column.name for column in table.columns].index(by)

    def order(row: Sequence[Cell]) -> tuple[int, bool, float]:
        value = row[place].value
        if not isinstance(value, (int, float)):
            return groups.index(row[0].text), True, 0.0
        return groups.index(row[0].text), False, -float(value)

    groups = list(dict.fromkeys(row[0].text for row in table.rows))
    rows = tuple(sorted(table.rows, key=order))
    return replace(shown_table(replace(table, rows=rows), is_whole=True), is_ranking=True)


def listed_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int]
) -> ShownTable:
    """Return a table of texts; `numbers`: the columns that hold numbers."""
    return ShownTable(
        title,
        tuple(ShownHeading(shortened(text), n in numbers) for n, text in enumerate(headings)),
        (ShownGroup("", tuple(tuple(Cell(c, shortened(c)) for c in row) for row in rows)),),
    )


def shortened(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Return a text on one line, cut where it is longer."""
    plain = one_line(text)
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"


def _some_of_each_group(table: Table, most: int) -> list[tuple[Cell, ...]]:
    """Return the first rows of each group, as many of each as there is room for."""
    names = [row[0].text if table.grouped else "" for row in table.rows]
    share = max(1, most // max(1, len(set(names))))
    met: dict[str, int] = {}
    kept = []
    for name, row in zip(names, table.rows, strict=True):
        met[name] = met.get(name, 0) + 1
        if met[name] <= share:
            kept.append(row)
    return list(table.rows) if len(table.rows) <= most else kept
