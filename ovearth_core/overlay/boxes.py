"""The boxes of one query and its truth, and which of them match at a threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image, Truth
from ..geometry import box_pairs, quad_pairs
from ..predictions import Placing, Record
from ..scoring.matching import match_pairs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BoxComparison:
    """Boxes of one modality, as they are scored.

    truths (N, 4, 2), predictions (M, 4, 2): corners in pixels. pairs (K, 3): truth, prediction
    and IoU of every pair that overlaps. scores (M,), None where the run gives none.
    """

    truths: Floats
    predictions: Floats
    pairs: Floats
    scores: Floats | None

    def outcomes(self, threshold: float) -> Iterator[tuple[str, Floats, float, float | None]]:
        """Yield outcome, corners (4, 2), IoU and score: predictions first, then missed truths."""
        matched = {box: truth for truth, box in match_pairs(self.pairs, threshold)}
        iou_of = {(int(i), int(j)): float(iou) for i, j, iou in self.pairs.tolist()}
        best_of_truth = self._best(0, len(self.truths))
        best_of_box = self._best(1, len(self.predictions))
        for box, corners in enumerate(self.predictions):
            truth = matched.get(box)
            outcome = "spurious" if truth is None else "matched"
            iou = float(best_of_box[box]) if truth is None else iou_of[truth, box]
            yield outcome, corners, iou, self._score(box)
        for truth in sorted(set(range(len(self.truths))) - set(matched.values())):
            yield "missed", self.truths[truth], float(best_of_truth[truth]), None

    def counts(self, threshold: float) -> tuple[int, int, int]:
        """Return how many are matched, spurious and missed."""
        matched = len(match_pairs(self.pairs, threshold))
        return matched, len(self.predictions) - matched, len(self.truths) - matched

    def _best(self, side: int, count: int) -> Floats:
        best = np.zeros(count)
        np.maximum.at(best, self.pairs[:, side].astype(np.int64), self.pairs[:, 2])
        return best

    def _score(self, box: int) -> float | None:
        return None if self.scores is None else float(self.scores[box])


@dataclass(frozen=True)
class BoxComparer:
    """Compares the boxes of records with their truth in the frames that scoring takes."""

    truth: Truth
    placing: Placing
    min_score: float | None = None

    def hbb(
        self, record: Record | None, image: Image, target_id: int, is_asked: bool
    ) -> BoxComparison:
        """Return the horizontal boxes, or the envelopes of oriented ones in their place."""
        boxes, scores = np.zeros((0, 4)), None
        if record is not None and record.hbb is not None:
            boxes, scores = self._kept(record.hbb, record.scores)
        elif record is not None and record.obb is not None:
            quads, scores = self._kept(record.obb, record.obb_scores)
            if len(quads):
                boxes = self.placing.envelopes(image, quads)
        if len(boxes):
            boxes = self.placing.boxes(image, boxes)
        order = _by_coordinates(boxes)
        boxes, scores = boxes[order], None if scores is None else scores[order]
        truths = np.zeros((0, 4))
        if is_asked:
            truths = self.truth.hbb(target_id, self.placing.box_crs(image))
        pairs = _columns(box_pairs(truths, boxes)) if len(truths) and len(boxes) else _NO_PAIRS
        return BoxComparison(
            self._hbb_corners(image, truths), self._hbb_corners(image, boxes), pairs, scores
        )

    def obb(
        self, record: Record | None, image: Image, target_id: int, is_asked: bool
    ) -> BoxComparison:
        """Return the oriented boxes."""
        quads, scores = np.zeros((0, 4, 2)), None
        if record is not None and record.obb is not None:
            quads, scores = self._kept(record.obb, record.obb_scores)
        if len(quads):
            quads = self.placing.quads(image, quads)
        order = _by_coordinates(quads)
        quads, scores = quads[order], None if scores is None else scores[order]
        truths = self.truth.obb(target_id) if is_asked else np.zeros((0, 4, 2))
        pairs = _columns(quad_pairs(truths, quads)) if len(truths) and len(quads) else _NO_PAIRS
        return BoxComparison(truths, quads, pairs, scores)

    def _hbb_corners(self, image: Image, boxes: Floats) -> Floats:
        """Return corners (N, 4, 2) in pixels of boxes in the frame in which they are compared."""
        x, y = boxes[:, [0, 2, 2, 0]], boxes[:, [1, 1, 3, 3]]
        corners = np.stack([x, y], axis=2)
        return self.placing.points(image, corners.reshape(-1, 2)).reshape(corners.shape)

    def _kept(self, boxes: Floats, scores: Floats | None) -> tuple[Floats, Floats | None]:
        if self.min_score is None or scores is None or not len(boxes):
            return boxes, scores
        is_kept = scores >= self.min_score
        return boxes[is_kept], scores[is_kept]


_NO_PAIRS: Floats = np.zeros((0, 3))


def _by_coordinates(boxes: Floats) -> NDArray[np.int64]:
    """Return the order in which scoring compares boxes: no file's order counts."""
    flat = boxes.reshape(len(boxes), int(np.prod(boxes.shape[1:])))
    return np.lexsort(flat.T[::-1])


def _columns(pairs: tuple[NDArray[np.int64], NDArray[np.int64], Floats]) -> Floats:
    return np.column_stack(pairs)
