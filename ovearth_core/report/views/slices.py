"""Slices, as shown: scores over parts of the queries, error kinds, and the hardest queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.grouping import UNKNOWN
from ...analysis.scores import METRIC_NAMES
from ...errors import one_line
from ..drawing import COLOURS, MARKERS, label, legend_below, nothing_to_draw
from ..table import Column, Kind, Table, Value, make_table

TITLES = {
    "domain": "domain", "branch": "branch", "category": "category", "size": "size of the target",
    "gsd": "GSD", "continent": "continent", "image": "image", "words": "words of the text",
    "area": "area of interest",
}  # fmt: skip
# Of very many groups, drawn only where nothing else was asked for.
_LONG = ("category", "image")
_MOST_LINES, _MOST_GROUPS = 7, 20


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield a table a grouping and modality, the error kinds, and the hardest queries."""
    for grouping, modalities in document["slices"].items():
        for modality, tasks in modalities.items():
            table = _table(document, grouping, modality, tasks)
            if any(row[1].value != UNKNOWN for row in table.rows):
                yield table
    for modality, tasks in document["errors"].items():
        yield _errors(document["kinds"], modality, tasks)
    for modality, tasks in document["hardest"].items():
        yield _hardest(modality, tasks)


def _table(
    document: Mapping[str, Any], grouping: str, modality: str, tasks: Mapping[str, Any]
) -> Table:
    models = list(
        dict.fromkeys(
            model for groups in tasks.values() for group in groups for model in group["runs"]
        )
    )
    metric = METRIC_NAMES[document["metrics"][modality]]
    columns = (
        Column("task", "task"),
        Column("group", TITLES[grouping]),
        Column("queries", "queries", Kind.COUNT),
        Column("targets", "targets", Kind.COUNT),
        *(Column(f"score of {model}", one_line(model), Kind.PERCENT) for model in models),
    )
    rows: list[list[Value]] = [
        [
            task, group["name"], group["queries"], group["targets"],
            *(group["runs"].get(model, {}).get("score") for model in models),
        ]
        for task, groups in tasks.items()
        for group in groups
        if group["queries"]
    ]  # fmt: skip
    title = f"{metric} by {TITLES[grouping]}, {modality}"
    name = f"slices-{grouping}-{modality}"
    return make_table(name, title, columns, rows, grouped=True, across=True)


def _errors(kinds: Sequence[str], modality: str, tasks: Mapping[str, Any]) -> Table:
    columns = (
        Column("task", "task"),
        Column("model", "model"),
        *(Column(kind, kind, Kind.COUNT) for kind in kinds),
    )
    rows = [
        [task, model, *(counts[kind] for kind in kinds)]
        for task, runs in tasks.items()
        for model, counts in runs.items()
    ]
    title = f"Queries by kind of error, {modality}"
    return make_table(f"slices-errors-{modality}", title, columns, rows, grouped=True)


def _hardest(modality: str, tasks: Mapping[str, Any]) -> Table:
    columns = (
        Column("task", "task"),
        Column("query_id", "query"),
        Column("text", "text"),
        Column("polarity", "polarity"),
        Column("category", "category"),
        Column("file_name", "image"),
        Column("mean", "mean", Kind.PERCENT),
        Column("best", "best", Kind.PERCENT),
        Column("best_model", "by"),
    )
    rows = [
        [task, *(query[column.name] for column in columns[1:])]
        for task, queries in tasks.items()
        for query in queries
    ]
    title = f"The hardest queries, {modality}"
    return make_table(f"slices-hardest-{modality}", title, columns, rows, grouped=True)


def sentence(document: Mapping[str, Any]) -> str:
    """Say which slice of the first grouping is the hardest."""
    for grouping, modalities in document["slices"].items():
        for modality, tasks in modalities.items():
            for task, groups in tasks.items():
                means = {
                    group["name"]: _mean(group["runs"].values())
                    for group in groups
                    if group["queries"]
                }
                if len(means) > 1:
                    worst, best = (
                        min(means, key=means.__getitem__),
                        max(means, key=means.__getitem__),
                    )
                    return (
                        f"By {TITLES[grouping]}, {task} queries ({modality}) are hardest in"
                        f" {worst} ({100 * means[worst]:.2f} % on average over the models) and"
                        f" easiest in {best} ({100 * means[best]:.2f} %)."
                    )
    return "All queries are in one slice."


def _mean(runs: Any) -> float:
    scores = [run["score"] for run in runs]
    return float(sum(scores) / len(scores)) if scores else 0.0


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    count = len(_panels(document))
    return 4.2 * min(max(count, 1), 2), 3.4 * max(1, -(-count // 2))


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw the scores of the best models over the groups of each grouping, for the first task.

    Of very many groups the hardest.
    """
    found = _panels(document)
    if not found:
        nothing_to_draw(figure, "no grouping has two groups")
        return
    rows = -(-len(found) // 2)
    grid = figure.subplots(rows, min(2, len(found)), squeeze=False).ravel()
    models = _best(found[0][3])[:_MOST_LINES]  # the same in each panel, as the legend says
    for axes, (grouping, modality, task, groups) in zip(grid, found, strict=False):
        places = range(len(groups))
        for number, model in enumerate(models):
            if model not in groups[0]["runs"]:
                continue
            values = [100 * group["runs"][model]["score"] for group in groups]
            look = {"color": COLOURS[number], "marker": MARKERS[number]}
            axes.plot(values, places, linestyle="", label=label(model, 24), markersize=5, **look)
        names = [f"{label(group['name'], 28)} ({group['queries']})" for group in groups]
        axes.set_yticks(places, names)
        metric = METRIC_NAMES[document["metrics"][modality]]
        axes.set(
            title=f"by {TITLES[grouping]}, {task}", xlabel=f"{metric} (%)",
            ylim=(len(groups) - 0.5, -0.5),
        )  # fmt: skip
    for axes in grid[len(found) :]:
        axes.set_axis_off()
    handles, names = grid[0].get_legend_handles_labels()
    legend_below(figure, handles=handles, labels=names, ncols=min(4, len(names)))


def _panels(
    document: Mapping[str, Any],
) -> list[tuple[str, str, str, list[Mapping[str, Any]]]]:
    """Return grouping, modality, task and groups, of the first task with two groups."""
    found = []
    asked = document["slices"]
    for grouping in [name for name in asked if name not in _LONG] or list(asked):
        looks = [
            (grouping, modality, task, _hardest_groups(groups))
            for modality, tasks in asked[grouping].items()
            for task, groups in tasks.items()
        ]
        found += [look for look in looks if len(look[3]) > 1][:1]
    return found


def _hardest_groups(groups: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the groups that have a query in their order; of very many the hardest, those first."""
    found = [group for group in groups if group["queries"]]
    if len(found) > _MOST_GROUPS:
        found.sort(key=lambda group: _mean(group["runs"].values()))
    return found[:_MOST_GROUPS]


def _best(groups: Sequence[Mapping[str, Any]]) -> list[str]:
    models = list(groups[0]["runs"])
    return sorted(models, key=lambda model: -_mean([group["runs"][model] for group in groups]))
