"""A benchmark's elements as rows of a dataset, so that they can be written back as they were.

Columns take what they are made for; the rest stays in `extra`. A null in `extra` says that the
file leaves the field out although a row has it (an image's operation, a polygon's area), so that
what is written back has no field that was not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ...benchmark import Category, Image, Instance, Query, Target
from ...benchmark.shelf import loaded
from ...crs import LONLAT
from ...errors import OVEarthError
from ...geometry import polygons_from_geojson
from ..blob import Polygons
from ..rows import STATES, CategoryRow, ImageRow, InstanceRow, QueryRow, TargetRow
from ..shapes import as_polygons, geojson_of

IMAGE_COLUMNS = ("source", "license", "attribution", "date_captured", "location_group",
                 "continent", "sha256")  # fmt: skip
# What an instance's file says of its shape; void once the polygon is another one.
SHAPE_FIELDS = ("segmentation", "geometry", "area")
FINISHED = "approved"

_NOT_WORD = re.compile(r"[\W_]+")


def slug_of(name: str, category_id: int, taken: Collection[str]) -> str:
    """Return a category's name without spaces, made its own by its id where it is taken."""
    slug = _NOT_WORD.sub("-", name.casefold()).strip("-") or f"category-{category_id}"
    return f"{slug}-{category_id}" if slug in taken else slug


def category_row(category: Category, taken: Collection[str]) -> CategoryRow:
    """Return a category's row; `taken` are the slugs that others have."""
    extra, texts = _texts_apart(category.extra, ("slug", "definition"))
    slug = texts.get("slug")
    if slug is None or slug in taken:
        slug = slug_of(category.name, category.id, taken)
    return CategoryRow(
        category.id,
        slug,
        category.name,
        category.domain,
        category.branch,
        category.instanceable,
        texts.get("definition"),
        extra,
    )


def image_row(image: Image) -> ImageRow:
    """Return an image's row; FrameError, naming it, without CRS or transform or with odd ones."""
    where = f"image {image.id} ({image.file_name})"
    extra, texts = _texts_apart(image.extra, IMAGE_COLUMNS)
    operation = image.operation
    try:
        frame = image.frame()
        if operation is None:
            operation = frame.operation_to(LONLAT).proj
            extra["operation"] = None
        # What can't be placed on the ground can't be drawn on.
        frame.lonlat_to_pixel(frame.footprint(4))
    except OVEarthError as fault:
        raise type(fault)(fault.what, where, fault.mend) from None
    return ImageRow(
        image.id,
        image.file_name,
        image.width,
        image.height,
        frame.crs or "",
        frame.transform or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        operation,
        image.gsd_m,
        **texts,
        extra=extra,
    )


def target_row(target: Target, why: str) -> TargetRow:
    """Return a target's row: approved, unless the file says of it that it is not."""
    extra = dict(target.extra)
    state = extra.get("state")
    if state in STATES and state != FINISHED:
        del extra["state"]
    else:
        state = FINISHED
    segmentation = loaded(target.segmentation)
    return TargetRow(
        target.id,
        target.image_id,
        target.category_id,
        str(state),
        segmentation,
        changed_why=why,
        extra=extra,
    )


def instance_row(instance: Instance, note: str) -> InstanceRow:
    """Return an instance's row; GeometryError names an annotation whose shape is none."""
    extra = dict(instance.extra)
    try:
        polygons, is_multi = _shape(instance, extra)
    except OVEarthError as fault:
        raise fault.at(f"annotation {instance.id}") from None
    if polygons is not None:
        extra.setdefault("area", None)
        if instance.segmentation is None:
            extra.setdefault("segmentation", None)
    return InstanceRow(
        instance.id,
        instance.target_id,
        polygons,
        is_multi,
        instance.is_crowd,
        _segmentation(instance),
        instance.bbox,
        instance.obb,
        origin="imported",
        origin_note=note,
        extra=extra,
    )


def query_row(query: Query, note: str) -> QueryRow:
    """Return a query's row: accepted, as all of a benchmark are."""
    polarity = "positive" if query.is_positive else "negative"
    return QueryRow(
        query.id,
        query.target_id,
        query.task,
        polarity,
        query.text,
        origin=note,
        extra=dict(query.extra),
    )


def _shape(instance: Instance, extra: dict[str, Any]) -> tuple[Polygons | None, bool]:
    """Return the polygons that an instance has, noting in `extra` how its file says them."""
    if instance.geometry is not None:
        if not polygons_from_geojson(instance.geometry):
            extra["geometry"] = instance.geometry
            return None, False
        polygons, is_multi = as_polygons(instance.geometry)
        if geojson_of(polygons, is_multi=is_multi) != instance.geometry:
            extra["geometry"] = instance.geometry
        return polygons, is_multi
    if isinstance(instance.segmentation, tuple):
        extra["geometry"] = None
        return as_polygons(tuple((np.asarray(ring),) for ring in instance.segmentation))
    return None, False


def _segmentation(instance: Instance) -> Any:
    found = instance.segmentation
    if isinstance(found, tuple):
        return [ring.reshape(-1).tolist() for ring in found]
    return None if found is None else dict(found)


def _texts_apart(
    extra: Mapping[str, Any], columns: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields without those that are a column's texts, and these."""
    texts = {key: extra[key] for key in columns if isinstance(extra.get(key), str)}
    return {key: value for key, value in extra.items() if key not in texts}, texts
