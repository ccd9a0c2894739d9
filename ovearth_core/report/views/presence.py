"""Presence against localisation, as shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..drawing import COLOURS, label, nothing_to_draw
from ..table import Column, Kind, Table, make_table
from ..words import decimal

_MOST_NAMES = 12
# A name's width and height as shares of the axes, so that none lies over another.
_NAME_WIDTH, _NAME_HEIGHT = 0.25, 0.05


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield both scores of each model."""
    columns = (
        Column("model", "model"),
        Column("ma_iou", "ma-IoU", Kind.PERCENT, 1),
        *(Column(key, key.upper(), Kind.COUNT) for key in ("tp", "fp", "tn", "fn")),
        Column("mcc", "MCC", Kind.DECIMAL, 1),
    )
    rows = [[run[column.name] for column in columns] for run in document["runs"]]
    rho = f"Spearman's ρ over {document['models']} models with a defined MCC: "
    notes = [rho + Kind.DECIMAL.shown(document["rho"]), *document["notes"]]
    yield make_table(
        "presence", "Localisation and presence, vocabulary queries", columns, rows, notes=notes
    )


def sentence(document: Mapping[str, Any]) -> str:
    """Say whether who places well also rejects well."""
    if document["rho"] is None:
        return "Too few models, or too much alike, to rank localisation against presence."
    return (
        f"Over {document['models']} models, the ranking by ma-IoU and that by presence MCC"
        f" correlate at ρ {decimal(document['rho'])}."
    )


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    return 5.0, 3.6


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw MCC against ma-IoU, the outermost models by name."""
    runs = [run for run in document["runs"] if run["mcc"] is not None and run["ma_iou"] is not None]
    if not runs:
        nothing_to_draw(figure, "no model with a defined MCC")
        return
    axes = figure.subplots()
    axes.scatter(
        [100 * run["ma_iou"] for run in runs], [run["mcc"] for run in runs],
        color=COLOURS[0], edgecolor="white", zorder=3,
    )  # fmt: skip
    for run in _outermost(runs):
        axes.annotate(
            label(run["model"]), (100 * run["ma_iou"], run["mcc"]),
            xytext=(4, 3), textcoords="offset points", fontsize=7,
        )  # fmt: skip
    axes.margins(x=0.2)
    axes.set(xlabel="ma-IoU (%)", ylabel="presence MCC")


def _outermost(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the models that are best and worst at either, as far as their names have room."""
    by_mcc = sorted(runs, key=lambda run: -float(run["mcc"]))
    by_iou = sorted(runs, key=lambda run: -float(run["ma_iou"]))
    turns = zip(by_mcc, by_iou, reversed(by_mcc), reversed(by_iou), strict=True)
    spans = {
        key: max(run[key] for run in runs) - min(run[key] for run in runs) or 1.0
        for key in ("ma_iou", "mcc")
    }
    named: list[Mapping[str, Any]] = []
    for run in (run for turn in turns for run in turn):
        is_free = not any(
            abs(run["ma_iou"] - other["ma_iou"]) < _NAME_WIDTH * spans["ma_iou"]
            and abs(run["mcc"] - other["mcc"]) < _NAME_HEIGHT * spans["mcc"]
            for other in named
        )
        if is_free and len(named) < _MOST_NAMES:
            named.append(run)
    return named
