"""The figure of composition: the top ten (10a), and what variants gain within families (10b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.composition import TOP
from ...analysis.scores import METRIC_NAMES
from ..drawing import COLOURS, GREY, HATCHES, label, legend_below, nothing_to_draw

# The interfaces' names, and colours that also differ in lightness: a quarter of it from one to the
# next, so that they stay apart in grey print and for colour-blind people.
INTERFACES = {
    "ovs": "dense segmentation",
    "mllm": "MLLM segmentation",
    "grounding": "grounding",
    "unknown": "unknown",
}
_FILLS = dict(zip(INTERFACES, ("#0072B2", "#E69F00", "#F0E442", "#FFFFFF"), strict=True))
_EDGE: Any = {"edgecolor": "#1A1A1A", "linewidth": 0.6}
_COLUMNS = 3
_MOST_PAIRS = 12

Task = tuple[str, str, Mapping[str, Any]]
Family = tuple[str, dict[str, float]]


def tasks_of(document: Mapping[str, Any]) -> Iterator[Task]:
    """Yield each ranking: its name, modality, and what is known of it."""
    for modality, tasks in document["modalities"].items():
        for task, found in tasks.items():
            yield f"{task}, {modality}", modality, found


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    found = [each for _, _, each in tasks_of(document)]
    rows, columns = max(1, -(-len(found) // _COLUMNS)), min(max(len(found), 1), _COLUMNS)
    families = _families(document)
    below = _family_inches(families) if families else 0.0
    width = 3.6 * columns + 0.4
    return max(width, 6.0) if families else width, 0.8 + rows * _panel_inches(found) + below


def _panel_inches(tasks: Sequence[Mapping[str, Any]]) -> float:
    return 0.8 + 0.22 * _most_runs(tasks)


def _family_inches(families: Sequence[Family]) -> float:
    most = max(len(deltas) for _, deltas in families)
    return 0.9 + max(0.36, 0.16 * most) * len(families)  # of a name's two lines, or of its bars


def _most_runs(tasks: Sequence[Mapping[str, Any]]) -> int:
    """Return how many bars the fullest panel has, few ones kept from being thick."""
    return max([3, *(min(len(each["ranking"]), TOP) for each in tasks)])


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw the top ten; colours tell the interface, hatching EO-specific models; below, families.

    Families are compared by the first modality that there is.
    """
    found = list(tasks_of(document))
    if not found:
        nothing_to_draw(figure, "nothing was answered that can be compared")
        return
    each_task = [each for _, _, each in found]
    families = _families(document)
    rows = -(-len(found) // _COLUMNS)
    columns = -(-len(found) // rows)
    heights = [_panel_inches(each_task)] * rows + ([_family_inches(families)] if families else [])
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
    most = _most_runs(each_task)
    for place, (name, _, each) in enumerate(found):
        _draw_top(figure.add_subplot(grid[place // columns, place % columns]), name, each, most)
    if families:
        _draw_families(figure.add_subplot(grid[rows, :]), families, found[0])
    _legend(figure, found)


def _draw_top(axes: Any, name: str, found: Mapping[str, Any], most: int) -> None:
    runs = found["ranking"][:TOP]
    bars = axes.barh(
        range(len(runs)), [100 * run["score"] for run in runs],
        color=[_FILLS[run["interface"]] for run in runs], **_EDGE,
    )  # fmt: skip
    for bar, run in zip(bars, runs, strict=True):
        bar.set_hatch(HATCHES[1] if run["eo_specific"] == "EO-specific" else "")
    axes.set_yticks(range(len(runs)), [label(run["model"], 24) for run in runs])
    axes.set(title=name, xlabel=f"{METRIC_NAMES[found['metric']]} (%)", ylim=(most - 0.5, -0.5))


def _families(document: Mapping[str, Any]) -> list[Family]:
    """Return pairs of variants by name, and their difference in each task, of the first modality.

    Of very many pairs those that differ most.
    """
    by_pair: dict[str, dict[str, float]] = {}
    for tasks in list(document["modalities"].values())[:1]:
        for task, found in tasks.items():
            for pair in found["families"]:
                name = f"{label(pair['from'], 24)}\n→ {label(pair['to'], 22)}"
                by_pair.setdefault(name, {})[task] = float(pair["delta"])
    if len(by_pair) > _MOST_PAIRS:
        far = sorted(by_pair, key=lambda name: -max(map(abs, by_pair[name].values())))
        by_pair = {name: by_pair[name] for name in by_pair if name in far[:_MOST_PAIRS]}
    return list(by_pair.items())


def _draw_families(axes: Any, families: Sequence[Family], first: Task) -> None:
    _, modality, found = first
    tasks = list(dict.fromkeys(task for _, deltas in families for task in deltas))
    height = 0.8 / len(tasks)
    for number, task in enumerate(tasks):
        drawn = [
            (place + (number - (len(tasks) - 1) / 2) * height, 100 * deltas[task])
            for place, (_, deltas) in enumerate(families)
            if task in deltas
        ]
        places, deltas = zip(*drawn, strict=True)
        axes.barh(
            places, deltas, height, label=task,
            color=COLOURS[number], hatch=HATCHES[number], edgecolor="white",
        )  # fmt: skip
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_yticks(range(len(families)), [name for name, _ in families], fontsize=8)
    metric = METRIC_NAMES[found["metric"]]
    axes.set(
        title=f"within families, {modality}",
        xlabel=f"{metric} (points), the later variant's less the earlier one's",
        ylim=(len(families) - 0.5, -0.5),
    )
    axes.margins(x=0.1)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _legend(figure: Any, found: Sequence[Task]) -> None:
    from matplotlib.patches import Patch

    shown = [run for _, _, each in found for run in each["ranking"][:TOP]]
    used = {run["interface"] for run in shown}
    handles = [
        Patch(facecolor=_FILLS[key], label=name, **_EDGE)
        for key, name in INTERFACES.items()
        if key in used
    ]
    if any(run["eo_specific"] == "EO-specific" for run in shown):
        handles.append(Patch(label="EO-specific", facecolor="white", hatch=HATCHES[1], **_EDGE))
    legend_below(figure, handles=handles, ncols=len(handles), frameon=False)
