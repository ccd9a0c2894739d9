"""Nominatim servers: OpenStreetMap by main tag and box.

Source: Nominatim's manual, "Search queries": `[key=value]` asks for a kind of place; `viewbox` with
`bounded=1` keeps to a box. An answer says nothing of a way's nodes, so that lines and rings can't
be told apart; its tags are the main one and `extratags`, so that some are lacking.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...taxonomy.tag_value import Equal, OneOf, TagValue
from ..exchange import Answer, Request, check_template, shown_url
from ..http_status import saying
from ..service_errors import (
    FailedQueryError,
    UnreadableAnswerError,
    WebPageError,
)
from .area import Area, Box
from .asking import Asking, Pages
from .given_place import given_bounds, given_lonlat
from .json_answer import JsonReading
from .poi import Bounds, Dropped, Poi, is_osm_kind, osm_pois, osm_reference
from .source import NO_COORDINATES, Progress
from .tag_filter import CategoryIndex

if TYPE_CHECKING:
    from ...taxonomy import Category

DEFAULT_URL = "https://nominatim.openstreetmap.org"

# The most that a server gives at once; a full answer makes the box be quartered, and the smallest
# box (200 m) be asked for what comes after it.
_MOST_PLACES = 40
_MORE_HALVINGS = 3
# The public server's terms of use: one request a second at most.
_PAUSE_S = 1.0
# Nominatim looks 0.1 degree around a point: as far as the corners of a box of this side.
_NEAR_SIDE_DEG = 0.14
_MOST_NEAR_BOXES = 64
_WORD = re.compile(r"[A-Za-z_]+")
# What Nominatim's import makes places of; where a selector has several, the more telling first.
_MAIN_KEYS = (
    "amenity", "leisure", "tourism", "shop", "historic", "man_made", "aeroway", "power", "military",
    "emergency", "office", "craft", "railway", "waterway", "aerialway", "natural", "landuse",
    "place", "highway", "building", "bridge", "tunnel", "boundary",
)  # fmt: skip
_SHAPES = {
    "node": frozenset({"node"}),
    "way": frozenset({"line", "area"}),
    "relation": frozenset({"area"}),
}
_CHECK_URL = "check --url; a Nominatim server's ends before /search"
_LATER = "try again later, or name another server with --url"
_READING = JsonReading(_CHECK_URL, _LATER)
_SIDES = 4


class Nominatim:
    """A Nominatim server. url: without `/search`. Raises UsageError for what is no address."""

    def __init__(self, url: str = DEFAULT_URL, asking: Asking | None = None) -> None:
        self._url = check_template(url).rstrip("/").removesuffix("/search")
        asking = (asking or Asking()).with_pause(_PAUSE_S)
        self._asking = replace(asking, most_halvings=asking.most_halvings + _MORE_HALVINGS)
        host = shown_url(url).partition("://")[2].partition("/")[0]
        self.name = f"OpenStreetMap (Nominatim, {host})"

    @property
    def pause_s(self) -> float:
        """The least seconds between two requests."""
        return self._asking.politeness.pause_s

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the server finds; see PoiSource. One query a box and main tag."""
        index = CategoryIndex(categories)
        seen: set[str] = set()
        looked_at = 0
        for tag in _main_tags(categories):
            for places in self._answers(tag, area):
                for place in places:
                    looked_at += 1
                    for found in self._found(place, tag, index, area):
                        # One object may come for several tags, with a category of its own each.
                        name = f"{found.category}:{found.reference}"
                        if name not in seen:
                            seen.add(name)
                            yield found
                progress(looked_at, len(seen))

    def _answers(self, tag: tuple[str, str], area: Area) -> Iterator[list[dict[str, Any]]]:
        """Yield the places of each box.

        A server set up without special phrases has no places for a box alone, but for a box about
        a point: what yields nothing is asked that way too, where it isn't too large.
        """
        count = 0
        for places in self._each_box(self._asking, area, tag, about_centre=False):
            count += len(places)
            yield places
        small = replace(self._asking, longest_side_deg=_NEAR_SIDE_DEG, most_boxes=_MOST_NEAR_BOXES)
        if count == 0 and small.first_boxes(area) <= small.most_boxes:
            yield from self._each_box(small, area, tag, about_centre=True)

    def _each_box(
        self, asking: Asking, area: Area, tag: tuple[str, str], *, about_centre: bool
    ) -> Iterator[list[dict[str, Any]]]:
        def request(box: Box) -> Request:
            return self._request(box, *tag, about_centre=about_centre)

        def next_request(box: Box, found: Sequence[list[dict[str, Any]]]) -> Request | None:
            *earlier, last = [{_place_id(place) for place in places} for places in found]
            had = last.union(*earlier)
            # A server that gives the same again would do so for ever.
            if None in had or last <= set().union(*earlier):
                return None
            return _without(request(box), sorted(number for number in had if number is not None))

        pages = Pages(self._url, lambda places: len(places) >= _MOST_PLACES, next_request)
        return asking.each_box(area, request, read_places, pages)

    def _request(self, box: Box, key: str, value: str, *, about_centre: bool) -> Request:
        west, south, east, north = box.as_tuple
        point = f" {(south + north) / 2.0:.7f},{(west + east) / 2.0:.7f}" if about_centre else ""
        params = {
            "q": f"[{key}={value}]{point}",
            "format": "jsonv2",
            "viewbox": f"{west:.7f},{south:.7f},{east:.7f},{north:.7f}",
            "bounded": "1",
            "limit": str(_MOST_PLACES),
            "dedupe": "0",
            "extratags": "1",
            "namedetails": "1",
        }
        return Request(f"{self._url}/search", params=params)

    def _found(
        self, place: dict[str, Any], asked: tuple[str, str], index: CategoryIndex, area: Area
    ) -> Iterator[Poi | Dropped]:
        kind, number, tags = place.get("osm_type"), place.get("osm_id"), _tags(place)
        # Postcodes and interpolated addresses are no objects.
        if not (isinstance(kind, str) and is_osm_kind(kind) and isinstance(number, int)):
            return
        wanted = index.accepting({**dict([asked]), **tags}, _SHAPES[kind])
        centre, bounds = _centre(place), _bounds(place)
        if centre is None:
            for category in wanted:
                yield Dropped(osm_reference(kind, number), category.id, NO_COORDINATES)
        elif area.contains(*centre):
            yield from osm_pois(wanted, kind, number, tags, centre, bounds, self.name)


