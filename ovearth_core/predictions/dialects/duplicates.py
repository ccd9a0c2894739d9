"""Objects that a map product holds twice, where the patches that it was made of overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...geometry import quad_pairs

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
