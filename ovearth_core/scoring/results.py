"""What scoring gives for each query, kept as columns: one row a query of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .matching import THRESHOLDS

NO_PAIRS: NDArray[np.float64] = np.zeros((0, 3))
NO_MATCHES = (0,) * len(THRESHOLDS)


@dataclass(frozen=True, slots=True)
class MaskResult:
    """Pixels of one positive query: predicted, true, and common to both."""

    predicted: int
    true: int
    intersection: int

    @property
    def union(self) -> int:
        """Pixels in either mask."""
        return self.predicted + self.true - self.intersection

    @property
    def iou(self) -> float:
        """Intersection over union; the truth is never empty."""
        return self.intersection / self.union

    def document(self) -> dict[str, Any]:
        """Return the entry of a per-query file; the precision of an empty prediction is 0."""
        return {
            "iou": self.iou,
            "precision": self.intersection / self.predicted if self.predicted else 0.0,
            "recall": self.intersection / self.true,
            "intersection": self.intersection,
            "union": self.union,
        }


@dataclass(frozen=True, slots=True)
class BoxResult:
    """Boxes of one positive query of an instanceable target.

    `tp`: matches at each of the ten thresholds. `touches`: whether any pair overlaps. `pairs`:
    (K, 3) rows of truth index, prediction index and IoU, every pair with IoU above 0, none where
    they were not kept; indices are into the boxes sorted by coordinates.
    """

    truths: int
    predictions: int
    tp: tuple[int, ...] = NO_MATCHES
    touches: bool = False
    pairs: NDArray[np.float64] = field(default_factory=lambda: NO_PAIRS)

    def document(self) -> dict[str, Any]:
        """Return the entry of a per-query file."""
        return {
            "truths": self.truths,
            "predictions": self.predictions,
            "tp": list(self.tp),
            "pairs": [[int(truth), int(box), iou] for truth, box, iou in self.pairs.tolist()],
        }


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One query: what the answer held, and how it compares where that is asked.

    `present`: by modality; left out is absent. `mask`: pixels predicted and common with the truth,
    of positive queries. `boxes`: by box modality, of positive queries of instanceable targets.
    """

    index: int
    present: Mapping[str, bool]
    mask: MaskResult | None = None
    boxes: Mapping[str, BoxResult] = field(default_factory=dict)


class BoxColumns:
    """Boxes of every query: predictions and touches (N,), matches (N, 10), and pairs if kept."""

    def __init__(self, queries: int, keep_pairs: bool) -> None:
        self.keeps_pairs = keep_pairs
        self.touches = np.zeros(queries, dtype=np.bool_)
        self.predictions = np.zeros(queries, dtype=np.int64)
        self.tp = np.zeros((queries, len(THRESHOLDS)), dtype=np.int32)
        self.pairs: dict[int, NDArray[np.float64]] = {}

    def put(self, index: int, result: BoxResult) -> None:
        """Store the result of the query at `index`."""
        self.predictions[index] = result.predictions
        self.tp[index] = result.tp
        self.touches[index] = result.touches
        if self.keeps_pairs and len(result.pairs):
            self.pairs[index] = result.pairs


class ResultTable:
    """The results of a run. A query without a record is an empty prediction, as all zeros say."""

    def __init__(self, queries: int, modalities: tuple[str, ...], keep_pairs: bool = True) -> None:
        self.present = {name: np.zeros(queries, dtype=np.bool_) for name in modalities}
        self.mask_predicted = np.zeros(queries, dtype=np.int64)
        self.mask_intersection = np.zeros(queries, dtype=np.int64)
        self.boxes = {
            name: BoxColumns(queries, keep_pairs) for name in modalities if name != "mask"
        }

    def put(self, result: QueryResult) -> None:
        """Store one query's result."""
        for modality, is_present in result.present.items():
            self.present[modality][result.index] = is_present
        if result.mask is not None:
            self.mask_predicted[result.index] = result.mask.predicted
            self.mask_intersection[result.index] = result.mask.intersection
        for modality, boxes in result.boxes.items():
            self.boxes[modality].put(result.index, boxes)
