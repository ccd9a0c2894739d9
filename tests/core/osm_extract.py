"""The objects of a real OpenStreetMap extract, read whole: it is small."""

from dataclasses import dataclass
from functools import cache

from ovearth_core.taxonomy import shapes_of

from .shared import DATA

LIECHTENSTEIN = DATA / "osm" / "liechtenstein-2013-08-03.osm.pbf"


@dataclass(frozen=True)
class OsmObject:
    kind: str
    tags: dict[str, str]
    is_closed: bool = False

    @property
    def shapes(self):
        return shapes_of(self.kind, self.tags, self.is_closed)


@cache
def tagged_objects():
    import osmium

    found = []
    for thing in osmium.FileProcessor(str(LIECHTENSTEIN)):
        tags = {tag.k: tag.v for tag in thing.tags}
        if not tags:
            continue
        kind = {"n": "node", "w": "way", "r": "relation"}.get(thing.type_str())
        is_closed = kind == "way" and len(thing.nodes) > 3 and thing.is_closed()
        found.append(OsmObject(kind, tags, is_closed))
    return found
