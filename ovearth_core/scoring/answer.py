"""Compares one record with the truth of its target."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, Benchmark, Image, Query, Truth
from ..benchmark.truth import sorted_boxes
from ..errors import InputError, OVEarthError, TruthError
from ..geometry import box_pairs, intersection_area, quad_pairs
from ..predictions import Placing, Predictions, Record
from .matching import matches_at_thresholds
from .results import BoxResult, MaskResult, QueryResult

Floats = NDArray[np.float64]


class AnswerScorer:
    """Scores the records of one run, one at a time, in any order.

    `modalities`: those that are declared; None looks at all, until what occurs is known.
    `min_score`: boxes below it are dropped.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        truth: Truth,
        run: Predictions,
        modalities: tuple[str, ...] | None,
        min_score: float | None = None,
    ) -> None:
        self.benchmark = benchmark
        self.truth = truth
        self.run = run
        self.declared = modalities is not None
        self.modalities = modalities or MODALITIES
        self.min_score = min_score
        self.placing = Placing(benchmark, run.header, run.folder)

    def score(self, record: Record, index: int) -> QueryResult:
        """Return the result of the record that answers the query at `index`.

        Raises an error that names file, line and query.
        """
        query = self.benchmark.queries[index]
        target = self.benchmark.target_by_id[query.target_id]
        image = self.benchmark.image_by_id[target.image_id]
        present: dict[str, bool] = {}
        mask: MaskResult | None = None
        boxes: dict[str, BoxResult] = {}
        try:
            # What is empty is left out: that is how the table starts, and most of some runs.
            if "mask" in self.modalities and record.mask is not None:
                present["mask"], mask = self._mask(record, query, image)
            if "hbb" in self.modalities and len(hbb := self._hbb(record, image)):
                present["hbb"] = True
                if self._has_boxes(query):
                    boxes["hbb"] = self._hbb_result(record, target.id, image, hbb)
            if "obb" in self.modalities and len(
                obb := self._kept(record.obb, record.obb_scores, 4, 2)
            ):
                present["obb"] = True
                obb = sorted_boxes(self.placing.quads(image, obb))
                if self._has_boxes(query):
                    truths = self.truth.obb(target.id)
                    boxes["obb"] = _compared(truths, obb, quad_pairs(truths, obb))
        except TruthError:
            raise
        except OVEarthError as fault:
            raise fault.at(self.run.where(record)) from None
        return QueryResult(index, present, mask, boxes)

    def _has_boxes(self, query: Query) -> bool:
        target = self.benchmark.target_by_id[query.target_id]
        return query.is_positive and self.benchmark.is_instanceable(target)

    def _hbb_result(self, record: Record, target_id: int, image: Image, hbb: Floats) -> BoxResult:
        hbb = sorted_boxes(self.placing.boxes(image, hbb))
        try:
            truths = self.truth.hbb(target_id, self.placing.box_crs(image))
        except TruthError:
            if self.declared or "hbb" in record.given:
                raise
            # Not asked for so far; if another record asks, the whole truth is checked at the end.
            return BoxResult(0, len(hbb))
        return _compared(truths, hbb, box_pairs(truths, hbb))

    def _mask(self, record: Record, query: Query, image: Image) -> tuple[bool, MaskResult | None]:
        predicted = self.placing.mask(image, record.mask)
        if not query.is_positive:
            return not predicted.is_empty, None
        true = self.truth.mask(query.target_id)
        if true is None:
            return not predicted.is_empty, None
        common = intersection_area(true, predicted)
        return not predicted.is_empty, MaskResult(predicted.area, true.area, common)

    def _hbb(self, record: Record, image: Image) -> Floats:
        """Return the horizontal boxes, or the envelopes of the oriented ones in their place."""
        if record.hbb is not None or record.obb is None:
            return self._kept(record.hbb, record.scores, 4)
        quads = self._kept(record.obb, record.obb_scores, 4, 2)
        return self.placing.envelopes(image, quads)

    def _kept(self, boxes: Floats | None, scores: Floats | None, *shape: int) -> Floats:
        """Return the boxes whose score is not below the limit; none at all as (0, …)."""
        if boxes is None or len(boxes) == 0:
            return np.zeros((0, *shape))
        if self.min_score is None:
            return boxes
        if scores is None:
            raise InputError(
                "boxes without scores", mend="give 'scores', or score without --min-score"
            )
        return boxes[scores >= self.min_score]


def _compared(
    truths: Floats, predicted: Floats, pairs: tuple[NDArray[np.int64], NDArray[np.int64], Floats]
) -> BoxResult:
    rows = np.column_stack(pairs).astype(np.float64)
    if not len(rows):
        return BoxResult(len(truths), len(predicted))
    tp = tuple(matches_at_thresholds(rows))
    return BoxResult(len(truths), len(predicted), tp, touches=True, pairs=rows)
