"""A filled-in sheet taken in: each row found by its id, checked, and stored as a judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...dataset import Dataset, Edit, JudgementRow, QueryRow
from ...dataset.judging import OUTCOMES, check_judgement, judge
from ...dataset.review import Person
from ...dataset.rows import ANSWERS
from ...errors import InputError, OVEarthError, UsageError
from ..unseen import without_unseen
from .cell_text import seen, text_of
from .columns import QUERY, ROW, TEXT
from .csv_file import read_csv
from .reading import Line, SheetRow, sheet_rows
from .row_id import RowId
from .workbook_reading import read_workbook

WORKBOOK, CSV = (".xlsx", ".xlsm"), (".csv", ".txt", ".tsv")
_OTHERS = (".ods", ".fods", ".xls", ".xlsb", ".numbers")
_ORIGIN = "sheet"
_MOST_NAMED = 5
_WORDS = {
    "accepted": "accepted", "edited": "edited", "removed": "removed",
    "contested": "contested (no majority)", "waiting": "waiting for other reviewers",
    "stale": "about a text that was changed since (kept, without effect)",
    "repeated": "said before",
}  # fmt: skip


@dataclass
class Imported:
    """What became of a sheet's rows. outcomes: counts of OUTCOMES. blank: rows not filled in.

    lacking: places of rows that the export had and the sheet hasn't, of so many.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    blank: int = 0
    lacking: tuple[int, ...] = ()
    of: int = 0

    def line(self) -> str:
        """Say it in one line."""
        counts = [f"{n} {_WORDS[k]}" for k in OUTCOMES if (n := self.outcomes[k])]
        counts += [f"{self.blank} not filled in"] * bool(self.blank)
        return f"{sum(self.outcomes.values())} judgements: {', '.join(counts) or 'none'}"

    def removed_line(self) -> str | None:
        """Say which rows were taken out of the sheet, None where none was."""
        if not self.lacking:
            return None
        return (
            f"note: {len(self.lacking)} of the {self.of} rows exported are not in the sheet"
            f" ({_named(self.lacking)}), and are not judged"
        )


def read_sheet(path: Path) -> list[SheetRow]:
    """Return the rows of a filled-in sheet, by its name a workbook or CSV."""
    suffix = path.suffix.lower()
    if suffix not in (*WORKBOOK, *CSV):
        mend = "save it as .xlsx or CSV" if suffix in _OTHERS else "give an .xlsx or a .csv file"
        raise UsageError("not the name of a sheet", str(path), mend)
    lines: Iterable[Line] = read_workbook(path) if suffix in WORKBOOK else read_csv(path)
    return list(sheet_rows(lines, path))


@dataclass(frozen=True)
class CheckedSheet:
    """What a sheet says, found good: judgements to store, and what is known of its other rows."""

    judgements: tuple[JudgementRow, ...]
    imported: Imported


def check_sheet(
    dataset: Dataset, path: Path, person: Person, *, is_final: bool = False
) -> CheckedSheet:
    """Return what a person says in a sheet.

    Raises InputError that names the rows whose id was retyped, is there twice or names no text, or
    which contradict themselves; and for a file that is no sheet.
    """
    rows = read_sheet(path)
    with dataset.reading() as view:
        by_number = {query.number or 0: query for query in view.queries()}
        known: dict[str, set[str]] = {}
        for judged in view.judgements():
            known.setdefault(judged.query_id, set()).add(judged.text)
    found, faults = _matched(rows, by_number)
    judgements = []
    for row, query in found:
        if row.is_judged:
            try:
                made = _judgement(row, query, known.get(query.id, ()))
                check_judgement(made)
            except OVEarthError as fault:
                faults.append((row, f"{fault.what}, {fault.mend}"))
                continue
            judgements.append(replace(made, who=person.name, is_final=is_final))
    if faults:
        raise _refused(path, faults)
    return CheckedSheet(tuple(judgements), _counted(rows))


