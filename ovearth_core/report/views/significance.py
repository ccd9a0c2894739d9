"""Significance, as shown: intervals, and which differences are sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...analysis.scores import METRIC_NAMES
from ..drawing import COLOURS, label, nothing_to_draw
from ..table import Column, Kind, Table, make_table

_MOST_LINES = 30


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield intervals, then the differences of all pairs."""
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
    compared = (
        Column("task", "task"),
        Column("first", "first"),
        Column("second", "second"),
        Column("delta", "first − second", Kind.POINTS),
        Column("p", "p", Kind.PROBABILITY),
        Column("p_holm", "p, Holm", Kind.PROBABILITY),
        Column("is_significant", "below 0.05"),
    )
    rows = [
        [
            name, *(pair[column.name] for column in compared[1:-1]),
            "yes" if pair["is_significant"] else "no",
        ]
        for name, each in found
        for pair in each["pairs"]
    ]  # fmt: skip
    title = "Paired bootstrap tests, corrected for all pairs of a task (Holm)"
    yield make_table("significance-pairs", title, compared, rows, grouped=True)


def _tasks(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for modality, tasks in document["modalities"].items():
        for task, found in tasks.items():
            yield f"{task}, {modality}", found


def sentence(document: Mapping[str, Any]) -> str:
    """Say how many differences are sure."""
    pairs = [pair for _, found in _tasks(document) for pair in found["pairs"]]
    if not pairs:
        return "There are no two models, or no two images, to compare."
    sure = sum(pair["is_significant"] for pair in pairs)
    return (
        f"{sure} of {len(pairs)} differences between two models are significant at 0.05 after"
        " correction for many comparisons."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    found = [each for _, each in _tasks(document)]
    most = max((min(len(each["runs"]), _MOST_LINES) for each in found), default=1)
    rows = max(1, -(-len(found) // 3))
    return 3.5 * min(max(len(found), 1), 3) + 0.2, rows * (1.0 + 0.2 * most)


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw scores with their intervals."""
    found = list(_tasks(document))
    if not found:
        nothing_to_draw(figure, "nothing was answered that can be compared")
        return
    rows = -(-len(found) // 3)
    grid = figure.subplots(rows, -(-len(found) // rows), squeeze=False).ravel()
    for axes, (name, each) in zip(grid, found, strict=False):
        runs = each["runs"][:_MOST_LINES]
        for place, run in enumerate(runs):
            if run["low"] is not None:
                ends = [100 * run["low"], 100 * run["high"]]
                axes.plot(ends, [place, place], color=COLOURS[0], linewidth=2)
            axes.plot([100 * run["score"]], [place], color=COLOURS[0], marker="o")
        axes.set_yticks(range(len(runs)), [label(run["model"], 24) for run in runs])
        metric = METRIC_NAMES[each["metric"]]
        axes.set(title=name, xlabel=f"{metric} (%)", ylim=(len(runs) - 0.5, -0.5))
    for axes in grid[len(found) :]:
        axes.set_axis_off()
