"""What is known of a benchmark's queries before any run is looked at, each made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark, Category, Image, Truth
from ..benchmark.object_size import size_places, target_areas
from ..collection.continents import CONTINENTS, continents_of
from ..errors import FrameError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
ValueT = TypeVar("ValueT")


class BenchmarkFacts:
    """Columns (N,) of a benchmark's queries; of images (I,) in their order where said so."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark

    @cached_property
    def target_ids(self) -> Ints:
        """Ids of the targets."""
        return self.benchmark.columns.queries.target_ids

    @cached_property
    def category_ids(self) -> Ints:
        """Ids of the categories."""
        return self.benchmark.columns.targets.category_ids[self.benchmark.target_places]

    @cached_property
    def image_places(self) -> Ints:
        """Places of the images in the benchmark's."""
        ids = self.benchmark.columns.targets.image_ids[self.benchmark.target_places]
        place = {image.id: number for number, image in enumerate(self.benchmark.images)}
        return np.array([place[image_id] for image_id in ids.tolist()], dtype=np.int64)

    @cached_property
    def is_instanceable(self) -> Bools:
        """Whether boxes are asked of the query's category."""
        without = [each.id for each in self.benchmark.categories if not each.instanceable]
        return ~np.isin(self.category_ids, without)

    @cached_property
    def sizes(self) -> NDArray[np.int8]:
        """Places in SIZES, by the target's pixels; TruthError where the truth can't be read."""
        areas = target_areas(self.benchmark, Truth(self.benchmark))
        return size_places(areas)[self.benchmark.target_places]

    @cached_property
    def words(self) -> Ints:
        """Words of the texts."""
        return np.fromiter(
            (len(query.text.split()) for query in self.benchmark.queries),
            np.int64,
            len(self.benchmark.queries),
        )

    def by_category(self, value: Callable[[Category], ValueT]) -> list[ValueT]:
        """Return what each query's category says."""
        of_category = {each.id: value(each) for each in self.benchmark.categories}
        return [of_category[category_id] for category_id in self.category_ids.tolist()]

    @cached_property
    def image_gsd_m(self) -> tuple[float | None, ...]:
        """Metres of true ground per pixel of each image, by its transform, else as given."""
        return tuple(map(_gsd_m, self.benchmark.images))

    @cached_property
    def image_continents(self) -> tuple[str | None, ...]:
        """The continent of each image: as given, else of the middle of its footprint."""
        return tuple(_continents(self.benchmark.images))


def _gsd_m(image: Image) -> float | None:
    try:
        return image.frame().gsd() or image.gsd_m
    except FrameError:
        return image.gsd_m


def _continents(images: Sequence[Image]) -> list[str | None]:
    found: list[str | None] = [_given_continent(image) for image in images]
    unknown = [number for number, continent in enumerate(found) if continent is None]
    middles = {number: _middle(images[number]) for number in unknown}
    placed = [number for number in unknown if middles[number] is not None]
    lonlats = np.array([middles[number] for number in placed], dtype=np.float64).reshape(-1, 2)
    for number, continent in zip(placed, continents_of(*lonlats.T).tolist(), strict=True):
        found[number] = CONTINENTS[continent]
    return found


def _given_continent(image: Image) -> str | None:
    given = image.extra.get("continent")
    return given if isinstance(given, str) and given else None


def _middle(image: Image) -> tuple[float, float] | None:
    try:
        lon, lat = image.frame().pixel_to_lonlat([[image.width / 2, image.height / 2]])[0].tolist()
    except FrameError:
        return None
    return lon, lat
