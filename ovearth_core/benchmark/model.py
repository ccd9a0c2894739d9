"""What a benchmark holds: images, targets, their instances, and the queries that ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import OVEarthError
from ..frame import ImageFrame
from .columns import TASKS, Columns, InstanceColumns, QueryColumns, TargetColumns
from .packed import ByGroup, ById, TextIndex

POLARITIES = ("positive", "negative")
MODALITIES = ("mask", "hbb", "obb")
FORMAT = "ovearth-benchmark/1"

# A dictionary finds ids faster, in ten times the memory.
_MANY_QUERIES = 20_000

Rings = tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, slots=True)
class Category:
    """One kind of object; `domain` is COCO's supercategory."""

    id: int
    name: str
    domain: str | None = None
    branch: str | None = None
    instanceable: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Image:
    """One image: its size in pixels and where it lies.

    `transform` [a, b, c, d, e, f] takes pixel coordinates to `crs`; `gsd_m` is metres of true
    ground per pixel; `operation` is the PROJ operation recorded between `crs` and EPSG:4326.
    """

    id: int
    file_name: str
    width: int
    height: int
    crs: str | None = None
    transform: tuple[float, float, float, float, float, float] | None = None
    gsd_m: float | None = None
    operation: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def frame(self) -> ImageFrame:
        """Return the image's frame; FrameError names the image when there can be none."""
        try:
            return ImageFrame(self.crs, self.transform, self.width, self.height, self.operation)
        except OVEarthError as fault:
            raise fault.at(f"image {self.id}") from None


@dataclass(frozen=True, slots=True)
class Target:
    """One image plus one category region; `segmentation` is an RLE, or None for its instances."""

    id: int
    image_id: int
    category_id: int
    segmentation: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Instance:
    """One object of a target (a COCO annotation), all coordinates in pixels.

    `segmentation`: COCO rings, each (N, 2) x, y, or an RLE. `geometry`: GeoJSON that wins over it.
    `bbox`: x, y, width, height. `obb`: four corners, flat. Any of them may be None.
    """

    id: int
    target_id: int
    image_id: int
    category_id: int
    is_crowd: bool = False
    segmentation: Rings | Mapping[str, Any] | None = None
    geometry: Mapping[str, Any] | None = None
    bbox: tuple[float, ...] | None = None
    obb: tuple[float, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """One text asked of one target; the unit of evaluation."""

    id: str
    target_id: int
    task: str
    is_positive: bool
    text: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """A whole benchmark; `source` names the file it came from in messages.

    Large ones hold their targets, instances and queries packed: an item is made when asked for.
    `given_columns`: those of the tables, where whoever made the benchmark had them.
    `is_plain_coco`: the file had no targets and queries, they were made from its annotations.
    """

    categories: tuple[Category, ...]
    images: tuple[Image, ...]
    targets: Sequence[Target]
    instances: Sequence[Instance]
    queries: Sequence[Query]
    info: Mapping[str, Any] = field(default_factory=dict)
    licenses: tuple[Mapping[str, Any], ...] = ()
    source: str = "benchmark"
    sha256: str | None = None
    given_columns: Columns | None = field(default=None, repr=False, compare=False)
    is_plain_coco: bool = False

    @cached_property
    def columns(self) -> Columns:
        """What is asked of queries, targets and instances, in columns."""
        return self.given_columns or Columns(
            _query_columns(self.queries),
            _target_columns(self.targets),
            _instance_columns(self.instances),
        )

    @cached_property
    def category_by_id(self) -> dict[int, Category]:
        """Categories by id."""
        return {category.id: category for category in self.categories}

    @cached_property
    def image_by_id(self) -> dict[int, Image]:
        """Images by id."""
        return {image.id: image for image in self.images}

    @cached_property
    def target_by_id(self) -> ById[Target]:
        """Targets by id."""
        return ById(self.columns.targets.ids, self.targets)

    @cached_property
    def query_index(self) -> Mapping[str, int]:
        """Place of each query in `queries`, by its id."""
        ids = self.columns.queries.ids
        if len(ids) > _MANY_QUERIES:
            return TextIndex(ids)
        return {query_id: place for place, query_id in enumerate(ids)}

    @cached_property
    def instances_by_target(self) -> Mapping[int, Sequence[Instance]]:
        """Instances of each target that has any, crowd included."""
        return ByGroup(self.columns.instances.target_ids, self.instances)

    @cached_property
    def target_places(self) -> NDArray[np.int64]:
        """Place of each query's target in `targets`, (N,)."""
        return self.columns.targets.places(self.columns.queries.target_ids)

    @cached_property
    def has_boxes(self) -> NDArray[np.bool_]:
        """Which queries are positive and of an instanceable target, (N,)."""
        without = [category.id for category in self.categories if not category.instanceable]
        of_target = ~np.isin(self.columns.targets.category_ids, without)
        return self.columns.queries.is_positive & of_target[self.target_places]

    @cached_property
    def box_counts(self) -> NDArray[np.int64]:
        """Instances of each target in `targets` that are not crowd, (T,)."""
        instances, targets = self.columns.instances, self.columns.targets
        places = targets.places(instances.target_ids[~instances.is_crowd])
        return np.bincount(places, minlength=len(targets.ids)).astype(np.int64)

    @cached_property
    def has_sound_frames(self) -> bool:
        """True; raises FrameError, naming the image, where a CRS or transform is none."""
        for image in self.images:
            try:
                image.frame()
            except OVEarthError as fault:
                raise fault.at(self.source) from None
        return True

    def is_instanceable(self, target: Target) -> bool:
        """Whether boxes are asked of this target's category."""
        return self.category_by_id[target.category_id].instanceable

    def counts(self) -> dict[str, int]:
        """Return how many of each there are, as they stand in a scores file."""
        return {
            "images": len(self.images),
            "categories": len(self.categories),
            "targets": len(self.targets),
            "annotations": len(self.instances),
            "crowd": int(np.count_nonzero(self.columns.instances.is_crowd)),
            "queries": len(self.queries),
            "positive": int(np.count_nonzero(self.columns.queries.is_positive)),
            "negative": int(np.count_nonzero(~self.columns.queries.is_positive)),
        }


def _query_columns(queries: Sequence[Query]) -> QueryColumns:
    return QueryColumns(
        [query.id for query in queries],
        np.array([query.target_id for query in queries], dtype=np.int64),
        np.array([TASKS.index(query.task) for query in queries], dtype=np.int8),
        np.array([query.is_positive for query in queries], dtype=np.bool_),
    )


def _target_columns(targets: Sequence[Target]) -> TargetColumns:
    return TargetColumns(
        np.array([target.id for target in targets], dtype=np.int64),
        np.array([target.image_id for target in targets], dtype=np.int64),
        np.array([target.category_id for target in targets], dtype=np.int64),
    )


def _instance_columns(instances: Sequence[Instance]) -> InstanceColumns:
    return InstanceColumns(
        np.array([instance.target_id for instance in instances], dtype=np.int64),
        np.array([instance.is_crowd for instance in instances], dtype=np.bool_),
    )
