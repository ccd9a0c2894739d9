"""A table of results: values with the texts that people read, the best ones marked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ..errors import one_line

DASH = "–"

Value = str | int | float | None


class Kind(Enum):
    """What a column holds, and so how its values are shown."""

    TEXT = "text"
    COUNT = "count"
    PERCENT = "percent"  # a fraction, shown times 100 with two digits
    POINTS = "points"  # a difference of fractions, likewise, with its sign
    DECIMAL = "decimal"  # such as a correlation, with three digits
    PROBABILITY = "probability"

    def shown(self, value: Value) -> str:
        """Return the text of a value; a dash for None, which is undefined or not attempted."""
        if value is None or value == "":
            return DASH if value is None else ""
        if isinstance(value, str):
            return one_line(value)
        if not math.isfinite(value):
            raise ValueError(f"{value} in a table: what is undefined is None")
        shown = _SHOWN[self].format(value).removesuffix("%")  # the heading or the title says it
        if shown.startswith("-") and float(shown) == 0:
            shown = _SHOWN[self].format(0.0).removesuffix("%")
        return shown


_SHOWN = {
    Kind.TEXT: "{}",
    Kind.COUNT: "{}",
    Kind.PERCENT: "{:.2%}",
    Kind.POINTS: "{:+.2%}",
    Kind.DECIMAL: "{:.3f}",
    Kind.PROBABILITY: "{:.4f}",
}


@dataclass(frozen=True)
class Column:
    """A column: its name in files, its heading for people, and how its values are shown.

    best: the sign of the best value, 1 for the highest, -1 for the lowest, 0 where none is better.
    """

    name: str
    heading: str
    kind: Kind = Kind.TEXT
    best: int = 0

    @property
    def is_number(self) -> bool:
        """Whether its cells are set to the right."""
        return self.kind is not Kind.TEXT

    def shown(self, value: Value) -> str:
        """Return a cell's text."""
        return self.kind.shown(value)


@dataclass(frozen=True)
class Cell:
    """A value and its text; `is_best` where no other row of its group has a better one."""

    value: Value
    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells under their columns; `name` stands in files, `title` above it for people.

    grouped: whether the first column names a group, among whose rows the best are looked for, and
    which isn't repeated where people read it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    grouped: bool = False
    notes: tuple[str, ...] = ()

    @property
    def headings(self) -> tuple[str, ...]:
        """The columns' headings."""
        return tuple(column.heading for column in self.columns)

    def texts(self) -> list[tuple[Cell, ...]]:
        """Return the rows as people read them: a group's name in its first row only."""
        if not self.grouped:
            return list(self.rows)
        shown, before = [], None
        for first, *others in self.rows:
            name = Cell(first.value, "") if first.value == before else first
            before = first.value
            shown.append((name, *others))
        return shown


def make_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Value]],
    grouped: bool = False,
    notes: Sequence[str] = (),
    across: bool = False,
) -> Table:
    """Return a table of values, the best of each ranked column marked.

    across: the highest percentage of each row is marked instead, where columns are compared.
    Of values that look equal all are best; a single row has no best of a column. Raises ValueError
    for NaN or an infinity: what is undefined is None.
    """
    groups: dict[Value, list[list[Cell]]] = {}
    listed = []
    for values in rows:
        cells = [
            Cell(value, column.shown(value))
            for column, value in zip(columns, values, strict=True)
        ]  # fmt: skip
        groups.setdefault(cells[0].value if grouped else None, []).append(cells)
        listed.append(cells)
    for members in groups.values():
        _mark_best(columns, members)
    if across:
        places = [place for place, each in enumerate(columns) if each.kind is Kind.PERCENT]
        for row in listed:
            _mark_best_of_row(row, places)
    return Table(name, title, tuple(columns), tuple(map(tuple, listed)), grouped, tuple(notes))


def _mark_best(columns: Sequence[Column], rows: list[list[Cell]]) -> None:
    for place, column in enumerate(columns):
        shown = [row[place].text for row in rows if row[place].value is not None]
        if column.best == 0 or len(rows) < 2 or not shown:
            continue
        best = max(shown, key=lambda text: column.best * float(text))
        for row in rows:
            if row[place].text == best:
                row[place] = Cell(row[place].value, best, is_best=True)


def _mark_best_of_row(row: list[Cell], places: Sequence[int]) -> None:
    shown = [row[place].text for place in places if row[place].value is not None]
    if len(places) < 2 or not shown:
        return
    best = max(shown, key=float)
    for place in places:
        if row[place].text == best:
            row[place] = Cell(row[place].value, best, is_best=True)
