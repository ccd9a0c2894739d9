"""Compares records with the truth of their targets, some at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, Benchmark, Image, Query, Truth
from ..errors import InputError, OVEarthError, TruthError
from ..predictions import Placing, Predictions, Record
from .box_batch import BoxBatch
from .mask_batch import MaskBatch, compressed_counts
from .results import BatchScores

Floats = NDArray[np.float64]
# A record, and the index of the query that it answers.
Answer = tuple[Record, int]


@dataclass(frozen=True)
class AnswerBatch:
    """Answers in the frames in which they are compared, with their truth. Needs nothing else."""

    indices: NDArray[np.int64]
    masks: MaskBatch | None
    boxes: dict[str, BoxBatch]
    asked: NDArray[np.bool_]

    def compare(self) -> BatchScores:
        """Return how the answers compare; raises OVEarthError, not saying which is at fault."""
        present: dict[str, NDArray[np.bool_]] = {}
        areas = None
        if self.masks is not None:
            areas = self.masks.compare(len(self.indices))
            present["mask"] = areas[:, 0] > 0
            areas[~self.asked] = 0
        boxes = {}
        for modality, batch in self.boxes.items():
            present[modality] = np.zeros(len(self.indices), dtype=np.bool_)
            present[modality][batch.rows] = True
            boxes[modality] = batch.compare()
        return BatchScores(self.indices, present, areas, boxes)


class AnswerScorer:
    """Scores the records of one run, in any order.

    `modalities`: those that are declared; None looks at all, until what occurs is known.
    `min_score`: boxes below it are dropped. `keep_pairs`: of boxes that overlap.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        truth: Truth,
        run: Predictions,
        modalities: tuple[str, ...] | None,
        min_score: float | None = None,
        keep_pairs: bool = True,
    ) -> None:
        self.benchmark = benchmark
        self.truth = truth
        self.run = run
        self.declared = modalities is not None
        self.modalities = modalities or MODALITIES
        self.min_score = min_score
        self.keep_pairs = keep_pairs
        self.placing = Placing(benchmark, run.header, run.folder)

    def gathered(self, answers: Sequence[Answer]) -> AnswerBatch | None:
        """Return the answers ready to be compared; None where one of them is at fault."""
        try:
            return self._gather(answers, careful=False)
        except OVEarthError:
            return None

    def carefully(self, answers: Sequence[Answer]) -> Iterator[BatchScores]:
        """Score the answers one by one; the first at fault raises an error with its place."""
        for answer in answers:
            yield self._gather([answer], careful=True).compare()

    def score(self, answers: Sequence[Answer]) -> list[BatchScores]:
        """Return the scores of the answers; raises an error that names file, line and query."""
        batch = self.gathered(answers)
        scores = None if batch is None else compared(batch)
        return list(self.carefully(answers)) if scores is None else [scores]

    def _gather(self, answers: Sequence[Answer], careful: bool) -> AnswerBatch:
        masks = MaskBatch() if "mask" in self.modalities else None
        boxes: dict[str, BoxBatch] = {
            name: BoxBatch(name, self.keep_pairs)
            for name in ("hbb", "obb")
            if name in self.modalities
        }
        asked = np.zeros(len(answers), dtype=np.bool_)
        for row, (record, index) in enumerate(answers):
            query = self.benchmark.queries[index]
            target = self.benchmark.target_by_id[query.target_id]
            image = self.benchmark.image_by_id[target.image_id]
            try:
                # What is empty is left out: that is how the table starts, and most of some runs.
                if masks is not None and record.mask is not None:
                    asked[row] = self._add_mask(masks, row, record, query, image, careful)
                if "hbb" in boxes and (record.hbb is not None or record.obb is not None):
                    self._add_hbb(boxes["hbb"], row, record, query, image)
                if "obb" in boxes and record.obb is not None:
                    self._add_obb(boxes["obb"], row, record, query, image)
            except TruthError:
                raise
            except OVEarthError as fault:
                raise fault.at(self.run.where(record)) from None
        indices = np.array([index for _, index in answers], dtype=np.int64)
        return AnswerBatch(indices, masks, boxes, asked)

    def _add_mask(
        self, masks: MaskBatch, row: int, record: Record, query: Query, image: Image, careful: bool
    ) -> bool:
        """Add the record's mask; return whether its pixels are asked for."""
        true = self.truth.mask(query.target_id) if query.is_positive else None
        counts = None if careful else compressed_counts(record.mask, image)
        if counts is None:
            masks.add_runs(row, self.placing.mask(image, record.mask), true)
        else:
            masks.add_counts(row, counts, image, true)
        return true is not None

    def _add_hbb(
        self, boxes: BoxBatch, row: int, record: Record, query: Query, image: Image
    ) -> None:
        """Add the horizontal boxes, or the envelopes of the oriented ones in their place."""
        if record.hbb is not None:
            found = self._kept(record.hbb, record.scores)
        else:
            found = self.placing.envelopes(image, self._kept(record.obb, record.obb_scores))
        if len(found):
            found = self.placing.boxes(image, found)
            boxes.add(row, found, self._true_hbb(record, query, image))

    def _true_hbb(self, record: Record, query: Query, image: Image) -> Floats | None:
        if not self._has_boxes(query):
            return None
        try:
            return self.truth.hbb(query.target_id, self.placing.box_crs(image))
        except TruthError:
            if self.declared or "hbb" in record.given:
                raise
            # Not asked for so far; if another record asks, the whole truth is checked at the end.
            return None

    def _add_obb(
        self, boxes: BoxBatch, row: int, record: Record, query: Query, image: Image
    ) -> None:
        found = self._kept(record.obb, record.obb_scores)
        if len(found):
            found = self.placing.quads(image, found)
            boxes.add(
                row, found, self.truth.obb(query.target_id) if self._has_boxes(query) else None
            )

    def _has_boxes(self, query: Query) -> bool:
        target = self.benchmark.target_by_id[query.target_id]
        return query.is_positive and self.benchmark.is_instanceable(target)

    def _kept(self, boxes: Floats | None, scores: Floats | None) -> Floats:
        """Return the boxes whose score is not below the limit."""
        if boxes is None or len(boxes) == 0:
            return np.zeros((0, 4, 2))
        if self.min_score is None:
            return boxes
        if scores is None:
            raise InputError(
                "boxes without scores", mend="give 'scores', or score without --min-score"
            )
        return boxes[scores >= self.min_score]


def compared(batch: AnswerBatch) -> BatchScores | None:
    """Return how the answers compare; None where one of them is at fault."""
    try:
        return batch.compare()
    except OVEarthError:
        return None
