"""How a query went wrong, in one word that a person can filter by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .matching import THRESHOLDS, match_pairs
from .results import BoxResult, MaskResult

HALLUCINATED = "hallucinated"
MISSED = "missed"
BADLY_PLACED = "badly placed"
GOOD = "good"
KINDS = (HALLUCINATED, MISSED, BADLY_PLACED, GOOD)
DEFAULT_THRESHOLD = 0.5

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def negative_kind(is_present: bool) -> str:
    """Return the kind of a negative query: an answer to it is made up."""
    return HALLUCINATED if is_present else GOOD


def mask_kind(result: MaskResult, threshold: float = DEFAULT_THRESHOLD) -> str:
    """Return the kind of a positive query by its mask's IoU."""
    if result.intersection == 0:
        return MISSED
    return BADLY_PLACED if result.iou < threshold else GOOD


def box_kind(result: BoxResult, threshold: float = DEFAULT_THRESHOLD) -> str:
    """Return the kind of a positive query by its boxes: good when its F1 at `threshold` is 1.

    A threshold that is none of the ten needs the result's pairs.
    """
    if not result.touches:
        return MISSED
    if threshold in THRESHOLDS:
        matched = result.tp[THRESHOLDS.index(threshold)]
    else:
        matched = len(match_pairs(result.pairs, threshold))
    return GOOD if matched == result.truths == result.predictions else BADLY_PLACED


def negative_kinds(is_present: Bools) -> Ints:
    """Return the place in KINDS of each negative query's kind, (N,)."""
    return np.where(is_present, KINDS.index(HALLUCINATED), KINDS.index(GOOD))


def mask_kinds(
    predicted: Ints, true: Ints, intersection: Ints, threshold: float = DEFAULT_THRESHOLD
) -> Ints:
    """Return the place in KINDS of each query's kind by its mask, (N,), as mask_kind does."""
    return overlap_kinds(intersection, predicted + true - intersection, threshold)


def overlap_kinds(intersection: Ints, union: Ints, threshold: float = DEFAULT_THRESHOLD) -> Ints:
    """Return the place in KINDS of each query's kind by pixels in both masks and in either."""
    is_bad = intersection / np.maximum(union, 1) < threshold
    return _kinds(intersection > 0, is_bad)


def box_kinds(truths: Ints, predictions: Ints, matched: Ints, touches: Bools) -> Ints:
    """Return the place in KINDS of each query's kind by its boxes, (N,), as box_kind does."""
    return _kinds(touches, (matched != truths) | (matched != predictions))


def _kinds(is_found: Bools, is_bad: Bools) -> Ints:
    placed = np.where(is_bad, KINDS.index(BADLY_PLACED), KINDS.index(GOOD))
    return np.where(is_found, placed, KINDS.index(MISSED))
