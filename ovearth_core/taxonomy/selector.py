"""Which OpenStreetMap objects a category stands for: a predicate on tags and shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tag_value import TagValue

NODE, LINE, AREA = "node", "line", "area"
SHAPES = (NODE, LINE, AREA)
AREA_RELATIONS = ("multipolygon", "boundary")

_NODE, _LINE, _AREA = frozenset({NODE}), frozenset({LINE}), frozenset({AREA})
_RING, _NOTHING = _LINE | _AREA, frozenset[str]()


@dataclass(frozen=True)
class Selector:
    """All of `tags` and none of `without`, on an object of one of the `shapes`.

    tags, without: pairs of key and wanted value. shapes: of "node", "line", "area".
    """

    tags: tuple[tuple[str, TagValue], ...]
    without: tuple[tuple[str, TagValue], ...]
    shapes: tuple[str, ...]

    def accepts(self, tags: Mapping[str, str], shapes: frozenset[str]) -> bool:
        """Whether an object with these tags, which can be of these shapes, is meant.

        `shapes` is what `shapes_of` says of the object.
        """
        # A loop, since this is asked of every object that a file has: `all` takes twice as long.
        if shapes.isdisjoint(self.shapes):
            return False
        for key, value in self.tags:
            if key not in tags or not value.accepts(tags[key]):
                return False
        if not self.without:
            return True
        return not any(key in tags and value.accepts(tags[key]) for key, value in self.without)

    def as_json(self) -> dict[str, Any]:
        """Return it as a taxonomy file writes it."""
        return {
            "tags": {key: value.as_json() for key, value in self.tags},
            "not": {key: value.as_json() for key, value in self.without},
            "geometry": list(self.shapes),
        }


def shapes_of(kind: str, tags: Mapping[str, str], is_closed: bool = False) -> frozenset[str]:
    """Return what an OSM object can be: a node; a way's line; a closed way's or relation's area.

    kind: "node", "way" or "relation". A closed way is both a line and an area, unless `area` says
    yes or no. Relations are areas when they are multipolygons or boundaries, else nothing.
    """
    if kind == "node":
        return _NODE
    if kind == "relation":
        return _AREA if tags.get("type") in AREA_RELATIONS else _NOTHING
    area = tags.get("area")
    if is_closed and area != "no":
        return _AREA if area == "yes" else _RING
    return _NOTHING if area == "yes" else _LINE
