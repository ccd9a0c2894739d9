"""The truth of a benchmark's targets: masks and boxes, given or derived, as `metrics.md` says."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FrameError, GeometryError, OVEarthError, TruthError
from ..geometry import (
    Polygon,
    Runs,
    check_quads,
    envelope,
    min_area_rect,
    polygons_from_geojson,
    quad_areas,
)
from ..geometry.rings import ring_from_positions
from .model import Benchmark, Image, Instance
from .remembered import Remembered
from .shelf import loaded

# An area this small against its box's own diagonal squared is a line, whatever rounding left.
_NO_AREA = 1e-12
_UNKNOWN = -1
_WHOLE, _LACKS = 1, 2
# Enough for some thousands of targets; a benchmark of any size stays within it.
_MOST_MASK_BYTES, _MOST_BOX_BYTES = 48 << 20, 3 << 20

Floats = NDArray[np.float64]


def outline(instance: Instance, image: Image) -> list[Polygon] | Runs | None:
    """Return an instance's shape in pixels: polygons, or runs where it is an RLE, or None.

    `geometry` wins over `segmentation`. Raises GeometryError naming the annotation.
    """
    try:
        if instance.geometry is not None:
            return polygons_from_geojson(instance.geometry)
        if isinstance(instance.segmentation, tuple):
            return [[ring_from_positions(ring)] for ring in instance.segmentation]
        if instance.segmentation is not None:
            return Runs.from_rle(instance.segmentation)
    except GeometryError as fault:
        raise fault.at(f"annotation {instance.id}") from None
    return None


def outline_points(shape: list[Polygon] | Runs | None) -> Floats | None:
    """Return (N, 2) points whose hull is the shape's hull, or None where there are none.

    Of polygons the exterior vertices; of runs the outer corners of their pixels.
    """
    if isinstance(shape, Runs):
        return None if shape.is_empty else shape.corner_points()
    if not shape:
        return None
    return np.concatenate([rings[0] for rings in shape])


class Truth:
    """Masks and boxes of a benchmark's targets; what was derived is remembered for a while."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self._masks = Remembered(_MOST_MASK_BYTES)
        self._boxes = Remembered(_MOST_BOX_BYTES)
        # By the target's place: pixels, _UNKNOWN so far; and whether boxes are whole or lack.
        self._areas = array("q", [_UNKNOWN]) * len(benchmark.targets)
        self._box_states: dict[tuple[str, str | None], bytearray] = {}
        # What has been looked at and found whole, under whatever name its user gives it.
        self.found_whole: set[Hashable] = set()

    def mask(self, target_id: int) -> Runs | None:
        """Return the target's mask: its own segmentation, else the union of its instances.

        None where neither exists.
        """
        return self._masks.get(target_id, lambda: self._noted_mask(target_id), _mask_bytes)

    def mask_area(self, target_id: int) -> int:
        """Return the pixels of the target's mask, 0 where it is empty or there is none."""
        place = self.benchmark.target_by_id.place(target_id)
        if self._areas[place] == _UNKNOWN:
            self.mask(target_id)
        return self._areas[place]

    def know_areas(self, target_ids: Iterable[int], areas: Iterable[int]) -> None:
        """Remember the pixels of masks that were counted elsewhere."""
        for target_id, area in zip(target_ids, areas, strict=True):
            self._areas[self.benchmark.target_by_id.place(target_id)] = area

    def lacks_boxes(self, modality: str, target_id: int, crs: str | None = None) -> bool:
        """Whether the target has no box, fewer than instances that are no crowd, or one of no area.

        `modality`: hbb, in `crs` as hbb() has them, or obb.
        """
        place = self.benchmark.target_by_id.place(target_id)
        if not (states := self._states(modality, crs))[place]:
            boxes = self.hbb(target_id, crs) if modality == "hbb" else self.obb(target_id)
            self._note_state(modality, target_id, crs, boxes)
        return states[place] == _LACKS

    def _note_state(self, modality: str, target_id: int, crs: str | None, boxes: Floats) -> None:
        place = self.benchmark.target_by_id.place(target_id)
        wanted = max(1, int(self.benchmark.box_counts[place]))
        lacks = len(boxes) < wanted or bool(has_no_area(boxes).any())
        self._states(modality, crs)[place] = _LACKS if lacks else _WHOLE

    def _states(self, modality: str, crs: str | None) -> bytearray:
        found = self._box_states.get((modality, crs))
        if found is None:
            found = self._box_states[modality, crs] = bytearray(len(self.benchmark.targets))
        return found

    def hbb(self, target_id: int, crs: str | None = None) -> Floats:
        """Return the target's horizontal boxes, (N, 4) xmin, ymin, xmax, ymax, sorted.

        In pixels where `crs` is None: given ones, else derived. In a CRS: the envelopes, there,
        of the instances' outlines, and of a given box's corners only where there is no outline.
        Instances without any box are left out.
        """
        key = ("hbb", target_id, crs)
        return self._boxes.get(key, lambda: self._hbb(target_id, crs), _box_bytes)

    def obb(self, target_id: int) -> Floats:
        """Return the target's oriented boxes in pixels, (N, 4, 2) corners, sorted."""
        return self._boxes.get(("obb", target_id), lambda: self._obb(target_id), _box_bytes)

    def _noted_mask(self, target_id: int) -> Runs | None:
        mask = self._mask(target_id)
        self._areas[self.benchmark.target_by_id.place(target_id)] = 0 if mask is None else mask.area
        return mask

    def _mask(self, target_id: int) -> Runs | None:
        target = self.benchmark.target_by_id[target_id]
        if target.segmentation is not None:
            try:
                return Runs.from_rle(loaded(target.segmentation))
            except GeometryError as fault:
                raise self._fault(fault, f"target {target_id}") from None
        return self.union_of_instances(target_id)

    def union_of_instances(self, target_id: int) -> Runs | None:
        """Return the union of the target's instances, crowd included; None without any shape."""
        image = self._image(target_id)
        shapes = [
            _runs(shape, instance, image)
            for instance in self.benchmark.instances_by_target.get(target_id, ())
            if (shape := self._outline(instance, image)) is not None
        ]
        return Runs.union(shapes) if shapes else None

    def _hbb(self, target_id: int, crs: str | None) -> Floats:
        image = self._image(target_id)
        to_frame = _identity if crs is None else _into(image, crs)
        try:
            boxes = [
                envelope(to_frame(points))
                for instance in self._boxed_instances(target_id)
                if (points := self._hbb_points(instance, image, crs is None)) is not None
            ]
        except FrameError as fault:
            raise self._fault(fault, f"image {image.id}, target {target_id}") from None
        found = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        if crs is not None and len(found):
            found = image.frame().boxes_near(found, crs)
        found = sorted_boxes(found)
        self._note_state("hbb", target_id, crs, found)
        return found

    def _obb(self, target_id: int) -> Floats:
        image = self._image(target_id)
        boxes = [
            box
            for instance in self._boxed_instances(target_id)
            if (box := self.instance_obb(instance, image)) is not None
        ]
        found = sorted_boxes(np.array(boxes, dtype=np.float64).reshape(-1, 4, 2))
        self._note_state("obb", target_id, None, found)
        return found

    def instance_hbb(self, instance: Instance, image: Image) -> Floats | None:
        """Return one instance's horizontal box in pixels (4,), given or derived, or None."""
        points = self._hbb_points(instance, image, given_first=True)
        return None if points is None else envelope(points)

    def instance_obb(self, instance: Instance, image: Image) -> Floats | None:
        """Return one instance's oriented box in pixels (4, 2), given or derived, or None."""
        if instance.obb is not None:
            return self._given_obb(instance)
        points = outline_points(self._outline(instance, image))
        return None if points is None else min_area_rect(points)

    def instance_points(self, instance: Instance, image: Image) -> Floats | None:
        """Return `outline_points` of one instance's outline (N, 2), or None."""
        return outline_points(self._outline(instance, image))

    def instance_given_obb(self, instance: Instance) -> Floats | None:
        """Return one instance's given oriented box in pixels (4, 2), or None."""
        return None if instance.obb is None else self._given_obb(instance)

    def instance_hbb_corners(self, instance: Instance) -> Floats | None:
        """Return corners (4, 2) in pixels of a box given for want of an outline, or None."""
        if instance.bbox is not None:
            return _bbox_corners(instance.bbox)
        return None if instance.obb is None else self._given_obb(instance)

    def _hbb_points(self, instance: Instance, image: Image, given_first: bool) -> Floats | None:
        if given_first and instance.bbox is not None:
            return _bbox_corners(instance.bbox)
        points = outline_points(self._outline(instance, image))
        return self.instance_hbb_corners(instance) if points is None else points

    def _given_obb(self, instance: Instance) -> Floats:
        try:
            corners: Floats = check_quads([instance.obb])[0]
        except GeometryError as fault:
            raise self._fault(fault, f"annotation {instance.id}") from None
        return corners

    def _outline(self, instance: Instance, image: Image) -> list[Polygon] | Runs | None:
        try:
            return outline(instance, image)
        except GeometryError as fault:
            raise self._fault(fault) from None

    def _fault(self, fault: OVEarthError, *where: str) -> TruthError:
        places = [self.benchmark.source, *where, *([fault.where] if fault.where else [])]
        return TruthError(fault.what, ", ".join(places), fault.mend)

    def _boxed_instances(self, target_id: int) -> Iterable[Instance]:
        instances = self.benchmark.instances_by_target.get(target_id, ())
        return (instance for instance in instances if not instance.is_crowd)

    def _image(self, target_id: int) -> Image:
        return self.benchmark.image_by_id[self.benchmark.target_by_id[target_id].image_id]


