"""STAC: pictures of a place found by date and cloud, in an API or a static catalogue.

A search gives one plain raster for each picture that is chosen; those are read as any raster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from .server_options import Parsers, address_and_options, read_options, words_of
from .service_address import parted
from .source import ImagerySpec, Source
from .stac_catalog import StacCatalog, catalog_at, forget_catalogs
from .stac_dates import DateRange
from .stac_item import Found, StacItem, found_item

# What may be chosen of one place: one picture of each group.
_GROUPS: dict[str, Callable[[StacItem], Any]] = {
    "best": lambda item: None,
    "all": lambda item: item.day,
    # December to February, March to May, …: the same season of two years is one group.
    "seasons": lambda item: int(item.day[5:7]) % 12 // 3,
}
_MOST_DATES = 12
# Percent: after all that are known.
_UNKNOWN_CLOUD = 101.0


def _percent(text: str) -> float:
    """Return a part of a hundred; ValueError for what is none."""
    value = float(text)
    if not 0.0 <= value <= 100.0:
        raise ValueError(text)
    return value


_OPTIONS: Parsers = {
    "collections": words_of,
    "date": DateRange,
    "datetime": DateRange,
    "cloud": _percent,
    "dates": {name: name for name in _GROUPS}.__getitem__,
    "most_dates": int,
    "asset": str,
}


@dataclass(frozen=True)
class Search:
    """What is looked for. most_cloud: percent, None for any; where set, it must be known."""

    collections: tuple[str, ...]
    dates: DateRange | None
    most_cloud: float | None
    asset: str | None


def open_(spec: ImagerySpec) -> Source:
    """Raise UsageError: a search is no picture; `specs_at` gives those of a place."""
    raise UsageError(
        "a search can't be read itself", spec.published, "ask it for a place's pictures"
    )


def begin_search() -> None:
    """Have catalogues read anew."""
    forget_catalogs()


def specs_at(spec: ImagerySpec, lon: float, lat: float, extent_m: float) -> list[ImagerySpec]:
    """Return the pictures that are chosen of a place, earliest first; none where there are none.

    Of each group (see `dates`) the one that covers most of the extent, then the one with the
    fewest clouds, then the latest. Raises UsageError, ServerError.
    """
    catalog, search, options = _opened(spec)
    found = [
        candidate
        for item in catalog.items_at(lon, lat, extent_m, search)
        # An item without a file is no picture.
        if item.assets
        and (candidate := found_item(item, lon, lat, extent_m)) is not None
        and _is_wanted(candidate.item, search)
    ]
    chosen = _chosen(found, _GROUPS[options.get("dates", "best")])
    most = options.get("most_dates", _MOST_DATES)
    chosen = sorted(sorted(chosen, key=_rank)[:most], key=lambda candidate: candidate.item.moment)
    group = spec.location_group
    if group is None and options.get("dates", "best") != "best":
        group = f"{lat:.6f} {lon:.6f}"
    return [candidate.item.as_spec(spec, search.asset, group) for candidate in chosen]


def _opened(spec: ImagerySpec) -> tuple[StacCatalog, Search, dict[str, Any]]:
    base, said = parted(address_and_options(spec)[0], _OPTIONS)
    options, rules = read_options(spec, _OPTIONS, said)
    search = Search(
        options.get("collections", ()),
        options.get("date", options.get("datetime")),
        options.get("cloud"),
        options.get("asset"),
    )
    return catalog_at(base, rules), search, options


def _is_wanted(item: StacItem, search: Search) -> bool:
    """Whether a picture is what was asked for, whatever the server made of it."""
    if search.collections and item.collection not in search.collections:
        return False
    if search.dates is not None and item.moment not in search.dates:
        return False
    if search.most_cloud is None:
        return True
    return item.cloud is not None and item.cloud <= search.most_cloud


def _chosen(found: list[Found], group_of: Callable[[StacItem], Any]) -> list[Found]:
    best: dict[Any, Found] = {}
    for candidate in sorted(found, key=_rank):
        best.setdefault(group_of(candidate.item), candidate)
    return list(best.values())


def _rank(candidate: Found) -> tuple[Any, ...]:
    """Return what pictures are sorted by, the best first."""
    item = candidate.item
    cloud = _UNKNOWN_CLOUD if item.cloud is None else item.cloud
    return -round(candidate.share, 3), cloud, -item.moment.timestamp(), item.name
