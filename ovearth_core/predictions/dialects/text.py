"""Dialects of text: JSON Lines with the model's raw answer, from which boxes and polygons come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...entry import Entry
from ...errors import InputError, OVEarthError
from ...geometry import Polygon, Runs
from ...geometry.rings import ring_from_positions
from .answer import Answer, empty_answer
from .dialect import Dialect, Reader
from .entries import entries
from .grid import Grid, Size
from .items import BOX, BROKEN, LEFT_OUT, PICTURE, POINT, POLYGON, Item, Scan
from .likeness import looks_like
from .picture_mask import mask_in_box
from .reading import PARTLY_SCORED, POINTS, Reading
from .united_masks import united

Floats = NDArray[np.float64]

_BROKEN = "broken or cut-off boxes"
NOT_UNDERSTOOD = "answers in which no box was understood"
_KNOWN = ("query_id", "text", "input_size", "task")


def text_dialect(
    name: str,
    families: tuple[str, ...],
    scan: Scan,
    grid: Grid,
    reads: str,
    source: str,
    scan_masks: Scan | None = None,
) -> Dialect:
    """Return a dialect whose answers are text: `scan` finds the numbers, `grid` places them.

    scan_masks: finds them where the record's task, or --modality mask, says that they are outlines.
    """
    of_size = ("input_size",) if grid.needs_input_size else ()
    options = (*of_size, *(() if scan_masks is None else ("modality",)))
    reader = text_reader(scan, grid, name, scan_masks)
    return Dialect(name, families, "text", reads, source, reader, options)


def text_reader(scan: Scan, grid: Grid, name: str, scan_masks: Scan | None = None) -> Reader:
    """Return the reader of JSON Lines `{"query_id", "text", "input_size", "task"}`; name: its."""

    def read(source: Path, reading: Reading) -> Iterator[Answer]:
        for number, query_id, entry in entries(source, reading):
            image = reading.image(query_id)
            if image is None:
                yield empty_answer(query_id, number, "hbb")
                continue
            try:
                text = answer_text(entry)
                seen = _seen(entry, reading) if grid.needs_input_size else None
            except InputError as fault:
                reading.refuse(fault, "records that are malformed")
                continue
            found = Found(grid, image, seen)
            by = scan_masks if scan_masks is not None and _is_of_masks(entry, reading) else scan
            items = list(by(text))
            if not items:
                refuse_other_syntax(text, name, entry, reading)
            found.take_all(items, reading, entry.where)
            found.tell_of_scores(reading)
            yield found.answer(query_id, number, kept_fields(entry, _KNOWN))

    return read


def refuse_other_syntax(text: str, name: str, entry: Entry, reading: Reading) -> None:
    """Refuse, or count, an answer in which the dialect `name` finds nothing, and another would."""
    like = looks_like(text, name)
    if like is not None:
        what = f"no box of {name} in it, but it looks like {like}"
        reading.refuse(entry.fail(what, "name the dialect that the model speaks"), NOT_UNDERSTOOD)


def _is_of_masks(entry: Entry, reading: Reading) -> bool:
    task = entry.fields.get("task")
    is_said = isinstance(task, str) and "segmentation" in task.lower()
    return is_said or reading.options.modality == "mask"


def answer_text(entry: Entry) -> str:
    """Return the raw answer of a record; InputError where there is none."""
    if "text" not in entry.fields:
        raise entry.fail("'text' is missing", "write the model's raw answer there")
    value = entry.fields["text"]
    return "" if value is None else entry.text("text")


def kept_fields(entry: Entry, known: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the fields of a record that a dialect has no use for: they are kept."""
    return {key: value for key, value in entry.fields.items() if key not in known}


def _seen(entry: Entry, reading: Reading) -> Size:
    """Return the width and height of the image as the model saw it."""
    given = entry.optional_numbers("input_size", 2)
    if given is None:
        if reading.options.input_size is None:
            mend = "say the width and height of the image as the model saw it, or --input-size"
            raise entry.fail("'input_size' is missing", mend)
        return reading.options.input_size
    if min(given) < 1 or any(number != int(number) for number in given):
        raise entry.fail(f"'input_size' is {list(given)}", "write width and height in pixels")
    return int(given[0]), int(given[1])


