"""The score tables that people read: percentages, the best in bold, a dash for undefined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..benchmark import MODALITIES, TASKS
from ..errors import one_line

DASH = "–"
_WIDE = 240
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Column:
    """One metric: its key in a scores file, its heading, and whether it is shown in percent."""

    key: str
    heading: str
    in_percent: bool = True
    is_ranked: bool = True

    def shown(self, value: float | int | None) -> str:
        """Return the cell's text; None is undefined or not attempted."""
        if value is None:
            return DASH
        if not self.is_ranked:
            return str(value)
        return f"{100 * value:.2f}" if self.in_percent else f"{value:.3f}"


@dataclass(frozen=True)
class Cell:
    """One shown value; `is_best` where no other run's is higher."""

    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Row:
    """One run's cells in one group: a task, or for presence a modality."""

    group: str
    model: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """One section of the scores; its rows stand group by group, runs in their order."""

    title: str
    group_heading: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]


_SEGMENTATION = (
    Column("queries", "queries", is_ranked=False),
    Column("ma_p", "ma-P"),
    Column("ma_r", "ma-R"),
    Column("ma_iou", "ma-IoU"),
    Column("mi_iou", "mi-IoU"),
    Column("ann_miou", "Ann.-mIoU"),
    Column("cat_miou", "Cat.-mIoU"),
)
_DETECTION = (
    Column("queries", "queries", is_ranked=False),
    Column("tp_50", "TP", is_ranked=False),
    Column("fp_50", "FP", is_ranked=False),
    Column("fn_50", "FN", is_ranked=False),
    Column("mi_p_50", "mi-P50"),
    Column("mi_r_50", "mi-R50"),
    Column("mi_f1_50", "mi-F1 50"),
    Column("mi_f1_50_95", "mi-F1 50:95"),
)
_PRESENCE = (
    Column("tp", "TP", is_ranked=False),
    Column("fp", "FP", is_ranked=False),
    Column("tn", "TN", is_ranked=False),
    Column("fn", "FN", is_ranked=False),
    Column("mcc", "MCC", in_percent=False),
)
_SECTIONS = (
    ("segmentation", "Segmentation", "task", _SEGMENTATION),
    ("hbb", "Horizontal boxes", "task", _DETECTION),
    ("obb", "Oriented boxes", "task", _DETECTION),
    ("presence", "Presence, vocabulary queries", "modality", _PRESENCE),
)
_ORDER = (*TASKS, *MODALITIES)


def score_tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the tables of an `ovearth-scores/1` document that some run has numbers for.

    The best of a column is that of its group. Runs that don't attempt a group have no row there.
    """
    runs = _distinct(document["runs"])
    for section, title, heading, columns in _SECTIONS:
        groups = {name for run in runs for name in run.get(section, ())}
        rows: list[Row] = []
        for group in sorted(groups, key=_ORDER.index):
            scored = [
                (run["model"], run[section][group]) for run in runs if group in run.get(section, ())
            ]
            rows += _rows(group, columns, scored)
        if rows:
            yield Table(title, heading, tuple(column.heading for column in columns), tuple(rows))


def _distinct(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the runs, those of one model's name told apart by a number."""
    met: Counter[str] = Counter()
    named = []
    for run in runs:
        model = run["model"]
        met[model] += 1
        named.append({**run, "model": f"{model} ({met[model]})" if met[model] > 1 else model})
    return named


def _rows(
    group: str, columns: Sequence[Column], scored: Sequence[tuple[str, Mapping[str, Any]]]
) -> Iterator[Row]:
    best = {column.key: _best(column, [values for _, values in scored]) for column in columns}
    for model, values in scored:
        texts = [(column.key, column.shown(values[column.key])) for column in columns]
        yield Row(group, model, tuple(Cell(text, text == best[key]) for key, text in texts))


def _best(column: Column, scored: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the highest value as shown, so that what looks equal is equally best."""
    shown = [column.shown(values[column.key]) for values in scored]
    ranked = [text for text in shown if text != DASH]
    return max(ranked, key=float) if column.is_ranked and len(shown) > 1 and ranked else None


def print_tables(document: Mapping[str, Any]) -> None:
    """Print all tables of a scores document to standard output."""
    from rich.console import Console

    console = Console(highlight=False)
    for table in score_tables(document):
        shown = _shown(table, console.is_terminal)
        # Numbers are never cut or folded: where the window is narrow, its own lines wrap.
        wide = Console(width=_WIDE).measure(shown).maximum
        console.width = max(console.width, wide)
        console.print(shown)
    marked = "in bold" if console.is_terminal else "marked *"
    console.print(f"Metrics in percent, MCC from -1 to 1; the best of each group {marked}.")


def _shown(table: Table, in_bold: bool) -> Any:
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
    shown.add_column(table.group_heading, no_wrap=True)
    shown.add_column("model", no_wrap=True)
    for heading in table.headings:
        shown.add_column(heading, justify="right", no_wrap=True)
    before = ""
    for row in table.rows:
        name = "" if row.group == before else row.group
        before = row.group
        cells = [
            Text(cell.text, style="bold" if cell.is_best else "")
            # Where bold can't be seen, a star says the same.
            if in_bold or not cell.is_best
            else Text(f"*{cell.text}")
            for cell in row.cells
        ]
        shown.add_row(name, Text(_shortened(row.model)), *cells)
    return shown


def _shortened(model: str) -> str:
    name = one_line(model)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
