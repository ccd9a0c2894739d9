"""OpenStreetMap files (.osm, .osm.pbf): all categories in one pass, filtered in osmium's C++.

That pass finds the objects. Small files have the places of all nodes kept in memory meanwhile.
Where that would be too much, or a node comes after its way, ways and relations still lack places:
the member ways of the relations found, and the nodes of all, are read by number, so that memory
follows what is found and not the file.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError, MissingPackageError, OVEarthError, UsageError
from ...taxonomy.selector import shapes_of
from .area import Area
from .osm_bounds import FoundObjects, PendingObjects
from .osm_decoding import decoders
from .osm_index import NodeIndex, PlacedObjects, fits_in_memory
from .poi import Bounds, Dropped, Poi, centre_of, osm_pois, osm_reference
from .source import NO_COORDINATES, Progress
from .tag_filter import CategoryIndex

if TYPE_CHECKING:
    from ...taxonomy import Category

_KINDS = {"n": "node", "w": "way", "r": "relation"}
_MOST_NODES = 2_000_000
_TELL_EVERY = 5_000
_CLOSED_FROM = 4


class OsmFile:
    """An OpenStreetMap file on disk.

    Raises InputError where it is missing, MissingPackageError without osmium.
    """

    def __init__(self, path: Path, is_small: bool | None = None) -> None:
        """Open a file. is_small: whether its nodes fit in memory; by its size unless given."""
        try:
            # Missed here rather than at the first object; before version 4 there is no such module.
            import osmium.filter  # noqa: F401
        except ImportError:
            raise MissingPackageError(
                "OpenStreetMap files need osmium 4", str(path), "pip install 'osmium>=4'"
            ) from None
        if not path.is_file():
            raise InputError("no such file", str(path), "check the path")
        self.path = path
        self._is_small = fits_in_memory(path) if is_small is None else is_small
        self.name = f"OpenStreetMap ({path.name})"

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the file has; see PoiSource. A relation that is no area is never accepted."""
        findable = [category for category in categories if category.osm]
        if not findable:
            names = ", ".join(category.id for category in categories)
            raise UsageError("no OpenStreetMap selector", names, "choose another source")
        found = 0
        for place in self._found(CategoryIndex(findable), area, progress):
            found += isinstance(place, Poi)
            yield place

    def _found(
        self, index: CategoryIndex, area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        pending, placed = PendingObjects(), PlacedObjects()
        nodes = NodeIndex() if self._is_small else None
        members: dict[int, _Relation] = {}
        looked_at = found = 0
        for thing in self._read("all", index.osmium_filter(), nodes):
            looked_at += 1
            if looked_at % _TELL_EVERY == 0:
                progress(looked_at, found)
            kind = _KINDS[thing.type_str()]
            tags = dict(thing.tags)
            shapes = shapes_of(kind, tags, kind == "way" and _is_closed(thing))
            wanted = index.accepting(tags, shapes)
            if not wanted or thing.deleted or not thing.visible:
                continue
            found += 1
            if kind == "node":
                yield from self._node(thing, tags, wanted, area)
            elif kind == "way":
                points = None if nodes is None else nodes.of_way(thing)
                if points is not None:
                    placed.add(kind, thing.id, tags, wanted, points)
                else:
                    pending.add(kind, thing.id, tags, wanted, _node_numbers(thing))
            else:
                members[thing.id] = _Relation(tags, wanted, thing.members)
            if len(pending.nodes) > _MOST_NODES:
                yield from self._placed(pending, area)
                pending = PendingObjects()
        if nodes is not None:
            members = self._place_relations(nodes, placed, members)
        yield from self._placed(placed, area)
        self._add_relations(pending, members)
        yield from self._placed(pending, area)
        progress(looked_at, found)

    def _node(
        self, node: Any, tags: Mapping[str, str], wanted: list[Category], area: Area
    ) -> Iterator[Poi | Dropped]:
        if not node.location.valid():
            yield from _without_place("node", node.id, wanted)
        elif area.contains(node.lon, node.lat):
            place = (node.lon, node.lat)
            yield from osm_pois(wanted, "node", node.id, tags, place, None, self.name)

    def _placed(self, pending: FoundObjects, area: Area) -> Iterator[Poi | Dropped]:
        with self._said_by_osmium():
            every_bounds = list(pending.bounds(self._whole_path))
        for index, bounds in enumerate(every_bounds):
            kind, number = pending.kinds[index], pending.numbers[index]
            if bounds is None:
                yield from _without_place(kind, number, pending.wanted[index])
                continue
            yield from self._in_area(pending, index, bounds, area)

    def _in_area(self, pending: FoundObjects, index: int, bounds: Bounds, area: Area) -> list[Poi]:
        place = centre_of(bounds)
        if not area.contains(*place):
            return []
        kind, number = pending.kinds[index], pending.numbers[index]
        tags, wanted = pending.tags[index], pending.wanted[index]
        return osm_pois(wanted, kind, number, tags, place, bounds, self.name)

    def _place_relations(
        self, nodes: NodeIndex, placed: PlacedObjects, relations: dict[int, _Relation]
    ) -> dict[int, _Relation]:
        """Add the relations whose ways' nodes are all in the index; return the others."""
        from osmium.filter import IdFilter

        ways: dict[int, array[float] | None] = {}
        wanted = {way for relation in relations.values() for way in relation.ways}
        if wanted:
            for way in self._read("way", IdFilter(sorted(wanted)), nodes):
                ways[way.id] = nodes.of_way(way)
        others = {}
        for number, relation in relations.items():
            found = [ways[way] for way in relation.ways if way in ways]
            if None in found:
                others[number] = relation
                continue
            points = nodes.of_nodes(relation.nodes)
            for line in found:
                points.extend(line or ())
            placed.add("relation", number, relation.tags, relation.wanted, points)
        return others

    def _add_relations(self, pending: PendingObjects, relations: dict[int, _Relation]) -> None:
        """Resolve relations to the nodes of their ways, and their own nodes."""
        from osmium.filter import IdFilter

        ways = {way for relation in relations.values() for way in relation.ways}
        nodes: dict[int, list[int]] = {}
        if ways:
            for way in self._read("way", IdFilter(sorted(ways))):
                nodes[way.id] = _node_numbers(way)
        for number, relation in relations.items():
            its_nodes = [node for way in relation.ways for node in nodes.get(way, ())]
            its_nodes += relation.nodes
            pending.add("relation", number, relation.tags, relation.wanted, its_nodes)

    def _read(self, kind: str, wanted: Any, nodes: NodeIndex | None = None) -> Iterator[Any]:
        """Yield the objects of a kind that pass a filter of osmium's.

        nodes: an index to be filled or, for ways, used.
        """
        import osmium

        if nodes is not None:
            read = nodes.read_ways if kind == "way" else nodes.read
            with self._said_by_osmium():
                yield from read(self._whole_path, wanted)
            return
        kinds = {"way": osmium.osm.WAY}
        every = osmium.osm.NODE | osmium.osm.WAY | osmium.osm.RELATION
        with self._said_by_osmium():
            chosen = kinds.get(kind, every)
            reading = osmium.FileProcessor(self._whole_path, chosen, **decoders())
            yield from reading.with_filter(wanted)

    @property
    def _whole_path(self) -> str:
        # osmium would take others for addresses or standard input.
        return str(self.path.resolve())

    @contextmanager
    def _said_by_osmium(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError, OSError) as fault:
            if isinstance(fault, OVEarthError):
                raise
            what, mend = f"can't be read ({fault})", "download or copy it again, whole"
            raise InputError(what, str(self.path), mend) from None


class _Relation:
    """A relation that was found, with the numbers of its members."""

    def __init__(
        self, tags: Mapping[str, str], wanted: list[Category], members: Iterable[Any]
    ) -> None:
        self.tags = tags
        self.wanted = wanted
        self.ways: list[int] = []
        self.nodes: list[int] = []
        for member in members:
            if member.type == "w":
                self.ways.append(member.ref)
            # A label or entrance of an area may lie outside of its outline.
            elif member.type == "n" and tags.get("type") not in ("multipolygon", "boundary"):
                self.nodes.append(member.ref)


def _node_numbers(way: Any) -> list[int]:
    # By index: half the time of osmium's own iterator, and most of this loop's.
    node = way.nodes.__getitem__
    return [node(index).ref for index in range(len(way.nodes))]


def _is_closed(way: Any) -> bool:
    return bool(way.ends_have_same_id()) and len(way.nodes) >= _CLOSED_FROM


def _without_place(kind: str, number: int, wanted: list[Category]) -> Iterator[Dropped]:
    for category in wanted:
        yield Dropped(osm_reference(kind, number), category.id, NO_COORDINATES)
