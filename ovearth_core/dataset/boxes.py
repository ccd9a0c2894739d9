"""Boxes of a dataset's instances, derived into its layers `hbb` and `obb`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark.box_table import box_rows
from ..benchmark.framed_boxes import FramedBoxes, ImageShapes, framed_boxes
from ..benchmark.truth import Truth
from ..errors import OVEarthError, UsageError
from ..spelling import nearest
from .edit import Edit
from .geometries import geometries
from .parts import Part, benchmark_instance, goes_out, parts
from .rows import BOX_FRAMES, BOX_KINDS, BoxBasis, BoxRow, InstanceRow
from .store import Dataset

# Corners, and metres, that are the same: what a trip through another frame leaves of precision.
_SAME = 1e-6
_CHANGES_AT_ONCE = 200

Corners = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Derived:
    """How many boxes were derived anew, brought in step, removed, and were right already."""

    added: int = 0
    replaced: int = 0
    removed: int = 0
    kept: int = 0

    def __str__(self) -> str:
        return (
            f"{self.added} derived, {self.replaced} brought in step, {self.removed} removed,"
            f" {self.kept} kept"
        )


@dataclass(frozen=True)
class _Change:
    """A box to be stored; `instance` is what it was derived from, None where one is removed."""

    kind: str
    box: BoxRow
    instance: InstanceRow | None
    geometry: bytes | None = None


def derive_boxes(
    dataset: Dataset,
    frame: str = "pixel",
    who: str | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Derived:
    """Bring the layers `hbb` and `obb` in step with the approved instances, in one frame.

    Only what is missing is derived, and what has a given box compared (the file itself drops a
    box when its polygon changes). Boxes of instances that have none any more are removed in every
    frame, and boxes in other frames that differ from a given one are brought in step. Safe to be
    killed and run again. frame: "pixel", "map" or "ground". progress: called after each image.

    Raises UsageError for another frame, OVEarthError for a shape that is none.
    """
    if frame not in BOX_FRAMES:
        raise UsageError(f"unknown frame {frame!r}", "--frame", nearest(frame, BOX_FRAMES))
    counts = dict.fromkeys(("added", "replaced", "removed", "kept"), 0)

    def write(edit: Edit, changes: list[_Change]) -> None:
        for done in _write(edit, changes):
            counts[done] += 1

    waiting: list[list[_Change]] = []
    for part in parts(dataset, goes_out, with_boxes=True):
        found = _with_geometry(part, list(_changes(part, frame)))
        changed = sum(each.box.id is not None and each.box.frame == frame for each in found)
        counts["kept"] += sum(key[2] == frame for key in part.boxes) - changed
        waiting += (list(each) for _, each in groupby(found, lambda one: one.box.instance_id))
        # Derived before the transaction begins, so that it is short.
        if len(waiting) >= _CHANGES_AT_ONCE:
            dataset.write_all(waiting, write, who)
            waiting.clear()
        progress()
    dataset.write_all(waiting, write, who)
    return Derived(**counts)


def wrong_boxes(part: Part) -> Iterator[tuple[BoxRow, str]]:
    """Yield the stored boxes of a part that are not what would be derived now, and why not."""
    derive = _Deriving(part)
    boxed = {row.id or 0: row for row in _boxed(part)}
    wanted: dict[str, dict[int, InstanceRow]] = {}
    for _, instance_id, frame in part.boxes:
        if instance_id in boxed:
            wanted.setdefault(frame, {})[instance_id] = boxed[instance_id]
    right = {frame: derive.boxes(list(rows.values()), frame) for frame, rows in wanted.items()}
    for (kind, instance_id, frame), box in part.boxes.items():
        if instance_id not in boxed:
            yield box, "its instance has no boxes (crowd, not instanceable, or not approved)"
            continue
        own = right[frame][instance_id].get(kind)
        if own is None or not _is_near(own.corners, box.corners):
            yield box, "it differs from what its polygon gives"
        elif not _is_same(own, box):
            yield box, "its metres are not its own"


def dataset_box_rows(dataset: Dataset, frame: str) -> Iterator[dict[str, Any]]:
    """Yield the table of boxes of a dataset's approved targets, as `box_rows` does."""
    for part in parts(dataset, goes_out):
        yield from box_rows(part.benchmark, frame)


def _boxed(part: Part) -> Iterator[InstanceRow]:
    taken = {target.id for target in part.targets if goes_out(target)}
    for row in part.instances:
        category = part.categories[row.category_id or 0]
        if row.target_id in taken and category.instanceable and not row.is_crowd:
            yield row


def _changes(part: Part, frame: str) -> Iterator[_Change]:
    derive = _Deriving(part)
    left = dict(part.boxes)
    wanted: dict[str, list[tuple[InstanceRow, dict[str, BoxRow | None]]]] = {}
    for row in _boxed(part):
        is_given = row.bbox is not None or row.obb is not None
        for each in BOX_FRAMES:
            old = {kind: left.pop((kind, row.id or 0, each), None) for kind in BOX_KINDS}
            has_all, has_any = None not in old.values(), set(old.values()) != {None}
            if (each == frame and not has_all) or (is_given and has_any):
                wanted.setdefault(each, []).append((row, old))
    for each, rows in wanted.items():
        new = derive.boxes([row for row, _ in rows], each)
        for row, old in rows:
            yield from _of_instance(row, new[row.id or 0], old, each == frame)
    for (kind, _, _), box in left.items():
        yield _Change(kind, box, None)


