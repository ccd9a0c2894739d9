"""Writes COCO's object annotations, as pycocotools reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...atomic import AtomicFiles
from ...benchmark.writer import add_documents
from ...geometry import Runs, envelope
from ..rows import CategoryRow, ImageRow, InstanceRow
from ..view import View
from .benchmark_documents import Document, coco_segmentation, covered, without_nulls
from .benchmark_out import outgoing_ids
from .benchmark_rows import IMAGE_COLUMNS, SHAPE_FIELDS
from .model import Report, WriteOptions
from .outgoing import outgoing

_NOT_COCO = ("operation", "bbox", "obb", *SHAPE_FIELDS)


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write a COCO file with the ids of the dataset; what COCO can't say is counted.

    A polygon with holes goes out as RLE, which says exactly its pixels. bbox and area are always
    there: as given, else of the shape.
    """
    content = _Content(view, options)
    info = {"description": "written by OVEarth", **(view.note("info") or {})}
    info.pop("format", None)  # that of our benchmarks
    with AtomicFiles([options.folder / "dataset.gpkg"]) as files:
        add_documents(
            files,
            out,
            info,
            {
                "licenses": iter(view.note("licenses") or []),
                "categories": content.categories(),
                "images": content.images(),
                "annotations": content.annotations(),
            },
        )
    left_out = outgoing(view, options).left_out()
    return Report(content.counts, {**left_out, **content.left_out()})


class _Content:
    """The lists of the file, each made while it is written."""

    def __init__(self, view: View, options: WriteOptions) -> None:
        self._view = view
        self._step = options.step
        self._ids = outgoing_ids(view, options)
        self._sizes: dict[int | None, tuple[int, int]] = {}
        self.counts: Counter[str] = Counter()

    def categories(self) -> Iterator[Document]:
        """Yield those that a target which goes out has: a taxonomy has hundreds besides."""
        targets = (t for t in self._view.targets() if t.id in self._ids.targets)
        used = {target.category_id for target in targets}
        return (_category(row) for row in self._view.categories() if row.id in used)

    def images(self) -> Iterator[Document]:
        """Yield the images, noting their sizes."""
        for row in self._view.images():
            self._step()
            if row.id in self._ids.images:
                self._sizes[row.id] = (row.height, row.width)
                self.counts["images"] += 1
                yield _image(row)

    def annotations(self) -> Iterator[Document]:
        """Yield the instances of the targets that go out."""
        for row in self._view.instances():
            self._step()
            if row.target_id in self._ids.targets:
                self.counts["annotations"] += 1
                yield annotation_document(row, *self._sizes[row.image_id])

    def left_out(self) -> dict[str, int]:
        """Return how much of what goes out COCO has no place for."""
        targets, view = self._ids.targets, self._view
        queries = sum(query.target_id in targets for query in view.queries())
        masks = sum(t.segmentation is not None for t in view.targets() if t.id in targets)
        return {
            "queries (COCO has no place for them)": queries,
            "masks of whole targets (COCO has instances only)": masks,
        }


def annotation_document(row: InstanceRow, height: int, width: int) -> Document:
    """Return an instance of an image of this size as COCO has it."""
    extra = {key: value for key, value in row.extra.items() if key not in _NOT_COCO}
    area = None if row.changes else row.extra.get("area")
    return without_nulls(
        {
            "id": row.id,
            "image_id": row.image_id,
            "category_id": row.category_id,
            "iscrowd": int(row.is_crowd),
            "area": _area(row, height, width) if area is None else area,
            "bbox": _bbox(row) if row.bbox is None else row.bbox,
            "segmentation": _segmentation(row, height, width),
            "obb": row.obb,
            **extra,
        }
    )


def _segmentation(row: InstanceRow, height: int, width: int) -> Any:
    """Return COCO polygons or RLE: as imported where that says all of the shape."""
    if row.polygons is None:
        return [] if row.segmentation is None else row.segmentation
    if row.segmentation is None or any(len(polygon) > 1 for polygon in row.polygons):
        return coco_segmentation(row.polygons, height, width)
    return row.segmentation


def _area(row: InstanceRow, height: int, width: int) -> float:
    """Return the pixels of the shape, or the area of the box where there is none."""
    if row.polygons is not None:
        return covered(row.polygons, height, width).area
    if row.segmentation is not None:
        return Runs.from_rle(row.segmentation).area
    _, _, box_width, box_height = _bbox(row)
    return box_width * box_height


def _bbox(row: InstanceRow) -> tuple[float, ...]:
    """Return x, y, width, height: as given, else the envelope of the shape or oriented box."""
    if row.bbox is not None:
        return row.bbox
    points = _points(row)
    if not len(points):
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = map(float, envelope(points))
    return left, top, right - left, bottom - top


def _points(row: InstanceRow) -> Any:
    if row.polygons is not None:
        return np.vstack([polygon[0] for polygon in row.polygons])
    if row.segmentation is not None:
        return Runs.from_rle(row.segmentation).corner_points()
    return np.reshape(row.obb or (), (-1, 2))


def _category(row: CategoryRow) -> Document:
    return {"id": row.id, "name": row.name, "supercategory": row.domain or "", **row.extra}


def _image(row: ImageRow) -> Document:
    return without_nulls(
        {
            "id": row.id,
            "file_name": row.file_name,
            "width": row.width,
            "height": row.height,
            **{name: getattr(row, name) for name in IMAGE_COLUMNS},
            "crs": row.crs,
            "transform": row.transform,
            "gsd": row.gsd_m,
            **{key: value for key, value in row.extra.items() if key not in _NOT_COCO},
        }
    )
