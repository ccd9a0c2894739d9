"""Chooses among the places found: limits, spacing, quotas and balance, by a seeded order.

The order is a hash of seed, category and identity. It depends neither on the order in which
places were found nor on which others there are: a larger limit only adds places.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import UsageError
from ...spelling import nearest
from ..continents import CONTINENTS, continents_of
from ..identity import short_identity
from .namesakes import Namesakes
from .poi import Bounds, Dropped, Poi
from .spacing import Spacing

DUPLICATE = "duplicate"
IN_DATASET = "in the dataset already"
TOO_CLOSE = "too close"
OVER_LIMIT = "over the limit"
OVER_QUOTA = "over the continent's quota"

# One thing is often there twice, as a point and as an outline around it.
_SAME_PLACE_M = 1.0


@dataclass(frozen=True)
class Wishes:
    """What is wanted of the choice.

    limit: places per category, None for all. min_spacing_m: true metres between any two places, of
    whatever category, the dataset's included. quotas: the most per category on a continent. What
    the dataset has counts for both, unless it was rejected.
    balance: fill each category's limit evenly from the continents. seed: another one gives another
    sample. Raises UsageError for what makes no sense.
    """

    limit: int | None = None
    min_spacing_m: float = 0.0
    seed: int = 0
    quotas: Mapping[str, int] = field(default_factory=dict)
    balance: bool = False

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"a limit of {self.limit}", "--limit", "give 1 or more")
        if self.balance and self.limit is None:
            what = "without a limit there is nothing to fill evenly"
            raise UsageError(what, "--balance", "give --limit too, or a --quota per continent")
        if not 0.0 <= self.min_spacing_m < 1e8:
            what = f"a spacing of {self.min_spacing_m:g} m"
            raise UsageError(what, "--min-spacing", "give metres, 0 or more")
        for continent, quota in self.quotas.items():
            if continent not in CONTINENTS:
                what = f"no continent {continent!r}"
                raise UsageError(what, "--quota", nearest(continent, CONTINENTS))
            if quota < 0:
                raise UsageError(f"a quota of {quota}", "--quota", "give 0 or more")


@dataclass(frozen=True)
class Known:
    """A place that the dataset has. is_rejected: by a person, so that it isn't found again.

    bounds: of the object, where known. found_at: (lon, lat) where it was found, if a person has
    moved it since: what finds it again finds it there.
    """

    reference: str | None
    category_number: int | None
    lon: float
    lat: float
    is_rejected: bool = False
    name: str | None = None
    bounds: Bounds | None = None
    found_at: tuple[float, float] | None = None

    @property
    def identity(self) -> str:
        """What the object is called wherever it is found."""
        return short_identity(self.reference, *self.origin, self.name)

    @property
    def origin(self) -> tuple[float, float]:
        """Where it was found (lon, lat)."""
        return self.found_at or (self.lon, self.lat)


@dataclass(frozen=True)
class Choice:
    """What was chosen, each with its continent, in the order of choosing, and what was dropped."""

    chosen: tuple[Poi, ...]
    continents: tuple[str, ...]
    dropped: tuple[Dropped, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many were dropped for each reason, the commonest first."""
        counts: dict[str, int] = {}
        for drop in self.dropped:
            counts[drop.reason] = counts.get(drop.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def choose(found: Iterable[Poi | Dropped], wishes: Wishes, known: Iterable[Known] = ()) -> Choice:
    """Choose among what was found; every place is either chosen or dropped for a reason."""
    pois: list[Poi] = []
    dropped: list[Dropped] = []
    for place in found:
        if isinstance(place, Poi):
            pois.append(place)
        else:
            dropped.append(place)
    # One sort key for all, so that the order of finding has no say.
    pois.sort(key=lambda poi: (_rank(poi, wishes.seed), poi.id, *_details(poi)))
    names: dict[int | None, str] = {poi.category_number: poi.category for poi in pois}
    chooser = _Chooser(wishes, known, names)
    for poi, continent in chooser.in_turn(_lanes(pois, wishes.balance)):
        chooser.consider(poi, continent)
    order = sorted([*dropped, *chooser.dropped], key=lambda d: (d.category, d.reference, d.reason))
    return Choice(tuple(chooser.chosen), tuple(chooser.continents), tuple(order))


def _rank(poi: Poi, seed: int) -> bytes:
    text = f"{seed}\0{poi.category}\0{poi.identity}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _details(poi: Poi) -> tuple[float, float, str, str]:
    """Return what tells one description of a thing from another."""
    return poi.lon, poi.lat, poi.reference, poi.source


_Placed = tuple[Poi, str]
_Lanes = dict[str, dict[str, list[_Placed]]]


def _lanes(pois: Sequence[Poi], balance: bool) -> _Lanes:
    """Return the places in order, by category and, where balanced, by continent."""
    numbers = continents_of([poi.lon for poi in pois], [poi.lat for poi in pois])
    lanes: _Lanes = {}
    for poi, number in zip(pois, numbers, strict=True):
        continent = CONTINENTS[number]
        lane = lanes.setdefault(poi.category, {})
        lane.setdefault(continent if balance else "", []).append((poi, continent))
    return lanes


def _same_place() -> Spacing[str]:
    return Spacing(_SAME_PLACE_M)


class _Chooser:
    """The state of a choice that is being made."""

    def __init__(
        self, wishes: Wishes, known: Iterable[Known], names: Mapping[int | None, str]
    ) -> None:
        """names: of the categories of the places found, by their numbers."""
        self._wishes = wishes
        self.chosen: list[Poi] = []
        self.continents: list[str] = []
        self.dropped: list[Dropped] = []
        self._per_category: dict[str, int] = {}
        self._per_continent: dict[tuple[str, str], int] = {}
        self._spacing: Spacing[str] = Spacing(wishes.min_spacing_m)
        self._places: dict[int | None, Spacing[str]] = defaultdict(_same_place)
        self._ids: set[str] = set()
        self._known: set[tuple[str, int | None]] = set()
        self._known_places: dict[int | None, Spacing[str]] = defaultdict(_same_place)
        self._namesakes: Namesakes[tuple[str, str]] = Namesakes()
        held = list(known)
        numbers = continents_of([place.lon for place in held], [place.lat for place in held])
        for place, number in zip(held, numbers, strict=True):
            self._remember(place)
            name = names.get(place.category_number)
            if name is not None and not place.is_rejected:
                self._count(name, CONTINENTS[number])

    def _remember(self, place: Known) -> None:
        self._known.add((place.identity, place.category_number))
        name = place.reference or "a place of the dataset"
        for lonlat in {place.origin, (place.lon, place.lat)}:
            self._known_places[place.category_number].add(*lonlat, name)
        label = IN_DATASET, name
        self._namesakes.add(place.category_number, place.name, place.origin, place.bounds, label)
        if not place.is_rejected:
            self._spacing.add(place.lon, place.lat, name)

    def in_turn(self, lanes: _Lanes) -> Iterator[_Placed]:
        """Yield each place once: a category's turn is followed by the next one's.

        Within a category the continent with the fewest places chosen so far comes first.
        """
        waiting = {
            category: {name: iter(lane) for name, lane in sorted(by_continent.items())}
            for category, by_continent in sorted(lanes.items())
        }
        while waiting:
            for category in list(waiting):
                continents = waiting[category]
                # Until one is taken, so that every category has as many turns.
                before = self._per_category.get(category, 0)
                while continents and self._per_category.get(category, 0) == before:
                    name = min(continents, key=lambda c: self._per_continent.get((category, c), 0))
                    placed = next(continents[name], None)
                    if placed is None:
                        del continents[name]
                    else:
                        yield placed
                if not continents:
                    del waiting[category]

    def consider(self, poi: Poi, continent: str) -> None:
        """Take a place, or drop it and say why."""
        fault = self._fault(poi, continent)
        if fault is not None:
            self.dropped.append(Dropped(poi.reference, poi.category, *fault))
            return
        self.chosen.append(poi)
        self.continents.append(continent)
        self._ids.add(poi.id)
        self._count(poi.category, continent)
        self._spacing.add(poi.lon, poi.lat, poi.reference)
        self._places[poi.category_number].add(poi.lon, poi.lat, poi.reference)
        lonlat, label = (poi.lon, poi.lat), (DUPLICATE, poi.reference)
        self._namesakes.add(poi.category_number, poi.name, lonlat, poi.bounds, label)

    def _count(self, category: str, continent: str) -> None:
        self._per_category[category] = self._per_category.get(category, 0) + 1
        there = (category, continent)
        self._per_continent[there] = self._per_continent.get(there, 0) + 1

    def _fault(self, poi: Poi, continent: str) -> tuple[str, str] | None:
        """Return the reason and its detail for which the place can't be taken, None where it can.

        What is wrong with the place itself is said before what it is too much for.
        """
        return self._doubled(poi) or self._crowded(poi, continent)

    def _doubled(self, poi: Poi) -> tuple[str, str] | None:
        number = poi.category_number
        if (poi.identity, number) in self._known:
            return IN_DATASET, "the same object"
        if poi.id in self._ids:
            return DUPLICATE, "the same object"
        for reason, spots in ((IN_DATASET, self._known_places), (DUPLICATE, self._places)):
            if number in spots and (near := spots[number].nearest(poi.lon, poi.lat)):
                return reason, f"{near[0]:.1f} m from {near[1]}"
        same = self._namesakes.same(number, poi.name, (poi.lon, poi.lat), poi.bounds)
        return None if same is None else (same[0], f"point and outline of one thing, {same[1]}")

    def _crowded(self, poi: Poi, continent: str) -> tuple[str, str] | None:
        wishes = self._wishes
        if wishes.limit is not None and self._per_category.get(poi.category, 0) >= wishes.limit:
            return OVER_LIMIT, f"{wishes.limit} chosen or in the dataset"
        quota = wishes.quotas.get(continent)
        if quota is not None and self._per_continent.get((poi.category, continent), 0) >= quota:
            return OVER_QUOTA, f"{quota} in {continent}"
        if near := self._spacing.nearest(poi.lon, poi.lat):
            return TOO_CLOSE, f"{near[0]:.1f} m from {near[1]}"
        return None
