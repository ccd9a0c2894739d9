"""Reads a benchmark file, ours or plain COCO, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from ..entry import Entry, are_numbers, describe, nearly
from ..errors import InputError
from ..jsonstream import JsonStream
from ..textsource import sha256_of
from .model import (
    FORMAT,
    POLARITIES,
    TASKS,
    Benchmark,
    Category,
    Image,
    Instance,
    Query,
    Rings,
    Target,
)

_CATEGORY_KEYS = {"id", "name", "supercategory", "branch", "instanceable"}
_IMAGE_KEYS = {"id", "file_name", "width", "height", "crs", "transform", "gsd", "operation"}
_TARGET_KEYS = {"id", "image_id", "category_id", "segmentation"}
_INSTANCE_KEYS = {
    *("id", "target_id", "image_id", "category_id", "iscrowd"),
    *("segmentation", "geometry", "bbox", "obb"),
}
_LONGEST_SIDE, _MOST_PIXELS = 2**31 - 1, 2**53
# Stands for a missing target id until plain COCO's targets are made; no file's id is this.
_NO_TARGET = -(1 << 62)


class _Identified(Protocol):
    @property
    def id(self) -> int | str: ...


ItemT = TypeVar("ItemT", bound=_Identified)


def read_benchmark(path: Path | str) -> Benchmark:
    """Read the benchmark at `path`: `ovearth-benchmark/1`, or plain COCO.

    Raises InputError, with file and line, for anything that is not whole: JSON, required keys,
    ids that are doubled or point nowhere, masks of another size than their image.
    """
    path = Path(path)
    parts = _Parts(path)
    stream = JsonStream(path)
    for member in stream.members():
        parts.take(member.key, member.line, member.value, member.in_list)
    is_ours = "targets" in stream.keys or "queries" in stream.keys or parts.declares_ours()
    if "images" not in stream.keys:
        raise InputError("no 'images' in it", str(path), "name a benchmark or a COCO file")
    return parts.benchmark() if is_ours else parts.plain_coco()


class _Table(list[ItemT]):
    """Items in file order, with the line where each starts."""

    def __init__(self, kind: str, parse: Callable[[Entry], ItemT]) -> None:
        super().__init__()
        self.kind = kind
        self.parse = parse
        self.line_of: dict[int | str, int] = {}

    def take(self, path: Path, line: int, value: Any) -> None:
        name = value.get("id") if isinstance(value, dict) else None
        where = f"{path} line {line}, {self.kind}" + (f" {name}" if name is not None else "")
        item = self.parse(Entry(value, where))
        if item.id in self.line_of:
            lines = f"{path} lines {self.line_of[item.id]} and {line}"
            raise InputError(
                f"{self.kind} id {item.id!r} occurs twice", lines, "give each its own id"
            )
        self.line_of[item.id] = line
        self.append(item)


class _Parts:
    """The lists of a benchmark while they are read; members may come in any order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.info: dict[str, Any] = {}
        self.licenses: list[dict[str, Any]] = []
        self.categories = _Table("category", _category)
        self.images = _Table("image", _image)
        self.targets = _Table("target", _target)
        self.instances = _Table("annotation", _instance)
        self.queries = _Table("query", _query)
        self.tables: dict[str, _Table[Any]] = {
            "categories": self.categories,
            "images": self.images,
            "targets": self.targets,
            "annotations": self.instances,
            "queries": self.queries,
        }

    def take(self, key: str, line: int, value: Any, in_list: bool) -> None:
        if key in self.tables:
            if not in_list:
                raise InputError(
                    f"'{key}' is {describe(value)}, not a list",
                    f"{self.path} line {line}",
                    "write a list there",
                )
            self.tables[key].take(self.path, line, value)
        elif key == "info":
            if in_list:
                raise InputError("'info' is a list", f"{self.path} line {line}", "write {…} there")
            self.info = Entry(value, f"{self.path} line {line}, info").fields
        elif (near := nearly(key, tuple(self.tables))) is not None:
            raise InputError(
                f"unknown key {key!r}", f"{self.path} line {line}", f"did you mean {near!r}?"
            )
        elif key == "licenses" and in_list:
            self.licenses.append(Entry(value, f"{self.path} line {line}, licenses").fields)

    def declares_ours(self) -> bool:
        declared = self.info.get("format")
        if not isinstance(declared, str) or not declared.startswith("ovearth-"):
            return False
        if declared != FORMAT:
            raise InputError(
                f"format is {declared!r}, this version reads {FORMAT!r}",
                f"{self.path}, info",
                "use the version of ovearth that wrote it"
                if declared.startswith("ovearth-benchmark/")
                else "name a benchmark file",
            )
        return True

    def benchmark(self) -> Benchmark:
        self.declares_ours()
        images = {image.id: image for image in self.images}
        categories = {category.id for category in self.categories}
        targets = {target.id: target for target in self.targets}
        for target in self.targets:
            self._point(self.targets, target.id, "image", target.image_id, images)
            self._point(self.targets, target.id, "category", target.category_id, categories)
            self._sized(self.targets, target.id, target.segmentation, images[target.image_id])
        for instance in self.instances:
            self._check_instance(instance, images, targets)
        for query in self.queries:
            self._point(self.queries, query.id, "target", query.target_id, targets)
        return self._whole(self.targets, self.instances, self.queries)

    def _check_instance(
        self, instance: Instance, images: dict[int, Image], targets: dict[int, Target]
    ) -> None:
        self._point(self.instances, instance.id, "target", instance.target_id, targets)
        target = targets[instance.target_id]
        for name, own, wanted in (
            ("image", instance.image_id, target.image_id),
            ("category", instance.category_id, target.category_id),
        ):
            if own != wanted:
                raise InputError(
                    f"its {name} is {own}, that of its target {target.id} is {wanted}",
                    self._where(self.instances, instance.id),
                    "make them the same",
                )
        self._sized(self.instances, instance.id, instance.segmentation, images[target.image_id])

    def plain_coco(self) -> Benchmark:
        """One target per image and category, asked by the category's name."""
        images = {image.id: image for image in self.images}
        names = {category.id: category.name for category in self.categories}
        for instance in self.instances:
            self._point(self.instances, instance.id, "image", instance.image_id, images)
            self._point(self.instances, instance.id, "category", instance.category_id, names)
            self._sized(
                self.instances, instance.id, instance.segmentation, images[instance.image_id]
            )
        places = sorted({(item.image_id, item.category_id) for item in self.instances})
        number = {place: index for index, place in enumerate(places, start=1)}
        targets = [Target(number[place], *place) for place in places]
        instances = [_attached(item, number) for item in self.instances]
        queries = [
            Query(f"{image}:{category}", number[image, category], TASKS[0], True, names[category])
            for image, category in places
        ]
        return self._whole(targets, instances, queries)

    def _whole(
        self, targets: Sequence[Target], instances: Sequence[Instance], queries: Sequence[Query]
    ) -> Benchmark:
        return Benchmark(
            categories=tuple(self.categories),
            images=tuple(self.images),
            targets=tuple(targets),
            instances=tuple(instances),
            queries=tuple(queries),
            info=self.info,
            licenses=tuple(self.licenses),
            source=str(self.path),
            sha256=sha256_of(self.path),
        )

    def _where(self, table: _Table[Any], item_id: int | str) -> str:
        return f"{self.path} line {table.line_of[item_id]}, {table.kind} {item_id}"

    def _point(
        self, table: _Table[Any], item_id: int | str, kind: str, reference: int, known: Any
    ) -> None:
        if reference not in known:
            if reference == _NO_TARGET and kind == "target":
                raise InputError(
                    "'target_id' is missing", self._where(table, item_id), "add 'target_id'"
                )
            raise InputError(
                f"it names {kind} {reference}, which is not in the file",
                self._where(table, item_id),
                f"add that {kind} or mend the id",
            )

    def _sized(self, table: _Table[Any], item_id: int, segmentation: Any, image: Image) -> None:
        if not isinstance(segmentation, dict):
            return
        size = segmentation.get("size")
        if size != [image.height, image.width]:
            raise InputError(
                f"its mask has size {size}, image {image.id} has [{image.height}, {image.width}]"
                " (height, width)",
                self._where(table, item_id),
                "write the mask at the image's size",
            )


