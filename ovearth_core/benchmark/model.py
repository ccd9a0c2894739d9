"""What a benchmark holds: images, targets, their instances, and the queries that ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import OVEarthError
from ..frame import ImageFrame

TASKS = ("vocabulary", "referring", "reasoning")
POLARITIES = ("positive", "negative")
MODALITIES = ("mask", "hbb", "obb")
FORMAT = "ovearth-benchmark/1"

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


@dataclass(frozen=True)
class Benchmark:
    """A whole benchmark; `source` names the file it came from in messages."""

    categories: tuple[Category, ...]
    images: tuple[Image, ...]
    targets: tuple[Target, ...]
    instances: tuple[Instance, ...]
    queries: tuple[Query, ...]
    info: Mapping[str, Any] = field(default_factory=dict)
    licenses: tuple[Mapping[str, Any], ...] = ()
    source: str = "benchmark"
    sha256: str | None = None

    @cached_property
    def category_by_id(self) -> dict[int, Category]:
        """Categories by id."""
        return {category.id: category for category in self.categories}

    @cached_property
    def image_by_id(self) -> dict[int, Image]:
        """Images by id."""
        return {image.id: image for image in self.images}

    @cached_property
    def target_by_id(self) -> dict[int, Target]:
        """Targets by id."""
        return {target.id: target for target in self.targets}

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Place of each query in `queries`, by its id."""
        return {query.id: index for index, query in enumerate(self.queries)}

    @cached_property
    def instances_by_target(self) -> dict[int, list[Instance]]:
        """Instances of each target that has any, crowd included."""
        found: dict[int, list[Instance]] = {}
        for instance in self.instances:
            found.setdefault(instance.target_id, []).append(instance)
        return found

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
            "crowd": sum(instance.is_crowd for instance in self.instances),
            "queries": len(self.queries),
            "positive": sum(query.is_positive for query in self.queries),
            "negative": sum(not query.is_positive for query in self.queries),
        }