class Found:
    """What has been found in one answer."""

    def __init__(self, grid: Grid, image: Image, seen: Size | None) -> None:
        self.grid = grid
        self.image = image
        self.size = (image.width, image.height)
        self.seen = seen
        self.boxes: list[Floats] = []
        self.masks: list[Runs | list[Polygon]] = []
        self.scores: list[float | None] = []
        self.labels: list[str | None] = []
        self.extra: list[Mapping[str, Any]] = []
        # Where the box of a group is, and of which groups the text gives it.
        self.groups: dict[int, int] = {}
        self.given: set[int] = set()

    def take_all(self, items: Sequence[Item], reading: Reading, where: str) -> None:
        """Add all items of an answer; those that are malformed are errors, or counted."""
        boxes = None
        if all(item.kind == BOX and item.group is None for item in items):
            # What is malformed is named or counted below, where it is met again.
            with suppress(InputError):
                boxes = self.grid.boxes([item.numbers for item in items], self.size, self.seen)
        if boxes is None:
            for item in items:
                self.take_or_refuse(item, reading, where)
            return
        self.boxes += list(boxes)
        self.scores += [item.score for item in items]
        self.labels += [item.label for item in items]
        self.extra += [item.attributes for item in items]

    def take_or_refuse(self, item: Item, reading: Reading, where: str) -> None:
        """Add an item; one that is malformed is an error at its place, or counted."""
        try:
            self._take(item, reading)
        except OVEarthError as fault:
            place = f"{where}, character {item.at + 1}"
            reading.refuse(InputError(fault.what, place, fault.mend), _BROKEN)

    def _take(self, item: Item, reading: Reading) -> None:
        """Add an item; InputError or GeometryError, without a place, for a malformed one."""
        if item.kind == BROKEN:
            raise InputError(item.what, mend="mend it, or keep what is whole: --lenient")
        if item.kind == LEFT_OUT:
            reading.left_out[item.what] += 1
        elif item.kind == POINT:
            self.grid.positions(item.numbers, self.size, self.seen)
            reading.left_out[POINTS] += 1
        elif item.kind == BOX:
            box = self.grid.box(item.numbers, self.size, self.seen)
            if item.group is not None:
                self.groups[item.group] = len(self.boxes)
                self.given.add(item.group)
            self._add(box, item)
        elif item.kind == POLYGON:
            self._take_polygon(item)
        elif item.kind == PICTURE and item.group in self.given:
            # Else its box was refused already.
            box = self.grid.box(item.numbers, self.size, self.seen)
            mask = mask_in_box(item.what, box, self.size)
            self.masks.append(Runs.empty(*self.size[::-1]) if mask is None else mask)

    def answer(self, query_id: str, number: int, attributes: Mapping[str, Any]) -> Answer:
        """Return all of it as one answer."""
        scores = [score for score in self.scores if score is not None]
        extra = self._extra()
        if any(extra):
            key = "objects" if "objects" not in attributes else "objects of the answer"
            attributes = {**attributes, key: extra}
        return Answer(
            query_id,
            number,
            frozenset({"hbb", "mask"} if self.masks else {"hbb"}),
            united(self.masks, self.image),
            np.array(self.boxes, np.float64).reshape(-1, 4),
            scores=() if self._are_partly_scored() else scores,
            labels=self.labels,
            attributes=attributes,
        )

    def tell_of_scores(self, reading: Reading) -> None:
        """Warn where some boxes have no score: a run's are one a box, or none."""
        if self._are_partly_scored():
            reading.warnings[PARTLY_SCORED] += 1

    def _are_partly_scored(self) -> bool:
        return None in self.scores and any(score is not None for score in self.scores)

    def _extra(self) -> list[dict[str, Any]]:
        """Return what else is said of each box, its score too where it can't stand with others."""
        are_partly = self._are_partly_scored()
        return [
            {**extra, "score": score} if are_partly and score is not None else dict(extra)
            for extra, score in zip(self.extra, self.scores, strict=True)
        ]

    def _take_polygon(self, item: Item) -> None:
        ring = ring_from_positions(self.grid.positions(item.numbers, self.size, self.seen))
        box = np.concatenate([ring.min(axis=0), ring.max(axis=0)])
        self.masks.append([[ring]])
        place = None if item.group is None else self.groups.get(item.group)
        if place is None:
            if item.group is not None:
                self.groups[item.group] = len(self.boxes)
            self._add(box, item)
            return
        if item.group in self.given:
            return
        whole = self.boxes[place]
        whole[:2] = np.minimum(whole[:2], box[:2])
        whole[2:] = np.maximum(whole[2:], box[2:])

    def _add(self, box: Floats, item: Item) -> None:
        self.boxes.append(box)
        self.scores.append(item.score)
        self.labels.append(item.label)
        self.extra.append(item.attributes)
