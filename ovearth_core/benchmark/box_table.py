"""The boxes of a benchmark's instances as a table: corners in a frame, and size on the ground."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FrameError, OVEarthError, TruthError, UsageError
from ..frame import ImageFrame
from ..geometry import corner_order, envelope, min_area_rect, quad_areas
from ..ground import azimuths_deg, lengths_m
from ..spelling import nearest
from .model import Benchmark, Image, Instance
from .truth import Truth, outline, outline_points

FRAMES = ("pixel", "map", "ground")

Floats = NDArray[np.float64]
Points = Callable[[Floats], Floats]


def box_rows(benchmark: Benchmark, frame: str) -> Iterator[dict[str, Any]]:
    """Yield the boxes of every instance of an instanceable category, crowds left out.

    `frame`: "pixel" (given boxes win), "map" (axes of the image's CRS) or "ground" (metres east
    and north of the object's own `origin`, longitude and latitude). `obb` is four corners, flat,
    in the order that they have in pixels. Where the image lies somewhere: `width_m`, `length_m`,
    `azimuth_deg` of the long side, clockwise from true north in [0, 180), and `area_m2`.

    Raises UsageError for another frame; FrameError for an image that can't be placed in it.
    """
    if frame not in FRAMES:
        raise UsageError(f"unknown frame {frame!r}", "--frame", nearest(frame, FRAMES))
    truth = Truth(benchmark)
    for instance in benchmark.instances:
        category = benchmark.category_by_id[instance.category_id]
        if category.instanceable and not instance.is_crowd:
            image = benchmark.image_by_id[instance.image_id]
            try:
                boxes = framed_boxes(truth, instance, image, frame)
                ground = obb_on_ground(truth, instance, image)
            except TruthError:
                raise
            except OVEarthError as fault:
                raise fault.at(f"{benchmark.source} annotation {instance.id}") from None
            yield {
                "annotation_id": instance.id,
                "target_id": instance.target_id,
                "image_id": instance.image_id,
                "category": category.name,
                "frame": frame,
                "crs": boxes.crs,
                "origin": boxes.origin,
                "hbb": _listed(boxes.hbb),
                "obb": _listed(boxes.obb),
                **ground,
            }


def boxes_text(rows: Iterable[dict[str, Any]], as_csv: bool) -> str:
    """Return the rows as JSON Lines or CSV; in CSV, lists are numbers apart by spaces."""
    if not as_csv:
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {
                key: " ".join(map(repr, value)) if isinstance(value, list) else value
                for key, value in row.items()
            }
        )
    return out.getvalue()


_SIZES = ("width_m", "length_m", "azimuth_deg", "area_m2")
_COLUMNS = (
    *("annotation_id", "target_id", "image_id", "category", "frame", "crs", "origin"),
    *("hbb", "obb", *_SIZES),
)


@dataclass(frozen=True)
class FramedBoxes:
    """One instance's boxes in one frame.

    hbb: (4,) xmin, ymin, xmax, ymax along the frame's axes. obb: (4, 2) corners, in the order
    that they have in pixels. Either may be None. to_frame, to_pixel: (N, 2) there and back.
    """

    crs: str | None
    origin: list[float] | None
    hbb: Floats | None
    obb: Floats | None
    to_frame: Points
    to_pixel: Points

    def corners_px(self, kind: str) -> Floats | None:
        """Return the corners (4, 2) in pixels of the "hbb" or the "obb", in their order there."""
        if kind == "obb":
            return None if self.obb is None else self.to_pixel(self.obb)
        if self.hbb is None:
            return None
        corners = self.to_pixel(_corners(self.hbb))
        return corners[corner_order(corners)]


def framed_boxes(truth: Truth, instance: Instance, image: Image, frame: str) -> FramedBoxes:
    """Return an instance's boxes in a frame, given ones first.

    Raises FrameError for an image that can't be placed in it, TruthError for a shape that is none.
    """
    return _BOXES[frame](truth, instance, image)


def size_on_ground(corners_px: Floats, image: Image) -> dict[str, float | None]:
    """Return `width_m`, `length_m`, `azimuth_deg` and `area_m2` of corners (4, 2) in pixels.

    Sides are means of opposite ones. Nulls for an image that lies nowhere.
    """
    if image.crs is None or image.transform is None:
        return dict.fromkeys(_SIZES)
    about = corners_px.mean(axis=0)
    corners = image.frame().pixel_to_ground(corners_px, about)
    return rectangle_size(corners, float(quad_areas(corners[None])[0]))


def _in_pixels(truth: Truth, instance: Instance, image: Image) -> FramedBoxes:
    hbb, obb = truth.instance_hbb(instance, image), truth.instance_obb(instance, image)
    return FramedBoxes(None, None, hbb, obb, _same, _same)


def _in_map(truth: Truth, instance: Instance, image: Image) -> FramedBoxes:
    frame = _placed(image)
    hbb, obb = _derived(truth, instance, image, frame.pixel_to_map, frame.map_to_pixel)
    return FramedBoxes(image.crs, None, hbb, obb, frame.pixel_to_map, frame.map_to_pixel)


def _in_ground(truth: Truth, instance: Instance, image: Image) -> FramedBoxes:
    frame = _placed(image)
    about = _middle(truth, instance, image)
    if about is None:
        return FramedBoxes(None, None, None, None, _same, _same)
    ground = frame.ground(about)

    def to_frame(points: Floats) -> Floats:
        return frame.pixel_to_ground(points, about)

    def to_pixel(points: Floats) -> Floats:
        return frame.ground_to_pixel(points, about)

    hbb, obb = _derived(truth, instance, image, to_frame, to_pixel)
    return FramedBoxes(None, [ground.lon, ground.lat], hbb, obb, to_frame, to_pixel)


_BOXES: dict[str, Callable[[Truth, Instance, Image], FramedBoxes]] = {
    "pixel": _in_pixels,
    "map": _in_map,
    "ground": _in_ground,
}


def _derived(
    truth: Truth, instance: Instance, image: Image, to_frame: Points, to_pixel: Points
) -> tuple[Floats | None, Floats | None]:
    """Return the boxes in a frame's own axes, the corners in their order in pixels.

    A given oriented box is carried over by its corners; all else comes from the outline.
    """
    corners = truth.instance_obb(instance, image)
    points = outline_points(outline(instance, image))
    if points is None:
        flat = truth.instance_hbb_corners(instance)
        hbb = None if flat is None else envelope(to_frame(flat))
        return hbb, None if corners is None else to_frame(corners)
    carried = to_frame(points)
    if instance.obb is not None and corners is not None:
        return envelope(carried), to_frame(corners)
    rectangle = min_area_rect(carried)
    return envelope(carried), rectangle[corner_order(to_pixel(rectangle))]


def obb_on_ground(truth: Truth, instance: Instance, image: Image) -> dict[str, float | None]:
    """Return the size and direction of the oriented box in metres, nulls without a place."""
    if image.crs is None or image.transform is None:
        return dict.fromkeys(_SIZES)
    obb = _in_ground(truth, instance, image).obb
    return dict.fromkeys(_SIZES) if obb is None else rectangle_size(obb)


def rectangle_size(corners: Floats, area_m2: float | None = None) -> dict[str, float | None]:
    """Return the size of corners (4, 2) in metres; the area of a rectangle unless given."""
    opposite = lengths_m(corners, np.roll(corners, -1, axis=0))
    sides = (opposite[:2] + opposite[2:]) / 2.0
    longer = int(sides[1] > sides[0])
    azimuth = azimuths_deg(corners[longer : longer + 1], corners[longer + 1 : longer + 2])
    return {
        "width_m": float(np.min(sides)),
        "length_m": float(np.max(sides)),
        "azimuth_deg": float(azimuth[0]),
        "area_m2": float(sides.prod()) if area_m2 is None else area_m2,
    }


def _corners(hbb: Floats) -> Floats:
    left, top, right, bottom = hbb
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _same(points: Floats) -> Floats:
    return points


def _middle(truth: Truth, instance: Instance, image: Image) -> Floats | None:
    hbb = truth.instance_hbb(instance, image)
    return None if hbb is None else (hbb[:2] + hbb[2:]) / 2


def _placed(image: Image) -> ImageFrame:
    if image.crs is None or image.transform is None:
        lacking = "CRS" if image.crs is None else "transform"
        raise FrameError(
            f"image {image.id} has no {lacking}", mend="use --frame pixel, or georeference it"
        )
    return image.frame()


def _listed(box: Floats | None) -> list[float] | None:
    return None if box is None else [float(value) for value in box.reshape(-1)]
