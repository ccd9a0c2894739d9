"""Presence against localisation, as shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...analysis.scores import ANSWERS, METRIC_NAMES
from ...spelling import counted
from ..drawing import COLOURS, label, nothing_to_draw
from ..table import Column, Kind, Table, make_table
from ..words import decimal

_MOST_NAMES = 12
# A letter's width and a name's height as shares of what the points span, so that no name lies
# over another.
_LETTER_WIDTH, _NAME_HEIGHT = 0.022, 0.055

# Score in percent, MCC, and name.
Point = tuple[float, float, str]


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield both scores of each model."""
    metric = document["metric"]
    columns = (
        Column("model", "model"),
        Column(metric, METRIC_NAMES[metric], Kind.PERCENT, 1),
        *(Column(key, key.upper(), Kind.COUNT) for key in ("tp", "fp", "tn", "fn")),
        Column("mcc", "MCC", Kind.DECIMAL, 1),
    )
    rows = [[run[column.name] for column in columns] for run in document["runs"]]
    rho = f"Spearman's ρ over {_models(document)}: "
    notes = [rho + Kind.DECIMAL.shown(document["rho"]), *document["notes"]]
    title = f"Localisation and presence by {ANSWERS[document['modality']]}, vocabulary queries"
    yield make_table("presence", title, columns, rows, notes=notes)


def _models(document: Mapping[str, Any]) -> str:
    return counted(document["models"], "model with a defined MCC", "models with a defined MCC")


def sentence(document: Mapping[str, Any]) -> str:
    """Say whether who places well also rejects well."""
    if document["rho"] is None:
        return "Too few models, or too much alike, to rank localisation against presence."
    return (
        f"Over {_models(document)}, the ranking by {METRIC_NAMES[document['metric']]} and that by"
        f" presence MCC correlate at ρ {decimal(document['rho'])}."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    return 5.0, 3.6


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw MCC against the main metric, the outermost models by name."""
    metric = document["metric"]
    points = [
        (100 * float(run[metric]), float(run["mcc"]), label(run["model"]))
        for run in document["runs"]
        if run["mcc"] is not None and run[metric] is not None
    ]
    if not points:
        nothing_to_draw(figure, "no model with a defined MCC")
        return
    axes = figure.subplots()
    axes.scatter(
        [score for score, _, _ in points], [mcc for _, mcc, _ in points],
        color=COLOURS[0], edgecolor="white", zorder=3,
    )  # fmt: skip
    for score, mcc, name in _outermost(points):
        axes.annotate(
            name, (score, mcc), xytext=(4, 3), textcoords="offset points", fontsize=7
        )  # fmt: skip
    axes.margins(x=0.2)
    axes.set(xlabel=f"{METRIC_NAMES[metric]} (%)", ylabel="presence MCC")


def _outermost(points: Sequence[Point]) -> list[Point]:
    """Return the models that are best and worst at either, as far as their names have room."""
    by_mcc = sorted(points, key=lambda point: -point[1])
    by_score = sorted(points, key=lambda point: -point[0])
    turns = zip(by_mcc, by_score, reversed(by_mcc), reversed(by_score), strict=True)
    across, up = (
        max(values) - min(values) or 1.0 for values in list(zip(*points, strict=True))[:2]
    )
    named: list[Point] = []
    for point in (point for turn in turns for point in turn):
        if len(named) < _MOST_NAMES and not any(
            abs(point[1] - other[1]) < _NAME_HEIGHT * up
            and _reaches(point, other, across)
            and _reaches(other, point, across)
            for other in named
        ):
            named.append(point)
    return named


def _reaches(point: Point, other: Point, across: float) -> bool:
    """Whether a point's name, which starts there, runs on to where another's starts."""
    return point[0] + _LETTER_WIDTH * len(point[2]) * across > other[0]
