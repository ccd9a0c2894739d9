"""The boxes of a benchmark's instances as a table: corners in a frame, and size on the ground."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FrameError, OVEarthError, TruthError, UsageError
from ..frame import ImageFrame
from ..geometry import corner_order, envelope, min_area_rect
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
                boxes = _BOXES[frame](truth, instance, image)
                ground = _on_ground(truth, instance, image)
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
                **boxes,
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


_COLUMNS = (
    *("annotation_id", "target_id", "image_id", "category", "frame", "crs", "origin"),
    *("hbb", "obb", "width_m", "length_m", "azimuth_deg", "area_m2"),
)


def _in_pixels(truth: Truth, instance: Instance, image: Image) -> dict[str, Any]:
    hbb, obb = truth.instance_hbb(instance, image), truth.instance_obb(instance, image)
    return {"crs": None, "origin": None, "hbb": _listed(hbb), "obb": _listed(obb)}


def _in_map(truth: Truth, instance: Instance, image: Image) -> dict[str, Any]:
    frame = _placed(image)
    hbb, obb = _derived(truth, instance, image, frame.pixel_to_map, frame.map_to_pixel)
    return {"crs": image.crs, "origin": None, "hbb": _listed(hbb), "obb": _listed(obb)}


def _in_ground(truth: Truth, instance: Instance, image: Image) -> dict[str, Any]:
    frame = _placed(image)
    about = _middle(truth, instance, image)
    if about is None:
        return {"crs": None, "origin": None, "hbb": None, "obb": None}
    ground = frame.ground(about)
    hbb, obb = _derived(
        truth,
        instance,
        image,
        lambda points: frame.pixel_to_ground(points, about),
        lambda points: frame.ground_to_pixel(points, about),
    )
    origin = [ground.lon, ground.lat]
    return {"crs": None, "origin": origin, "hbb": _listed(hbb), "obb": _listed(obb)}


_BOXES: dict[str, Callable[[Truth, Instance, Image], dict[str, Any]]] = {
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


def _on_ground(truth: Truth, instance: Instance, image: Image) -> dict[str, float | None]:
    """Return the size and direction of the oriented box in metres, nulls without a place."""
    if image.crs is None or image.transform is None:
        return dict.fromkeys(("width_m", "length_m", "azimuth_deg", "area_m2"))
    obb = _in_ground(truth, instance, image)["obb"]
    if obb is None:
        return dict.fromkeys(("width_m", "length_m", "azimuth_deg", "area_m2"))
    corners = np.array(obb).reshape(4, 2)
    sides = lengths_m(corners[:2], corners[1:3])
    longer = int(sides[1] > sides[0])
    azimuth = azimuths_deg(corners[longer : longer + 1], corners[longer + 1 : longer + 2])
    return {
        "width_m": float(np.min(sides)),
        "length_m": float(np.max(sides)),
        "azimuth_deg": float(azimuth[0]),
        "area_m2": float(sides.prod()),
    }


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
