"""All that would spoil the benchmark that a dataset is to become."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from ..dataset import Dataset, ImageRow, InstanceRow
from ..dataset.boxes import wrong_boxes
from ..dataset.exchange.taking_back import unfinished
from ..dataset.loose import loose_rows
from ..dataset.parts import Part, given_polygons, goes_out, is_alive, parts
from ..errors import InputError, OVEarthError
from ..imagehash import image_hash
from .benchmark_file import IMAGE_CHECKS
from .files import image_file
from .finding import Finding
from .masks import masks
from .near_duplicates import near_duplicates
from .outlines import outlines
from .rings import ring_faults
from .scope import Scope

_SINGULAR = {
    "instances": "instance", "queries": "query", "targets": "target", "images": "image",
    "pois": "place of interest", "hbb": "horizontal box", "obb": "oriented box",
}  # fmt: skip

Progress = Callable[[], None]


def check_dataset(dataset: Dataset, progress: Progress = lambda: None) -> Iterator[Finding]:
    """Yield the problems of a dataset: of single rows, of each image in turn, and between images.

    Rejected targets are left alone; a second annotation of a target (`rival_of`) is looked at for
    its shapes only. progress: called after each image.
    """
    with dataset.reading() as view:
        source = unfinished(view)
    if source is not None:
        what = f"an import of {source} was cut off, or is still going on"
        yield Finding("cut-off-import", "dataset", None, what, "take it back (check --fix)")
    for row in loose_rows(dataset):
        yield Finding(row.kind, _SINGULAR[row.table], row.key, row.what, row.mend)
    images: list[ImageRow] = []
    for part in parts(dataset, is_alive, with_boxes=True):
        images.append(part.image)
        for finding in _of_part(dataset, part):
            yield placed(finding, part)
        progress()
    for finding in near_duplicates(images, lambda image: _hash(dataset, image)):
        yield replace(finding, note=next(i.file_name for i in images if i.id == finding.id))


def _of_part(dataset: Dataset, part: Part) -> Iterator[Finding]:
    yield from image_file(dataset, part.image)
    if part.image.gsd_m is None:
        what, mend = "has no gsd", "derive it from its transform (check --fix)"
        yield Finding("no-gsd", "image", part.image.id, what, mend, part.image.id)
    yield from unreadable(part)
    try:
        yield from _of_benchmark(part)
    except OVEarthError as fault:
        yield Finding("unreadable", "image", part.image.id, str(fault), "mend it", part.image.id)
    for row in part.instances:
        yield from ring_findings(row)
    yield from _boxes(part)


def unreadable(part: Part) -> Iterator[Finding]:
    """Yield the instances whose geometry can't be read."""
    for instance_id, fault in part.faults:
        mend = fault.mend or "draw it anew"
        yield Finding("unreadable", "instance", instance_id, fault.what, mend, part.image.id)


def _of_benchmark(part: Part) -> Iterator[Finding]:
    rivals = {target.id for target in part.targets if target.rival_of is not None}
    scope = Scope(only_targets(part, lambda id_: id_ not in rivals).benchmark, "instance")
    yield from chain.from_iterable(check(scope) for check in IMAGE_CHECKS)
    if rivals:
        scope = Scope(only_targets(part, lambda id_: id_ in rivals).benchmark, "instance")
        yield from chain(outlines(scope), masks(scope))


def only_targets(part: Part, takes: Callable[[int | None], bool]) -> Part:
    """Return a part with those of its targets whose id is taken."""
    return Part(
        part.image,
        tuple(target for target in part.targets if takes(target.id)),
        tuple(row for row in part.instances if takes(row.target_id)),
        tuple(query for query in part.queries if takes(query.target_id)),
        part.categories,
        boxes=part.boxes,
    )


def ring_findings(row: InstanceRow) -> Iterator[Finding]:
    """Yield what is wrong with how an instance's rings are closed and turned."""
    for kind, what, place in ring_faults(given_polygons(row)):
        mend = "turn or close it (check --fix)"
        pixel = (float(place[0]), float(place[1]))
        yield Finding(kind, "instance", row.id, what, mend, row.image_id, pixel)


def _boxes(part: Part) -> Iterator[Finding]:
    if not part.boxes:
        return
    approved = only_targets(part, {t.id for t in part.targets if goes_out(t)}.__contains__)
    try:
        wrong = list(wrong_boxes(approved))
    except OVEarthError as fault:
        yield Finding("box", "image", part.image.id, fault.what, fault.mend, part.image.id)
        return
    for box, why in wrong:
        what = f"its {box.kind} in the frame {box.frame} is stale: {why}"
        mend = "derive it anew (check --fix, or ovearth boxes)"
        yield Finding("stale-box", "instance", box.instance_id, what, mend, part.image.id)


def placed(finding: Finding, part: Part) -> Finding:
    """Return the finding with its image's name, and where it has a pixel, with its lon/lat."""
    note = part.image.file_name
    if finding.item != "image":
        note = f"image {part.image.id}, {note}"
    lonlat = None
    if finding.pixel is not None:
        try:
            lon, lat = part.image.frame().pixel_to_lonlat(np.array([finding.pixel]))[0]
            lonlat = (float(lon), float(lat))
        except OVEarthError:
            lonlat = None
    return replace(finding, note=note, lonlat=lonlat)


def _hash(dataset: Dataset, image: ImageRow) -> int | None:
    try:
        path = dataset.image_path(image)
        return image_hash(path) if path.is_file() else None
    except InputError:
        return None
