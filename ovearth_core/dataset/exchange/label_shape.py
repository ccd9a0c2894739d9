"""A label's shape as a row keeps it, once it is known to be one that lies on its image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Runs, check_quads, quad_areas
from ...labels.model import Label
from ..blob import Polygons
from ..shapes import as_polygons


@dataclass(frozen=True)
class LabelShape:
    """polygons, is_multi, segmentation, bbox, obb: as InstanceRow has them.

    made_from: "obb" or "bbox" where the polygon is only the box's outline.
    """

    polygons: Polygons | None
    is_multi: bool
    segmentation: Any
    bbox: tuple[float, ...] | None
    obb: tuple[float, ...] | None
    made_from: str | None = None


def shape_of(label: Label, frame: ImageFrame) -> LabelShape:
    """Return a label's shape, the outline of its box where it has no other.

    Raises InputError or GeometryError, naming the label's place, for a shape that is none, has no
    area, or lies wholly outside of its image.
    """
    try:
        return _shape(label, frame)
    except OVEarthError as fault:
        raise fault.at(label.where) if label.where else fault from None


def _shape(label: Label, frame: ImageFrame) -> LabelShape:
    bbox, obb = _bbox(label), label.obb
    polygons, is_multi, made_from = None, False, None
    if label.polygons is not None:
        polygons, is_multi = as_polygons(label.polygons)
    elif label.segmentation is not None:
        _check_mask(label.segmentation, frame)
    else:
        polygons, is_multi = as_polygons(_corners(bbox, obb))
        made_from = "bbox" if obb is None else "obb"
    if polygons is not None:
        _check_overlaps(np.vstack([polygon[0] for polygon in polygons]), frame)
    if obb is not None:
        check_quads([obb])
    return LabelShape(polygons, is_multi, label.segmentation, bbox, obb, made_from)


def _bbox(label: Label) -> tuple[float, ...] | None:
    """Return x, y, width, height of the box that is given, if any."""
    if label.bbox is not None:
        return tuple(map(float, label.bbox))
    if label.box is None:
        return None
    x0, y0, x1, y1 = map(float, label.box)
    return x0, y0, x1 - x0, y1 - y0


def _corners(
    bbox: tuple[float, ...] | None, obb: tuple[float, ...] | None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the corners (4, 2) of the oriented box, else of the upright one."""
    if obb is not None:
        quads = check_quads([obb])
        if not quad_areas(quads)[0] > 0:
            raise InputError("a box without area", mend="leave it out")
        return np.asarray(quads[0])
    if bbox is None:
        raise InputError("a label without a shape", mend="give it a polygon, a box or a mask")
    x, y, width, height = bbox
    if not np.isfinite(bbox).all():
        raise InputError("a box that isn't finite", mend="mend its numbers")
    if min(width, height) <= 0:
        raise InputError("a box without area", mend="leave it out, or mend its corners")
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


def _check_mask(segmentation: Any, frame: ImageFrame) -> None:
    mask = Runs.from_rle(segmentation)
    if (mask.height, mask.width) != (frame.height, frame.width):
        raise InputError(
            f"its mask has size [{mask.height}, {mask.width}], its image"
            f" [{frame.height}, {frame.width}] (height, width)",
            mend="write the mask at the image's size",
        )


def _check_overlaps(points: np.ndarray[Any, np.dtype[np.float64]], frame: ImageFrame) -> None:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    if right <= 0 or bottom <= 0 or left >= frame.width or top >= frame.height:
        raise InputError(
            f"x {left:g} to {right:g}, y {top:g} to {bottom:g} lies outside of the image"
            f" ({frame.width} by {frame.height} pixels)",
            mend="mend its coordinates, or the name of its image",
        )
