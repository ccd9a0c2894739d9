"""How many rows of a dataset are of which kind."""

from __future__ import annotations

from dataclasses import dataclass

from .rows import POI_STATES
from .view import View


@dataclass(frozen=True, slots=True)
class CategoryTally:
    """What a dataset has of one category: targets, and places of interest not rejected."""

    targets: int = 0
    candidates: int = 0
    accepted: int = 0


def category_tallies(view: View) -> dict[int, CategoryTally]:
    """Return what there is of each category, by its id; of others there is nothing."""
    targets = dict(view.tally("targets", "category_id"))
    pois = {(number, state): n for number, state, n in view.tally("pois", "category_id", "state")}
    return {
        number: CategoryTally(
            targets.get(number, 0),
            pois.get((number, "candidate"), 0),
            pois.get((number, "accepted"), 0),
        )
        for number in {*targets, *(number for number, _ in pois)}
        if number is not None
    }


def poi_tallies(view: View) -> dict[str, int]:
    """Return how many places of interest are in each state."""
    return dict.fromkeys(POI_STATES, 0) | dict(view.tally("pois", "state"))
