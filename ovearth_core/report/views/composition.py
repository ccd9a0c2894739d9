"""Composition and families, as shown: Figure 10 and Table 11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.composition import TOP
from ..table import Column, Kind, Table, make_table
from ..words import in_words, points
from .composition_figure import INTERFACES, Task, draw, size, tasks_of

__all__ = ["draw", "sentence", "size", "tables"]

_ATTRIBUTES = {"interface": "interface", "mllm": "MLLM", "eo_specific": "EO"}
_FLAGS = {"MLLM": "yes", "no MLLM": "no", "EO-specific": "yes", "general": "no"}
_METRICS = {
    "mask": (("ma_p", "ma-P"), ("ma_r", "ma-R"), ("ma_iou", "ma-IoU"), ("mi_iou", "mi-IoU")),
    "hbb": (("mi_p_50", "mi-P50"), ("mi_r_50", "mi-R50"), ("mi_f1_50", "mi-F1 50")),
}

_MOST_NAMED = 3


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the top ten, the groups, the best two of each interface, and the differences."""
    found = list(tasks_of(document))
    yield _top(found, document["notes"])
    yield _groups(found)
    for modality in document["modalities"]:
        best = _best_of_interface(found, modality)
        if best.rows:
            yield best
    for table in (_paradigms(found), _families(found), _baselines(found)):
        if table.rows:
            yield table


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
            name, place, run["model"], run["score"], INTERFACES[run["interface"]],
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
            name, _ATTRIBUTES[attribute], INTERFACES.get(group["group"], group["group"]),
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
            name, INTERFACES[run["interface"]], run["place"], run["model"],
            *(run[key] for key, _ in metrics),
        ]
        for name, of, found in tasks
        if of == modality
        for run in found["best_of_interface"]
    ]  # fmt: skip
    title = f"The best two of each interface, {modality}"
    return make_table(f"composition-best-{modality}", title, columns, rows, grouped=True)


def _paradigms(tasks: Sequence[Task]) -> Table:
    columns = (
        Column("task", "task"),
        Column("place", "", Kind.COUNT),
        Column("grounding", "grounding"),
        Column("grounding_score", "ma-IoU", Kind.PERCENT),
        Column("segmentation", "segmentation"),
        Column("segmentation_score", "ma-IoU", Kind.PERCENT),
        Column("delta", "Δ", Kind.POINTS),
    )
    rows = [
        [name, *(pair[column.name] for column in columns[1:])]
        for name, _, found in tasks
        for pair in found.get("paradigms", ())
    ]
    title = "The best two that ground boxes first, less the best two that segment"
    return make_table(
        "composition-paradigms", title, columns, rows, grouped=True, across=True
    )  # fmt: skip


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
    found = list(tasks_of(document))
    if not found:
        return "Nothing was answered that can be compared."
    led: dict[tuple[str, ...], list[str]] = {}
    for name, _, each in found:
        led.setdefault(tuple(each["leaders"]), []).append(name)
    said = [
        f"{_leaders(models)} {_places(names, len(found))}"
        for models, names in sorted(led.items(), key=lambda pair: -len(pair[1]))
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
    return f"{'; '.join(said)}{behind}."


def _leaders(models: Sequence[str]) -> str:
    if len(models) == 1:
        return f"{models[0]} leads"
    if len(models) > _MOST_NAMED:
        return f"{len(models)} models with equal scores lead"
    return f"{in_words(models)}, with equal scores, lead"


def _places(names: Sequence[str], count: int) -> str:
    if len(names) <= _MOST_NAMED:
        return in_words([name.replace(", ", " by ") for name in names])
    of_all = f"all {count}" if len(names) == count else f"{len(names)} of {count}"
    return f"{of_all} rankings, which are by task and modality"
