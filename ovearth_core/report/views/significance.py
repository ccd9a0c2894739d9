"""Significance, as shown: intervals, and which differences are sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.scores import METRIC_NAMES
from ...spelling import counted
from ..drawing import COLOURS, label, nothing_to_draw
from ..table import Column, Kind, Table, make_table

_MOST_LINES = 30
# By metric, where it is no percentage: what it is multiplied by, and its axis.
_SCALES = {"mcc": (1, "MCC")}


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield intervals, then the differences of all pairs; last the same of presence."""
    found = list(_tasks(document))
    columns = (
        Column("task", "task"),
        Column("model", "model"),
        Column("score", "score", Kind.PERCENT, 1),
        Column("low", "2.5 %", Kind.PERCENT),
        Column("high", "97.5 %", Kind.PERCENT),
    )
    rows = [
        [name, *(run[column.name] for column in columns[1:])]
        for name, each in found
        for run in each["runs"]
    ]
    drawn = f"{document['resamples']} resamples of images, seed {document['seed']}"
    title = f"Scores with bootstrap intervals ({drawn})"
    notes = document["notes"]
    yield make_table("significance", title, columns, rows, grouped=True, notes=notes)
    yield _pairs("significance-pairs", "task", Kind.POINTS, found)
    presence = list(document["presence"].items())
    if presence:
        yield _presence(presence)
        yield _pairs("significance-presence-pairs", "presence by", Kind.DECIMAL, presence)


def _pairs(name: str, by: str, kind: Kind, found: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    columns = (
        Column("task" if kind is Kind.POINTS else "modality", by),
        Column("first", "first"),
        Column("second", "second"),
        Column("delta", "first − second", kind),
        Column("p", "p", Kind.PROBABILITY),
        Column("p_holm", "p, Holm", Kind.PROBABILITY),
        Column("is_significant", "below 0.05"),
    )
    rows = [
        [
            group, *(pair[column.name] for column in columns[1:-1]),
            "yes" if pair["is_significant"] else "no",
        ]
        for group, each in found
        for pair in each["pairs"]
    ]  # fmt: skip
    of = "a task" if kind is Kind.POINTS else "presence MCC"
    title = f"Paired bootstrap tests, corrected for all pairs of {of} (Holm)"
    return make_table(name, title, columns, rows, grouped=True)


def _presence(presence: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    columns = (
        Column("modality", "presence by"),
        Column("model", "model"),
        Column("score", "MCC", Kind.DECIMAL, 1),
        Column("low", "2.5 %", Kind.DECIMAL),
        Column("high", "97.5 %", Kind.DECIMAL),
        Column("undefined", "undefined", Kind.COUNT),
    )
    rows = [
        [modality, *(run[column.name] for column in columns[1:])]
        for modality, each in presence
        for run in each["runs"]
    ]
    title = "Presence MCC with bootstrap intervals; undefined resamples are left out"
    return make_table("significance-presence", title, columns, rows, grouped=True)


def _tasks(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for modality, tasks in document["modalities"].items():
        for task, found in tasks.items():
            yield f"{task}, {modality}", found


def _all(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from _tasks(document)
    for modality, found in document["presence"].items():
        yield f"presence, {modality}", found


def sentence(document: Mapping[str, Any]) -> str:
    """Say how many differences are sure."""
    pairs = [pair for _, found in _all(document) for pair in found["pairs"]]
    if not pairs:
        return "There are no two models, or no two images, to compare."
    sure = sum(pair["is_significant"] for pair in pairs)
    are = "is" if sure == 1 else "are"
    return (
        f"{sure} of {counted(len(pairs), 'difference', 'differences')} between two models {are}"
        " significant at 0.05 after correction for many comparisons."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    found = [each for _, each in _all(document)]
    most = max((min(len(each["runs"]), _MOST_LINES) for each in found), default=1)
    rows = max(1, -(-len(found) // 3))
    return 3.5 * min(max(len(found), 1), 3) + 0.2, rows * (1.0 + 0.2 * most)


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw scores with their intervals."""
    found = list(_all(document))
    if not found:
        nothing_to_draw(figure, "nothing was answered that can be compared")
        return
    rows = -(-len(found) // 3)
    grid = figure.subplots(rows, -(-len(found) // rows), squeeze=False).ravel()
    for axes, (name, each) in zip(grid, found, strict=False):
        runs = each["runs"][:_MOST_LINES]
        scale, axis = _SCALES.get(each["metric"], (100, f"{METRIC_NAMES.get(each['metric'])} (%)"))
        for place, run in enumerate(runs):
            if run["low"] is not None:
                ends = [scale * run["low"], scale * run["high"]]
                axes.plot(ends, [place, place], color=COLOURS[0], linewidth=2)
            axes.plot([scale * run["score"]], [place], color=COLOURS[0], marker="o")
        axes.set_yticks(range(len(runs)), [label(run["model"], 24) for run in runs])
        axes.set(title=name, xlabel=axis, ylim=(len(runs) - 0.5, -0.5))
    for axes in grid[len(found) :]:
        axes.set_axis_off()
