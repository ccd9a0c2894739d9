"""Mends in a dataset what has one right answer, and says and logs what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..dataset import Dataset, Edit, ImageRow, InstanceRow, QueryRow, ReviewRow
from ..dataset.boxes import derive_boxes, wrong_boxes
from ..dataset.exchange.import_lock import only_import
from ..dataset.exchange.taking_back import take_back, unfinished
from ..dataset.loose import remove_loose_boxes
from ..dataset.parts import Part, given_polygons, goes_out, is_alive, parts
from ..dataset.rows import BOX_FRAMES
from ..errors import OVEarthError, one_line
from ..raster_file import file_sha256
from .files import fits_row
from .rings import mended_polygons

WHO = "ovearth check --fix"
_ACTION = "mended"


@dataclass(frozen=True)
class Mended:
    """One thing that was mended: what it was about, and what was done."""

    item: str
    id: int | str | None
    done: str
    target_id: int | None = None
    was_approved: bool = False

    def __str__(self) -> str:
        told = ""
        if self.was_approved:
            told = f" (target {self.target_id} is approved: look at it again)"
        place = self.item if self.id is None else f"{self.item} {self.id}"
        return one_line(f"mended {place}: {self.done}{told}")

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "item": self.item,
            "id": self.id,
            "done": self.done,
            "target_id": self.target_id,
            "approved": self.was_approved,
        }


@dataclass(frozen=True)
class _Mend:
    """One thing to mend. apply: does it in a transaction, False where the row has changed."""

    about: Mended
    apply: Callable[[Edit], bool]


def mend_dataset(dataset: Dataset, who: str | None = None) -> list[Mended]:
    """Mend rings, crossings that leave one polygon, spaces, GSDs, checksums and stale boxes.

    What an import that was cut off has left is taken back first; UsageError while one is running.
    Each in a transaction of its own, together with a line in the log of its target. A row that
    somebody changes meanwhile is left alone. Safe to be killed and run again. who: signs it.
    """
    signed = who or WHO
    frames = _frames_of_boxes(dataset)
    done: list[Mended] = []
    if (source := _taken_back(dataset, signed)) is not None:
        done.append(Mended("dataset", None, f"an import of {source} that was cut off taken back"))

    def write(edit: Edit, mend: _Mend) -> None:
        if mend.apply(edit):
            done.append(mend.about)

    loose = remove_loose_boxes(dataset)
    if loose:
        done.append(Mended("boxes", None, f"{loose} without an instance removed"))
    for part in parts(dataset, is_alive, with_boxes=True):
        # Found before the transaction begins, so that it is short.
        dataset.write_all(list(_mends(dataset, part)), write, signed)
    for frame in sorted(frames):
        derived = derive_boxes(dataset, frame, signed)
        if derived.added or derived.replaced or derived.removed:
            done.append(Mended("boxes in the frame", frame, str(derived)))
    return done


def _taken_back(dataset: Dataset, who: str) -> str | None:
    with dataset.reading() as view:
        if unfinished(view) is None:
            return None
    with only_import(dataset.folder):
        return take_back(dataset, who)


def _mends(dataset: Dataset, part: Part) -> Iterator[_Mend]:
    approved = {target.id for target in part.targets if target.state == "approved"}
    yield from _of_image(dataset, part.image)
    for row in part.instances:
        yield from _of_instance(row, row.target_id in approved)
    for query in part.queries:
        yield from _of_query(query, query.target_id in approved)
    yield from _of_boxes(part)


def _of_image(dataset: Dataset, image: ImageRow) -> Iterator[_Mend]:
    for column, words, find in (
        ("gsd_m", "gsd derived from its transform", lambda: _gsd(image)),
        ("sha256", "checksum of its file kept", lambda: _checksum(dataset, image)),
    ):
        if getattr(image, column) is None and (value := find()) is not None:
            about = Mended("image", image.id, words)
            yield _Mend(about, _set_image(image.id or 0, column, value))


def _set_image(image_id: int, column: str, value: Any) -> Callable[[Edit], bool]:
    def apply(edit: Edit) -> bool:
        now = edit.image(image_id)
        if getattr(now, column) is not None:
            return False
        edit.update(replace(now, **{column: value}))
        return True

    return apply


def _gsd(image: ImageRow) -> float | None:
    try:
        return image.frame().gsd()
    except OVEarthError:
        return None


def _checksum(dataset: Dataset, image: ImageRow) -> str | None:
    try:
        path = dataset.image_path(image)
        fits = path.is_file() and fits_row(image, path)
        return file_sha256(path) if fits else None
    except OVEarthError:
        return None


def _of_instance(row: InstanceRow, was_approved: bool) -> Iterator[_Mend]:
    if row.polygons is None:
        return
    polygons, told = mended_polygons(given_polygons(row))
    if not told:
        return
    about = Mended("instance", row.id, ", ".join(told), row.target_id, was_approved)

    def apply(edit: Edit) -> bool:
        now = edit.instance(row.id or 0)
        if now.changes != row.changes:
            return False
        if now.bbox is not None or now.obb is not None:
            # The file would take a given box away, as after a person's change; given anew it stays.
            edit.update(replace(now, bbox=None, obb=None))
        is_multi = len(polygons) != 1 or now.is_multi
        extra = {key: value for key, value in now.extra.items() if key != "geometry"}
        mended = replace(now, polygons=polygons, is_multi=is_multi, segmentation=None, extra=extra)
        edit.update(mended)
        _log(edit, about)
        return True

    yield _Mend(about, apply)


def _of_query(query: QueryRow, was_approved: bool) -> Iterator[_Mend]:
    text = query.text.strip()
    if not text or text == query.text:
        return
    about = Mended("query", query.id, "spaces taken away", query.target_id, was_approved)

    def apply(edit: Edit) -> bool:
        now = edit.query(query.id)
        if now.text != query.text:
            return False
        edit.update(replace(now, text=text))
        _log(edit, about, query.id)
        return True

    yield _Mend(about, apply)


def _of_boxes(part: Part) -> Iterator[_Mend]:
    """Yield the removal of boxes that are stale; those that belong are derived afterwards."""
    if not part.boxes:
        return
    approved = {target.id for target in part.targets if goes_out(target)}
    live = replace(
        part,
        targets=tuple(t for t in part.targets if t.id in approved),
        instances=tuple(row for row in part.instances if row.target_id in approved),
        queries=(),
    )
    for box, why in wrong_boxes(live):
        about = Mended(f"{box.kind} ({box.frame}) of instance", box.instance_id, f"removed: {why}")
        yield _Mend(about, _drop_box(box.kind, box.instance_id))


def _drop_box(kind: str, instance_id: int) -> Callable[[Edit], bool]:
    def apply(edit: Edit) -> bool:
        edit.remove_boxes(kind, instance_id)
        return True

    return apply


def _log(edit: Edit, about: Mended, query_id: str | None = None) -> None:
    comment = f"{about.item} {about.id}: {about.done}"
    row = ReviewRow(None, about.target_id or 0, _ACTION, comment=comment, query_id=query_id)
    edit.add(row)


def _frames_of_boxes(dataset: Dataset) -> set[str]:
    """Return the frames that boxes are kept in; an empty layer is nobody's wish."""
    with dataset.reading() as view:
        return {box.frame for kind in ("hbb", "obb") for box in view.boxes(kind)} & set(BOX_FRAMES)
