"""Objects with ids that osmium's filters don't take.

Editors number what isn't uploaded yet below zero, which filters and indexes don't know, and some
programs number from far above, for which a filter would need more memory than there is. They are
few, and read in a plain loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# OpenStreetMap has given away 2**34 so far; a filter takes 8 bytes for each 2**22 ids below its
# largest.
_MOST = 2**40


def is_odd(number: int) -> bool:
    """Whether osmium's filters don't take an id."""
    return not 0 <= number < _MOST


def are_odd(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the same for ids (N,)."""
    return (numbers < 0) | (numbers >= _MOST)


def odd_ways(path: str, wanted: Collection[int]) -> Iterator[Any]:
    """Yield those of the wanted ways of a file whose ids are odd."""
    import osmium

    yield from _each(path, osmium.osm.WAY, wanted)


def odd_nodes(path: str, wanted: Collection[int]) -> tuple[NDArray[np.int64], NDArray[Any]]:
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

    numbers = set(filter(is_odd, wanted))
    if numbers:
        yield from (thing for thing in osmium.FileProcessor(path, kind) if thing.id in numbers)
