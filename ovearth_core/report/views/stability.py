"""Stability under fewer categories, as shown: Figure 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...analysis.scores import METRIC_NAMES
from ...analysis.stability import TOP
from ..drawing import COLOURS, MARKERS, nothing_to_draw, panels
from ..table import Column, Kind, Table, make_table
from ..words import decimal

_MEASURES = {"rho": "Spearman's ρ", "top5_recovery": "top-five recovery"}
_SPREAD = ("median", "p2_5", "p97_5")


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield how rankings on subsets agree with the full one."""
    rows = [
        [int(size), *(found[measure][key] for measure in _MEASURES for key in _SPREAD)]
        for size, found in document["sizes"].items()
    ]
    columns = [Column("k", "categories", Kind.COUNT)]
    for measure, heading in (("rho", "ρ"), ("top5_recovery", "top five")):
        columns += [
            Column(f"{measure}_median", f"{heading}, median", Kind.DECIMAL),
            Column(f"{measure}_p2_5", "2.5 %", Kind.DECIMAL),
            Column(f"{measure}_p97_5", "97.5 %", Kind.DECIMAL),
        ]
    title = (
        f"Rankings of {document['models']} models by {METRIC_NAMES[document['metric']]} on"
        f" {document['subsets']} category subsets against all {document['categories']} categories"
        f" (seed {document['seed']})"
    )
    yield make_table("stability", title, columns, rows, notes=document["notes"])


def sentence(document: Mapping[str, Any]) -> str:
    """Say what the smallest and the largest subset keep of the ranking."""
    if not document["sizes"]:
        return "There are too few categories to draw subsets from."
    ends = list(document["sizes"].items())
    shown = (ends[0], *ends[-1:][: len(ends) - 1])
    if all(found["rho"]["median"] is None for _, found in shown):
        return (
            "All models score the same, so that there is no ranking that fewer categories could"
            " change."
        )
    best = min(document["models"], TOP)
    whom = "five" if best == TOP else str(best)
    text = "; ".join(_of_size(size, found, whom) for size, found in shown)
    return f"{text[:1].upper()}{text[1:]}."


def _of_size(size: str, found: Mapping[str, Any], best: str) -> str:
    rho, top = found["rho"]["median"], found["top5_recovery"]["median"]
    agrees = (
        "no subset ranks the models"
        if rho is None
        else f"the median ρ to the full ranking is {decimal(rho)}"
    )
    return f"with {size} categories {agrees} and {100 * top:.0f} % of the best {best} stay the best"


def size(document: Mapping[str, Any]) -> tuple[float, float]:
    """Return the figure's width and height in inches."""
    return 7.0, 2.8


def draw(figure: Any, document: Mapping[str, Any]) -> None:
    """Draw medians, and bands from the 2.5 to the 97.5 percentile."""
    if not document["sizes"]:
        nothing_to_draw(figure, "too few categories")
        return
    axes_of = zip(panels(figure, 2), _MEASURES.items(), COLOURS, MARKERS, strict=False)
    for axes, (measure, title), colour, marker in axes_of:
        drawn = [
            (int(size), *(found[measure][key] for key in _SPREAD))
            for size, found in document["sizes"].items()
            if found[measure]["median"] is not None
        ]
        if drawn:
            sizes, medians, low, high = zip(*drawn, strict=True)
            axes.fill_between(sizes, low, high, color=colour, alpha=0.25, linewidth=0)
            axes.plot(sizes, medians, color=colour, marker=marker)
            axes.set_xscale("log")
            axes.set_xticks(sizes, [str(size) for size in sizes])
            axes.minorticks_off()
        least = min((low for *_, low, _ in drawn), default=0.0)
        axes.set(title=title, xlabel="categories in the subset", ylim=(min(0.0, least), 1.03))
