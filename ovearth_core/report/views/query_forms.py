"""Query forms, as shown: Tables 9 and 10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...analysis.scores import METRIC_NAMES
from ...spelling import counted
from ..drawing import COLOURS, GREY, label, nothing_to_draw, panels
from ..table import Column, Kind, Table, make_table

_MOST_BARS = 40


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the comparison of each pair of tasks, then both scores of each model."""
    pairs = document["pairs"]
    rows = [
        [
            _name(pair), pair["models"], pair["targets"], pair["rho"],
            pair["first_higher"], pair["first_lower"], pair["equal"],
        ]
        for pair in pairs
    ]  # fmt: skip
    columns = (
        Column("pair", "first–second"),
        Column("models", "models", Kind.COUNT),
        Column("targets", "shared targets", Kind.COUNT),
        Column("rho", "ρ", Kind.DECIMAL),
        Column("first_higher", "first higher", Kind.COUNT),
        Column("first_lower", "first lower", Kind.COUNT),
        Column("equal", "equal", Kind.COUNT),
    )
    title = f"Query forms on shared models and targets, {document['modality']}"
    yield make_table("query-forms", title, columns, rows, notes=document["notes"])
    yield _models(pairs, METRIC_NAMES[document["metric"]])


def _models(pairs: list[Mapping[str, Any]], metric: str) -> Table:
    by_pair = [{run["model"]: run for run in pair["runs"]} for pair in pairs]
    models = dict.fromkeys(model for runs in by_pair for model in runs)
    columns = [Column("model", "model")]
    for pair in pairs:
        name = _name(pair)
        columns += [
            Column(f"{name} first", _short(pair["first"]), Kind.PERCENT, 1),
            Column(f"{name} second", _short(pair["second"]), Kind.PERCENT, 1),
            Column(f"{name} delta", "Δ", Kind.POINTS),
        ]
    rows = [
        [
            model,
            *(
                runs[model][key] if model in runs else None
                for runs in by_pair
                for key in ("first", "second", "delta")
            ),
        ]
        for model in models
    ]
    title = f"{metric} on shared targets; Δ is the second form's less the first's"
    return make_table("query-forms-models", title, columns, rows)


def _name(pair: Mapping[str, Any]) -> str:
    return f"{pair['first']}–{pair['second']}"


def _short(task: str) -> str:
    return f"{task[:5]}."


def sentence(document: Mapping[str, Any]) -> str:
    """Say for how many models each form is the easier one."""
    said = [
        f"{pair['first']} scores are higher than {pair['second']} scores for"
        f" {pair['first_higher']} of {counted(pair['models'], 'model', 'models')} and lower for"
        f" {pair['first_lower']}"
        for pair in document["pairs"]
    ]
    if not said:
        return "No two tasks share targets and models."
    return f"On shared targets, {'; '.join(said)}."


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    most = max((min(len(pair["runs"]), _MOST_BARS) for pair in document["pairs"]), default=1)
    return 3.4 * max(len(document["pairs"]), 1) + 0.4, 1.4 + 0.19 * most


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw each model's difference, the largest above."""
    if not document["pairs"]:
        nothing_to_draw(figure, "no two tasks share targets and models")
        return
    for axes, pair in zip(panels(figure, len(document["pairs"])), document["pairs"], strict=True):
        runs = sorted(pair["runs"], key=lambda run: -float(run["delta"]))
        if len(runs) > _MOST_BARS:
            runs = [*runs[: _MOST_BARS // 2], *runs[-_MOST_BARS // 2 :]]
        deltas = [100 * run["delta"] for run in runs]
        colours = [COLOURS[0] if delta >= 0 else COLOURS[1] for delta in deltas]
        axes.barh(range(len(runs)), deltas, color=colours)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_yticks(range(len(runs)), [label(run["model"]) for run in runs])
        title = f"{pair['second']} − {pair['first']}"
        metric = METRIC_NAMES[document["metric"]]
        axes.set(title=title, xlabel=f"{metric} (points)", ylim=(len(runs) - 0.5, -0.5))
