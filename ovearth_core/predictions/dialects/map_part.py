"""The shapes of a feature of a map: all of it, or what an image shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import MODALITIES
from ...frame import ImageFrame
from ...geometry import Polygon, min_area_rect
from ..map_shapes import map_box, map_quad, mask_polygons
from .scene import Detection

Floats = NDArray[np.float64]
# Polygons in an image's pixels.
Pixels = Sequence[Sequence[Floats]]


def whole_feature(
    found: Detection,
    polygons: list[Polygon],
    kind: str | None,
    crs: str,
    placed: tuple[ImageFrame, Pixels] | None = None,
) -> Detection:
    """Return a feature with its shapes in the file's CRS, as the file has them.

    kind: the modality that it is, None where it is a region of which all are made. placed: its
    image and its pixels there, of which its oriented box is then made.
    """
    if kind == "mask":
        return replace(found, mask=mask_polygons(polygons))
    if kind == "hbb":
        return replace(found, hbb=map_box(polygons))
    if kind == "obb":
        return replace(found, obb=map_quad(polygons))
    obb = map_quad(polygons) if placed is None else _rectangle(*placed, crs)
    return replace(found, mask=mask_polygons(polygons), hbb=map_box(polygons), obb=obb)


def cut_feature(
    found: Detection, kind: str | None, crs: str, frame: ImageFrame, pixels: Pixels
) -> Detection:
    """Return a feature with the shapes, in the file's CRS, of what an image shows of it."""
    polygons = [[frame.object_to_crs(ring, crs) for ring in polygon] for polygon in pixels]
    shapes: dict[str, Any] = {
        "mask": polygons,
        "hbb": map_box(polygons),
        "obb": _rectangle(frame, pixels, crs),
    }
    wanted = MODALITIES if kind is None else (kind,)
    return replace(found, **{name: shapes[name] for name in wanted})


def _rectangle(frame: ImageFrame, pixels: Pixels, crs: str) -> Floats:
    """Return the rectangle of minimum area in the image's pixels, carried to the CRS."""
    corners = min_area_rect(np.concatenate([polygon[0] for polygon in pixels]))
    return frame.object_to_crs(corners, crs)
