"""The places of all nodes of an OpenStreetMap file, in memory: for files that are small enough."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .osm_bounds import FoundObjects
from .osm_decoding import decoders

# Bytes of a file whose index stays below some 130 MB: 16 bytes a node, and a node has at least
# about so many bytes in each format.
_LARGEST = {".pbf": 64_000_000, ".osm": 256_000_000}
_LARGEST_PACKED = 32_000_000
_STORE = "sparse_mmap_array"
_FALLBACK_STORE = "flex_mem"
# Hexadecimal digits before the points of a line in well-known binary, and how it begins.
_HEADER, _LITTLE_ENDIAN = 18, "01"


def fits_in_memory(path: Path) -> bool:
    """Whether an index of all nodes of a file may be kept in memory, told by its size."""
    return path.stat().st_size <= _LARGEST.get(path.suffix.lower(), _LARGEST_PACKED)


class NodeIndex:
    """Places of nodes, filled while a file is read, so that its ways come with theirs."""

    def __init__(self) -> None:
        import osmium

        kinds = osmium.index.map_types()
        self._store = osmium.index.create_map(_STORE if _STORE in kinds else _FALLBACK_STORE)
        self._factory = osmium.geom.WKBFactory()
        self._every = osmium.geom.ALL
        self._missing = osmium.InvalidLocationError

    def read(self, path: str, wanted: Any) -> Iterator[Any]:
        """Yield the objects of a file that pass a filter of osmium's, and take in all nodes."""
        import osmium

        taking_in = osmium.NodeLocationsForWays(self._store)
        # Only the ways that pass are given their places: most of the time of doing it for all.
        taking_in.apply_nodes_to_ways = False
        processor = osmium.FileProcessor(path, **decoders()).with_filter(taking_in)
        yield from processor.with_filter(wanted).with_filter(self._places())

    def read_ways(self, path: str, wanted: Any) -> Iterator[Any]:
        """Yield the ways of a file that pass a filter, after `read`."""
        import osmium

        processor = osmium.FileProcessor(path, osmium.osm.WAY, **decoders())
        yield from processor.with_filter(wanted).with_filter(self._places())

    def _places(self) -> Any:
        """Return osmium's handler that gives ways the places of their nodes."""
        import osmium

        places = osmium.NodeLocationsForWays(self._store)
        places.ignore_errors()
        return places

    def of_way(self, way: Any) -> array[float] | None:
        """Return longitude and latitude, in turn, of a way's nodes.

        None where one is missing so far: it is not in the file, or comes after the way.
        """
        try:
            # One call for all nodes, where asking each takes two.
            line = self._factory.create_linestring(way, self._every)
        except (RuntimeError, self._missing):
            return None
        if not line.startswith(_LITTLE_ENDIAN):
            return None
        found = array("d")
        found.frombytes(bytes.fromhex(line[_HEADER:]))
        return found

    def of_nodes(self, numbers: Iterable[int]) -> array[float]:
        """Return the same of nodes by number."""
        found = array("d")
        for number in numbers:
            try:
                place = self._store.get(number)
            except KeyError:
                continue
            if place.valid():
                found.extend((place.lon, place.lat))
        return found


class PlacedObjects(FoundObjects):
    """Objects with the places of their nodes."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: array[float] = array("d")

    def add(
        self, kind: str, number: int, tags: Mapping[str, str], wanted: Any, nodes: array[float]
    ) -> None:
        """Take in one object with its nodes' longitudes and latitudes, in turn."""
        self.nodes.extend(nodes)
        self._add(kind, number, tags, wanted, len(self.nodes) // 2)

    def _lonlat(self, path: str) -> NDArray[np.float64]:
        return np.frombuffer(self.nodes).reshape(-1, 2) if self.nodes else np.empty((0, 2))
