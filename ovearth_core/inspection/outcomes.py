"""How a run did at each query by one modality, in columns, at any step of the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..scoring import Scores
from ..scoring.error_kinds import box_kinds, mask_kinds, negative_kinds
from ..scoring.matching import matching_sizes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kinds = NDArray[np.int8]

# The thresholds that can be chosen; the last ten are the protocol's.
STEPS = tuple(percent / 100 for percent in range(5, 100, 5))
DEFAULT_STEP = STEPS.index(0.5)
NOT_ASKED = -1


@dataclass(frozen=True)
class Outcomes:
    """Columns of N queries.

    is_attempted: of the tasks that the run attempts. is_asked: also positive and with truth of
    this modality. is_present: something was predicted. iou: of the masks; of boxes the mean over
    the true ones of the best IoU that each has with any predicted one; NaN where not asked. true,
    predicted: pixels or boxes, 0 where not asked. common: (N, 1) pixels of both masks, or (N,
    len(STEPS)) matched boxes. touches: truth and prediction overlap.
    """

    modality: str
    is_attempted: Bools
    is_asked: Bools
    is_positive: Bools
    is_present: Bools
    iou: Floats
    true: Ints
    predicted: Ints
    common: Ints
    touches: Bools

    def matched(self, step: int) -> Ints:
        """Return pixels or boxes that are matched at the step, (N,)."""
        return self.common[:, step if self.common.shape[1] > 1 else 0]

    def spurious(self, step: int) -> Ints:
        """Return predicted pixels or boxes without a match, (N,)."""
        return self.predicted - self.matched(step)

    def missed(self, step: int) -> Ints:
        """Return true pixels or boxes without a match, (N,)."""
        return self.true - self.matched(step)

    def f1(self, step: int) -> Floats:
        """Return 2TP / (2TP + FP + FN) of each query, (N,); NaN where not asked."""
        both = self.true + self.predicted
        f1 = 2.0 * self.matched(step) / np.maximum(both, 1)
        return np.where(self.is_asked, f1, np.nan)

    def kinds(self, step: int) -> Kinds:
        """Return the place in KINDS of each query's error kind, NOT_ASKED where it has none."""
        if self.modality == "mask":
            kinds = mask_kinds(self.predicted, self.true, self.matched(step), STEPS[step])
        else:
            kinds = box_kinds(self.true, self.predicted, self.matched(step), self.touches)
        kinds = np.where(self.is_positive, kinds, negative_kinds(self.is_present))
        has_kind = self.is_attempted & (~self.is_positive | self.is_asked)
        return np.where(has_kind, kinds, NOT_ASKED).astype(np.int8)

    def quality(self, step: int) -> Floats:
        """Return how good each answer is, 0 to 1, (N,); NaN where nothing was asked.

        Of a positive query the mask's IoU or the boxes' F1; of a negative one 1 for no answer.
        """
        positive = self.iou if self.modality == "mask" else self.f1(step)
        negative = np.where(self.is_present, 0.0, 1.0)
        quality = np.where(self.is_positive, positive, negative)
        return np.where(self.is_attempted, quality, np.nan)


def run_outcomes(scores: Scores) -> dict[str, Outcomes]:
    """Return the outcomes of a run by each modality that it attempts; its pairs must be kept."""
    return {
        modality: _mask_outcomes(scores) if modality == "mask" else _box_outcomes(scores, modality)
        for modality in scores.modalities
    }


def _mask_outcomes(scores: Scores) -> Outcomes:
    table, asked = scores.table, scores.asked
    true = np.where(asked, scores.true_pixels, 0)
    predicted = np.where(asked, table.mask_predicted, 0)
    common = np.where(asked, table.mask_intersection, 0)
    iou = common / np.maximum(true + predicted - common, 1)
    return Outcomes(
        "mask",
        _attempted(scores),
        asked,
        scores.benchmark.columns.queries.is_positive,
        table.present["mask"],
        np.where(asked, iou, np.nan),
        true,
        predicted,
        common[:, None],
        common > 0,
    )


def _box_outcomes(scores: Scores, modality: str) -> Outcomes:
    columns = scores.table.boxes[modality]
    asked = scores.asked & scores.benchmark.has_boxes
    true = np.where(asked, scores.true_boxes, 0)
    matched = np.zeros((len(asked), len(STEPS)), dtype=np.int64)
    iou = np.zeros(len(asked))
    rows = np.array(sorted(columns.pairs), dtype=np.int64)
    if len(rows):
        pairs = [columns.pairs[row] for row in rows.tolist()]
        stops = np.cumsum(np.fromiter(map(len, pairs), np.int64, len(pairs)))
        truth, box, overlap = np.concatenate(pairs).T
        truths, boxes = truth.astype(np.int64), box.astype(np.int64)
        matched[rows] = matching_sizes(stops, truths, boxes, overlap, STEPS)
        iou[rows] = _best_sums(stops, truths, overlap) / np.maximum(true[rows], 1)
    return Outcomes(
        modality,
        _attempted(scores),
        asked,
        scores.benchmark.columns.queries.is_positive,
        scores.table.present[modality],
        np.where(asked, iou, np.nan),
        true,
        np.where(asked, columns.predictions, 0),
        np.where(asked[:, None], matched, 0),
        asked & columns.touches,
    )


def _best_sums(stops: Ints, truths: Ints, overlap: Floats) -> Floats:
    """Return of each group the sum over its truths of their best overlap; pairs follow by truth."""
    group = np.repeat(np.arange(len(stops)), np.diff(stops, prepend=0))
    is_first = np.ones(len(truths), dtype=np.bool_)
    is_first[1:] = (truths[1:] != truths[:-1]) | (group[1:] != group[:-1])
    firsts = np.flatnonzero(is_first)
    best = np.maximum.reduceat(overlap, firsts)
    sums = np.bincount(group[firsts], weights=best, minlength=len(stops))
    return np.asarray(sums, dtype=np.float64)


def _attempted(scores: Scores) -> Bools:
    return scores.benchmark.columns.queries.of_tasks(scores.tasks)


def common_modalities(runs: Sequence[dict[str, Outcomes]]) -> tuple[str, ...]:
    """Return the modalities that each of the runs has, in their order."""
    if not runs:
        return ()
    return tuple(name for name in runs[0] if all(name in run for run in runs[1:]))
