"""A dataset an image at a time, also as the benchmark that the image would be in an export.

What checks, boxes and statistics say of a dataset comes from the same functions, and the same
values, as what they say of a benchmark file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..benchmark.model import Benchmark, Category, Image, Instance, Query, Target
from ..errors import GeometryError
from ..geometry import polygons_from_coco, polygons_from_geojson
from .blob import Ring
from .rows import (
    BOX_KINDS,
    BoxBasis,
    BoxRow,
    CategoryRow,
    ImageRow,
    InstanceRow,
    QueryRow,
    TargetRow,
)
from .store import Dataset
from .view import Faults, View

# Images read in one transaction: it holds others' commits off meanwhile.
_IMAGES_A_READ = 8

BoxKey = tuple[str, int, str]
Taken = Callable[[TargetRow], bool]


def goes_out(target: TargetRow | BoxBasis) -> bool:
    """Whether a target is part of a benchmark: approved, and no second annotation of another."""
    return target.state == "approved" and target.rival_of is None


def is_alive(target: TargetRow) -> bool:
    """Whether a target is part of a benchmark, or may come to be: it is not rejected."""
    return target.state != "rejected"


@dataclass(frozen=True)
class Part:
    """One image with its targets, and what hangs on them; of the queries those asked for.

    faults: instances that can't be read, and why. boxes: those stored, by kind, instance and
    frame; read where `parts` is told to.
    """

    image: ImageRow
    targets: tuple[TargetRow, ...]
    instances: tuple[InstanceRow, ...]
    queries: tuple[QueryRow, ...]
    categories: dict[int, CategoryRow]
    faults: Faults = field(default_factory=list)
    boxes: dict[BoxKey, BoxRow] = field(default_factory=dict)

    @cached_property
    def benchmark(self) -> Benchmark:
        """The part as a benchmark of its own; all categories are in it."""
        return Benchmark(
            tuple(map(benchmark_category, self.categories.values())),
            (benchmark_image(self.image),),
            [Target(t.id or 0, t.image_id, t.category_id, t.segmentation) for t in self.targets],
            [benchmark_instance(instance) for instance in self.instances],
            [
                Query(q.id, q.target_id, q.task, q.polarity == "positive", q.text)
                for q in self.queries
            ],
            source=self.image.file_name,
        )


def parts(
    dataset: Dataset,
    takes: Taken = is_alive,
    *,
    with_boxes: bool = False,
    query_states: Collection[str] = ("accepted",),
) -> Iterator[Part]:
    """Yield the images one by one with the targets that are taken, images without any too.

    query_states: of the queries that are wanted. The file is let go of between every few images,
    and while a part is worked on.
    """
    with dataset.reading() as view:
        images = list(view.images())
        categories = {category.id: category for category in view.categories()}
    for start in range(0, len(images), _IMAGES_A_READ):
        chosen = images[start : start + _IMAGES_A_READ]
        with dataset.reading() as view:
            read = [_part(view, image, takes, categories, query_states) for image in chosen]
            if with_boxes:
                read = [replace(p, boxes=stored_boxes(view, p.image.id or 0)) for p in read]
        yield from read


def part_of_image(dataset: Dataset, image_id: int, takes: Taken = is_alive) -> Part:
    """Return one image with the targets that are taken; InputError where there is none."""
    with dataset.reading() as view:
        categories = {category.id: category for category in view.categories()}
        return _part(view, view.image(image_id), takes, categories, ("accepted",))


def stored_boxes(view: View, image_id: int) -> dict[BoxKey, BoxRow]:
    """Return the stored boxes of an image by kind, instance and frame."""
    return {
        (kind, box.instance_id, box.frame): box
        for kind in BOX_KINDS
        for box in view.boxes(kind, image_id)
    }


def _part(
    view: View,
    image: ImageRow,
    takes: Taken,
    categories: dict[int, CategoryRow],
    query_states: Collection[str] = ("accepted",),
) -> Part:
    # A target whose category is lost can't be shown as anything; check tells of it.
    targets = tuple(
        target
        for target in view.targets(image_id=image.id)
        if takes(target) and target.category_id in categories
    )
    faults: Faults = []
    instances: list[InstanceRow] = []
    queries: list[QueryRow] = []
    for target in targets:
        instances += view.instances(target_id=target.id, faults=faults)
        queries += (q for q in view.queries(target.id) if q.state in query_states)
    return Part(image, targets, tuple(instances), tuple(queries), categories, faults)


def benchmark_category(row: CategoryRow) -> Category:
    """Return a category as a benchmark holds it."""
    return Category(row.id, row.name, row.domain, row.branch, row.instanceable)


def benchmark_image(row: ImageRow) -> Image:
    """Return an image as a benchmark holds it."""
    about: dict[str, Any] = {
        name: value
        for name in ("date_captured", "location_group", "continent", "sha256")
        if (value := getattr(row, name)) is not None
    }
    return Image(
        row.id or 0, row.file_name, row.width, row.height, row.crs, row.transform, row.gsd_m,
        row.operation, about,
    )  # fmt: skip


def benchmark_instance(row: InstanceRow) -> Instance:
    """Return an instance as a benchmark holds it: its polygons, else what it was imported with."""
    shape: dict[str, Any] = {}
    if row.polygons is not None and all(len(rings) == 1 for rings in row.polygons):
        # The same as its GeoJSON, without the way through lists.
        shape["segmentation"] = tuple(ring for rings in row.polygons for ring in rings)
    elif row.polygons is not None:
        shape["geometry"] = row.geojson()
    elif isinstance(row.segmentation, list):
        shape["segmentation"] = _rings(row)
    else:
        shape["segmentation"] = row.segmentation
    return Instance(
        row.id or 0, row.target_id, row.image_id or 0, row.category_id or 0, row.is_crowd,
        bbox=row.bbox, obb=row.obb, **shape,
    )  # fmt: skip


def given_polygons(row: InstanceRow) -> Sequence[Sequence[Ring]]:
    """Return an instance's rings as an export would tell them: as imported, while unchanged.

    The file itself keeps every ring closed; GeoJSON that came with open ones goes out with them.
    """
    told = row.extra.get("geometry")
    if row.changes == 0 and isinstance(told, Mapping):
        try:
            return polygons_from_geojson(told)
        except GeometryError:
            return row.polygons or ()
    return row.polygons or ()


def _rings(row: InstanceRow) -> tuple[Any, ...]:
    try:
        return tuple(rings[0] for rings in polygons_from_coco(row.segmentation))
    except GeometryError as fault:
        raise fault.at(f"instance {row.id}") from None
