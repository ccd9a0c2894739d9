"""Places of interest and a dataset: what it has already, and new ones as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...dataset import CategoryRow, Dataset, Edit, PoiRow
from ...errors import InputError
from .area import Area
from .candidates import FOUND_AT
from .choosing import Choice, Known, Wishes
from .given_place import given_bounds, given_lonlat
from .poi import Bounds, Poi
from .search import SearchResult, search
from .source import PoiSource, Progress, no_progress

if TYPE_CHECKING:
    from ...taxonomy import Category


_SIDES, _LONLAT = 4, 2


def known_places(dataset: Dataset) -> list[Known]:
    """Return the dataset's places of every state."""
    with dataset.reading() as view:
        return [_known(row) for row in view.pois()]


def _known(row: PoiRow) -> Known:
    is_rejected = row.state == "rejected"
    place = row.source_id, row.category_id, row.lon, row.lat
    return Known(*place, is_rejected, row.name, _bounds_of(row), _found_at(row))


def _bounds_of(row: PoiRow) -> Bounds | None:
    kept = row.extra.get("bounds")
    if not (isinstance(kept, list) and len(kept) == _SIDES):
        return None
    return given_bounds(*kept)


def _found_at(row: PoiRow) -> tuple[float, float] | None:
    kept = row.extra.get(FOUND_AT)
    if not (isinstance(kept, list) and len(kept) == _LONLAT):
        return None
    return given_lonlat(*kept)


def check_categories(dataset: Dataset, categories: Iterable[Category]) -> None:
    """Raise InputError where the dataset has another category by a number that is wanted."""
    with dataset.reading() as view:
        rows = {row.id: row for row in view.categories()}
    for category in categories:
        row = rows.get(category.number)
        if row is not None and row.slug != category.id:
            what = f"category {category.number} is {row.slug!r} there, not {category.id!r}"
            raise InputError(what, str(dataset.path), "give the --taxonomy that it was made with")


def search_into(
    dataset: Dataset,
    places: PoiSource,
    categories: Sequence[Category],
    area: Area,
    wishes: Wishes,
    who: str | None = None,
    progress: Progress = no_progress,
) -> SearchResult:
    """Search, choose, and add what is chosen as candidates: all of them, or none.

    What `progress` raises, at the end too, leaves the dataset as it was.
    """
    check_categories(dataset, categories)
    result = search(places, categories, area, wishes, known_places(dataset), progress)
    progress(sum(result.found.values()), len(result.choice.chosen))
    with adding(dataset, result, wishes, categories, who) as added:
        return added


@contextmanager
def adding(
    dataset: Dataset,
    result: SearchResult,
    wishes: Wishes,
    categories: Sequence[Category],
    who: str | None = None,
) -> Iterator[SearchResult]:
    """Add what was chosen, and yield it; what fails in the block leaves the dataset as it was.

    A search takes long: where somebody else has added or rejected places meanwhile, what was found
    is chosen from anew, so that nothing is there twice.
    """
    with dataset.writing(who) as edit:
        now = result.beside(map(_known, edit.pois()), wishes)
        _add_all(edit, now.choice, categories)
        yield now


def add_candidates(
    dataset: Dataset, choice: Choice, categories: Sequence[Category], who: str | None = None
) -> int:
    """Add the chosen places as candidates, with the categories that the dataset lacks.

    One transaction: all of them are there afterwards, or none. Returns how many.
    """
    with dataset.writing(who) as edit:
        _add_all(edit, choice, categories)
    return len(choice.chosen)


def _add_all(edit: Edit, choice: Choice, categories: Sequence[Category]) -> None:
    used = {poi.category for poi in choice.chosen}
    present = {row.id for row in edit.categories()}
    for category in categories:
        if category.id in used and category.number not in present:
            edit.add(category_row(category))
    for poi, continent in zip(choice.chosen, choice.continents, strict=True):
        edit.add(poi_row(poi, continent))


def poi_row(poi: Poi, continent: str) -> PoiRow:
    """Return the place as the dataset keeps it."""
    extra: dict[str, object] = {"continent": continent}
    if poi.bounds is not None:
        extra["bounds"] = list(poi.bounds)
    return PoiRow(
        None, poi.lon, poi.lat, poi.category_number, poi.name, "candidate",
        poi.source, poi.reference, dict(poi.tags or {}), extra=extra,
    )  # fmt: skip


def category_row(category: Category) -> CategoryRow:
    """Return a category of the taxonomy as a dataset keeps it."""
    return CategoryRow(
        category.number, category.id, category.name, category.domain, category.branch,
        category.instanceable, category.definition,
    )  # fmt: skip
