"""Every analysis by name: how it is made, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..analysis.aggregation import aggregation
from ..analysis.area import Area
from ..analysis.composition import composition
from ..analysis.evaluated import Evaluated
from ..analysis.grouping import by_area
from ..analysis.instanceability import instanceability
from ..analysis.notes import score_filters
from ..analysis.presence import presence
from ..analysis.query_forms import query_forms
from ..analysis.scores import ANSWERS
from ..analysis.significance import significance
from ..analysis.slices import slices
from ..analysis.stability import SUBSETS, stability
from ..benchmark import MODALITIES
from ..errors import UsageError
from ..spelling import nearest
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
    None for all. resamples: None for as many as the pairs of runs need. modality: the only one to
    look at; None for all of them, or of analyses of one, masks, else the first that runs attempt.
    """

    seed: int = 0
    subsets: int = SUBSETS
    resamples: int | None = None
    area: Area | None = None
    by: Sequence[str] | None = None
    modality: str | None = None


@dataclass(frozen=True)
class Analysis:
    """One analysis. make: gives its document, plain JSON without NaN; the others show that.

    why_masks: why it looks at masks only, empty where it doesn't. takes_all: whether it looks at
    all modalities, unless one is wished for.
    """

    name: str
    title: str
    make: Callable[[Evaluated, Wishes], dict[str, Any]]
    tables: Callable[[Document], Iterator[Table]]
    sentence: Callable[[Document], str]
    draw: Callable[[Any, Document], None]
    size: Callable[[Document], tuple[float, float]]
    why_masks: str = ""
    takes_all: bool = False

    def document(self, evaluated: Evaluated, wishes: Wishes | None = None) -> dict[str, Any]:
        """Return what the runs say.

        Raises UsageError where runs are too few, no image touches the area, or the modality that
        is wished for is none, none of this analysis, or none of the runs.
        """
        wishes = wishes or Wishes()
        modality = self._modality(evaluated, wishes.modality)
        if wishes.area is not None and self.name != "slices":
            evaluated = _inside(evaluated, wishes.area)
        if self.takes_all and modality is not None:
            evaluated = evaluated.of_modality(modality)
        document = self.make(evaluated, replace(wishes, modality=modality))
        if modality != "mask":
            document["notes"] = [*score_filters(evaluated.runs), *document["notes"]]
        return document

    def _modality(self, evaluated: Evaluated, wished: str | None) -> str | None:
        """Return the modality to look at, None for all."""
        attempted = [
            name for name in MODALITIES if any(name in run.modalities for run in evaluated.runs)
        ]
        if wished is None:
            if self.takes_all:
                return None
            return "mask" if self.why_masks or not attempted else attempted[0]
        if wished not in MODALITIES:
            raise UsageError(f"no modality {wished!r}", "--modality", nearest(wished, MODALITIES))
        if self.why_masks and wished != "mask":
            what = f"{self.name} looks at masks only, since {self.why_masks}"
            raise UsageError(what, "--modality", "leave it out, or ask another analysis")
        if wished not in attempted:
            what = f"no run answers with {ANSWERS[wished]}"
            raise UsageError(what, "--modality", f"use {' or '.join(attempted) or 'other runs'}")
        return wished

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
    name: str,
    title: str,
    view: Any,
    make: Callable[[Evaluated, Wishes], dict[str, Any]],
    why_masks: str = "",
    takes_all: bool = False,
) -> Analysis:
    shown = (view.tables, view.sentence, view.draw, view.size)
    return Analysis(name, title, make, *shown, why_masks, takes_all)


ANALYSES: Mapping[str, Analysis] = {
    each.name: each
    for each in (
        _analysis(
            "aggregation", "Does the way of averaging matter?", aggregation_view,
            lambda runs, _: aggregation(runs),
            why_masks="boxes are pooled, not averaged over targets or categories",
        ),
        _analysis(
            "stability", "Would fewer categories give the same ranking?", stability_view,
            lambda runs, wishes: stability(
                runs, wishes.seed, wishes.subsets, modality=wishes.modality or "mask"
            ),
        ),
        _analysis(
            "query-forms", "Is one form of query harder?", query_forms_view,
            lambda runs, wishes: query_forms(runs, wishes.modality or "mask"),
        ),
        _analysis(
            "instanceability", "Are areas and lines harder than countable things?",
            instanceability_view, lambda runs, _: instanceability(runs),
            why_masks="boxes aren't asked of areas and lines",
        ),
        _analysis(
            "composition", "Who leads, and how far behind are the others?", composition_view,
            lambda runs, _: composition(runs), takes_all=True,
        ),
        _analysis(
            "presence", "Does who places well also know when there is nothing?", presence_view,
            lambda runs, wishes: presence(runs, wishes.modality or "mask"),
        ),
        _analysis(
            "significance", "How sure are scores and differences?", significance_view,
            lambda runs, wishes: significance(runs, wishes.seed, wishes.resamples),
            takes_all=True,
        ),
        _analysis(
            "slices", "Where are models weak?", slices_view,
            lambda runs, wishes: slices(runs, wishes.by, wishes.area), takes_all=True,
        ),
    )
}  # fmt: skip
