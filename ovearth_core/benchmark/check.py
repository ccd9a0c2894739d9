"""Everything in a benchmark file that would spoil its scores, each with place and mend."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import OVEarthError, one_line
from ..geometry import Runs, box_iou, envelope, intersection_area, quad_iou
from ..paths import inside
from .model import Benchmark, Instance, Query
from .truth import Truth, has_no_area, outline, outline_points

_LEAST_AGREEMENT = 0.99
_MOST_GSD_ERROR = 0.02


@dataclass(frozen=True)
class Finding:
    """One problem: which check found it, where, what it is, and how to mend it."""

    check: str
    where: str
    what: str
    mend: str

    def __str__(self) -> str:
        return one_line(f"{self.where}: {self.what} [{self.check}]; {self.mend}")


def check_benchmark(benchmark: Benchmark) -> Iterator[Finding]:
    """Yield the problems of a benchmark, in the order of its checks and items."""
    truth = Truth(benchmark)
    for check in _CHECKS:
        yield from check(benchmark, truth)


def findings_json(findings: Iterable[Finding]) -> str:
    """Return the findings as a JSON document."""
    listed = [asdict(finding) for finding in findings]
    return json.dumps({"problems": listed}, indent=1, ensure_ascii=False) + "\n"


def _frames(benchmark: Benchmark, _: Truth) -> Iterator[Finding]:
    for image in benchmark.images:
        where = f"image {image.id}"
        try:
            frame = image.frame()
            gsd = frame.gsd()
            if gsd is not None:
                frame.pixel_to_lonlat([[image.width / 2, image.height / 2]])
        except OVEarthError as fault:
            yield Finding("frame", where, fault.what, fault.mend or "mend its CRS")
            continue
        if gsd and image.gsd_m and abs(image.gsd_m / gsd - 1) > _MOST_GSD_ERROR:
            what = f"its gsd is {image.gsd_m:g} m, its transform says {gsd:.4g} m"
            yield Finding("gsd", where, what, "leave it out, or mend the transform")


def _names(benchmark: Benchmark, _: Truth) -> Iterator[Finding]:
    met: dict[str, int] = {}
    for image in benchmark.images:
        where = f"image {image.id}"
        try:
            inside(Path(), image.file_name)
        except OVEarthError as fault:
            yield Finding("file-name", where, fault.what, "write it relative to the benchmark")
        if image.file_name in met:
            what = f"has the file of image {met[image.file_name]}, {image.file_name!r}"
            yield Finding("file-name", where, what, "keep one of the images")
        met.setdefault(image.file_name, image.id)
    for category in benchmark.categories:
        if not category.name.strip():
            yield Finding("no-name", f"category {category.id}", "has no name", "give it one")
    if not benchmark.queries:
        yield Finding("no-query", benchmark.source, "has no query", "write some")


def _outlines(benchmark: Benchmark, _: Truth) -> Iterator[Finding]:
    for instance in benchmark.instances:
        image = benchmark.image_by_id[instance.image_id]
        where = f"annotation {instance.id}"
        try:
            shape = outline(instance, image)
            points = outline_points(shape)
            if isinstance(shape, list):
                shape = Runs.from_rings(shape, image.height, image.width)
        except OVEarthError as fault:
            yield Finding("outline", where, fault.what, fault.mend or "draw it anew")
            continue
        if points is None or shape is None:
            continue
        left, top, right, bottom = envelope(points)
        if left < 0 or top < 0 or right > image.width or bottom > image.height:
            reach = f"x {left:g} to {right:g}, y {top:g} to {bottom:g}"
            what = f"reaches out of its image {image.id} ({reach})"
            yield Finding("outside", where, what, "cut it at the image's edge")
        if shape.is_empty:
            what = "covers no pixel centre"
            yield Finding("no-pixel", where, what, "draw it larger, or remove it")


def _masks(benchmark: Benchmark, truth: Truth) -> Iterator[Finding]:
    for target in benchmark.targets:
        where = f"target {target.id}"
        try:
            mask = truth.mask(target.id)
            union = truth.union_of_instances(target.id)
        except OVEarthError as fault:
            yield Finding("mask", where, fault.what, fault.mend or "mend the mask")
            continue
        if mask is None or mask.is_empty:
            yield Finding("mask", where, "has an empty mask or none", "draw it, or remove it")
        elif target.segmentation is not None and union is not None:
            iou = _iou(mask, union)
            if iou < _LEAST_AGREEMENT:
                what = f"its mask differs from its instances (IoU {iou:.3f})"
                yield Finding("mask-differs", where, what, "mend one, or leave the mask out")


def _boxes(benchmark: Benchmark, truth: Truth) -> Iterator[Finding]:
    for instance in benchmark.instances:
        category = benchmark.category_by_id[instance.category_id]
        where = f"annotation {instance.id}"
        given = [name for name in ("bbox", "obb") if getattr(instance, name) is not None]
        if not category.instanceable:
            # COCO's own tools write a bbox everywhere; an oriented one is drawn on purpose.
            if "obb" in given:
                what = f"has a box, but {category.name!r} has no instances"
                yield Finding("needless-box", where, what, "leave the box out")
            continue
        if not instance.is_crowd:
            yield from _instance_boxes(benchmark, truth, instance)
    for target in benchmark.targets:
        instances = benchmark.instances_by_target.get(target.id, ())
        if benchmark.is_instanceable(target) and all(item.is_crowd for item in instances):
            what = "is of an instanceable category and has no box"
            yield Finding("no-box", f"target {target.id}", what, "draw its instances")


def _instance_boxes(benchmark: Benchmark, truth: Truth, instance: Instance) -> Iterator[Finding]:
    image = benchmark.image_by_id[instance.image_id]
    where = f"annotation {instance.id}"
    try:
        hbb, obb = truth.instance_hbb(instance, image), truth.instance_obb(instance, image)
        derived = outline_points(outline(instance, image))
    except OVEarthError as fault:
        if instance.obb is not None or instance.bbox is not None:
            yield Finding("box", where, fault.what, fault.mend or "mend the box")
        return
    for name, box in (("hbb", hbb), ("obb", obb)):
        if box is None:
            yield Finding("no-box", where, f"has no {name}", "draw its outline")
        elif has_no_area(box[None])[0]:
            yield Finding("no-box", where, f"its {name} has no area", "draw it larger")
    if derived is None:
        return
    bare = Instance(0, 0, 0, 0, False, instance.segmentation, instance.geometry)
    for name, box, iou, derive in (
        ("bbox", hbb, box_iou, truth.instance_hbb),
        ("obb", obb, quad_iou, truth.instance_obb),
    ):
        own = derive(bare, image)
        if getattr(instance, name) is None or box is None or own is None:
            continue
        agreement = float(iou(box[None], own[None])[0, 0])
        if agreement < _LEAST_AGREEMENT:
            what = f"its {name} differs from its outline's (IoU {agreement:.3f})"
            yield Finding("box-differs", where, what, "mend one, or leave the box out")


def _queries(benchmark: Benchmark, _: Truth) -> Iterator[Finding]:
    by_target: dict[int, list[Query]] = {}
    for query in benchmark.queries:
        by_target.setdefault(query.target_id, []).append(query)
    for target in benchmark.targets:
        queries = by_target.get(target.id, [])
        where = f"target {target.id}"
        if not queries:
            yield Finding("no-query", where, "has no query", "write one, or remove the target")
        positive = {query.text for query in queries if query.is_positive}
        negative = {query.text for query in queries if not query.is_positive}
        for text in sorted(positive & negative):
            what = f"{text!r} is both positive and negative"
            yield Finding("both-polarities", where, what, "keep one of them")
        counts = Counter((query.task, query.is_positive, query.text) for query in queries)
        for (task, _is_positive, text), count in sorted(counts.items()):
            if count > 1:
                what = f"{text!r} occurs {count} times as a {task} query"
                yield Finding("doubled-text", where, what, "keep one of them")
        for query in queries:
            if not query.text.strip():
                yield Finding("no-text", f"query {query.id}", "has no text", "write one")


def _iou(a: Runs, b: Runs) -> float:
    common = intersection_area(a, b)
    union = a.area + b.area - common
    return common / union if union else 1.0


_CHECKS: tuple[Callable[[Benchmark, Truth], Iterator[Finding]], ...] = (
    _frames,
    _names,
    _outlines,
    _masks,
    _boxes,
    _queries,
)
