"""Composition and families, as shown: Figure 10 and Table 11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.composition import TOP
from ...analysis.scores import METRIC_NAMES
from ..drawing import COLOURS, GREY, HATCHES, label, legend_below, nothing_to_draw
from ..table import Column, Kind, Table, make_table
from ..words import in_words, points

_INTERFACES = {
    "ovs": "dense segmentation",
    "mllm": "MLLM segmentation",
    "grounding": "grounding",
    "unknown": "unknown",
}
_ATTRIBUTES = {"interface": "interface", "mllm": "MLLM", "eo_specific": "EO"}
_FLAGS = {"MLLM": "yes", "no MLLM": "no", "EO-specific": "yes", "general": "no"}
_METRICS = {
    "mask": (("ma_p", "ma-P"), ("ma_r", "ma-R"), ("ma_iou", "ma-IoU"), ("mi_iou", "mi-IoU")),
    "hbb": (("mi_p_50", "mi-P50"), ("mi_r_50", "mi-R50"), ("mi_f1_50", "mi-F1 50")),
}

_MOST_NAMED = 3

Task = tuple[str, str, Mapping[str, Any]]


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the top ten, the groups, the best two of each interface, and the differences."""
    found = list(_tasks(document))
    yield _top(found, document["notes"])
    yield _groups(found)
    for modality in document["modalities"]:
        best = _best_of_interface(found, modality)
        if best.rows:
            yield best
    for table in (_families(found), _baselines(found)):
        if table.rows:
            yield table


def _tasks(document: Mapping[str, Any]) -> Iterator[Task]:
    for modality, tasks in document["modalities"].items():
        for task, found in tasks.items():
            yield f"{task}, {modality}", modality, found


def _top(tasks: Sequence[Task], notes: Sequence[str]) -> Table:
    columns = (
        Column("task", "task"),
        Column("rank", "", Kind.COUNT),
        Column("model", "model"),
        Column("score", "score", Kind.PERCENT, 1),
        Column("interface", "interface"),
        Column("mllm", "MLLM"),
        Column("eo_specific", "EO-specific"),
    )
    rows = [
        [
            name, place, run["model"], run["score"], _INTERFACES[run["interface"]],
            *(_FLAGS.get(run[key]) for key in ("mllm", "eo_specific")),
        ]
        for name, _, found in tasks
        for place, run in enumerate(found["ranking"][:TOP], 1)
    ]  # fmt: skip
    title = "The top ten by ma-IoU (masks) and mi-F1 50 (boxes)"
    return make_table("composition", title, columns, rows, grouped=True, notes=notes)


def _groups(tasks: Sequence[Task]) -> Table:
    columns = (
        Column("task", "task"),
        Column("attribute", "by"),
        Column("group", "group"),
        Column("models", "models", Kind.COUNT),
        Column("in_top", "in the top ten", Kind.COUNT),
        Column("best", "its best"),
        Column("score", "score", Kind.PERCENT),
        Column("gap", "behind the best", Kind.PERCENT),
    )
    rows = [
        [
            name, _ATTRIBUTES[attribute], _INTERFACES.get(group["group"], group["group"]),
            *(group[column.name] for column in columns[3:]),
        ]
        for name, _, found in tasks
        for attribute, groups in found["groups"].items()
        for group in groups
    ]  # fmt: skip
    title = "Groups of models: how many lead, and how far their best is behind"
    return make_table("composition-groups", title, columns, rows, grouped=True)


def _best_of_interface(tasks: Sequence[Task], modality: str) -> Table:
    metrics = _METRICS["mask" if modality == "mask" else "hbb"]
    columns = (
        Column("task", "task"),
        Column("interface", "interface"),
        Column("place", "", Kind.COUNT),
        Column("model", "model"),
        *(Column(key, heading, Kind.PERCENT, 1) for key, heading in metrics),
    )
    rows = [
        [
            name, _INTERFACES[run["interface"]], run["place"], run["model"],
            *(run[key] for key, _ in metrics),
        ]
        for name, of, found in tasks
        if of == modality
        for run in found["best_of_interface"]
    ]  # fmt: skip
    title = f"The best two of each interface, {modality}"
    return make_table(f"composition-best-{modality}", title, columns, rows, grouped=True)


