"""Objects with ids below zero, as editors number what isn't uploaded yet.

osmium's filters and indexes know none of these: such files are small, and read in a plain loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def local_ways(path: str, wanted: Collection[int]) -> Iterator[Any]:
    """Yield those of the wanted ways of a file whose ids are below zero."""
    import osmium

    yield from _each(path, osmium.osm.WAY, wanted)


def local_nodes(path: str, wanted: Collection[int]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the same of nodes: ids (N,), and places (N,2) in ten-millionths of a degree."""
    import osmium

    found = [
        (node.id, node.location.x, node.location.y)
        for node in _each(path, osmium.osm.NODE, wanted)
        if node.location.valid()
    ]
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1:]


def _each(path: str, kind: Any, wanted: Collection[int]) -> Iterator[Any]:
    import osmium

    numbers = {number for number in wanted if number < 0}
    if numbers:
        yield from (thing for thing in osmium.FileProcessor(path, kind) if thing.id in numbers)
