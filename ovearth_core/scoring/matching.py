"""Maximum-cardinality one-to-one matching of true and predicted boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import compiled_body, same_kind

# An IoU of exactly 0.5, 0.55 … counts also after a trip through map coordinates.
TOLERANCE = 1e-6
# Compiled code for fewer would take longer to load than they take without it.
_FEW_EDGES = 512
THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))

Pairs = NDArray[np.float64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def least_iou(threshold: float) -> float:
    """Return the smallest IoU that makes an edge at `threshold`."""
    return threshold * (1 - TOLERANCE)


def match(iou: NDArray[np.float64], threshold: float) -> list[tuple[int, int]]:
    """Match the rows (truths) and columns (predictions) of an (N, M) IoU matrix.

    Edges are the cells with IoU ≥ threshold·(1 − 1e-6) and above 0, taken by descending IoU,
    equal ones by index; what is unmatched is then augmented the same way, so that as many pairs
    as possible result. Returns (row, column) pairs, sorted.
    """
    table = np.atleast_2d(np.asarray(iou, dtype=np.float64))
    rows, columns = np.nonzero((table >= least_iou(threshold)) & (table > 0))
    return match_pairs(np.column_stack([rows, columns, table[rows, columns]]), threshold)


def match_pairs(pairs: Pairs, threshold: float) -> list[tuple[int, int]]:
    """Match like `match`, from (K, 3) rows of truth index, prediction index, IoU."""
    edges = pairs[pairs[:, 2] >= least_iou(threshold)]
    order = np.lexsort((edges[:, 1], edges[:, 0], -edges[:, 2]))
    matching = _Matching()
    matching.grow(edges[order, :2].astype(np.int64).tolist())
    return sorted((truth, prediction) for prediction, truth in matching.truth_of.items())


def matches_at_thresholds(pairs: Pairs, thresholds: Sequence[float] = THRESHOLDS) -> list[int]:
    """Return the size of a maximum matching at each of the ascending `thresholds`.

    `pairs`: (K, 3) rows of truth index, prediction index, IoU.
    """
    i, j = pairs[:, :2].astype(np.int64).T
    return list(matching_sizes(np.array([len(pairs)]), i, j, pairs[:, 2], thresholds)[0].tolist())


def matching_sizes(
    stops: Ints, i: Ints, j: Ints, iou: Floats, thresholds: Sequence[float] = THRESHOLDS
) -> Ints:
    """Return (G, T): the size of a maximum matching of each group at each ascending threshold.

    stops (G,): where the pairs of each group end. i, j, iou (K,): truth and prediction of each
    pair, numbered from 0 in each group, and its IoU. A matching at a high threshold is grown into
    that of the next lower one, so each edge is looked at once for all of them.
    """
    limits = np.array([least_iou(threshold) for threshold in thresholds])
    group = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0))
    near = np.flatnonzero(iou >= limits[0])
    i, j, falling, group = i[near], j[near], -iou[near], group[near]
    order = np.lexsort((j, i, falling, group))
    stops = np.searchsorted(group, np.arange(len(stops)), side="right")
    return _sizes_of_sorted(stops, i[order], j[order], falling[order], limits)


def _sizes_of_sorted(stops: Ints, left: Ints, right: Ints, falling: Floats, limits: Floats) -> Ints:
    group = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0))
    # Where no box has two edges, the edges themselves are the matching.
    sizes = np.stack(
        [np.bincount(group[falling <= -limit], minlength=len(stops)) for limit in limits], axis=1
    )
    several = np.union1d(_with_doubles(group, left), _with_doubles(group, right))
    if len(several):
        some = np.isin(group, several)
        ends = np.searchsorted(group[some], several, side="right")
        body = compiled_body("matching_sizes") if np.count_nonzero(some) > _FEW_EDGES else None
        given: tuple[NDArray[Any], ...] = (ends, left[some], right[some], falling[some], limits)
        sizes[several] = (body or sizes_of_each)(*map(same_kind, given))
    return sizes


def sizes_of_each(stops: Ints, left: Ints, right: Ints, falling: Floats, limits: Floats) -> Ints:
    """Return what matching_sizes does, of edges sorted in each group.

    left, right (E,): nodes, numbered from 0 in each group; falling (E,): minus the IoU, ascending
    in each group; limits (T,): the least IoUs, ascending.
    """
    starts = stops - np.diff(stops, prepend=0)
    groups = (slice(*ends) for ends in zip(starts, stops, strict=True))
    sizes = [_sizes(left[some], right[some], falling[some], limits) for some in groups]
    return np.array(sizes, dtype=np.int64).reshape(len(stops), len(limits))


def _with_doubles(group: Ints, node: Ints) -> Ints:
    """Return the groups in which a node has more than one edge."""
    order = np.lexsort((node, group))
    group, node = group[order], node[order]
    doubled: Ints = group[1:][(group[1:] == group[:-1]) & (node[1:] == node[:-1])]
    return doubled


def _sizes(left: Ints, right: Ints, falling: Floats, limits: Floats) -> list[int]:
    ends = np.column_stack([left, right]).tolist()
    matching = _Matching()
    sizes = []
    given = 0
    for stop in np.searchsorted(falling, -limits[::-1], side="right").tolist():
        matching.grow(ends[given:stop])
        given = stop
        sizes.append(len(matching.truth_of))
    return sizes[::-1]


class _Matching:
    """A matching that grows with its edges and is of maximum size after each step."""

    def __init__(self) -> None:
        self.truth_of: dict[int, int] = {}
        self._prediction_of: dict[int, int] = {}
        self._neighbours: dict[int, list[int]] = {}

    def grow(self, edges: list[list[int]]) -> None:
        left_over = False
        for truth, prediction in edges:
            self._neighbours.setdefault(truth, []).append(prediction)
            if truth in self._prediction_of or prediction in self.truth_of:
                left_over = True
            else:
                self._join(truth, prediction)
        if left_over:
            # What a failed search has seen leads nowhere while no edge is added.
            dead: set[int] = set()
            for truth in self._neighbours:
                if truth not in self._prediction_of:
                    self._augment(truth, dead)

    def _join(self, truth: int, prediction: int) -> None:
        self._prediction_of[truth] = prediction
        self.truth_of[prediction] = truth

    def _augment(self, start: int, dead: set[int]) -> None:
        """Look for a path from a free truth to a free prediction, and flip it if there is one."""
        came_from: dict[int, int] = {}
        waiting = [start]
        for truth in waiting:
            for prediction in self._neighbours[truth]:
                if prediction in came_from or prediction in dead:
                    continue
                came_from[prediction] = truth
                owner = self.truth_of.get(prediction)
                if owner is None:
                    self._flip(prediction, came_from, start)
                    return
                waiting.append(owner)
        dead.update(came_from)

    def _flip(self, prediction: int, came_from: dict[int, int], start: int) -> None:
        while True:
            truth = came_from[prediction]
            before = self._prediction_of.get(truth)
            self._join(truth, prediction)
            if truth == start or before is None:
                return
            prediction = before
