"""The scores of one run: every number of the protocol, and each query behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark, Truth
from ..predictions import Predictions
from .detection import detection_metrics
from .error_kinds import (
    DEFAULT_THRESHOLD,
    KINDS,
    box_kind,
    box_kinds,
    mask_kind,
    mask_kinds,
    negative_kind,
    negative_kinds,
)
from .matching import THRESHOLDS
from .presence import presence_metrics
from .results import NO_PAIRS, BoxResult, MaskResult, ResultTable
from .segmentation import segmentation_metrics

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Scores:
    """Scores of one run over the `tasks` and `modalities` that it attempts."""

    benchmark: Benchmark
    truth: Truth
    predictions: Predictions
    modalities: tuple[str, ...]
    tasks: tuple[str, ...]
    table: ResultTable
    frame: Mapping[str, Any]
    counted: Mapping[str, object]

    def to_dict(self) -> dict[str, Any]:
        """Return the run's entry in `runs` of an `ovearth-scores/1` file."""
        document: dict[str, Any] = {
            "model": self.predictions.header.model,
            "predictions_sha256": self.predictions.sha256,
            **self.predictions.header.attributes,
            "modalities": list(self.modalities),
            "tasks": list(self.tasks),
            "frame": dict(self.frame),
            **self.counted,
        }
        if "mask" in self.modalities:
            document["segmentation"] = self._by_task(self._segmentation)
        for modality in ("hbb", "obb"):
            if modality in self.modalities:
                document[modality] = self._by_task(partial(self._boxes, modality))
        if "vocabulary" in self.tasks:
            document["presence"] = {name: self._presence(name) for name in self.modalities}
        document["errors"] = {name: self._error_counts(name) for name in self.modalities}
        return document

    def per_query(self, threshold: float = DEFAULT_THRESHOLD) -> Iterator[dict[str, Any]]:
        """Yield the line of each query of an attempted task, sorted by query id."""
        queries = self.benchmark.columns.queries
        attempted = np.flatnonzero(queries.of_tasks(self.tasks)).tolist()
        for index in sorted(attempted, key=queries.ids.__getitem__):
            yield self.query_document(index, threshold)

    def query_document(self, index: int, threshold: float = DEFAULT_THRESHOLD) -> dict[str, Any]:
        """Return what the per-query file says of the query at `index` of the benchmark."""
        document: dict[str, Any] = {
            "query_id": self.benchmark.columns.queries.ids[index],
            "present": {name: bool(self.table.present[name][index]) for name in self.modalities},
        }
        if "mask" in self.modalities and self._is_positive[index]:
            document["mask"] = self.mask_result(index).document()
        for modality in self.modalities:
            if modality != "mask" and self._has_boxes[index]:
                document[modality] = self.box_result(modality, index).document()
        kinds = {name: self.error_kind(name, index, threshold) for name in self.modalities}
        document["error"] = {name: kind for name, kind in kinds.items() if kind is not None}
        return document

    def mask_result(self, index: int) -> MaskResult:
        """Return the pixels of the positive query at `index`."""
        return MaskResult(
            int(self.table.mask_predicted[index]),
            int(self.true_pixels[index]),
            int(self.table.mask_intersection[index]),
        )

    def box_result(self, modality: str, index: int) -> BoxResult:
        """Return the boxes of the query at `index`, positive and of an instanceable target."""
        columns = self.table.boxes[modality]
        return BoxResult(
            int(self.true_boxes[index]),
            int(columns.predictions[index]),
            tuple(columns.tp[index].tolist()),
            bool(columns.touches[index]),
            columns.pairs.get(index, NO_PAIRS),
        )

    def error_kind(
        self, modality: str, index: int, threshold: float = DEFAULT_THRESHOLD
    ) -> str | None:
        """Return how the query at `index` went wrong; None where boxes are not asked of it."""
        if not self._is_positive[index]:
            return negative_kind(bool(self.table.present[modality][index]))
        if modality == "mask":
            return mask_kind(self.mask_result(index), threshold)
        if not self._has_boxes[index]:
            return None
        return box_kind(self.box_result(modality, index), threshold)

    @property
    def _is_positive(self) -> NDArray[np.bool_]:
        return self.benchmark.columns.queries.is_positive

    @property
    def _has_boxes(self) -> NDArray[np.bool_]:
        return self.benchmark.has_boxes

    @property
    def _target_ids(self) -> Indices:
        return self.benchmark.columns.queries.target_ids

    @property
    def _category_ids(self) -> Indices:
        return self.benchmark.columns.targets.category_ids[self.benchmark.target_places]

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Positive queries of the attempted tasks."""
        return self._is_positive & self.benchmark.columns.queries.of_tasks(self.tasks)

    @cached_property
    def true_pixels(self) -> Indices:
        """Of each query's target, 0 for negative queries and other tasks."""
        target_ids, place = np.unique(self._target_ids[self.asked], return_inverse=True)
        areas = np.fromiter(
            map(self.truth.mask_area, target_ids.tolist()), np.int64, len(target_ids)
        )
        pixels = np.zeros(len(self.asked), dtype=np.int64)
        pixels[self.asked] = areas[place.reshape(-1)]
        return pixels

    @cached_property
    def true_boxes(self) -> Indices:
        """Of each query's target, 0 for negative queries and other tasks."""
        counts = self.benchmark.box_counts[self.benchmark.target_places]
        return np.where(self.asked, counts, 0)

    def _of_task(self, task: str) -> NDArray[np.bool_]:
        return self.benchmark.columns.queries.of_task(task)

    def _by_task(self, metrics: Callable[[str], dict[str, Any] | None]) -> dict[str, Any]:
        found = {task: metrics(task) for task in self.tasks}
        return {task: values for task, values in found.items() if values is not None}

    def _segmentation(self, task: str) -> dict[str, Any] | None:
        rows = np.flatnonzero(self._of_task(task) & self._is_positive)
        if not len(rows):
            return None
        return segmentation_metrics(
            self.table.mask_predicted[rows],
            self.true_pixels[rows],
            self.table.mask_intersection[rows],
            self._target_ids[rows],
            self._category_ids[rows],
        )

    def _boxes(self, modality: str, task: str) -> dict[str, Any] | None:
        rows = np.flatnonzero(self._of_task(task) & self._has_boxes)
        if not len(rows):
            return None
        columns = self.table.boxes[modality]
        return detection_metrics(self.true_boxes[rows], columns.predictions[rows], columns.tp[rows])

    def _presence(self, modality: str) -> dict[str, Any]:
        rows = np.flatnonzero(self._of_task("vocabulary"))
        return presence_metrics(self._is_positive[rows], self.table.present[modality][rows])

    def _error_counts(self, modality: str) -> dict[str, dict[str, int]]:
        """Return how often each kind occurs in each task, at the default threshold."""
        if modality == "mask":
            table = self.table
            kinds = mask_kinds(table.mask_predicted, self.true_pixels, table.mask_intersection)
        else:
            columns = self.table.boxes[modality]
            tp = columns.tp[:, THRESHOLDS.index(DEFAULT_THRESHOLD)].astype(np.int64)
            kinds = box_kinds(self.true_boxes, columns.predictions, tp, columns.touches)
        kinds = np.where(self._is_positive, kinds, negative_kinds(self.table.present[modality]))
        asked = ~self._is_positive | (modality == "mask") | self._has_boxes
        counts = {}
        for task in self.tasks:
            counted = np.bincount(kinds[self._of_task(task) & asked], minlength=len(KINDS))
            counts[task] = dict(zip(KINDS, counted.tolist(), strict=True))
        return counts
