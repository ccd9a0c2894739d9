"""Detection metrics over the positive queries of one task, for one kind of box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .segmentation import mean


def detection_metrics(
    truths: NDArray[np.int64], predictions: NDArray[np.int64], tp: NDArray[np.int32]
) -> dict[str, float | int]:
    """Return pooled counts at 0.50, micro precision, recall and F1, and F1 over ten thresholds.

    `truths`, `predictions`: (N,) boxes of each positive query. `tp`: (N, 10) matches at each
    threshold. What can't be divided counts 0.
    """
    true, predicted = int(truths.sum()), int(predictions.sum())
    matched = [int(count) for count in tp.sum(axis=0)]
    return {
        "queries": len(truths),
        "tp_50": matched[0],
        "fp_50": predicted - matched[0],
        "fn_50": true - matched[0],
        "mi_p_50": ratio(matched[0], predicted),
        "mi_r_50": ratio(matched[0], true),
        "mi_f1_50": ratio(2 * matched[0], true + predicted),
        "mi_f1_50_95": mean(ratio(2 * count, true + predicted) for count in matched),
    }


def ratio(part: int, whole: int) -> float:
    """Return part / whole, 0 where there is nothing to divide by."""
    return part / whole if whole else 0.0