def _of_instance(
    row: InstanceRow, new: dict[str, BoxRow], old: dict[str, BoxRow | None], is_wanted: bool
) -> Iterator[_Change]:
    for kind in BOX_KINDS:
        box, before = new.get(kind), old[kind]
        if before is None:
            if box is not None and is_wanted:
                yield _Change(kind, box, row)
        elif box is None:
            yield _Change(kind, before, None)
        elif not _is_same(box, before):
            yield _Change(kind, replace(box, id=before.id), row)


class _Deriving:
    """Derives the boxes of a part's instances, as they would be of the benchmark's."""

    def __init__(self, part: Part) -> None:
        self._truth = Truth(part.benchmark)
        self._image = part.benchmark.images[0]

    def boxes(self, rows: Sequence[InstanceRow], frame: str) -> dict[int, dict[str, BoxRow]]:
        """Return the boxes in a frame by instance and kind, those that there are."""
        return {row.id or 0: found for row, found in self._each(rows, frame)}

    def _each(
        self, rows: Sequence[InstanceRow], frame: str
    ) -> Iterator[tuple[InstanceRow, dict[str, BoxRow]]]:
        """Yield what is derived from each of the rows, together; an error names the one."""
        try:
            found = self._boxes(rows, frame)
        except OVEarthError:
            for row in rows:
                try:
                    yield row, self._boxes([row], frame)[0]
                except OVEarthError as fault:
                    raise fault.at(f"instance {row.id} of image {self._image.id}") from None
            return
        yield from zip(rows, found, strict=True)

    def _boxes(self, rows: Sequence[InstanceRow], frame: str) -> list[dict[str, BoxRow]]:
        framed = framed_boxes(self._shapes(rows), frame)
        corners = _corners_by_kind(framed)
        sizes = {kind: framed.sizes([each.get(kind) for each in corners]) for kind in BOX_KINDS}
        return [
            {
                kind: BoxRow(
                    None, kind, row.id or 0, tuple(box.ravel().tolist()), frame,
                    image_id=row.image_id, **sizes[kind][place],  # type: ignore[arg-type]
                )
                for kind, box in corners[place].items()
            }
            for place, row in enumerate(rows)
        ]  # fmt: skip

    def _shapes(self, rows: Sequence[InstanceRow]) -> ImageShapes:
        return ImageShapes(self._truth, list(map(benchmark_instance, rows)), self._image)


def _corners_by_kind(framed: FramedBoxes) -> list[Corners]:
    both = zip(*(framed.corners_px(kind) for kind in BOX_KINDS), strict=True)
    return [
        {kind: box for kind, box in zip(BOX_KINDS, boxes, strict=True) if box is not None}
        for boxes in both
    ]


def _is_near(corners: tuple[float, ...], flat: tuple[float, ...]) -> bool:
    if len(flat) != len(corners):
        return False
    return bool(np.allclose(corners, flat, rtol=_SAME, atol=_SAME))


def _is_same(one: BoxRow, other: BoxRow) -> bool:
    if len(one.corners) != len(other.corners):
        return False
    return bool(np.allclose(_numbers(one), _numbers(other), rtol=_SAME, atol=_SAME, equal_nan=True))


def _numbers(box: BoxRow) -> list[float]:
    sizes = (box.width_m, box.length_m, box.area_m2)
    return [*box.corners, *(np.nan if size is None else size for size in sizes)]


def _with_geometry(part: Part, changes: list[_Change]) -> list[_Change]:
    """Return changes with the geometry of the boxes that are new."""
    new = [each for each in changes if each.instance is not None and each.box.id is None]
    if not new:
        return changes
    shapes = [each.box.polygons() for each in new]
    made = iter(geometries(part.image.frame(), shapes, as_multi=False))
    return [
        replace(each, geometry=next(made))
        if each.instance is not None and each.box.id is None
        else each
        for each in changes
    ]


def _write(edit: Edit, changes: list[_Change]) -> Iterator[str]:
    """Store one instance's changes, and yield what each was: added, replaced, removed, kept."""
    basis = edit.basis_of_boxes(changes[0].box.instance_id)
    for change in changes:
        if change.instance is None:
            edit.remove_boxes(change.kind, change.box.instance_id)
            yield "removed"
        elif basis is None or not _is_unchanged(basis, change.instance):
            # Somebody drew on in the meantime: the next run derives it from the new polygon.
            yield "kept"
        elif change.box.id is None:
            yield _add(edit, change)
        else:
            edit.update(change.box)
            yield "replaced"


def _add(edit: Edit, change: _Change) -> str:
    try:
        edit.add(change.box, change.geometry)
    except sqlite3.IntegrityError:
        return "kept"  # another run has stored it in the meantime
    return "added"


def _is_unchanged(now: BoxBasis, row: InstanceRow) -> bool:
    return goes_out(now) and (now.changes, now.bbox, now.obb, now.is_crowd) == (
        row.changes, row.bbox, row.obb, row.is_crowd,
    )  # fmt: skip
