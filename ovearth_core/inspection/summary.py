"""Counts at a threshold, and IoU by category and size: what stands beside the paper's tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import TASKS
from ..scoring.detection import ratio
from ..scoring.error_kinds import KINDS
from .facts import QueryFacts
from .outcomes import NOT_ASKED, Outcomes

Ints = NDArray[np.int64]

# Side of the square with the target's area, in pixels.
SIDES_PX = (16, 32, 64, 96, 128, 256)


@dataclass(frozen=True)
class ThresholdCounts:
    """One task of a run at a threshold; matched, spurious, missed: boxes, None for masks.

    kinds: queries by error kind, in the order of KINDS.
    """

    task: str
    queries: int
    kinds: tuple[int, ...]
    matched: int | None = None
    spurious: int | None = None
    missed: int | None = None

    @property
    def f1(self) -> float | None:
        """2TP / (2TP + FP + FN), None for masks."""
        if self.matched is None or self.spurious is None or self.missed is None:
            return None
        return ratio(2 * self.matched, 2 * self.matched + self.spurious + self.missed)


@dataclass(frozen=True)
class Slice:
    """Queries of one category or size: how many, and the mean of their IoU."""

    name: str
    queries: int
    iou: float


def counts_at(facts: QueryFacts, outcomes: Outcomes, step: int) -> list[ThresholdCounts]:
    """Return the counts of each task that the run attempts, over all its queries."""
    kinds, matched = outcomes.kinds(step), outcomes.matched(step)
    spurious, missed = outcomes.spurious(step), outcomes.missed(step)
    found = []
    for place, task in enumerate(TASKS):
        is_of = (facts.tasks == place) & outcomes.is_attempted
        of_task = kinds[is_of & (kinds != NOT_ASKED)]
        if not is_of.any():
            continue
        sums: Sequence[int | None] = (None, None, None)
        if outcomes.modality != "mask":
            sums = [int(column[is_of].sum()) for column in (matched, spurious, missed)]
        counted = np.bincount(of_task, minlength=len(KINDS)).tolist()
        found.append(ThresholdCounts(task, len(of_task), tuple(counted), *sums))
    return found


def by_category(facts: QueryFacts, outcomes: Outcomes) -> list[Slice]:
    """Return the mean IoU over the positive queries of each category that has any, worst first."""
    slices = _slices(facts.category_names, facts.categories.astype(np.int64), outcomes)
    return sorted(slices, key=lambda one: (one.iou, one.name))


def by_size(facts: QueryFacts, outcomes: Outcomes) -> list[Slice]:
    """Return the mean IoU over the positive queries of each size that occurs, smallest first."""
    bins = np.searchsorted(np.square(SIDES_PX), facts.areas_px, side="right")
    inner = [f"{low}–{high}" for low, high in itertools.pairwise(SIDES_PX)]
    names = (f"< {SIDES_PX[0]}", *inner, f"≥ {SIDES_PX[-1]}")
    return _slices(names, bins.astype(np.int64), outcomes)


def _slices(names: Sequence[str], groups: Ints, outcomes: Outcomes) -> list[Slice]:
    asked = outcomes.is_asked
    counts = np.bincount(groups[asked], minlength=len(names))
    sums = np.bincount(groups[asked], weights=outcomes.iou[asked], minlength=len(names))
    return [
        Slice(name, int(count), float(total / count))
        for name, count, total in zip(names, counts, sums, strict=True)
        if count
    ]
