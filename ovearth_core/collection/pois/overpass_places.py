"""Where the elements of an Overpass answer are: by centre, bounds, or their nodes in the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .given_place import given_bounds, given_lonlat
from .osm_bounds import bounds_of
from .poi import Bounds, centre_of

Place = tuple[tuple[float, float], Bounds | None]


class ElementPlaces:
    """The places of the elements of one answer.

    `out center` gives a centre to each way and relation; an answer that lists their nodes instead
    (`out body; >; out skel`) is understood too.
    """

    def __init__(self, elements: Iterable[dict[str, Any]]) -> None:
        self._nodes: dict[int, tuple[float, float]] = {}
        self._ways: dict[int, list[Any]] = {}
        for element in elements:
            if element["type"] == "node" and (place := _lonlat(element)) is not None:
                self._nodes[element["id"]] = place
            elif element["type"] == "way" and isinstance(element.get("nodes"), list):
                self._ways[element["id"]] = element["nodes"]

    def place(self, element: dict[str, Any]) -> Place | None:
        """Return the centre (lon, lat) and the bounds where known; None where it has no place."""
        if element["type"] == "node":
            node = self._nodes.get(element["id"])
            return None if node is None else (node, None)
        bounds = _given_bounds(element.get("bounds"))
        centre = _lonlat(element.get("center"))
        if centre is None and bounds is None:
            bounds = self._bounds(element)
        if centre is None and bounds is not None:
            centre = centre_of(bounds)
        return None if centre is None else (centre, bounds)

    def _bounds(self, element: dict[str, Any]) -> Bounds | None:
        points = list(self._points(element))
        return bounds_of(np.array(points)) if points else None

    def _points(self, element: dict[str, Any]) -> Iterator[tuple[float, float]]:
        ways = [element.get("nodes", [])]
        ways += [
            self._ways.get(member.get("ref", 0), [])
            for member in element.get("members", [])
            if isinstance(member, dict) and member.get("type") == "way"
        ]
        for nodes in ways:
            yield from (self._nodes[node] for node in nodes if node in self._nodes)


def is_closed(element: dict[str, Any]) -> bool:
    """Whether a way's nodes make a ring."""
    nodes = element.get("nodes")
    return isinstance(nodes, list) and len(nodes) >= 4 and nodes[0] == nodes[-1]


def _lonlat(place: Any) -> tuple[float, float] | None:
    return given_lonlat(place.get("lon"), place.get("lat")) if isinstance(place, dict) else None


def _given_bounds(bounds: Any) -> Bounds | None:
    if not isinstance(bounds, dict):
        return None
    return given_bounds(*(bounds.get(side) for side in ("minlon", "minlat", "maxlon", "maxlat")))
