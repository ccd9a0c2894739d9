"""One run's results in columns, whether it was scored here or comes from a per-query file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scoring import THRESHOLDS, Scores
from ..scoring.error_kinds import DEFAULT_THRESHOLD, box_kinds, overlap_kinds

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class MaskColumns:
    """Of N queries: precision and recall, pixels in both masks and in either; 0 where not asked."""

    precision: Floats
    recall: Floats
    intersection: Ints
    union: Ints

    @cached_property
    def iou(self) -> Floats:
        """Intersection over union (N,), 0 where not asked."""
        return self.intersection / np.maximum(self.union, 1)


@dataclass(frozen=True)
class BoxCounts:
    """Of N queries: boxes true and predicted, whether any two overlap, and (N, 10) matches."""

    truths: Ints
    predictions: Ints
    touches: Bools
    tp: Ints


@dataclass(frozen=True)
class EvaluatedRun:
    """A run of one model: what it attempts, and its results at the N queries of the benchmark.

    source: what messages call it. present: by modality, (N,), whether anything was predicted,
    false for tasks that aren't attempted. masks: None where masks aren't attempted. boxes: by box
    modality. attributes: what the run's header says of the model, or who analyses it. min_score:
    below which boxes were dropped when it was scored, None where none were.
    """

    model: str
    source: str
    tasks: tuple[str, ...]
    modalities: tuple[str, ...]
    present: Mapping[str, Bools]
    masks: MaskColumns | None
    boxes: Mapping[str, BoxCounts]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    predictions_sha256: str | None = None
    min_score: float | None = None

    def attempts(self, task: str, modality: str = "mask") -> bool:
        """Whether it answers queries of the task in the modality."""
        return task in self.tasks and modality in self.modalities

    @property
    def iou(self) -> Floats:
        """The IoU of the masks (N,), 0 where not asked; only of a run that attempts masks."""
        if self.masks is None:
            raise ValueError(f"{self.model} attempts no masks")
        return self.masks.iou

    def kinds(self, modality: str, threshold: float = DEFAULT_THRESHOLD) -> Ints:
        """Return the place in KINDS (N,) of each query's error kind, as if it were positive.

        threshold: one of the ten for boxes.
        """
        if modality == "mask":
            if self.masks is None:
                raise ValueError(f"{self.model} attempts no masks")
            return overlap_kinds(self.masks.intersection, self.masks.union, threshold)
        boxes = self.boxes[modality]
        tp = boxes.tp[:, THRESHOLDS.index(threshold)]
        return box_kinds(boxes.truths, boxes.predictions, tp, boxes.touches)


def evaluated_run(scores: Scores) -> EvaluatedRun:
    """Return the results of a run that was scored, in columns."""
    columns = scores.benchmark.columns.queries
    attempted = columns.of_tasks(scores.tasks)
    min_score = scores.counted.get("min_score")
    return EvaluatedRun(
        model=scores.predictions.header.model,
        source=scores.predictions.source,
        tasks=scores.tasks,
        modalities=scores.modalities,
        present={name: scores.table.present[name] & attempted for name in scores.modalities},
        masks=_masks(scores) if "mask" in scores.modalities else None,
        boxes={name: _boxes(scores, name) for name in scores.modalities if name != "mask"},
        attributes=scores.predictions.header.attributes,
        predictions_sha256=scores.predictions.sha256,
        min_score=min_score if isinstance(min_score, float) else None,
    )


def _masks(scores: Scores) -> MaskColumns:
    asked = scores.asked
    true = np.where(asked, scores.true_pixels, 0)
    predicted = np.where(asked, scores.table.mask_predicted, 0)
    common = np.where(asked, scores.table.mask_intersection, 0)
    return MaskColumns(
        common / np.maximum(predicted, 1),
        common / np.maximum(true, 1),
        common,
        predicted + true - common,
    )


def _boxes(scores: Scores, modality: str) -> BoxCounts:
    asked = scores.asked & scores.benchmark.has_boxes
    columns = scores.table.boxes[modality]
    return BoxCounts(
        np.where(asked, scores.true_boxes, 0),
        np.where(asked, columns.predictions, 0),
        columns.touches & asked,
        np.where(asked[:, None], columns.tp, 0).astype(np.int64),
    )
