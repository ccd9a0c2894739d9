"""A target as queries are about it: its shapes, its image, its category, its texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..benchmark.model import Benchmark, Image, Instance, Target
from ..benchmark.truth import Truth, outline
from ..dataset.rows import QueryRow
from ..errors import OVEarthError
from ..frame import ImageFrame
from ..geometry import Polygon, Runs
from ..geometry.tracing import traced
from .naming import known_names

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Subject:
    """One target. shapes: polygons in pixels of each of its instances, or areas.

    domain, instanceable: of its category. has_crowd: whether one of the shapes is a
    crowd, which is many. place: what the place of interest behind the image is
    called, where it has one: other people's words. queries: all but the removed ones.
    """

    target_id: int
    image: Image
    category: str
    instanceable: bool
    shapes: tuple[list[Polygon], ...]
    domain: str | None = None
    place: str | None = None
    queries: tuple[QueryRow, ...] = ()
    has_crowd: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether it is known how many instances there are."""
        return self.instanceable and not self.has_crowd

    @property
    def polygons(self) -> list[Polygon]:
        """All its polygons."""
        return [polygon for shape in self.shapes for polygon in shape]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The category's name and synonyms."""
        return known_names(self.category)

    @cached_property
    def frame(self) -> ImageFrame:
        """Where the image lies."""
        return self.image.frame()

    @cached_property
    def points(self) -> Floats:
        """Vertices of the outer rings (N, 2) in pixels."""
        rings = [rings[0] for rings in self.polygons if len(rings) and len(rings[0])]
        return np.concatenate(rings) if rings else np.empty((0, 2))

    @cached_property
    def extent(self) -> Floats:
        """The envelope xmin, ymin, xmax, ymax in pixels (4,)."""
        return np.concatenate([self.points.min(axis=0), self.points.max(axis=0)])


def subjects_of(
    benchmark: Benchmark,
    truth: Truth,
    queries: Mapping[int, tuple[QueryRow, ...]] | None = None,
    places: Mapping[int, str] | None = None,
) -> Iterator[Subject]:
    """Yield the targets that have a shape; those without one, or with a broken one, are left out.

    queries: by target, those of the benchmark unless given. places: names by image.
    """
    texts = _query_rows(benchmark) if queries is None else queries
    for target in benchmark.targets:
        image = benchmark.image_by_id[target.image_id]
        category = benchmark.category_by_id[target.category_id]
        try:
            shapes = _shapes(benchmark, truth, target, image)
        except OVEarthError:
            # `check` names it.
            continue
        if shapes:
            yield Subject(
                target.id, image, category.name, category.instanceable, tuple(shapes),
                category.domain, (places or {}).get(image.id), texts.get(target.id, ()),
                any(i.is_crowd for i in benchmark.instances_by_target.get(target.id, ())),
            )  # fmt: skip


def _query_rows(benchmark: Benchmark) -> dict[int, tuple[QueryRow, ...]]:
    found: dict[int, tuple[QueryRow, ...]] = {}
    for query in benchmark.queries:
        polarity = "positive" if query.is_positive else "negative"
        row = QueryRow(query.id, query.target_id, query.task, polarity, query.text)
        found[query.target_id] = (*found.get(query.target_id, ()), row)
    return found


def _shapes(
    benchmark: Benchmark, truth: Truth, target: Target, image: Image
) -> list[list[Polygon]]:
    instances = benchmark.instances_by_target.get(target.id, ())
    shapes = [_shape(instance, image, truth) for instance in instances]
    shapes = [shape for shape in shapes if shape]
    if not shapes or (target.segmentation is not None and not instances):
        mask = truth.mask(target.id)
        shapes = [] if mask is None or mask.is_empty else traced([mask])
    return shapes


def _shape(instance: Instance, image: Image, truth: Truth) -> list[Polygon]:
    shape = outline(instance, image)
    if isinstance(shape, Runs):
        return [] if shape.is_empty else traced([shape])[0]
    if shape:
        return shape
    box = truth.instance_hbb_corners(instance)
    return [] if box is None else [[np.asarray(box, np.float64).reshape(4, 2)]]
