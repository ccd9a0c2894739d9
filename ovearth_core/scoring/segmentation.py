"""Segmentation metrics over the positive queries of one task."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def segmentation_metrics(
    predicted: Ints, true: Ints, intersection: Ints, target_ids: Ints, category_ids: Ints
) -> dict[str, float | int]:
    """Return macro, micro, target-macro and category-macro metrics, as fractions.

    All arrays (N,), one row a positive query, N > 0: pixels predicted, true (above 0) and common
    to both; the query's target and category. Sums are correctly rounded, so that no order of
    queries changes a bit.
    """
    precision = intersection / np.maximum(predicted, 1)
    return overlap_metrics(
        precision,
        intersection / true,
        intersection,
        predicted + true - intersection,
        target_ids,
        category_ids,
    )


def overlap_metrics(
    precision: Floats,
    recall: Floats,
    intersection: Ints,
    union: Ints,
    target_ids: Ints,
    category_ids: Ints,
) -> dict[str, float | int]:
    """Return what segmentation_metrics does, from each query's precision, recall and overlap."""
    iou = intersection / union
    return {
        "queries": len(iou),
        "ma_p": mean(precision.tolist()),
        "ma_r": mean(recall.tolist()),
        "ma_iou": mean(iou.tolist()),
        "mi_iou": int(intersection.sum()) / int(union.sum()),
        "ann_miou": mean_of_groups(target_ids, iou),
        "cat_miou": mean_of_groups(category_ids, iou),
    }


def mean_of_groups(groups: Ints, values: Floats) -> float:
    """Return the mean over groups of the mean of each group's values."""
    order = np.argsort(groups, kind="stable")
    _, starts = np.unique(groups[order], return_index=True)
    return mean(mean(group.tolist()) for group in np.split(values[order], starts[1:]))


def mean(values: Iterable[float]) -> float:
    """Return the mean, its sum correctly rounded whatever the order."""
    listed = list(values)
    return math.fsum(listed) / len(listed)
