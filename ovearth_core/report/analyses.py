"""Every analysis by name: how it is made, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.aggregation import aggregation
from ..analysis.area import Area
from ..analysis.composition import composition
from ..analysis.evaluated import Evaluated
from ..analysis.grouping import by_area
from ..analysis.instanceability import instanceability
from ..analysis.presence import presence
from ..analysis.query_forms import query_forms
from ..analysis.significance import significance
from ..analysis.slices import slices
from ..analysis.stability import SUBSETS, stability
from ..errors import UsageError
from .drawing import figure_bytes
from .table import Table
from .views import aggregation as aggregation_view
from .views import composition as composition_view
from .views import instanceability as instanceability_view
from .views import presence as presence_view
from .views import query_forms as query_forms_view
from .views import significance as significance_view
from .views import slices as slices_view
from .views import stability as stability_view

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Wishes:
    """What a person may say about analyses.

    area: slices tell inside from outside, all others look inside only. by: groupings of slices,
    None for all. resamples: None for as many as the pairs of runs need.
    """

    seed: int = 0
    subsets: int = SUBSETS
    resamples: int | None = None
    area: Area | None = None
    by: Sequence[str] | None = None


@dataclass(frozen=True)
class Analysis:
    """One analysis. make: gives its document, plain JSON without NaN; the others show that."""

    name: str
    title: str
    make: Callable[[Evaluated, Wishes], dict[str, Any]]
    tables: Callable[[Document], Iterator[Table]]
    sentence: Callable[[Document], str]
    draw: Callable[[Any, Document], None]
    size: Callable[[Document], tuple[float, float]]

    def document(self, evaluated: Evaluated, wishes: Wishes | None = None) -> dict[str, Any]:
        """Return what the runs say; UsageError where they are too few, or the area is empty."""
        wishes = wishes or Wishes()
        if wishes.area is not None and self.name != "slices":
            evaluated = _inside(evaluated, wishes.area)
        return self.make(evaluated, wishes)

    def figure(self, document: Document, kind: str) -> bytes:
        """Return the figure as a png, svg or pdf file; MissingPackageError without Matplotlib."""
        return figure_bytes(
            lambda figure: self.draw(figure, document), kind, self.name, self.size(document)
        )


def _inside(evaluated: Evaluated, area: Area) -> Evaluated:
    wanted = by_area(evaluated.facts, area).places == 0
    if not wanted.any():
        raise UsageError("no image touches the area", "--area", "check its place and CRS")
    return evaluated.within(wanted)


def _analysis(
    name: str, title: str, view: Any, make: Callable[[Evaluated, Wishes], dict[str, Any]]
) -> Analysis:
    return Analysis(name, title, make, view.tables, view.sentence, view.draw, view.size)


ANALYSES: Mapping[str, Analysis] = {
    each.name: each
    for each in (
        _analysis(
            "aggregation", "Does the way of averaging matter?", aggregation_view,
            lambda runs, _: aggregation(runs),
        ),
        _analysis(
            "stability", "Would fewer categories give the same ranking?", stability_view,
            lambda runs, wishes: stability(runs, wishes.seed, wishes.subsets),
        ),
        _analysis(
            "query-forms", "Is one form of query harder?", query_forms_view,
            lambda runs, _: query_forms(runs),
        ),
        _analysis(
            "instanceability", "Are areas and lines harder than countable things?",
            instanceability_view, lambda runs, _: instanceability(runs),
        ),
        _analysis(
            "composition", "Who leads, and how far behind are the others?", composition_view,
            lambda runs, _: composition(runs),
        ),
        _analysis(
            "presence", "Does who places well also know when there is nothing?", presence_view,
            lambda runs, _: presence(runs),
        ),
        _analysis(
            "significance", "How sure are scores and differences?", significance_view,
            lambda runs, wishes: significance(runs, wishes.seed, wishes.resamples),
        ),
        _analysis(
            "slices", "Where are models weak?", slices_view,
            lambda runs, wishes: slices(runs, wishes.by, wishes.area),
        ),
    )
}  # fmt: skip
