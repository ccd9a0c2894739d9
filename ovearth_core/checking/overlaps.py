"""Instances of one category on one image that overlap, or are the same one drawn twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..benchmark.model import Image, Instance, Target
from ..benchmark.truth import outline, outline_points
from ..errors import OVEarthError
from ..geometry import Runs, box_pairs, envelope, intersection_area
from .finding import Finding
from .scope import Scope

_SAME_IOU = 0.9
# Objects may touch; of the smaller one this much may lie in the other.
_MOST_SHARED = 0.05


def overlaps(scope: Scope) -> Iterator[Finding]:
    """Find pairs of instances that share pixels, crowds and second annotations left out."""
    for image in scope.benchmark.images:
        by_category: dict[int, list[Target]] = {}
        for target in scope.targets_by_image.get(image.id, ()):
            if scope.benchmark.is_instanceable(target):
                by_category.setdefault(target.category_id, []).append(target)
        for targets in by_category.values():
            yield from _overlaps(scope, image, targets)


def _overlaps(scope: Scope, image: Image, targets: list[Target]) -> Iterator[Finding]:
    drawn = [
        (instance, points)
        for target in targets
        for instance in scope.benchmark.instances_by_target.get(target.id, ())
        if not instance.is_crowd and (points := _points(instance, image)) is not None
    ]
    if len(drawn) < 2:
        return
    boxes = np.array([envelope(points) for _, points in drawn])
    masks: dict[int, Runs] = {}
    for one, other in _pairs(boxes):
        a, b = (_mask(masks, at, drawn[at][0], image) for at in (one, other))
        finding = _finding(scope, drawn[one][0], drawn[other][0], a, b, boxes[[one, other]])
        if finding is not None:
            yield finding


def _pairs(boxes: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of boxes (N, 4) that overlap, the smaller index second."""
    rows, columns, *_ = box_pairs(boxes, boxes)
    for one, other in zip(rows.tolist(), columns.tolist(), strict=True):
        if other < one:
            yield one, other


def _finding(
    scope: Scope, one: Instance, other: Instance, a: Runs, b: Runs, boxes: NDArray[np.float64]
) -> Finding | None:
    if (a.height, a.width) != (b.height, b.width):
        return None  # an RLE of another size, which is found as such
    smaller = min(a.area, b.area)
    shared = intersection_area(a, b)
    if not smaller or shared <= _MOST_SHARED * smaller:
        return None
    iou = shared / (a.area + b.area - shared)
    low, high = boxes[:, :2].max(axis=0), boxes[:, 2:].min(axis=0)
    place = (low + high) / 2.0
    if iou >= _SAME_IOU:
        what = f"is {scope.noun} {other.id} drawn twice (IoU {iou:.2f})"
        return scope.at_instance(one, "duplicate-instance", what, "remove one of them", place)
    what = f"shares {shared} pixels with {scope.noun} {other.id}, {shared / smaller:.0%} of one"
    return scope.at_instance(one, "overlap", what, "give each pixel to one of them", place)


def _points(instance: Instance, image: Image) -> NDArray[np.float64] | None:
    try:
        return outline_points(outline(instance, image))
    except OVEarthError:
        return None


def _mask(masks: dict[int, Runs], at: int, instance: Instance, image: Image) -> Runs:
    if at not in masks:
        shape = outline(instance, image)
        if isinstance(shape, Runs):
            masks[at] = shape
        else:
            masks[at] = Runs.from_rings(shape or [], image.height, image.width)
    return masks[at]
