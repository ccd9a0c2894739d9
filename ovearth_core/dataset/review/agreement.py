"""How far two people who annotated the same agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Truth
from ...geometry import box_iou, intersection_area, quad_iou
from ...scoring import match
from ..rows import TargetRow
from ..store import Dataset
from ..view import View
from .rivals import group_of, groups
from .truth import truth_of

THRESHOLD = 0.5
# What two annotations are compared by: field of an Agreement, and its heading.
MEASURES = {"mask_iou": "mask IoU", "hbb_f1": "HBB F1", "obb_f1": "OBB F1"}


@dataclass(frozen=True)
class Agreement:
    """Two annotations of the same, and how far they agree, from 0 to 1.

    mask_iou: by the pixel rule of scoring; None where both are empty. hbb_f1, obb_f1: of boxes
    matched one to one at IoU 0.5, symmetric; None for what has no instances, or no boxes at all.
    """

    first: TargetRow
    second: TargetRow
    mask_iou: float | None
    hbb_f1: float | None
    obb_f1: float | None

    @property
    def same_category(self) -> bool:
        """Whether both give it the same category."""
        return self.first.category_id == self.second.category_id

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "first": self.first.id,
            "second": self.second.id,
            "image_id": self.first.image_id,
            "annotators": [self.first.annotator, self.second.annotator],
            "states": [self.first.state, self.second.state],
            "same_category": self.same_category,
            **{name: getattr(self, name) for name in MEASURES},
        }


def agreements(dataset: Dataset, target_id: int | None = None) -> Iterator[Agreement]:
    """Yield every two annotations of the same, of one target or of all; drafts are left out.

    The dataset is read once a pair, so that nobody waits for long.
    """
    with dataset.reading() as view:
        chosen = view.targets() if target_id is None else group_of(view, view.target(target_id))
        found = [pair for members in groups(chosen).values() for pair in pairs(members)]
    for first, second in found:
        with dataset.reading() as view:
            yield agreement(view, first, second)


def pairs(members: Iterable[TargetRow]) -> list[tuple[TargetRow, TargetRow]]:
    """Return every two annotations of the same that are past being drafts."""
    return list(combinations([target for target in members if target.state != "draft"], 2))


def agreement(view: View, first: TargetRow, second: TargetRow) -> Agreement:
    """Compare two targets of one image; the measures are the same the other way round."""
    truth = truth_of(view, (first, second))
    ids = (first.id or 0, second.id or 0)
    areas = all(truth.benchmark.is_instanceable(target) for target in truth.benchmark.targets)
    return Agreement(
        first,
        second,
        mask_iou(truth, *ids),
        _box_f1(truth.hbb, box_iou, *ids) if areas else None,
        _box_f1(truth.obb, quad_iou, *ids) if areas else None,
    )


def mask_iou(truth: Truth, one: int, other: int) -> float | None:
    """Return the IoU of two targets' masks; None where neither covers a pixel."""
    a, b = truth.mask(one), truth.mask(other)
    shared = 0 if a is None or b is None else intersection_area(a, b)
    union = sum(0 if mask is None else mask.area for mask in (a, b)) - shared
    return shared / union if union else None


def mean(values: list[float | None]) -> float | None:
    """Return the mean of those that are defined, None where none is."""
    defined = [value for value in values if value is not None]
    return float(np.mean(defined)) if defined else None


def _box_f1(
    boxes_of: Callable[[int], NDArray[np.float64]],
    iou: Callable[[Any, Any], NDArray[np.float64]],
    one: int,
    other: int,
) -> float | None:
    a, b = boxes_of(one), boxes_of(other)
    if not len(a) and not len(b):
        return None
    matched = len(match(iou(a, b), THRESHOLD)) if len(a) and len(b) else 0
    return 2 * matched / (len(a) + len(b))
