"""The score tables that people read: percentages, the best in bold, a dash for undefined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..benchmark import MODALITIES, TASKS
from .table import DASH, Column, Kind, Table, make_table
from .table_terminal import print_table

__all__ = ["DASH", "print_tables", "score_tables"]

_COUNT, _PERCENT = Kind.COUNT, Kind.PERCENT
_SEGMENTATION = (
    Column("queries", "queries", _COUNT),
    Column("ma_p", "ma-P", _PERCENT, 1),
    Column("ma_r", "ma-R", _PERCENT, 1),
    Column("ma_iou", "ma-IoU", _PERCENT, 1),
    Column("mi_iou", "mi-IoU", _PERCENT, 1),
    Column("ann_miou", "Ann.-mIoU", _PERCENT, 1),
    Column("cat_miou", "Cat.-mIoU", _PERCENT, 1),
)
_DETECTION = (
    Column("queries", "queries", _COUNT),
    Column("tp_50", "TP", _COUNT),
    Column("fp_50", "FP", _COUNT),
    Column("fn_50", "FN", _COUNT),
    Column("mi_p_50", "mi-P50", _PERCENT, 1),
    Column("mi_r_50", "mi-R50", _PERCENT, 1),
    Column("mi_f1_50", "mi-F1 50", _PERCENT, 1),
    Column("mi_f1_50_95", "mi-F1 50:95", _PERCENT, 1),
)
_PRESENCE = (
    Column("tp", "TP", _COUNT),
    Column("fp", "FP", _COUNT),
    Column("tn", "TN", _COUNT),
    Column("fn", "FN", _COUNT),
    Column("mcc", "MCC", Kind.DECIMAL, 1),
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

    Their first columns are the group, a task or for presence a modality, and the model. The best
    of a column is that of its group. Runs that don't attempt a group have no row there.
    """
    runs = _distinct(document["runs"])
    for section, title, heading, metrics in _SECTIONS:
        groups = {name for run in runs for name in run.get(section, ())}
        rows = [
            [group, run["model"], *(run[section][group][column.name] for column in metrics)]
            for group in sorted(groups, key=_ORDER.index)
            for run in runs
            if group in run.get(section, ())
        ]
        if rows:
            columns = (Column(heading, heading), Column("model", "model"), *metrics)
            yield make_table(section, title, columns, rows, grouped=True)


def print_tables(document: Mapping[str, Any]) -> None:
    """Print all tables of a scores document to standard output."""
    from rich.console import Console

    console = Console(highlight=False)
    for table in score_tables(document):
        print_table(table, console)
    marked = "in bold" if console.is_terminal else "marked *"
    console.print(f"Metrics in percent, MCC from -1 to 1; the best of each group {marked}.")


def _distinct(runs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the runs, those of one model's name told apart by a number."""
    met: Counter[str] = Counter()
    named = []
    for run in runs:
        model = run["model"]
        met[model] += 1
        named.append({**run, "model": f"{model} ({met[model]})" if met[model] > 1 else model})
    return named
