"""The benchmark of the sample: the scene's things, as each image shows them, as annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..benchmark import Benchmark, Instance, Query, Target
from ..checking.rings import holes_turned
from ..geometry import Runs, envelope, min_area_rect
from .questions import ASKED, CATEGORIES, Asked
from .scene import Thing, things
from .shapes import Ring
from .views import VIEWS, View

Rings = list[Ring]

_INFO = {
    "version": "1",
    "description": "A made-up place, drawn by program; for trying OVEarth out and for its tests",
    "date_created": "2025-09-01",
}
_LICENSES = (
    {"id": 1, "name": "CC0-1.0", "url": "https://creativecommons.org/publicdomain/zero/1.0/"},
)


@dataclass(frozen=True, eq=False)
class Annotation:
    """An instance of the benchmark and its outline in pixels, holes after the outer ring."""

    instance: Instance
    rings: Rings


@dataclass(frozen=True)
class Content:
    """The benchmark, and the outlines of each target that runs are made from."""

    benchmark: Benchmark
    annotations: dict[int, list[Annotation]]


def content() -> Content:
    """Return the benchmark of the sample, without drawing anything."""
    views = {view.name: view for view in VIEWS}
    ids = {category.name: category.id for category in CATEGORIES}
    targets: list[Target] = []
    queries: list[Query] = []
    annotations: dict[int, list[Annotation]] = {}
    first_id = 1
    for target_id, asked in enumerate(ASKED, start=1):
        view = views[asked.view]
        target = Target(target_id, view.id, ids[asked.category])
        found = list(_annotations(asked, view, target, first_id))
        first_id += len(found)
        targets.append(
            replace(target, segmentation=_union(found, view)) if asked.own_mask else target
        )
        annotations[target_id] = found
        queries += asked.queries(target_id)
    benchmark = Benchmark(
        CATEGORIES,
        tuple(view.image() for view in VIEWS),
        tuple(targets),
        tuple(item.instance for found in annotations.values() for item in found),
        tuple(queries),
        _INFO,
        _LICENSES,
    )
    return Content(benchmark, annotations)


def shown_in(view: View, category: str) -> list[tuple[Thing, Rings]]:
    """Return the things of a category with their rings in pixels, cut at the image's edges."""
    shown = [thing for thing in things() if thing.category == category and view.shows(thing)]
    found = []
    for thing, whole in zip(shown, view.outlines(shown), strict=True):
        rings = [_cut(ring, view.size) for ring in whole]
        if len(rings[0]):
            found.append((thing, [ring for ring in rings if len(ring)]))
    return found


def runs_of(rings: Sequence[Ring], size: tuple[int, int]) -> Runs:
    """Return the pixels of an outline with holes in an image of width and height `size`."""
    width, height = size
    return Runs.from_polygons([_geojson(rings)], height, width)


def _annotations(asked: Asked, view: View, target: Target, first_id: int) -> Iterator[Annotation]:
    shown = shown_in(view, asked.category)
    for annotation_id, (thing, rings) in enumerate(shown, start=first_id):
        runs = runs_of(rings, view.size)
        has_holes, is_runs = len(rings) > 1, asked.as_runs or thing.is_crowd
        # Readers of plain COCO know no holes but in an RLE.
        segmentation: Any = runs.to_rle() if is_runs or has_holes else (rings[0],)
        points = runs.corner_points() if is_runs else rings[0]
        left, top, right, bottom = envelope(points).tolist()
        instance = Instance(
            annotation_id,
            target.id,
            target.image_id,
            target.category_id,
            thing.is_crowd,
            segmentation,
            _geojson(rings) if has_holes and not is_runs else None,
            (left, top, right - left, bottom - top) if "bbox" in asked.given else None,
            tuple(min_area_rect(points).reshape(-1).tolist()) if "obb" in asked.given else None,
            {"area": runs.area},
        )
        yield Annotation(instance, rings)


def _union(found: Sequence[Annotation], view: View) -> dict[str, Any]:
    return Runs.union([runs_of(item.rings, view.size) for item in found]).to_rle()


def _geojson(rings: Sequence[Ring]) -> dict[str, Any]:
    # Holes turn against the outline, as GeoJSON has it.
    closed = [np.concatenate([ring, ring[:1]]).tolist() for ring in holes_turned(rings)]
    return {"type": "Polygon", "coordinates": closed}


def _cut(ring: Ring, size: tuple[int, int]) -> Ring:
    """Return the part of a ring inside the image (Sutherland and Hodgman), (0, 2) if none."""
    for axis, sign, limit in ((0, 1, 0), (1, 1, 0), (0, -1, -size[0]), (1, -1, -size[1])):
        depth = sign * ring[:, axis] - limit
        if (depth >= 0).all():
            continue
        kept: list[Ring] = []
        for a, b, here, there in zip(
            ring, np.roll(ring, -1, 0), depth, np.roll(depth, -1), strict=True
        ):
            if here >= 0:
                kept.append(a)
            if here * there < 0:
                crossing = np.round(a + (b - a) * (here / (here - there)), 3)
                crossing[axis] = sign * limit
                kept.append(crossing)
        ring = np.array(kept, dtype=np.float64).reshape(-1, 2) + 0.0
        if not len(ring):
            break
    return ring
