"""Reads COCO's object annotations: polygons, masks as RLE, crowd, boxes, and ids as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...benchmark import Instance, read_benchmark
from ...errors import OVEarthError
from ...labels.model import ImageLookup, Label, LabelledImage, ReadOptions
from ..shapes import as_polygons

_SHAPES = ("segmentation", "bbox", "obb")


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a COCO file in its order, each with its annotations, also with none.

    Raises InputError, with file and line, for what isn't whole (see `read_benchmark`).
    """
    benchmark = read_benchmark(source)
    names = {category.id: category.name for category in benchmark.categories}
    targets_of = defaultdict(list)
    targets = benchmark.columns.targets
    for target_id, image_id in zip(targets.ids.tolist(), targets.image_ids.tolist(), strict=True):
        targets_of[image_id].append(target_id)
    for image in benchmark.images:
        labels = [
            _label(instance, names[instance.category_id], f"{source} annotation {instance.id}")
            for target_id in targets_of[image.id]
            for instance in benchmark.instances_by_target.get(target_id, ())
        ]
        yield LabelledImage(
            image.file_name,
            tuple(labels),
            image.width,
            image.height,
            image.extra,
            f"{source} image {image.id}",
            image.id,
        )


def _label(instance: Instance, class_name: str, where: str) -> Label:
    polygons, segmentation = None, instance.segmentation
    try:
        if instance.geometry is not None:
            polygons = as_polygons(instance.geometry)[0]
        elif isinstance(segmentation, tuple):
            polygons = as_polygons(tuple((np.asarray(ring),) for ring in segmentation))[0]
    except OVEarthError as fault:
        raise fault.at(where) from None
    return Label(
        class_name,
        polygons,
        obb=instance.obb,
        is_crowd=instance.is_crowd,
        segmentation=_plain(segmentation),
        # Without how it says that there is no polygon: it gets that of its box.
        extra={key: value for key, value in instance.extra.items() if key not in _SHAPES},
        where=where,
        bbox=_four(instance.bbox),
        label_id=instance.id,
        class_id=instance.category_id,
    )


def _plain(segmentation: Any) -> Any:
    if isinstance(segmentation, tuple):
        return [ring.reshape(-1).tolist() for ring in segmentation]
    return None if segmentation is None else dict(segmentation)


def _four(bbox: tuple[float, ...] | None) -> tuple[float, float, float, float] | None:
    if bbox is None:
        return None
    x, y, width, height = bbox
    return x, y, width, height
