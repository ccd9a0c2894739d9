"""The boxes of some answers, compared with their truth in one go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..benchmark.truth import sorted_boxes
from ..geometry import box_pairs, grouped_box_pairs, grouped_quad_pairs, quad_pairs
from .matching import THRESHOLDS, matching_sizes
from .results import BoxScores

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Pairs = tuple[Ints, Ints, Floats]

# A table of this many cells has a faster way of its own, which looks for pairs along one axis.
_MANY_CELLS = 1 << 16
# Boxes this far out are scaled before they are compared, each answer by its own factor.
_FAR = 1e60

_GROUPED: dict[str, Callable[..., Pairs]] = {"hbb": grouped_box_pairs, "obb": grouped_quad_pairs}
_ALONE: dict[str, Callable[..., Pairs]] = {"hbb": box_pairs, "obb": quad_pairs}


class BoxBatch:
    """Boxes gathered for one comparison, of one modality; `keep_pairs`: also those that overlap."""

    def __init__(self, modality: str, keep_pairs: bool) -> None:
        self._modality = modality
        self._keep_pairs = keep_pairs
        self.rows: list[int] = []
        self._counts: list[int] = []
        self._compared: list[tuple[Floats, Floats]] = []
        self._places: list[int] = []

    def add(self, row: int, predicted: Floats, truths: Floats | None) -> None:
        """Add the boxes of one answer, at least one; `truths` is None where none are asked."""
        if truths is not None and len(truths):
            self._places.append(len(self.rows))
            self._compared.append((truths, predicted))
        self.rows.append(row)
        self._counts.append(len(predicted))

    def compare(self) -> BoxScores:
        """Return how the boxes compare; `rows` are those that were added."""
        rows = np.array(self.rows, dtype=np.int64)
        counts = np.array(self._counts, dtype=np.int64)
        touches = np.zeros(len(rows), dtype=np.bool_)
        tp = np.zeros((len(rows), len(THRESHOLDS)), dtype=np.int64)
        kept: dict[int, Floats] = {}
        if self._compared:
            stops, truth, box, iou = self._pairs()
            places = np.array(self._places)
            touches[places] = np.diff(stops, prepend=0) > 0
            tp[places] = matching_sizes(stops, truth, box, iou)
            if self._keep_pairs:
                table = np.column_stack([truth, box, iou])
                pairs = np.split(table, stops[:-1])
                kept = {self.rows[k]: found for k, found in zip(self._places, pairs, strict=True)}
                kept = {row: found for row, found in kept.items() if len(found)}
        return BoxScores(rows, counts, touches, tp, kept)

    def _pairs(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Return where the pairs of each answer end, and of each pair truth, box and IoU.

        Pairs are in the order of truth and box; boxes count in the order of their coordinates.
        """
        pairs = [(t, sorted_boxes(p) if self._keep_pairs else p) for t, p in self._compared]
        truths, boxes = ([both[side] for both in pairs] for side in (0, 1))
        truth_counts, box_counts = (_lengths(side) for side in (truths, boxes))
        all_truths, all_boxes = np.concatenate(truths), np.concatenate(boxes)
        is_large = np.max(truth_counts * box_counts) > _MANY_CELLS
        if is_large or max(np.max(np.abs(all_truths)), np.max(np.abs(all_boxes))) > _FAR:
            return _end_to_end([_ALONE[self._modality](*both) for both in pairs])
        i, j, iou = _GROUPED[self._modality](all_truths, truth_counts, all_boxes, box_counts)
        truth_stops, box_stops = np.cumsum(truth_counts), np.cumsum(box_counts)
        group = np.searchsorted(truth_stops, i, side="right")
        stops = np.searchsorted(group, np.arange(len(pairs)), side="right")
        i = i - (truth_stops - truth_counts)[group]
        j = j - (box_stops - box_counts)[group]
        return stops, i, j, iou


def _lengths(arrays: Sequence[Floats]) -> Ints:
    return np.fromiter(map(len, arrays), np.int64, len(arrays))


def _end_to_end(found: Sequence[Pairs]) -> tuple[Ints, Ints, Ints, Floats]:
    stops = np.cumsum(_lengths([pairs[2] for pairs in found]))
    i, j, iou = (np.concatenate(column) for column in zip(*found, strict=True))
    return stops, i, j, iou
