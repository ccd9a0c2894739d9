"""Where the ways and relations of an OpenStreetMap file are: bounds from their nodes' places."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .poi import Bounds

Ids = NDArray[np.int64]
Reader = Callable[[str, Any], Iterable[Any]]


@dataclass
class PendingObjects:
    """Objects whose nodes are known by number only, until `bounds` reads those nodes' places.

    The node numbers of all objects lie one after another in `nodes`, packed; `ends` says where
    each object's end.
    """

    kinds: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    tags: list[Mapping[str, str]] = field(default_factory=list)
    wanted: list[Any] = field(default_factory=list)
    nodes: array[int] = field(default_factory=lambda: array("q"))
    ends: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.numbers)

    def add(
        self, kind: str, number: int, tags: Mapping[str, str], wanted: Any, nodes: Iterable[int]
    ) -> None:
        """Take in one object. wanted: kept for the caller."""
        self.kinds.append(kind)
        self.numbers.append(number)
        self.tags.append(tags)
        self.wanted.append(wanted)
        self.nodes.extend(nodes)
        self.ends.append(len(self.nodes))

    def bounds(self, read: Reader) -> Iterator[Bounds | None]:
        """Yield each object's bounds in the order of adding, None where no node has a place."""
        nodes = np.frombuffer(self.nodes, np.int64) if self.nodes else np.empty(0, np.int64)
        lonlat = places_of_nodes(read, nodes)
        start = 0
        for end in self.ends:
            yield bounds_of(lonlat[start:end])
            start = end


def places_of_nodes(read: Reader, nodes: Ids) -> NDArray[np.float64]:
    """Return longitude and latitude (N,2) in degrees of nodes (N,) by number, NaN where unknown."""
    from osmium.filter import IdFilter

    if not len(nodes):
        return np.empty((0, 2))
    found, lonlat = array("q"), array("d")
    for node in read("node", IdFilter(np.unique(nodes).tolist())):
        if node.location.valid():
            found.append(node.id)
            lonlat.append(node.lon)
            lonlat.append(node.lat)
    if not found:
        return np.full((len(nodes), 2), np.nan)
    known = np.frombuffer(found, np.int64)
    places = np.frombuffer(lonlat, np.float64).reshape(-1, 2)
    order = np.argsort(known, kind="stable")
    at = np.minimum(np.searchsorted(known, nodes, sorter=order), len(known) - 1)
    rows = order[at]
    return np.where((known[rows] == nodes)[:, None], places[rows], np.nan)


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
    return float(west), float(south), float(east), float(north)
