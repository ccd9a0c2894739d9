"""Compiled body that matches the boxes of many queries in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def _flip(start: int, other: int, came_from: Ints, left_of: Ints, right_of: Ints) -> None:
    """Swap matched and free edges along the path that ends in `other`, back to `start`."""
    while True:
        node = came_from[other]
        before = right_of[node]
        right_of[node], left_of[other] = other, node
        if node == start:
            return
        other = before


@kernel
def _augment(
    start: int,
    edges: tuple[Ints, Ints, Ints],
    left_of: Ints,
    right_of: Ints,
    search: tuple[Ints, Ints, Ints, Ints],
    stamp: int,
) -> bool:
    """Look for a path from the free left node to a free right one, and flip it if there is one.

    edges: the first edge of each left node, the next of the same node, and each edge's right node.
    What a failed search has seen keeps a negative stamp: it leads nowhere while no edge is added.
    """
    heads, following, right = edges
    came_from, seen, waiting, visited = search
    waiting[0] = start
    first, last, found = 0, 1, 0
    while first < last:
        node = waiting[first]
        first += 1
        edge = heads[node]
        while edge >= 0:
            other = right[edge]
            edge = following[edge]
            if seen[other] == stamp or seen[other] < 0:
                continue
            seen[other] = stamp
            came_from[other] = node
            visited[found] = other
            found += 1
            if left_of[other] < 0:
                _flip(start, other, came_from, left_of, right_of)
                return True
            waiting[last] = left_of[other]
            last += 1
    for k in range(found):
        seen[visited[k]] = -1
    return False


@kernel
def _sizes(left: Ints, right: Ints, falling: Floats, limits: Floats, sizes: Ints) -> None:
    """Write the size of a maximum matching at each of the ascending limits, of one group."""
    edges = len(left)
    lefts, rights = int(np.max(left)) + 1, int(np.max(right)) + 1
    heads, tails = np.full(lefts, -1), np.full(lefts, -1)
    following = np.full(edges, -1)
    right_of, left_of = np.full(lefts, -1), np.full(rights, -1)
    seen = np.zeros(rights, np.int64)
    search = np.empty(rights, np.int64), seen, np.empty(lefts + 1, np.int64), seen.copy()
    edge, matched, stamp = 0, 0, 0
    for step in range(len(limits) - 1, -1, -1):
        left_over = False
        while edge < edges and falling[edge] <= -limits[step]:
            a, b = left[edge], right[edge]
            if heads[a] < 0:
                heads[a] = edge
            else:
                following[tails[a]] = edge
            tails[a] = edge
            if right_of[a] < 0 and left_of[b] < 0:
                right_of[a], left_of[b] = b, a
                matched += 1
            else:
                left_over = True
            edge += 1
        if left_over:
            seen[:] = 0
            for a in range(lefts):
                if heads[a] >= 0 and right_of[a] < 0:
                    stamp += 1
                    lists = heads, following, right
                    matched += _augment(a, lists, left_of, right_of, search, stamp)
        sizes[step] = matched


@kernel
def matching_sizes(stops: Ints, left: Ints, right: Ints, falling: Floats, limits: Floats) -> Ints:
    """Return (G, T): the size of a maximum matching of each group at each ascending limit.

    stops (G,): where the edges of each group end. left, right (E,): node numbers from 0 in each
    group, falling (E,): minus the IoU, ascending in each group. limits (T,): least IoUs.
    """
    sizes = np.zeros((len(stops), len(limits)), np.int64)
    start = 0
    for group in range(len(stops)):
        stop = stops[group]
        if stop > start:
            some = slice(start, stop)
            _sizes(left[some], right[some], falling[some], limits, sizes[group])
        start = stop
    return sizes
