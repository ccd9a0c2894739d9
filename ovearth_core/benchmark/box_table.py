"""The boxes of a benchmark's instances as a table: corners in a frame, and size on the ground."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import OVEarthError, TruthError, UsageError
from ..spelling import nearest
from .framed_boxes import SIZES, ImageShapes, framed_boxes
from .model import Benchmark, Image, Instance
from .truth import Truth

FRAMES = ("pixel", "map", "ground")

# Boxes of so many instances are made together.
_AT_ONCE = 256

Floats = NDArray[np.float64]
Document = dict[str, Any]


def box_rows(benchmark: Benchmark, frame: str) -> Iterator[dict[str, Any]]:
    """Yield the boxes of every instance of an instanceable category, crowds left out.

    `frame`: "pixel" (given boxes win), "map" (axes of the image's CRS) or "ground" (metres east
    and north of the object's own `origin`, longitude and latitude). `obb` is four corners, flat,
    in the order that they have in pixels. Where the image lies somewhere, of this very `obb` on the
    ground: `width_m`, `length_m`, `azimuth_deg` of the length, clockwise from true north in
    [0, 180), and `area_m2`.

    Raises UsageError for another frame; FrameError for an image that can't be placed in it.
    """
    if frame not in FRAMES:
        raise UsageError(f"unknown frame {frame!r}", "--frame", nearest(frame, FRAMES))
    truth = Truth(benchmark)
    for instances in _together(benchmark):
        image = benchmark.image_by_id[instances[0].image_id]
        for instance, row in zip(instances, _rows(truth, instances, image, frame), strict=False):
            yield {
                "annotation_id": instance.id,
                "target_id": instance.target_id,
                "image_id": instance.image_id,
                "category": benchmark.category_by_id[instance.category_id].name,
                **row,
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
    *("hbb", "obb", *SIZES),
)


def _rows(
    truth: Truth, instances: Sequence[Instance], image: Image, frame: str
) -> Iterator[Document]:
    try:
        found = list(_framed(truth, instances, image, frame))
    except OVEarthError:
        # One of them is at fault: alone, it is found and named.
        for instance in instances:
            try:
                yield from _framed(truth, [instance], image, frame)
            except TruthError:
                raise
            except OVEarthError as fault:
                where = f"{truth.benchmark.source} annotation {instance.id}"
                raise fault.at(where) from None
        return
    yield from found


def _framed(
    truth: Truth, instances: Sequence[Instance], image: Image, frame: str
) -> Iterator[Document]:
    shapes = ImageShapes(truth, instances, image)
    boxes = framed_boxes(shapes, frame)
    sizes = boxes.sizes(boxes.corners_px("obb"))
    found = zip(boxes.origins, boxes.hbbs, boxes.obbs, sizes, strict=True)
    for origin, hbb, obb, size in found:
        yield {
            "frame": frame,
            "crs": boxes.crs,
            "origin": origin,
            "hbb": _listed(hbb),
            "obb": _listed(obb),
            **size,
        }


def _together(benchmark: Benchmark) -> Iterator[list[Instance]]:
    """Yield the instances that have boxes, in their order, as many of one image as follow."""
    waiting: list[Instance] = []
    for instance in benchmark.instances:
        category = benchmark.category_by_id[instance.category_id]
        if not category.instanceable or instance.is_crowd:
            continue
        if waiting and (instance.image_id != waiting[0].image_id or len(waiting) >= _AT_ONCE):
            yield waiting
            waiting = []
        waiting.append(instance)
    if waiting:
        yield waiting


def _listed(box: Floats | None) -> list[float] | None:
    return None if box is None else [float(value) for value in box.reshape(-1)]
