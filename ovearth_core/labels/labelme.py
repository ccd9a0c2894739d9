"""LabelMe: one JSON file an image, its shapes as points in pixels.

Polygons stay polygons, rectangles become given boxes, rotated ones given oriented boxes, circles
polygons within 0.01 pixel of the circle, masks RLE. Shapes of one label and one `group_id` are
parts of one object. Points and lines have no area: they are left out, and counted.

Source: https://github.com/wkentaro/labelme, labelme/label_file.py and shape.py.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..entry import Entry
from ..errors import InputError, OVEarthError
from ..geometry.rings import ring_from_positions
from ..jsonstream import JsonStream
from ..spelling import nearest
from .labelme_mask import mask_rle
from .model import ImageLookup, Label, LabelledImage, ReadOptions

Floats = NDArray[np.float64]

_NO_AREA = ("point", "points", "line", "linestrip")
_KNOWN = ("label", "points", "shape_type", "mask")
_DROPPED_WHEN_EMPTY: tuple[Any, ...] = (None, "", {}, [])
_CIRCLE_TOLERANCE_PX = 0.01
_FEWEST_VERTICES, _MOST_VERTICES = 16, 1024


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a LabelMe file, or of all in a folder and those within it."""
    left_out: Counter[str] = Counter()
    for path in _files(source):
        yield _image(path, images, left_out)
    options.left_out.update(left_out)


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    found = sorted(path for path in source.rglob("*.json") if path.is_file())
    if not found:
        raise InputError("no LabelMe file (*.json) in it", str(source), "name their folder")
    return found


def _image(path: Path, images: ImageLookup, left_out: Counter[str]) -> LabelledImage:
    about: dict[str, Any] = {}
    shapes: list[Entry] = []
    stream = JsonStream(path)
    for member in stream.members():
        if member.key == "shapes" and member.in_list:
            shapes.append(Entry(member.value, f"{path} line {member.line}"))
        elif member.key != "imageData" and not member.in_list:
            about[member.key] = member.value
    if "shapes" not in stream.keys or "imagePath" not in about:
        mend = "name files that LabelMe has written"
        raise InputError("no 'shapes' and 'imagePath' in it", str(path), mend)
    top = Entry(about, str(path))
    width, height = (_size(top, key) for key in ("imageWidth", "imageHeight"))
    # Written on Windows, and relative to the JSON file, wherever that lay.
    name = top.text("imagePath").replace("\\", "/")
    while name.startswith(("../", "./")):
        name = name.split("/", 1)[1]
    labels = list(_labels(shapes, name, images, left_out))
    flags = {key: value for key, value in (top.mapping("flags") or {}).items() if value}
    extra = {"flags": flags} if flags else {}
    return LabelledImage(name, tuple(_grouped(labels)), width, height, extra, str(path))


def _size(top: Entry, key: str) -> int | None:
    return None if top.fields.get(key) is None else top.integer(key, at_least=1)


def _labels(
    shapes: Sequence[Entry], name: str, images: ImageLookup, left_out: Counter[str]
) -> Iterator[Label]:
    for shape in shapes:
        kind = shape.optional_text("shape_type") or "polygon"
        if kind in _NO_AREA:
            left_out["points and lines, which have no area"] += 1
            continue
        maker = _MAKERS.get(kind)
        if maker is None:
            raise shape.fail(f"'shape_type' is {kind!r}", nearest(kind, [*_MAKERS, *_NO_AREA]))
        extra = {
            key: value
            for key, value in shape.fields.items()
            if key not in _KNOWN and value not in _DROPPED_WHEN_EMPTY
        }
        label = Label(shape.text("label"), extra=extra, where=shape.where)
        try:
            if kind == "mask":
                yield _masked(label, shape, name, images)
            else:
                yield maker(label, _points(shape))
        except OVEarthError as fault:
            raise fault if fault.where else fault.at(shape.where) from None


def _points(shape: Entry) -> Floats:
    """Return the points (N, 2) of a shape."""
    points = shape.require("points")
    if not isinstance(points, list) or not all(isinstance(p, list) and len(p) == 2 for p in points):
        raise shape.fail("'points' are not positions", "write [[x, y], …]")
    numbers = shape.numbers("points", [value for point in points for value in point])
    return np.array(numbers, np.float64).reshape(-1, 2)


def _polygon(label: Label, points: Floats) -> Label:
    ring = ring_from_positions(points)
    if not np.array_equal(ring[0], ring[-1]):
        ring = np.vstack([ring, ring[:1]])
    return replace(label, polygons=((ring,),))


def _rectangle(label: Label, points: Floats) -> Label:
    """Take two opposite corners, as the program draws them, or all four."""
    if len(points) not in (2, 4):
        raise InputError(f"a rectangle of {len(points)} points", mend="give two opposite corners")
    x0, y0 = points.min(axis=0).tolist()
    x1, y1 = points.max(axis=0).tolist()
    if not (x0 < x1 and y0 < y1):
        raise InputError("a rectangle without area", mend="give two opposite corners")
    return replace(label, box=(x0, y0, x1, y1))


def _rotated(label: Label, points: Floats) -> Label:
    if len(points) != 4:
        raise InputError(f"a rotated rectangle of {len(points)} points", mend="give four corners")
    return replace(label, obb=tuple(points.ravel().tolist()))


def _circle(label: Label, points: Floats) -> Label:
    """Take the centre and a point on the circle."""
    radius = float(np.hypot(*(points[1] - points[0]))) if len(points) == 2 else 0.0
    if not radius:
        raise InputError("a circle without area", mend="give its centre and a point on it")
    # How far a chord's middle lies from its arc, inverted; half of it inside, half outside.
    step = 2.0 * math.acos(max(0.0, 1.0 - 2.0 * _CIRCLE_TOLERANCE_PX / radius))
    count = min(max(_FEWEST_VERTICES, math.ceil(2.0 * math.pi / step)), _MOST_VERTICES)
    around = np.arange(count + 1) % count * (2.0 * math.pi / count)
    outer = radius * 2.0 / (1.0 + math.cos(math.pi / count))
    return _polygon(label, points[0] + outer * np.column_stack([np.cos(around), np.sin(around)]))


def _masked(label: Label, shape: Entry, name: str, images: ImageLookup) -> Label:
    frame = images.frame(name)
    points = _points(shape)
    if len(points) != 2:
        raise InputError(f"a mask of {len(points)} points", mend="give its two corners")
    rle = mask_rle(shape.text("mask"), points, frame.height, frame.width)
    return replace(label, segmentation=rle)


_MAKERS: dict[str, Callable[[Label, Floats], Label]] = {
    "polygon": _polygon,
    "rectangle": _rectangle,
    "rotation": _rotated,
    "oriented_rectangle": _rotated,
    "circle": _circle,
    "mask": _polygon,
}


def _grouped(labels: Sequence[Label]) -> Iterator[Label]:
    """Yield the labels, the polygons of one class and `group_id` as one of several polygons."""
    groups: dict[str, list[Label]] = {}
    for number, label in enumerate(labels):
        group = label.extra.get("group_id")
        is_part = group is not None and label.polygons is not None
        key = json.dumps([label.class_name, group]) if is_part else str(number)
        groups.setdefault(key, []).append(label)
    for parts in groups.values():
        polygons = tuple(polygon for part in parts for polygon in part.polygons or ())
        yield replace(parts[0], polygons=polygons) if len(parts) > 1 else parts[0]
