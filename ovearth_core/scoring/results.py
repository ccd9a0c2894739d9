"""What scoring gives for each query, kept as columns: one row a query of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .matching import THRESHOLDS

Indices = NDArray[np.int64]

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
class BoxScores:
    """Boxes of some answers: `rows` (R,) of the batch that hold any, the rest (R,) or (R, 10).

    `pairs`: by row of the batch, where they are kept, as in BoxResult.
    """

    rows: Indices
    predictions: Indices
    touches: NDArray[np.bool_]
    tp: Indices
    pairs: Mapping[int, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class BatchScores:
    """What some answers hold, and how they compare where that is asked.

    `indices` (B,): of their queries. `present`: by modality, (B,). `masks` (B, 2): pixels predicted
    and common with the truth, 0 where none is asked. `boxes`: by box modality.
    """

    indices: Indices
    present: Mapping[str, NDArray[np.bool_]]
    masks: Indices | None
    boxes: Mapping[str, BoxScores]


class BoxColumns:
    """Boxes of every query: predictions and touches (N,), matches (N, 10), and pairs if kept."""

    def __init__(self, queries: int) -> None:
        self.touches = np.zeros(queries, dtype=np.bool_)
        self.predictions = np.zeros(queries, dtype=np.int64)
        self.tp = np.zeros((queries, len(THRESHOLDS)), dtype=np.int32)
        self.pairs: dict[int, NDArray[np.float64]] = {}

    def put(self, indices: Indices, scores: BoxScores) -> None:
        """Store the scores of the queries at `indices`."""
        rows = indices[scores.rows]
        self.predictions[rows] = scores.predictions
        self.touches[rows] = scores.touches
        self.tp[rows] = scores.tp
        for row, pairs in scores.pairs.items():
            self.pairs[int(indices[row])] = pairs


class ResultTable:
    """The results of a run. A query without a record is an empty prediction, as all zeros say."""

    def __init__(self, queries: int, modalities: tuple[str, ...]) -> None:
        self.present = {name: np.zeros(queries, dtype=np.bool_) for name in modalities}
        self.mask_predicted = np.zeros(queries, dtype=np.int64)
        self.mask_intersection = np.zeros(queries, dtype=np.int64)
        self.boxes = {name: BoxColumns(queries) for name in modalities if name != "mask"}

    def put(self, batch: BatchScores) -> None:
        """Store the scores of some answers."""
        for modality, is_present in batch.present.items():
            self.present[modality][batch.indices] = is_present
        if batch.masks is not None:
            self.mask_predicted[batch.indices] = batch.masks[:, 0]
            self.mask_intersection[batch.indices] = batch.masks[:, 1]
        for modality, boxes in batch.boxes.items():
            self.boxes[modality].put(batch.indices, boxes)
