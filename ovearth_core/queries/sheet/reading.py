"""A filled-in review sheet: its lines as the file has them, then its rows by their columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from .columns import ANSWER, DECISION, NEW_TEXT, QUERY, READ, REASON, ROW, TEXT

MOST_READ_ROWS = 100_000


class Unusable(str):
    """A cell that holds no text, but a formula or a spreadsheet's error: refused where it counts.

    It is the text of what it holds.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Line:
    """One line of a file: its number from 1, and its cells' texts."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class SheetRow:
    """One row that people filled in; texts as the cells have them, but for blanks at their ends."""

    line: int
    row_id: str
    text: str
    query_id: str = ""
    answer: str = ""
    decision: str = ""
    new_text: str = ""
    reason: str = ""

    @property
    def is_judged(self) -> bool:
        """Whether anything was filled in."""
        return any((self.answer, self.decision, self.new_text, self.reason))


def sheet_rows(lines: Iterable[Line], path: Path) -> Iterator[SheetRow]:
    """Yield the rows below the line with the columns' names; blank ones are left out.

    InputError where the names aren't there, or twice.
    """
    places: dict[str, int] | None = None
    for line in lines:
        if not any(cell.strip() for cell in line.cells):
            continue
        if places is None:
            places = _places(line, path)
            continue
        cells = {name: _cell(line, name, place, path) for name, place in places.items()}
        yield SheetRow(
            line.number, cells[ROW.name].strip(), cells[TEXT.name],
            cells.get(QUERY.name, "").strip(), cells[ANSWER.name].strip(),
            cells[DECISION.name].strip(), cells[NEW_TEXT.name].strip(), cells[REASON.name].strip(),
        )  # fmt: skip
    if places is None:
        raise InputError("an empty sheet", str(path), "export one, and fill it in")


def _places(line: Line, path: Path) -> dict[str, int]:
    names = [cell.strip().lower() for cell in line.cells]
    where = f"{path} row {line.number}"
    for column in READ:
        if column.name not in names:
            raise InputError(
                f"no column {column.name!r}", where, "give it the names that the export had"
            )
        if names.count(column.name) > 1:
            raise InputError(f"two columns {column.name!r}", where, "remove one")
    wanted = {column.name for column in (*READ, QUERY)}
    return {name: place for place, name in enumerate(names) if name in wanted}


def _cell(line: Line, name: str, place: int, path: Path) -> str:
    cell = line.cells[place] if place < len(line.cells) else ""
    if isinstance(cell, Unusable):
        raise InputError(
            f"a formula or an error ({cell[:40]!r}) in the column {name!r}",
            f"{path} row {line.number}", "write a text in its place",
        )  # fmt: skip
    return cell
