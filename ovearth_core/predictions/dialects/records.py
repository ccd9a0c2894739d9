"""Dialects of numbers: JSON Lines whose records hold boxes, scores and phrases as lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...entry import Entry, are_numbers, describe
from ...errors import InputError, OVEarthError
from .answer import Answer, empty_answer
from .dialect import Reader
from .entries import LINES, entries
from .reading import Reading
from .text import kept_fields

Floats = NDArray[np.float64]

SCORES = ("scores", "logits", "confidences", "confidence", "pred_scores")
LABELS = ("labels", "phrases", "texts", "class_names", "pred_phrases")
# As mmdet 2 and mmrotate 0 name rows that end with their box's score.
SCORED = ("det_bboxes", "dets")
_NESTED = "pred_instances"
BROKEN_BOXES = "boxes that are malformed"


def first_of(entry: Entry, keys: Sequence[str]) -> tuple[str, Any]:
    """Return the key of a record and its value, of the first of `keys` that is there.

    InputError where none is, which is not the same as null or an empty list: nothing was found.
    """
    for key in keys:
        if key in entry.fields:
            return key, entry.fields[key]
    listed = " or ".join(map(repr, keys[:3]))
    raise entry.fail(f"{listed} is missing", "add it, [] for an answer that nothing is there")


def listed(entry: Entry, key: str, value: Any) -> list[Any]:
    """Return a value that must be a list, null being an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise entry.fail(f"'{key}' is {describe(value)}, not a list", "write a list")
    return value


def optional_list(entry: Entry, keys: Sequence[str], count: int) -> list[Any] | None:
    """Return the list under the first of `keys` that is there, as long as `count`; None else."""
    for key in keys:
        value = entry.fields.get(key)
        if value is None:
            continue
        found = listed(entry, key, value)
        if len(found) != count:
            what = f"{len(found)} {key} for {count} boxes"
            raise entry.fail(what, "give one for each box")
        return found
    return None


def box_reader(
    box_keys: Sequence[str],
    numbers_a_box: int,
    kind: str,
    place: Callable[..., Floats],
) -> Reader:
    """Return the reader of JSON Lines with boxes as rows of numbers, scores and labels beside.

    kind: "hbb", or "obb", whose envelopes are horizontal boxes too. place(row, image=, reading=):
    the box (4,) or corners (4, 2) in pixels of a row; it raises InputError or GeometryError,
    without a place, for a row that is none.
    """
    known = ("query_id", *box_keys, *SCORED, *SCORES, *LABELS)

    def read(source: Path, reading: Reading) -> Iterator[Answer]:
        for number, query_id, entry in entries(source, reading):
            image = reading.image(query_id)
            if image is None:
                yield empty_answer(query_id, number, "hbb", kind)
                continue
            try:
                flat = _unnested(entry)
                rows = _Rows(flat, box_keys, numbers_a_box)
            except InputError as fault:
                reading.refuse(fault, LINES)
                continue
            kept, boxes = rows.placed(partial(place, image=image, reading=reading), reading)
            hbb, obb = stacked_boxes(boxes, kind)
            yield Answer(
                query_id,
                number,
                frozenset({"hbb", kind}),
                hbb=hbb,
                obb=obb,
                scores=() if rows.scores is None else [float(rows.scores[k]) for k in kept],
                labels=() if rows.labels is None else [_label(rows.labels[k]) for k in kept],
                attributes=kept_fields(flat, known),
            )

    return read


def _unnested(entry: Entry) -> Entry:
    """Return a record with the lists that mmdet's data samples have within `pred_instances`."""
    inner = entry.mapping(_NESTED)
    if inner is None:
        return entry
    doubled = next((key for key in inner if key in entry.fields), None)
    if doubled is not None:
        raise entry.fail(f"{doubled!r} stands inside and outside of '{_NESTED}'", "keep one")
    outer = {key: value for key, value in entry.fields.items() if key != _NESTED}
    return Entry({**outer, **inner}, entry.where)


class _Rows:
    """The rows of one record, with as many scores and labels, where it has them."""

    def __init__(self, entry: Entry, box_keys: Sequence[str], numbers_a_box: int) -> None:
        self.entry = entry
        self.count = numbers_a_box
        key, value = first_of(entry, (*box_keys, *SCORED))
        self.rows = listed(entry, key, value)
        self.scores = optional_list(entry, SCORES, len(self.rows))
        if key in SCORED:
            if self.scores is not None:
                raise entry.fail(f"scores beside those in {key!r}", "keep one of the two")
            self._split_scores(entry, key)
        self.labels = optional_list(entry, LABELS, len(self.rows))

    def _split_scores(self, entry: Entry, key: str) -> None:
        """Take the last number of each row as its score."""
        length = self.count + 1
        for row in self.rows:
            if not isinstance(row, list) or len(row) != length:
                what = f"{describe(row)} is not {length} numbers, the last of them a score"
                raise entry.fail(f"'{key}': {what}", "write a row a box")
        self.scores = [row[-1] for row in self.rows]
        self.rows = [row[:-1] for row in self.rows]

    def placed(
        self, place: Callable[[Floats], Floats], reading: Reading
    ) -> tuple[list[int], list[Floats]]:
        """Return which rows are whole, and what they are in pixels."""
        kept, boxes = [], []
        for k, row in enumerate(self.rows):
            try:
                found = place(_row(row, self.count))
                if self.scores is not None:
                    check_score(self.scores[k])
            except OVEarthError as fault:
                where = f"{self.entry.where}, box {k + 1}"
                reading.refuse(InputError(fault.what, where, fault.mend), BROKEN_BOXES)
                continue
            kept.append(k)
            boxes.append(found)
        return kept, boxes


def stacked_boxes(boxes: Sequence[Floats], kind: str) -> tuple[Floats, Floats | None]:
    """Return boxes as (N, 4) and, of corners, (N, 4, 2): those are their horizontal envelopes."""
    if kind == "hbb":
        return np.array(boxes, np.float64).reshape(-1, 4), None
    quads = np.array(boxes, np.float64).reshape(-1, 4, 2)
    return np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1), quads


def check_score(value: Any) -> float:
    """Return a score; InputError for what is no finite number."""
    if type(value) not in (int, float) or not abs(value) <= 1e15:
        raise InputError(f"a score is {describe(value)}", mend="write a number")
    return float(value)


def upright(corners: Floats) -> Floats:
    """Return the box (4,) of xmin, ymin, xmax, ymax; InputError for reversed corners."""
    if corners[2] < corners[0] or corners[3] < corners[1]:
        what = "a reversed box " + ", ".join(f"{number:g}" for number in corners)
        raise InputError(what, mend="write xmin, ymin, xmax, ymax")
    return corners


def _row(row: Any, count: int) -> Floats:
    flat = row
    if isinstance(row, list) and row and all(isinstance(part, list) for part in row):
        flat = [number for part in row for number in part]
    if not isinstance(flat, list) or len(flat) != count or not are_numbers(flat):
        raise InputError(f"{describe(row)} is not {count} numbers", mend="write a row a box")
    try:
        numbers = np.array(flat, np.float64)
    except OverflowError:
        numbers = np.full(count, np.inf)
    if not (np.abs(numbers) <= 1e15).all():
        raise InputError("a number that is not finite", mend="write finite numbers")
    return numbers


def _label(value: Any) -> str | None:
    return value if isinstance(value, str) else None if value is None else str(value)
