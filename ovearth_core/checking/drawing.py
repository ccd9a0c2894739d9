"""What is wrong with the polygons of one image, quick enough to be asked after each one drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from ..dataset import Dataset
from ..dataset.parts import Part, is_alive, part_of_image
from .dataset_rows import only_targets, placed, ring_findings, unreadable
from .finding import Finding
from .outlines import outlines
from .overlaps import overlaps
from .scope import Scope


def drawing_findings(dataset: Dataset, image_id: int) -> list[Finding]:
    """Return the problems of the polygons on an image, with their places in degrees.

    The same as `check_dataset` finds: shapes that cross themselves, are slivers, reach out of the
    image or cover no pixel centre; instances that overlap or are drawn twice, second annotations
    apart. InputError where there is no such image.
    """
    part = part_of_image(dataset, image_id, is_alive)
    return [placed(finding, part) for finding in _found(part)]


def _found(part: Part) -> Iterator[Finding]:
    yield from unreadable(part)
    yield from chain.from_iterable(map(ring_findings, part.instances))
    rivals = {target.id for target in part.targets if target.rival_of is not None}
    yield from _of(part, lambda target_id: target_id not in rivals)
    for rival in sorted(target_id or 0 for target_id in rivals):
        yield from _of(part, rival.__eq__)


def _of(part: Part, takes: Callable[[int | None], bool]) -> Iterator[Finding]:
    scope = Scope(only_targets(part, takes).benchmark, "instance")
    yield from chain(outlines(scope), overlaps(scope))
