"""Objects that a map product holds twice, where the patches that it was made of overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...geometry import quad_pairs
from .scene import Detection

Floats = NDArray[np.float64]


def kept_of(quads: Floats, scores: Sequence[float | None], least_iou: float) -> list[int]:
    """Return which of the quadrilaterals (N, 4, 2) are no second one of another, in their order.

    From the largest score down (none last, equal ones in order), one stays unless its IoU with one
    that has stayed is at least `least_iou`. The IoU is that of the quadrilaterals, never of their
    envelopes: long things side by side at an angle have envelopes that are nearly the same.
    """
    i, j, iou = quad_pairs(quads, quads)
    doubled = (iou >= least_iou) & (i != j)
    neighbours: dict[int, list[int]] = {}
    for one, other in zip(i[doubled].tolist(), j[doubled].tolist(), strict=True):
        neighbours.setdefault(one, []).append(other)
    ranked = sorted(range(len(quads)), key=lambda k: (-_rank(scores[k]), k))
    dropped: set[int] = set()
    for k in ranked:
        if k not in dropped:
            dropped.update(neighbours.get(k, ()))
    return [k for k in range(len(quads)) if k not in dropped]


def _rank(score: float | None) -> float:
    return -np.inf if score is None else score


def without_doubles(found: list[Detection], least_iou: float) -> list[Detection]:
    """Return the detections for one query, each object once a kind of box."""
    if not least_iou:
        return found
    dropped: set[int] = set()
    for has_hbb, has_obb in ((True, True), (True, False), (False, True)):
        some = [
            k
            for k, each in enumerate(found)
            if (each.hbb is not None, each.obb is not None) == (has_hbb, has_obb)
            and each.quad is not None
        ]
        if len(some) > 1:
            quads = np.array([found[k].quad for k in some], np.float64)
            kept = kept_of(quads, [found[k].score for k in some], least_iou)
            dropped.update(set(some) - {some[k] for k in kept})
    return [each for k, each in enumerate(found) if k not in dropped]
