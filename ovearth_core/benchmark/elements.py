"""One element of a benchmark file at a time: its fields checked, made into what they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..entry import Entry, are_numbers, describe
from .columns import TASKS
from .model import POLARITIES, Category, Image, Instance, Query, Rings, Target

_CATEGORY_KEYS = {"id", "name", "supercategory", "branch", "instanceable"}
_IMAGE_KEYS = {"id", "file_name", "width", "height", "crs", "transform", "gsd", "operation"}
_TARGET_KEYS = {"id", "image_id", "category_id", "segmentation"}
_INSTANCE_KEYS = {
    *("id", "target_id", "image_id", "category_id", "iscrowd"),
    *("segmentation", "geometry", "bbox", "obb"),
}
_QUERY_KEYS = {"id", "target_id", "task", "polarity", "text"}
_LONGEST_SIDE, _MOST_PIXELS = 2**31 - 1, 2**53
# Stands for a missing target id until plain COCO's targets are made; no file's id is this.
NO_TARGET = -(1 << 62)


def category_of(entry: Entry) -> Category:
    """Return a category; InputError for a field that is missing or of another kind."""
    return Category(
        entry.integer("id"),
        entry.text("name"),
        entry.optional_text("supercategory"),
        entry.optional_text("branch"),
        entry.boolean("instanceable", default=True),
        entry.other_fields(_CATEGORY_KEYS),
    )


def image_of(entry: Entry) -> Image:
    """Return an image; InputError for a field that is missing or of another kind."""
    width, height = entry.integer("width", at_least=1), entry.integer("height", at_least=1)
    if max(width, height) > _LONGEST_SIDE or width * height > _MOST_PIXELS:
        raise entry.fail(f"{width} by {height} pixels is larger than any image", "mend the size")
    return Image(
        entry.integer("id"),
        entry.text("file_name"),
        width,
        height,
        entry.optional_text("crs"),
        _transform(entry),
        entry.optional_number("gsd", above=0.0),
        entry.optional_text("operation"),
        entry.other_fields(_IMAGE_KEYS),
    )


def _transform(entry: Entry) -> tuple[float, float, float, float, float, float] | None:
    values = entry.optional_numbers("transform", 6)
    if values is None:
        return None
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def target_of(entry: Entry) -> Target:
    """Return a target; InputError for a field that is missing or of another kind."""
    return Target(
        entry.integer("id"),
        entry.integer("image_id"),
        entry.integer("category_id"),
        entry.mapping("segmentation"),
        entry.other_fields(_TARGET_KEYS),
    )


_SHAPES = ("segmentation", "bbox", "obb")


def _is_empty(value: Any, key: str) -> bool:
    """Whether a value is how some tools write that there is none: [], or rings of nothing."""
    parts = value if key == "segmentation" else ()
    return value == [] or (type(value) is list and bool(parts) and all(p == [] for p in parts))


def instance_of(entry: Entry) -> Instance:
    """Return an annotation; InputError as above. In plain COCO its target is NO_TARGET."""
    empty = {key: entry.fields[key] for key in _SHAPES if _is_empty(entry.fields.get(key), key)}
    for key in empty:
        entry.fields[key] = None
    bbox = entry.optional_numbers("bbox", 4)
    if bbox is not None and min(bbox[2:]) < 0:
        raise entry.fail(f"'bbox' has a negative size {bbox[2:]}", "write x, y, width, height")
    has_target = entry.fields.get("target_id") is not None
    return Instance(
        entry.integer("id"),
        entry.integer("target_id") if has_target else NO_TARGET,
        entry.integer("image_id"),
        entry.integer("category_id"),
        _is_crowd(entry),
        _segmentation(entry),
        entry.mapping("geometry"),
        bbox,
        entry.optional_numbers("obb", 8),
        # As written, so that it can be written back.
        {**entry.other_fields(_INSTANCE_KEYS), **empty}
        if empty
        else entry.other_fields(_INSTANCE_KEYS),
    )


def _is_crowd(entry: Entry) -> bool:
    value = entry.fields.get("iscrowd", 0)
    if value not in (0, 1, None):
        raise entry.fail(f"'iscrowd' is {describe(value)}", "write 0 or 1")
    return bool(value)


def _segmentation(entry: Entry) -> Rings | dict[str, Any] | None:
    value = entry.fields.get("segmentation")
    if value is None:
        return None
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        raise entry.fail(f"'segmentation' is {describe(value)}", "write COCO polygons or an RLE")
    # An empty ring is no part; some tools write one where there is nothing.
    return tuple(_ring(entry, ring) for ring in value if ring != []) or None


def _ring(entry: Entry, values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    if not isinstance(values, list) or len(values) % 2 or not are_numbers(values):
        raise entry.fail(
            "'segmentation' holds something that is not a list of x, y pairs",
            "write [[x1, y1, x2, y2, …], …]",
        )
    ring = np.array(entry.numbers("segmentation", values), dtype=np.float64).reshape(-1, 2)
    ring.flags.writeable = False
    return ring


def query_of(entry: Entry) -> Query:
    """Return a query; InputError for a field that is missing or of another kind."""
    task = entry.word("task", TASKS)
    polarity = entry.word("polarity", POLARITIES)
    if polarity == "negative" and task != "vocabulary":
        raise entry.fail(
            f"a negative query of task {task!r}", "only vocabulary queries may be negative"
        )
    return Query(
        entry.text("id"),
        entry.integer("target_id"),
        task,
        polarity == "positive",
        entry.text("text"),
        entry.other_fields(_QUERY_KEYS),
    )
