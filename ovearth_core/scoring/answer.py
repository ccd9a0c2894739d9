"""Compares records with the truth of their targets, some at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, Benchmark, Image, Truth
from ..errors import InputError, OVEarthError, TruthError
from ..predictions import Placing, Predictions, Record
from .box_batch import BoxBatch
from .mask_batch import MaskBatch, compressed_counts
from .results import BatchScores

Floats = NDArray[np.float64]
# A record, and the index of the query that it answers.
Answer = tuple[Record, int]


class Asked(NamedTuple):
    """What one query asks for; `has_boxes`: positive, and of a target that has boxes."""

    target_id: int
    image: Image
    is_positive: bool
    has_boxes: bool


@dataclass(frozen=True)
class AnswerBatch:
    """Answers in the frames in which they are compared, with their truth. Needs nothing else."""

    indices: NDArray[np.int64]
    masks: MaskBatch | None
    boxes: dict[str, BoxBatch]
    is_compared: NDArray[np.bool_]

    def compare(self) -> BatchScores:
        """Return how the answers compare; raises OVEarthError, not saying which is at fault."""
        present: dict[str, NDArray[np.bool_]] = {}
        areas = None
        if self.masks is not None:
            areas = self.masks.compare(len(self.indices))
            present["mask"] = areas[:, 0] > 0
            areas[~self.is_compared] = 0
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
        # Single items of an array or of bytes come faster than those of NumPy's columns.
        columns = benchmark.columns
        self._target_ids = array("q", columns.queries.target_ids.tobytes())
        image_ids = columns.targets.image_ids[benchmark.target_places]
        self._image_ids = array("q", image_ids.tobytes())
        self._is_positive = columns.queries.is_positive.tobytes()
        self._has_boxes = benchmark.has_boxes.tobytes()
        self._images = benchmark.image_by_id

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
        is_compared = np.zeros(len(answers), dtype=np.bool_)
        for row, (record, index) in enumerate(answers):
            asked = self._asked(index)
            try:
                # What is empty is left out: that is how the table starts, and most of some runs.
                if masks is not None and record.mask is not None:
                    is_compared[row] = self._add_mask(masks, row, record, asked, careful)
                if "hbb" in boxes and (record.hbb is not None or record.obb is not None):
                    self._add_hbb(boxes["hbb"], row, record, asked)
                if "obb" in boxes and record.obb is not None:
                    self._add_obb(boxes["obb"], row, record, asked)
            except TruthError:
                raise
            except OVEarthError as fault:
                raise fault.at(self.run.where(record)) from None
        indices = np.array([index for _, index in answers], dtype=np.int64)
        return AnswerBatch(indices, masks, boxes, is_compared)

    def _add_mask(
        self, masks: MaskBatch, row: int, record: Record, asked: Asked, careful: bool
    ) -> bool:
        """Add the record's mask; return whether its pixels are asked for."""
        true = self.truth.mask(asked.target_id) if asked.is_positive else None
        counts = None if careful else compressed_counts(record.mask, asked.image)
        if counts is None:
            masks.add_runs(row, self.placing.mask(asked.image, record.mask), true)
        else:
            masks.add_counts(row, counts, asked.image, true)
        return true is not None

    def _add_hbb(self, boxes: BoxBatch, row: int, record: Record, asked: Asked) -> None:
        """Add the horizontal boxes, or the envelopes of the oriented ones in their place."""
        if record.hbb is not None:
            found = self._kept(record.hbb, record.scores)
        else:
            found = self.placing.envelopes(asked.image, self._kept(record.obb, record.obb_scores))
        if len(found):
            found = self.placing.boxes(asked.image, found)
            boxes.add(row, found, self._true_hbb(record, asked))

    def _true_hbb(self, record: Record, asked: Asked) -> Floats | None:
        if not asked.has_boxes:
            return None
        try:
            return self.truth.hbb(asked.target_id, self.placing.box_crs(asked.image))
        except TruthError:
            if self.declared or "hbb" in record.given:
                raise
            # Not asked for so far; if another record asks, the whole truth is checked at the end.
            return None

    def _add_obb(self, boxes: BoxBatch, row: int, record: Record, asked: Asked) -> None:
        found = self._kept(record.obb, record.obb_scores)
        if len(found):
            found = self.placing.quads(asked.image, found)
            boxes.add(row, found, self.truth.obb(asked.target_id) if asked.has_boxes else None)

    def _asked(self, index: int) -> Asked:
        return Asked(
            self._target_ids[index],
            self._images[self._image_ids[index]],
            bool(self._is_positive[index]),
            bool(self._has_boxes[index]),
        )

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