def sorted_boxes(boxes: Floats) -> Floats:
    """Return boxes sorted by their coordinates, first coordinate first: no file's order counts."""
    flat = boxes.reshape(len(boxes), int(np.prod(boxes.shape[1:])))
    return boxes[np.lexsort(flat.T[::-1])] if len(boxes) > 1 else boxes


def has_no_area(boxes: Floats) -> NDArray[np.bool_]:
    """Say of each box, (N, 4) or (N, 4, 2), whether it is a line or a point."""
    if boxes.ndim == 2:
        sides = boxes[:, 2:] - boxes[:, :2]
        return np.asarray((sides <= 0).any(axis=1))
    spans = boxes.max(axis=1) - boxes.min(axis=1) if len(boxes) else np.zeros((0, 2))
    return np.asarray(quad_areas(boxes) <= _NO_AREA * (spans**2).sum(axis=1))


def _runs(shape: list[Polygon] | Runs, instance: Instance, image: Image) -> Runs:
    if isinstance(shape, Runs):
        return shape
    return Runs.from_rings(shape, image.height, image.width)


def _bbox_corners(bbox: tuple[float, ...]) -> Floats:
    x, y, width, height = bbox
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


def _mask_bytes(mask: Runs | None) -> int:
    return 0 if mask is None else mask.bounds.nbytes


def _box_bytes(boxes: Floats) -> int:
    return boxes.nbytes


def _identity(points: Floats) -> Floats:
    return points


def _into(image: Image, crs: str) -> Any:
    frame = image.frame()
    return lambda points: frame.object_to_crs(points, crs)
