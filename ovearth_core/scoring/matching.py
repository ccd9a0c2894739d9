"""Maximum-cardinality one-to-one matching of true and predicted boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# An IoU of exactly 0.5, 0.55 … counts also after a trip through map coordinates.
TOLERANCE = 1e-6
THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))

Pairs = NDArray[np.float64]


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
    edges = _Edges(pairs[pairs[:, 2] >= least_iou(threshold)])
    matching = _Matching()
    matching.grow(edges.down_to(threshold))
    return sorted((truth, prediction) for prediction, truth in matching.truth_of.items())


def matches_at_thresholds(pairs: Pairs, thresholds: Sequence[float] = THRESHOLDS) -> list[int]:
    """Return the size of a maximum matching at each of the ascending `thresholds`.

    `pairs`: (K, 3) rows of truth index, prediction index, IoU. A matching at a high threshold is
    grown into that of the next lower one, so each edge is looked at once for all of them.
    """
    limits = [least_iou(threshold) for threshold in thresholds]
    pairs = pairs[pairs[:, 2] >= limits[0]]
    if _is_one_to_one(pairs):
        return [int(np.count_nonzero(pairs[:, 2] >= limit)) for limit in limits]
    edges = _Edges(pairs)
    matching = _Matching()
    sizes = []
    for threshold in reversed(thresholds):
        matching.grow(edges.down_to(threshold))
        sizes.append(len(matching.truth_of))
    return sizes[::-1]


def _is_one_to_one(pairs: Pairs) -> bool:
    """Whether no box has two edges, so that the edges themselves are the matching."""
    return all(len(set(pairs[:, side].tolist())) == len(pairs) for side in (0, 1))


class _Edges:
    """Edges by descending IoU, then by index, handed out from the top down."""

    def __init__(self, pairs: Pairs) -> None:
        order = np.lexsort((pairs[:, 1], pairs[:, 0], -pairs[:, 2]))
        self._ends: list[list[int]] = pairs[order, :2].astype(np.int64).tolist()
        self._falling = -pairs[order, 2]
        self._given = 0

    def down_to(self, threshold: float) -> list[list[int]]:
        """Return the edges not yet handed out with IoU at or above the threshold's limit."""
        start = self._given
        self._given = int(np.searchsorted(self._falling, -least_iou(threshold), side="right"))
        return self._ends[start : self._given]


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