def _attached(instance: Instance, number: dict[tuple[int, int], int]) -> Instance:
    return replace(instance, target_id=number[instance.image_id, instance.category_id])


def _category(entry: Entry) -> Category:
    return Category(
        entry.integer("id"),
        entry.text("name"),
        entry.optional_text("supercategory"),
        entry.optional_text("branch"),
        entry.boolean("instanceable", default=True),
        entry.other_fields(_CATEGORY_KEYS),
    )


def _image(entry: Entry) -> Image:
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


def _target(entry: Entry) -> Target:
    return Target(
        entry.integer("id"),
        entry.integer("image_id"),
        entry.integer("category_id"),
        entry.mapping("segmentation"),
        entry.other_fields(_TARGET_KEYS),
    )


def _instance(entry: Entry) -> Instance:
    for key in ("bbox", "obb"):
        if entry.fields.get(key) == []:  # how some tools write that there is none
            entry.fields[key] = None
    bbox = entry.optional_numbers("bbox", 4)
    if bbox is not None and min(bbox[2:]) < 0:
        raise entry.fail(f"'bbox' has a negative size {bbox[2:]}", "write x, y, width, height")
    has_target = entry.fields.get("target_id") is not None
    return Instance(
        entry.integer("id"),
        entry.integer("target_id") if has_target else _NO_TARGET,
        entry.integer("image_id"),
        entry.integer("category_id"),
        _is_crowd(entry),
        _segmentation(entry),
        entry.mapping("geometry"),
        bbox,
        entry.optional_numbers("obb", 8),
        entry.other_fields(_INSTANCE_KEYS),
    )


def _is_crowd(entry: Entry) -> bool:
    value = entry.fields.get("iscrowd", 0)
    if value not in (0, 1, None):
        raise entry.fail(f"'iscrowd' is {describe(value)}", "write 0 or 1")
    return bool(value)


def _segmentation(entry: Entry) -> Rings | dict[str, Any] | None:
    value = entry.fields.get("segmentation")
    if value is None or value == []:
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


def _query(entry: Entry) -> Query:
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
    )
