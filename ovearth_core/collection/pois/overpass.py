"""Overpass servers: OpenStreetMap by tags and box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...taxonomy import overpass_ql, shapes_of
from ..exchange import Request, check_template, shown_url
from .area import Area, Box
from .asking import Asking
from .overpass_answer import read_answer
from .overpass_places import ElementPlaces, is_closed
from .poi import Dropped, Poi, is_osm_kind, osm_pois, osm_reference
from .source import NO_COORDINATES, Progress
from .tag_filter import CategoryIndex

if TYPE_CHECKING:
    from ...taxonomy import Category

DEFAULT_URL = "https://overpass-api.de/api/interpreter"

# "center" gives each way and relation its place; the nodes listed with it tell rings from lines.
_OUTPUT = "center"
_MOST_SERVER_S = 90
# Servers count by slots rather than by seconds.
_PAUSE_S = 0.2


class Overpass:
    """An Overpass server. url: of its interpreter. Raises UsageError for what is no address."""

    def __init__(self, url: str = DEFAULT_URL, asking: Asking | None = None) -> None:
        self._url = check_template(url)
        self._asking = (asking or Asking()).with_pause(_PAUSE_S)
        host = shown_url(url).partition("://")[2].partition("/")[0]
        self.name = f"OpenStreetMap (Overpass, {host})"

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the server finds; see PoiSource. All categories go into one query a box."""
        index = CategoryIndex(category for category in categories if category.osm)
        if not index.categories:
            names = ", ".join(category.id for category in categories)
            raise UsageError("no OpenStreetMap selector", names, "choose another source")
        seen: set[str] = set()
        looked_at = 0
        answers = self._asking.each_box(area, lambda box: self._request(index, box), read_answer)
        for elements in answers:
            places = ElementPlaces(elements)
            for element in elements:
                looked_at += 1
                # An object that reaches into two boxes comes with both.
                if not is_osm_kind(element["type"]) or _reference(element) in seen:
                    continue
                found = list(self._found(element, places, index, area))
                if found:
                    seen.add(_reference(element))
                yield from found
            progress(looked_at, len(seen))

    def _request(self, index: CategoryIndex, box: Box) -> Request:
        selectors = [selector for category in index.categories for selector in category.osm]
        seconds = max(1, min(_MOST_SERVER_S, int(self._asking.politeness.silence_s) - 5))
        query = overpass_ql(selectors, box.as_tuple, seconds, output=_OUTPUT)
        return Request(self._url, fields={"data": query})

    def _found(
        self, element: dict[str, Any], places: ElementPlaces, index: CategoryIndex, area: Area
    ) -> Iterator[Poi | Dropped]:
        kind, tags = element["type"], element.get("tags", {})
        shapes = shapes_of(kind, tags, is_closed(element))
        if kind == "way" and "nodes" not in element:
            # Not told whether it is a ring: the server has seen to it.
            shapes |= shapes_of(kind, tags, is_closed=True)
        wanted = index.accepting(tags, shapes)
        if not wanted:
            return
        place = places.place(element)
        if place is None:
            for category in wanted:
                yield Dropped(_reference(element), category.id, NO_COORDINATES)
            return
        centre, bounds = place
        if area.contains(*centre):
            yield from osm_pois(wanted, kind, element["id"], tags, centre, bounds, self.name)


def _reference(element: dict[str, Any]) -> str:
    return osm_reference(element["type"], element["id"])
