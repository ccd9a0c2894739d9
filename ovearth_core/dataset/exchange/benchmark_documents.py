"""A dataset's rows as a benchmark's elements: what the file said, else derived from the row."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...errors import InputError
from ...geometry import Runs
from ..blob import Polygons
from ..rows import CategoryRow, ImageRow, InstanceRow, QueryRow, TargetRow
from .benchmark_rows import FINISHED, IMAGE_COLUMNS, SHAPE_FIELDS, slug_of

Document = dict[str, Any]

_EMPTY_ONES = ("segmentation", "bbox", "obb")


def category_document(row: CategoryRow, taken: Collection[str]) -> Document:
    """Return a category; its slug is told where its name doesn't give it."""
    slug = None if row.slug == slug_of(row.name, row.id, taken) else row.slug
    return without_nulls(
        {
            "id": row.id,
            "name": row.name,
            "supercategory": row.domain,
            "branch": row.branch,
            "instanceable": row.instanceable,
            "slug": slug,
            "definition": row.definition,
            **row.extra,
        }
    )


def image_document(row: ImageRow) -> Document:
    """Return an image, its path as in the dataset's folder."""
    return without_nulls(
        {
            "id": row.id,
            "file_name": row.file_name,
            "width": row.width,
            "height": row.height,
            "crs": row.crs,
            "transform": row.transform,
            "gsd": row.gsd_m,
            "operation": row.operation,
            **{name: getattr(row, name) for name in IMAGE_COLUMNS},
            **row.extra,
        }
    )


def target_document(row: TargetRow) -> Document:
    """Return a target; one that isn't approved says so."""
    state = {} if row.state == FINISHED else {"state": row.state}
    return without_nulls(
        {
            "id": row.id,
            "image_id": row.image_id,
            "category_id": row.category_id,
            "segmentation": row.segmentation,
            **row.extra,
            **state,
        }
    )


def instance_document(row: InstanceRow, height: int, width: int) -> Document:
    """Return an instance of an image of this size: exact geometry, and COCO's segmentation."""
    # An empty shape, as its file says that there is none, gives way to one that came since.
    extra = {
        key: value
        for key, value in row.extra.items()
        if value is None or getattr(row, key, None) is None or key not in _EMPTY_ONES
    }
    if row.changes:
        extra = {key: value for key, value in extra.items() if key not in SHAPE_FIELDS}
    shape = {"segmentation": row.segmentation, "geometry": row.geojson(), "area": None}
    if row.polygons is not None:
        if row.segmentation is None and "segmentation" not in extra:
            shape["segmentation"] = coco_segmentation(row.polygons, height, width)
        if "area" not in extra:
            shape["area"] = covered(row.polygons, height, width).area
    return without_nulls(
        {
            "id": row.id,
            "target_id": row.target_id,
            "image_id": row.image_id,
            "category_id": row.category_id,
            "iscrowd": int(row.is_crowd),
            "segmentation": shape["segmentation"],
            "geometry": shape["geometry"],
            "bbox": row.bbox,
            "obb": row.obb,
            "area": shape["area"],
            **extra,
        }
    )


def query_document(row: QueryRow) -> Document:
    """Return a query; InputError for a negative one that isn't of the vocabulary."""
    if row.polarity == "negative" and row.task != "vocabulary":
        raise InputError(
            f"a negative query of task {row.task!r}",
            f"query {row.id}",
            "make it positive, or remove it: only vocabulary queries may be negative",
        )
    return without_nulls(
        {
            "id": row.id,
            "target_id": row.target_id,
            "task": row.task,
            "polarity": row.polarity,
            "text": row.text,
            **row.extra,
        }
    )


def coco_segmentation(polygons: Polygons, height: int, width: int) -> Any:
    """Return COCO's polygons, or an RLE where one has a hole, which those can't say."""
    if any(len(polygon) > 1 for polygon in polygons):
        return covered(polygons, height, width).to_rle()
    # COCO's rings don't repeat their first position.
    return [polygon[0][:-1].reshape(-1).tolist() for polygon in polygons]


def covered(polygons: Polygons, height: int, width: int) -> Runs:
    """Return the pixels of polygons on an image of this size."""
    return Runs.from_rings([list(polygon) for polygon in polygons], height, width)


def without_nulls(document: Document) -> Document:
    """Return a document without the fields that say nothing."""
    return {key: value for key, value in document.items() if value is not None}
