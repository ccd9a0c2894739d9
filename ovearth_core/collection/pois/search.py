"""One search for places of interest: find, choose, and say what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .area import Area
from .choosing import Choice, Known, Wishes, choose
from .poi import Dropped, Poi
from .source import PoiSource, Progress, no_progress

if TYPE_CHECKING:
    from ...taxonomy import Category

FORMAT = "ovearth-pois-report/1"


@dataclass(frozen=True)
class SearchResult:
    """The choice, and how many places were found for each category.

    places: all that were found. known: what the dataset had when they were chosen from.
    """

    choice: Choice
    found: dict[str, int] = field(default_factory=dict)
    places: Sequence[Poi | Dropped] = ()
    known: Sequence[Known] = ()

    def beside(self, known: Iterable[Known], wishes: Wishes) -> SearchResult:
        """Return the same places chosen from anew, where the dataset has others meanwhile."""
        now = tuple(known)
        if now == self.known:
            return self
        return replace(self, choice=choose(self.places, wishes, now), known=now)

    def report(self, source: str, wishes: Wishes) -> dict[str, Any]:
        """Return the result as JSON: counts, and each place that was dropped with its reason."""
        choice = self.choice
        per_category = {name: {"found": count, "chosen": 0} for name, count in self.found.items()}
        continents: dict[str, int] = {}
        for poi, continent in zip(choice.chosen, choice.continents, strict=True):
            per_category[poi.category]["chosen"] += 1
            continents[continent] = continents.get(continent, 0) + 1
        return {
            "format": FORMAT,
            "source": source,
            "seed": wishes.seed,
            "limit": wishes.limit,
            "min_spacing_m": wishes.min_spacing_m,
            "chosen": len(choice.chosen),
            "categories": per_category,
            "continents": dict(sorted(continents.items())),
            "dropped": choice.counts,
            "dropped_places": [
                {
                    "reference": drop.reference,
                    "category": drop.category,
                    "reason": drop.reason,
                    "detail": drop.detail,
                }
                for drop in choice.dropped
            ],
        }


def search(
    source: PoiSource,
    categories: Sequence[Category],
    area: Area,
    wishes: Wishes | None = None,
    known: Iterable[Known] = (),
    progress: Progress = no_progress,
) -> SearchResult:
    """Search a source, and choose among what it finds.

    known: places that a dataset has already. Raises what the source raises.
    """
    found = {category.id: 0 for category in categories}
    places: list[Poi | Dropped] = []
    for place in source.search(categories, area, progress):
        found[place.category] += 1
        places.append(place)
    held = tuple(known)
    return SearchResult(choose(places, wishes or Wishes(), held), found, places, held)
