"""What goes out as polygons on the map, one feature an instance, with its attributes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...errors import OVEarthError
from ...frame import ImageFrame
from ...geometry import Runs
from ...geometry.tracing import traced
from ..blob import Polygons
from ..rows import CategoryRow, ImageRow, InstanceRow, TargetRow
from ..shapes import many_to_lonlat, to_lonlat
from ..view import View
from .outgoing import Outgoing, OutgoingImage

FoundT = TypeVar("FoundT")

# Attribute: its kind in a table. The class and image come under names that importing looks for.
ATTRIBUTES: Mapping[str, str] = {
    "image": "text",
    "category": "text",
    "image_id": "whole",
    "category_id": "whole",
    "target_id": "whole",
    "instance_id": "whole",
    "domain": "text",
    "branch": "text",
    "state": "text",
    "shape": "text",
    "is_crowd": "flag",
    "origin": "text",
    "annotator": "text",
    "changed_at": "text",
    "bbox": "numbers",
    "obb": "numbers",
    "gsd_m": "number",
    "extra": "text",
}


@dataclass(frozen=True, slots=True)
class OutgoingFeature:
    """One instance: polygons in EPSG:4326, outer rings counterclockwise, and attributes.

    shape: what the polygons are: the outline, the pixels of a mask, or only a given box.
    """

    polygons: Polygons
    attributes: Mapping[str, Any]


class OutgoingFeatures:
    """The features that go out, image by image; `left_out` is complete after iteration."""

    def __init__(self, view: View, going: Outgoing) -> None:
        self._view = view
        self._going = going
        self._categories = going.categories()
        self.left_out: Counter[str] = Counter()
        self.counts: Counter[str] = Counter(images=0, features=0)

    def images(self) -> Iterator[tuple[OutgoingImage, Iterator[OutgoingFeature]]]:
        """Yield each image with its features, which must be used up before the next."""
        for item in self._going.images():
            self.counts["images"] += 1
            yield item, self._features(item)

    def features(self) -> Iterator[OutgoingFeature]:
        """Yield all features."""
        for _, features in self.images():
            yield from features

    def _features(self, item: OutgoingImage) -> Iterator[OutgoingFeature]:
        carried_shapes = iter(_carried_shapes(item))
        for target, instances in item.targets:
            self.left_out["queries"] += sum(1 for _ in self._view.queries(target_id=target.id))
            self.left_out["targets' own masks"] += target.segmentation is not None
            for instance in instances:
                kind, carried = next(carried_shapes)
                if not carried:
                    self.left_out["objects without a shape"] += 1
                    continue
                self.counts["features"] += 1
                category = self._categories[target.category_id]
                about = _attributes(item.image, target, category, instance, kind)
                yield OutgoingFeature(carried, about)


def _attributes(
    image: ImageRow, target: TargetRow, category: CategoryRow, instance: InstanceRow, kind: str
) -> Mapping[str, Any]:
    extra = dict(instance.extra)
    return {
        "image": image.file_name,
        "category": category.name,
        "image_id": image.id,
        "category_id": category.id,
        "target_id": target.id,
        "instance_id": instance.id,
        "domain": category.domain,
        "branch": category.branch,
        "state": target.state,
        "shape": kind,
        "is_crowd": instance.is_crowd,
        "origin": instance.origin,
        "annotator": target.annotator,
        "changed_at": instance.changed_at or instance.created_at,
        "bbox": None if instance.bbox is None else list(instance.bbox),
        "obb": None if instance.obb is None else list(instance.obb),
        "gsd_m": image.gsd_m,
        "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True) if extra else None,
    }


def _carried_shapes(item: OutgoingImage) -> list[tuple[str, Polygons]]:
    """Return what each instance's polygons are, and they in EPSG:4326, carried in one go."""
    frame, instances = item.image.frame(), list(item.instances())
    shapes = [_named(_shape, instance) for instance in instances]
    try:
        carried = many_to_lonlat(frame, [polygons for _, polygons in shapes])
    except OVEarthError:
        # One of them is at fault: alone, it is found and named.
        for instance, (_, polygons) in zip(instances, shapes, strict=True):
            _named(partial(_alone, frame, polygons), instance)
        raise
    return [(kind, _oriented(each)) for (kind, _), each in zip(shapes, carried, strict=True)]


def _alone(frame: ImageFrame, polygons: Polygons, _: InstanceRow) -> Polygons:
    return to_lonlat(frame, polygons)


def _named(work: Callable[[InstanceRow], FoundT], instance: InstanceRow) -> FoundT:
    try:
        return work(instance)
    except OVEarthError as fault:
        raise fault.at(f"instance {instance.id}") from None


def _shape(instance: InstanceRow) -> tuple[str, Polygons]:
    if instance.polygons:
        return "outline", instance.polygons
    if isinstance(instance.segmentation, dict):
        return "mask", _mask_outline(Runs.from_rle(instance.segmentation))
    if instance.obb is not None:
        return "obb", _closed(np.array(instance.obb, np.float64).reshape(4, 2))
    if instance.bbox is not None:
        x, y, width, height = instance.bbox
        corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
        return "bbox", _closed(np.array(corners, np.float64))
    return "", ()


def _mask_outline(mask: Runs) -> Polygons:
    """Return the edges of a mask's pixels, holes cut out."""
    (polygons,) = traced([mask])
    return tuple(tuple(rings) for rings in polygons)


def _closed(corners: NDArray[np.float64]) -> Polygons:
    return ((np.vstack([corners, corners[:1]]),),)


def _oriented(polygons: Polygons) -> Polygons:
    """Return outer rings counterclockwise and holes clockwise, as RFC 7946 has them."""
    return tuple(
        tuple(
            ring if (_signed_area(ring) > 0.0) == (at == 0) else np.ascontiguousarray(ring[::-1])
            for at, ring in enumerate(polygon)
        )
        for polygon in polygons
    )


def _signed_area(ring: NDArray[np.float64]) -> float:
    # About its first vertex: degrees with seven digits before the point lose the rest otherwise.
    x, y = (ring - ring[0]).T
    return float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2.0
