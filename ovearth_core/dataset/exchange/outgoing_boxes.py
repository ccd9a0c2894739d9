"""The oriented boxes of what goes out, for formats that hold boxes alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...errors import OVEarthError
from ...geometry import Runs, min_area_rect
from ..rows import ImageRow, InstanceRow
from .outgoing import Outgoing

Floats = NDArray[np.float64]

BOXES_ONLY = "outlines and queries are not in this format, only their oriented boxes are"


class OutgoingBoxes:
    """The oriented boxes that go out, image by image; `left_out` is complete after iteration."""

    def __init__(self, going: Outgoing) -> None:
        self._going = going
        self.categories = {
            key: category for key, category in going.categories().items() if category.instanceable
        }
        self.left_out: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def __iter__(self) -> Iterator[tuple[ImageRow, list[tuple[InstanceRow, Floats]]]]:
        """Yield each image that has targets, with its boxes (4, 2) in pixels, perhaps none."""
        for item in self._going.images():
            boxes = []
            for instance in item.instances():
                reason = self._reason_to_leave_out(instance)
                if reason:
                    self.left_out[reason] += 1
                    continue
                if (box := oriented_box(instance)) is None:
                    self.left_out["objects without a shape"] += 1
                    continue
                self._count_losses(instance)
                boxes.append((instance, box))
            self.counts["images"] += 1
            self.counts["boxes"] += len(boxes)
            yield item.image, boxes

    def _reason_to_leave_out(self, instance: InstanceRow) -> str:
        if instance.category_id not in self.categories:
            return "areas of categories that have no instances"
        return "crowds" if instance.is_crowd else ""

    def _count_losses(self, instance: InstanceRow) -> None:
        polygons = instance.polygons or ()
        self.left_out["holes in outlines"] += sum(len(polygon) - 1 for polygon in polygons)


def oriented_box(instance: InstanceRow) -> Floats | None:
    """Return four corners (4, 2) in pixels: the given ones, else the smallest rectangle.

    That is around the polygons, an RLE's pixels, or a given horizontal box; None without any.
    """
    if instance.obb is not None:
        return np.array(instance.obb, np.float64).reshape(4, 2)
    if instance.polygons:
        return min_area_rect(np.vstack([polygon[0] for polygon in instance.polygons]))
    if isinstance(instance.segmentation, dict):
        try:
            runs = Runs.from_rle(instance.segmentation)
        except OVEarthError as fault:
            raise fault.at(f"instance {instance.id}") from None
        if not runs.is_empty:
            return min_area_rect(runs.corner_points())
    if instance.bbox is not None:
        x, y, width, height = instance.bbox
        return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    return None
