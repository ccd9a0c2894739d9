"""Masks and boxes of a dataset's targets, by the very code that scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...benchmark import Benchmark, Category, Image, Instance, Target, Truth
from ..rows import CategoryRow, ImageRow, InstanceRow, TargetRow
from ..view import View


def truth_of(view: View, targets: Iterable[TargetRow]) -> Truth:
    """Return the truth of some targets, whatever their state; meant for a few at a time."""
    chosen = tuple(targets)
    images = dict.fromkeys(target.image_id for target in chosen)
    categories = dict.fromkeys(target.category_id for target in chosen)
    instances = [row for target in chosen for row in view.instances(target.id)]
    return Truth(
        Benchmark(
            tuple(_category(view.category(category_id)) for category_id in categories),
            tuple(_image(view.image(image_id)) for image_id in images),
            tuple(map(_target, chosen)),
            tuple(map(_instance, instances)),
            (),
            source="dataset",
        )
    )


def _category(row: CategoryRow) -> Category:
    return Category(row.id, row.name, row.domain, row.branch, row.instanceable)


def _image(row: ImageRow) -> Image:
    return Image(
        row.id or 0, row.file_name, row.width, row.height, row.crs, row.transform, row.gsd_m,
        row.operation,
    )  # fmt: skip


def _target(row: TargetRow) -> Target:
    return Target(row.id or 0, row.image_id, row.category_id, row.segmentation)


def _instance(row: InstanceRow) -> Instance:
    return Instance(
        row.id or 0,
        row.target_id,
        row.image_id or 0,
        row.category_id or 0,
        row.is_crowd,
        _segmentation(row.segmentation),
        row.geojson(),
        row.bbox,
        row.obb,
    )


def _segmentation(given: Any) -> Any:
    if not isinstance(given, list):
        return given
    return tuple(np.reshape(np.array(ring, dtype=np.float64), (-1, 2)) for ring in given)
