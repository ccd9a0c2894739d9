"""Aggregation, as shown: Tables 6 to 8, and how ranks move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..drawing import COLOURS, MARKERS, label, legend_below, nothing_to_draw, panels
from ..table import Column, Kind, Table, make_table
from ..words import decimal, in_words

_METRICS = {"ma_iou": "ma-IoU", "ann_miou": "Ann.-mIoU", "cat_miou": "Cat.-mIoU"}
_MOST_LINES = 15
# Of the three averages of a model, which mostly lie on one another.
_STEP = 0.24


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield how rankings agree, then the scores and ranks of each model."""
    tasks = document["tasks"]
    rows = [
        [
            task, len(found["runs"]), found["rho"]["target"], found["rho"]["category"],
            found["top_overlap"]["target"], found["top_overlap"]["category"], found["top"],
        ]
        for task, found in tasks.items()
    ]  # fmt: skip
    columns = (
        Column("task", "task"),
        Column("models", "models", Kind.COUNT),
        Column("rho_target", "ρ target-macro", Kind.DECIMAL),
        Column("rho_category", "ρ category-macro", Kind.DECIMAL),
        Column("top_overlap_target", "same at top, target", Kind.COUNT),
        Column("top_overlap_category", "same at top, category", Kind.COUNT),
        Column("top", "of", Kind.COUNT),
    )
    title = "Rankings by query-macro IoU against target- and category-macro IoU"
    yield make_table("aggregation", title, columns, rows, notes=document["notes"])
    scores = [
        [
            task,
            run["model"],
            *(value for metric in _METRICS for value in (run[metric], run["ranks"][metric])),
        ]
        for task, found in tasks.items()
        for run in found["runs"]
    ]
    metrics = [
        column
        for metric, heading in _METRICS.items()
        for column in (
            Column(metric, heading, Kind.PERCENT, 1),
            Column(f"rank_{metric}", "rank", Kind.COUNT),
        )
    ]
    yield make_table(
        "aggregation-models",
        "Query-, target- and category-macro IoU",
        (Column("task", "task"), Column("model", "model"), *metrics),
        scores,
        grouped=True,
    )


def sentence(document: Mapping[str, Any]) -> str:
    """Say how much the way of averaging matters."""
    rhos = [
        rho
        for found in document["tasks"].values()
        for rho in found["rho"].values()
        if rho is not None
    ]
    if not rhos:
        return "Too few models, or too much alike, to say whether the way of averaging matters."
    kept = [
        task
        for task, found in document["tasks"].items()
        if all(rank == 1 for rank in found["runs"][0]["ranks"].values())
    ]
    first = f"the best model stays the best for {in_words(kept)} queries" if kept else (
        "the best model changes with the way of averaging"
    )  # fmt: skip
    return (
        "Rankings by target- and category-macro IoU correlate with the query-macro ranking at ρ"
        f" {decimal(min(rhos))}{'' if decimal(min(rhos)) == decimal(max(rhos)) else ' or more'};"
        f" {first}."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    tasks = document["tasks"]
    most = max((len(found["runs"]) for found in tasks.values()), default=1)
    return 3.4 * max(len(tasks), 1) + 0.6, 1.9 + 0.22 * min(most, _MOST_LINES)


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw each model's score under the three averages, the best models only."""
    if not document["tasks"]:
        nothing_to_draw(figure, "no masks of positive queries")
        return
    all_axes = panels(figure, len(document["tasks"]))
    for axes, (task, found) in zip(all_axes, document["tasks"].items(), strict=True):
        runs = found["runs"][:_MOST_LINES]
        places = range(len(runs))
        for number, (metric, heading) in enumerate(_METRICS.items()):
            values = [100 * run[metric] for run in runs]
            beside = [place + _STEP * (number - 1) for place in places]
            look = {"color": COLOURS[number], "marker": MARKERS[number], "linestyle": ""}
            axes.plot(values, beside, label=heading, markersize=4.5, **look)
        axes.set_yticks(places, [label(run["model"]) for run in runs])
        axes.set(title=task, xlabel="IoU (%)", ylim=(len(runs) - 0.5, -0.5))
    handles, _ = all_axes[0].get_legend_handles_labels()
    legend_below(figure, handles=handles, ncols=len(handles), frameon=False)