def store_sheet(
    dataset: Dataset,
    checked: CheckedSheet,
    person: Person,
    needed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> Imported:
    """Store what a person says, and return what became of it; progress: after each judgement.

    needed: reviewers whom a text needs before what they say takes effect. Killed in the middle, it
    can be done again: what was said before isn't stored twice.
    """
    imported = checked.imported

    def store(edit: Edit, row: JudgementRow) -> None:
        imported.outcomes[judge(edit, row, needed)] += 1
        progress()

    dataset.write_all(checked.judgements, store, person.name, person.role)
    return imported


Fault = tuple[SheetRow, str]


def _matched(
    rows: Iterable[SheetRow], by_number: dict[int, QueryRow]
) -> tuple[list[tuple[SheetRow, QueryRow]], list[Fault]]:
    found: list[tuple[SheetRow, QueryRow]] = []
    faults: list[Fault] = []
    first: dict[int, int] = {}
    for row in rows:
        row_id = RowId.read(row.row_id)
        query = None if row_id is None else by_number.get(row_id.number)
        fault = _fault(row, row_id, query)
        if fault is None and row_id is not None and row_id.number in first:
            fault = f"the same text as row {first[row_id.number]}, remove one of them"
        if fault is None and row_id is not None and query is not None:
            first[row_id.number] = row.line
            found.append((row, query))
        else:
            faults.append((row, fault or "no row id"))
    return found, faults


def _fault(row: SheetRow, row_id: RowId | None, query: QueryRow | None) -> str | None:
    """Return what is wrong with a row's id, its query's, or its text."""
    if row_id is None:
        what = f"{row.row_id[:40]!r} is no {ROW.name}" if row.row_id else f"no {ROW.name}"
        return f"{what}, copy it from the export, or remove the row"
    if query is None:
        return (
            f"{row.row_id!r} names no text of this dataset, copy it from the export, or remove the"
            " row if its text is gone"
        )
    if not row_id.is_of(query.id):
        return f"{row.row_id!r} was retyped or is another dataset's, copy it from the export"
    return _retyped(row, row_id, query)


def _retyped(row: SheetRow, row_id: RowId, query: QueryRow) -> str | None:
    if row.query_id and text_of(row.query_id) != seen(query.id).strip():
        was = f"the {QUERY.name} {row.query_id[:40]!r} was retyped"
        return f"{was}, write {seen(query.id)[:40]!r} or copy the row from the export"
    if not any(row_id.has(text) for text in (text_of(row.text), row.text)):
        return f"its {TEXT.name} was changed in place, write it into the column new text"
    return None


def _judgement(row: SheetRow, query: QueryRow, known: Iterable[str]) -> JudgementRow:
    shown = text_of(row.text)
    # A cell can't hold every letter: the text itself is in the dataset.
    texts = (query.text, query.original_text or "", *known)
    text = next((each for each in texts if seen(each) in (shown, row.text)), shown)
    decision = row.decision.lower()
    answer = row.answer.lower() or None
    if not decision:
        if answer is not None and answer not in ANSWERS:
            raise UsageError(f"no answer {answer[:40]!r}", mend="give " + ", ".join(ANSWERS))
        if answer != "yes" or row.new_text:
            raise UsageError("no decision", mend="choose accept, edit or remove")
        decision = "accept"
    return JudgementRow(
        None, query.id, query.target_id, text, decision, answer, _written(row.new_text),
        _written(row.reason) or None, origin=_ORIGIN,
    )  # fmt: skip


def _written(cell: str) -> str | None:
    """Return what somebody wrote into a cell; what pasting brought along unseen is taken out."""
    return without_unseen(text_of(cell)).strip() or None


def _counted(rows: Sequence[SheetRow]) -> Imported:
    ids = [row_id for row in rows if (row_id := RowId.read(row.row_id)) is not None]
    totals = {row_id.of for row_id in ids}
    imported = Imported(blank=sum(not row.is_judged for row in rows))
    # Rows of several exports in one sheet: what lacks can't be told.
    if len(totals) == 1:
        imported.of = totals.pop()
        there = {row_id.place for row_id in ids}
        if imported.of <= 10 * (len(rows) + 100_000):
            imported.lacking = tuple(n for n in range(1, imported.of + 1) if n not in there)
    return imported


def _refused(path: Path, faults: Sequence[Fault]) -> InputError:
    faults = sorted(faults, key=lambda fault: fault[0].line)
    told = "; ".join(f"row {row.line}: {what}" for row, what in faults[:_MOST_NAMED])
    more = f"; and {len(faults) - _MOST_NAMED} more rows" if len(faults) > _MOST_NAMED else ""
    return InputError(f"{told}{more}", str(path), "nothing was imported")


def _named(places: Sequence[int]) -> str:
    told = ", ".join(map(str, places[: 2 * _MOST_NAMED]))
    return told + (", …" if len(places) > 2 * _MOST_NAMED else "")