def read_places(answer: Answer) -> list[dict[str, Any]]:
    """Return the places of a Nominatim answer in JSON.

    Raises WebPageError, CutOffError, UnreadableAnswerError, and FailedQueryError where it says so.
    """
    text = _READING.text(answer)
    if text.lstrip().startswith("<"):
        said = saying(text.encode())
        raise WebPageError(f"a web page came instead of data ({said})", answer.where, _CHECK_URL)
    places = _READING.parsed(text, answer.where)
    if isinstance(places, dict) and places.get("error"):
        error = saying(json.dumps(places["error"]).encode())
        raise FailedQueryError(f"it gave up on the query ({error})", answer.where, _LATER)
    if not isinstance(places, list) or not all(isinstance(place, dict) for place in places):
        raise UnreadableAnswerError("the answer is no list of places", answer.where, _CHECK_URL)
    return places


def _without(request: Request, place_ids: Sequence[int]) -> Request:
    """Return the request for what is there besides."""
    left_out = {"exclude_place_ids": ",".join(map(str, place_ids))}
    return replace(request, params={**(request.params or {}), **left_out})


def _place_id(place: dict[str, Any]) -> int | None:
    number = place.get("place_id")
    return number if isinstance(number, int) else None


def _main_tags(categories: Sequence[Category]) -> list[tuple[str, str]]:
    """Return the (key, value) pairs to ask for; UsageError for a category without any."""
    wanted: dict[tuple[str, str], None] = {}
    for category in categories:
        found = [tag for selector in category.osm for tag in _askable(selector.tags)]
        if not found:
            raise UsageError(
                f"category {category.id!r} can't be asked of Nominatim by one tag",
                "--category",
                "leave it out, or search with --source overpass or a file",
            )
        wanted |= dict.fromkeys(found)
    return list(wanted)


def _askable(tags: tuple[tuple[str, TagValue], ...]) -> list[tuple[str, str]]:
    """Return the values of the tag that Nominatim files such a place under."""
    for key, value in sorted(tags, key=lambda tag: _rank(tag[0])):
        if key in _MAIN_KEYS and isinstance(value, Equal | OneOf):
            texts = (value.value,) if isinstance(value, Equal) else value.values
            if all(map(_WORD.fullmatch, texts)):
                return [(key, text) for text in texts]
    return []


def _rank(key: str) -> int:
    return _MAIN_KEYS.index(key) if key in _MAIN_KEYS else len(_MAIN_KEYS)


def _tags(place: dict[str, Any]) -> dict[str, str]:
    tags: dict[str, str] = {}
    for part in (place.get("extratags"), place.get("namedetails")):
        if isinstance(part, dict):
            tags |= {str(key): str(value) for key, value in part.items()}
    key, value = place.get("category", place.get("class")), place.get("type")
    if isinstance(key, str) and isinstance(value, str):
        tags[key] = value
    if "name" not in tags and isinstance(place.get("display_name"), str):
        tags["name"] = place["display_name"].partition(",")[0]
    return tags


def _centre(place: dict[str, Any]) -> tuple[float, float] | None:
    return given_lonlat(place.get("lon"), place.get("lat"))


def _bounds(place: dict[str, Any]) -> Bounds | None:
    sides = place.get("boundingbox")
    if not (isinstance(sides, list) and len(sides) == _SIDES):
        return None
    south, north, west, east = sides
    return given_bounds(west, south, east, north)
