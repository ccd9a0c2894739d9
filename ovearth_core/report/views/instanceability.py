"""Instanceability, as shown: Figure 11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.instanceability import PARTS
from ...analysis.ranking import TIE
from ...spelling import counted
from ..drawing import (
    COLOURS,
    LEGEND_ROW_INCHES,
    MARKERS,
    label,
    legend_below,
    nothing_to_draw,
    panels,
)
from ..table import Column, Kind, Table, make_table

_WORDS = {"instanceable": "instanceable", "non_instanceable": "non-instanceable"}
_MOST_LINES = 6
_LEGEND_COLUMNS = 3


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the scores of both parts for each model."""
    rows = [
        [task, run["model"], *(run[part] for part in PARTS), run["delta"]]
        for task, found in document["tasks"].items()
        for run in found["runs"]
    ]
    columns = (
        Column("task", "task"),
        Column("model", "model"),
        *(Column(part, _WORDS[part], Kind.PERCENT, 1) for part in PARTS),
        Column("delta", "Δ", Kind.POINTS),
    )
    counts = [
        f"{task}: {found['parts'][part]['targets']} {_WORDS[part]} targets of"
        f" {found['parts'][part]['categories']} categories,"
        f" {found['parts'][part]['queries']} queries"
        for task, found in document["tasks"].items()
        for part in PARTS
    ]
    title = "ma-IoU on instanceable and non-instanceable targets"
    yield make_table(
        "instanceability", title, columns, rows, grouped=True, notes=[*counts, *document["notes"]]
    )


def sentence(document: Mapping[str, Any]) -> str:
    """Say for how many models areas are easier."""
    deltas = [
        run["delta"]
        for found in document["tasks"].values()
        for run in found["runs"]
        if run["delta"] is not None
    ]
    if not deltas:
        return "No task has targets of both kinds."
    higher, equal = sum(delta > TIE for delta in deltas), sum(abs(delta) <= TIE for delta in deltas)
    also = f", in {equal} as high" if equal else ""
    return (
        f"In {higher} of {counted(len(deltas), 'pair', 'pairs')} of model and task,"
        f" non-instanceable targets (areas and lines) score higher than the others{also}."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    rows = -(-len(_shown(document)) // _LEGEND_COLUMNS)
    return 2.6 * max(len(document["tasks"]), 1) + 1.6, 3.0 + LEGEND_ROW_INCHES * rows


def _shown(document: Mapping[str, Any]) -> list[str]:
    """Return the models that are drawn, in the order of their colours."""
    chosen = [run for each in document["tasks"].values() for run in _chosen(each["runs"])]
    return list(dict.fromkeys(run["model"] for run in chosen))


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw both scores of chosen models; the lines only help to read."""
    found = {task: each for task, each in document["tasks"].items() if each["runs"]}
    if not found:
        nothing_to_draw(figure, "no masks of positive queries")
        return
    all_axes = panels(figure, len(found), sharey=True)
    looks = {model: number for number, model in enumerate(_shown(document))}
    drawn: dict[str, Any] = {}
    for axes, (task, each) in zip(all_axes, found.items(), strict=True):
        for run in _chosen(each["runs"]):
            number = looks[run["model"]]
            again = number // len(COLOURS)  # the same colours with other markers
            values = [None if run[part] is None else 100 * run[part] for part in PARTS]
            (drawn[run["model"]],) = axes.plot(
                [0, 1],
                [float("nan") if value is None else value for value in values],
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[(number + again) % len(MARKERS)],
                label=label(run["model"]),
            )
        axes.set_xticks([0, 1], [_WORDS[part] for part in PARTS])
        axes.set(title=task, xlim=(-0.3, 1.3))
    all_axes[0].set_ylabel("ma-IoU (%)")
    all_axes[0].set_ylim(bottom=0)
    rows = -(-len(drawn) // _LEGEND_COLUMNS)
    legend_below(
        figure, rows, handles=list(drawn.values()), ncols=_LEGEND_COLUMNS, frameon=False
    )  # fmt: skip


def _chosen(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return all of few models; else the best two of each interface, or the best of all."""
    if len(runs) <= _MOST_LINES:
        return list(runs)
    best = sorted(runs, key=lambda run: -run["ma_iou"])
    interfaces = dict.fromkeys(run["interface"] for run in best if run["interface"])
    if not interfaces:
        return best[:_MOST_LINES]
    return [
        run
        for interface in interfaces
        for run in [each for each in best if each["interface"] == interface][:2]
    ]
