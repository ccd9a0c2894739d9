"""Masks that are empty, or differ from the instances that they are made of."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import OVEarthError
from ..geometry import Runs, intersection_area
from .finding import Finding
from .scope import Scope

LEAST_AGREEMENT = 0.99


def masks(scope: Scope) -> Iterator[Finding]:
    """Find targets without a mask, and masks that differ from the union of their instances."""
    for target in scope.benchmark.targets:
        try:
            mask = scope.truth.mask(target.id)
            union = scope.truth.union_of_instances(target.id)
        except OVEarthError as fault:
            yield scope.at_target(target, "mask", fault.what, fault.mend or "mend the mask")
            continue
        if mask is None or mask.is_empty:
            what, mend = "has an empty mask or none", "draw it, or remove it"
            yield scope.at_target(target, "mask", what, mend)
        elif target.segmentation is not None and union is not None:
            iou = _iou(mask, union)
            if iou < LEAST_AGREEMENT:
                what = f"its mask differs from its instances (IoU {iou:.3f})"
                mend = "mend one, or leave the mask out"
                yield scope.at_target(target, "mask-differs", what, mend)


def _iou(a: Runs, b: Runs) -> float:
    if (a.height, a.width) != (b.height, b.width):
        return 0.0
    common = intersection_area(a, b)
    union = a.area + b.area - common
    return common / union if union else 1.0