def _families(tasks: Sequence[Task]) -> Table:
    columns = (
        Column("task", "task"),
        Column("family", "family"),
        Column("from", "from"),
        Column("to", "to"),
        Column("delta", "Δ", Kind.POINTS),
    )
    rows = [
        [name, *(pair[column.name] for column in columns[1:])]
        for name, _, found in tasks
        for pair in found["families"]
    ]
    title = "Within families: the later variant's score less the earlier one's"
    return make_table("composition-families", title, columns, rows, grouped=True)


def _baselines(tasks: Sequence[Task]) -> Table:
    columns = (
        Column("task", "task"),
        Column("model", "model"),
        Column("baseline", "baseline"),
        Column("delta", "Δ", Kind.POINTS),
    )
    rows = [
        [name, *(pair[column.name] for column in columns[1:])]
        for name, _, found in tasks
        for pair in found["baselines"]
    ]
    title = "Against named baselines: the model's score less the baseline's"
    return make_table("composition-baselines", title, columns, rows, grouped=True)


def sentence(document: Mapping[str, Any]) -> str:
    """Say who leads, and how far EO-specific models are behind."""
    found = list(_tasks(document))
    if not found:
        return "Nothing was answered that can be compared."
    led: dict[str, list[str]] = {}
    for name, _, each in found:
        led.setdefault(each["ranking"][0]["model"], []).append(name)
    said = [
        f"{model} leads {_places(names, len(found))}"
        for model, names in sorted(led.items(), key=lambda pair: -len(pair[1]))
    ]
    gaps = [
        group["gap"]
        for _, _, each in found
        for group in each["groups"]["eo_specific"]
        if group["group"] == "EO-specific"
    ]
    behind = ""
    if gaps:
        least, most = points(min(gaps)), points(max(gaps))
        spread = most if least == most else f"{100 * min(gaps):.2f} to {most}"
        behind = f"; the best EO-specific model is {spread} behind"
    return f"{in_words(said)}{behind}."


def _places(names: Sequence[str], count: int) -> str:
    if len(names) <= _MOST_NAMED:
        return in_words([name.replace(", ", " by ") for name in names])
    of_all = f"all {count}" if len(names) == count else f"{len(names)} of {count}"
    return f"{of_all} rankings, which are by task and modality"


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    found = [each for _, _, each in _tasks(document)]
    rows, columns = max(1, -(-len(found) // 3)), min(max(len(found), 1), 3)
    return 3.6 * columns + 0.4, 0.8 + rows * (0.8 + 0.22 * _most_runs(found))


def _most_runs(tasks: Sequence[Mapping[str, Any]]) -> int:
    """Return how many bars the fullest panel has, few ones kept from being thick."""
    return max([3, *(min(len(each["ranking"]), TOP) for each in tasks)])


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw the top ten; colours tell the interface, hatching EO-specific models."""
    found = list(_tasks(document))
    if not found:
        nothing_to_draw(figure, "nothing was answered that can be compared")
        return
    rows = -(-len(found) // 3)
    grid = figure.subplots(rows, -(-len(found) // rows), squeeze=False).ravel()
    colours = dict(zip(_INTERFACES, (*COLOURS[:3], GREY), strict=True))
    most = _most_runs([each for _, _, each in found])
    for axes, (name, _, each) in zip(grid, found, strict=False):
        runs = each["ranking"][:TOP]
        bars = axes.barh(
            range(len(runs)), [100 * run["score"] for run in runs],
            color=[colours[run["interface"]] for run in runs], edgecolor="white",
        )  # fmt: skip
        for bar, run in zip(bars, runs, strict=True):
            bar.set_hatch(HATCHES[1] if run["eo_specific"] == "EO-specific" else "")
        axes.set_yticks(range(len(runs)), [label(run["model"], 24) for run in runs])
        axes.set(title=name, xlabel=f"{METRIC_NAMES[each['metric']]} (%)", ylim=(most - 0.5, -0.5))
    for axes in grid[len(found) :]:
        axes.set_axis_off()
    _legend(figure, found, colours)


def _legend(figure: Any, found: Sequence[Task], colours: Mapping[str, str]) -> None:
    from matplotlib.patches import Patch

    shown = [run for _, _, each in found for run in each["ranking"][:TOP]]
    used = {run["interface"] for run in shown}
    handles = [Patch(color=colours[key], label=_INTERFACES[key]) for key in colours if key in used]
    if any(run["eo_specific"] == "EO-specific" for run in shown):
        look: Any = {"facecolor": "white", "edgecolor": "black", "hatch": HATCHES[1]}
        handles.append(Patch(label="EO-specific", **look))
    legend_below(figure, handles=handles, ncols=len(handles), frameon=False)
