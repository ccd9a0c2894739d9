"""Boxes that lack, have no area, differ from the outline, or are where there are no instances."""

from __future__ import annotations

from collections.abc import Iterator

from ..benchmark.model import Instance
from ..benchmark.truth import has_no_area, outline, outline_points
from ..errors import OVEarthError
from ..geometry import box_iou, quad_iou
from .finding import Finding
from .masks import LEAST_AGREEMENT
from .scope import Scope


def boxes(scope: Scope) -> Iterator[Finding]:
    """Find what is wrong with given boxes, and instances and targets that have none."""
    benchmark = scope.benchmark
    for instance in benchmark.instances:
        category = benchmark.category_by_id[instance.category_id]
        if not category.instanceable:
            # COCO's own tools write a bbox everywhere; an oriented one is drawn on purpose.
            if instance.obb is not None:
                what = f"has a box, but {category.name!r} has no instances"
                yield scope.at_instance(instance, "needless-box", what, "leave the box out")
            continue
        if not instance.is_crowd:
            yield from _of_instance(scope, instance)
    for target in benchmark.targets:
        instances = benchmark.instances_by_target.get(target.id, ())
        if benchmark.is_instanceable(target) and all(item.is_crowd for item in instances):
            what = "is of an instanceable category and has no box"
            yield scope.at_target(target, "no-box", what, "draw its instances")


def _of_instance(scope: Scope, instance: Instance) -> Iterator[Finding]:
    truth, image = scope.truth, scope.benchmark.image_by_id[instance.image_id]
    try:
        hbb, obb = truth.instance_hbb(instance, image), truth.instance_obb(instance, image)
        derived = outline_points(outline(instance, image))
    except OVEarthError as fault:
        if instance.obb is not None or instance.bbox is not None:
            yield scope.at_instance(instance, "box", fault.what, fault.mend or "mend the box")
        return
    for name, box in (("hbb", hbb), ("obb", obb)):
        if box is None:
            yield scope.at_instance(instance, "no-box", f"has no {name}", "draw its outline")
        elif has_no_area(box[None])[0]:
            what = f"its {name} has no area"
            yield scope.at_instance(instance, "no-box", what, "draw it larger")
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
        if agreement < LEAST_AGREEMENT:
            what = f"its {name} differs from its outline's (IoU {agreement:.3f})"
            mend = "mend one, or leave the box out"
            yield scope.at_instance(instance, "box-differs", what, mend)
