"""Where the ways and relations of an OpenStreetMap file are: bounds from their nodes' places."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .osm_decoding import decoders
from .poi import Bounds, wrapped_longitude

Ids = NDArray[np.int64]

# osmium's index files: node numbers and places in ten-millionths of a degree.
_RECORD = np.dtype([("node", np.int64), ("lon", np.int32), ("lat", np.int32)])
_UNITS_PER_DEGREE = 1e7
_UNDEFINED = np.iinfo(np.int32).max


class FoundObjects(ABC):
    """Ways and relations that were found, whose nodes lie one after another, packed.

    `ends` says where each object's nodes end. wanted: kept for the caller.
    """

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.numbers: list[int] = []
        self.tags: list[Mapping[str, str]] = []
        self.wanted: list[Any] = []
        self.ends: list[int] = []

    def bounds(self, path: str) -> Iterator[Bounds | None]:
        """Yield each object's bounds in the order of adding, None where no node has a place.

        path: of the OpenStreetMap file, for what is not known yet.
        """
        ends = np.array(self.ends, dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        yield from bounds_of_runs(self._lonlat(path), starts, ends)

    def _add(self, kind: str, number: int, tags: Mapping[str, str], wanted: Any, end: int) -> None:
        self.kinds.append(kind)
        self.numbers.append(number)
        self.tags.append(tags)
        self.wanted.append(wanted)
        self.ends.append(end)

    @abstractmethod
    def _lonlat(self, path: str) -> NDArray[np.float64]:
        """Return longitude and latitude (N,2) in degrees of all nodes, NaN where unknown."""


class PendingObjects(FoundObjects):
    """Objects whose nodes are known by number only, until `bounds` reads those nodes' places."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: array[int] = array("q")

    def add(
        self, kind: str, number: int, tags: Mapping[str, str], wanted: Any, nodes: Iterable[int]
    ) -> None:
        """Take in one object with its nodes' numbers."""
        self.nodes.extend(nodes)
        self._add(kind, number, tags, wanted, len(self.nodes))

    def _lonlat(self, path: str) -> NDArray[np.float64]:
        nodes = np.frombuffer(self.nodes, np.int64) if self.nodes else np.empty(0, np.int64)
        return places_of_nodes(path, nodes)


def places_of_nodes(path: str, nodes: Ids) -> NDArray[np.float64]:
    """Return longitude and latitude (N,2) in degrees of nodes (N,) by number, NaN where unknown.

    path: the OpenStreetMap file. RuntimeError of osmium's where it can't be read.
    """
    wanted = np.sort(nodes)
    wanted = wanted[np.concatenate([wanted[1:] != wanted[:-1], [True]])] if len(nodes) else wanted
    if not len(wanted):
        return np.empty((0, 2))
    known = _locations(path, wanted)
    known = known[np.argsort(known["node"], kind="stable")]
    at = np.minimum(np.searchsorted(known["node"], wanted), max(0, len(known) - 1))
    lonlat = np.full((len(wanted), 2), np.nan)
    if len(known):
        there = known["node"][at] == wanted
        lonlat[there, 0] = known["lon"][at[there]] / _UNITS_PER_DEGREE
        lonlat[there, 1] = known["lat"][at[there]] / _UNITS_PER_DEGREE
    return lonlat[np.searchsorted(wanted, nodes)]


def _locations(path: str, wanted: Ids) -> Any:
    """Return records of the wanted nodes that the file has, in no order.

    Neither Python's loop nor its objects touch a node: osmium filters them into its index on
    disk, which is an array of such records.
    """
    import osmium

    with TemporaryDirectory(prefix="ovearth-") as folder:
        index = Path(folder) / "nodes"
        store = osmium.index.create_map(f"sparse_file_array,{index}")
        with osmium.io.Reader(path, osmium.osm.NODE, **decoders()) as reader:
            numbers = osmium.filter.IdFilter(wanted.tolist())
            osmium.apply(reader, numbers, osmium.NodeLocationsForWays(store))
        del store  # closes the file
        records = np.fromfile(index, _RECORD)
    return records[records["lon"] != _UNDEFINED]


def bounds_of_runs(lonlat: NDArray[np.float64], starts: Ids, ends: Ids) -> Iterator[Bounds | None]:
    """Yield the bounds of each run of points, from its start to before its end; see bounds_of."""
    full = starts < ends
    lowest = np.full((len(starts), 2), np.nan)
    highest = lowest.copy()
    if full.any():
        # Of runs that are not empty, each ends where the next one starts.
        lowest[full] = np.fmin.reduceat(lonlat, starts[full], axis=0)
        highest[full] = np.fmax.reduceat(lonlat, starts[full], axis=0)
    # Few: those without a place and those that seem to go around the world.
    odd = ~(highest[:, 0] - lowest[:, 0] <= 180.0)
    sides = np.column_stack([lowest, highest]).tolist()
    for index, (west, south, east, north) in enumerate(sides):
        if odd[index]:
            yield bounds_of(lonlat[starts[index] : ends[index]])
        else:
            yield west, south, east, north


def bounds_of(lonlat: NDArray[np.float64]) -> Bounds | None:
    """Return the bounds of points (N,2) in degrees, None where all are NaN.

    Points further apart than half the globe are taken to lie across ±180: west > east then.
    """
    lonlat = lonlat[~np.isnan(lonlat[:, 0])]
    if not len(lonlat):
        return None
    (west, south), (east, north) = lonlat.min(axis=0), lonlat.max(axis=0)
    if east - west > 180.0:
        lons = lonlat[:, 0]
        west, east = lons[lons >= 0.0].min(), lons[lons < 0.0].max()
    west, east = (lon if -180.0 <= lon <= 180.0 else wrapped_longitude(lon) for lon in (west, east))
    return float(west), float(south), float(east), float(north)
