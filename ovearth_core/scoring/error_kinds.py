"""How a query went wrong, in one word that a person can filter by."""

from __future__ import annotations

from .matching import THRESHOLDS, match_pairs
from .results import BoxResult, MaskResult

HALLUCINATED = "hallucinated"
MISSED = "missed"
BADLY_PLACED = "badly placed"
GOOD = "good"
KINDS = (HALLUCINATED, MISSED, BADLY_PLACED, GOOD)
DEFAULT_THRESHOLD = 0.5


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
