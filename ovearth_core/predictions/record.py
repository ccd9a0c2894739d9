"""One answer of a run: what a model gave for one query, checked but not yet placed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..entry import FARTHEST, Entry, are_numbers, describe
from ..errors import GeometryError, InputError
from ..geometry import check_boxes, check_quads, finite_quads

_KEYS = ("query_id", "mask", "hbb", "obb", "scores")
# What a converted run keeps of an answer besides: see dialects/answer.py.
KEPT = ("labels", "attributes")
_KEY_SET = frozenset((*_KEYS, *KEPT))
_LISTS = ("hbb", "obb", "scores")
# What other tools call these; taken silently for an unknown field they would score as empty.
_ALIASES = {
    **dict.fromkeys(("bbox", "bboxes", "box", "boxes"), "hbb"),
    **dict.fromkeys(("quads", "rbox", "rboxes", "obbs"), "obb"),
    **dict.fromkeys(("segmentation", "rle", "polygon", "polygons"), "mask"),
    **dict.fromkeys(("confidence", "confidences"), "scores"),
}
# Fields of their own that only look like ours.
_INNOCENT = ("task", "score", "text")
_ALIKE = 0.75

Floats = NDArray[np.float64]


class Record(NamedTuple):
    """A run's answer to one query, coordinates as given.

    `mask`: the JSON value (an RLE, a list of them, {"polygons"}, {"file"}), or None. `hbb`: (N, 4),
    `obb`: (N, 4, 2), or None where absent or null. `scores`, `obb_scores`: (N,) of the one and the
    other, None where they have none. `given`: the modalities whose key occurs, null or not.
    `line`: where the run's file has it, see `Predictions.where`.
    """

    query_id: str
    line: int
    given: frozenset[str]
    mask: Any = None
    hbb: Floats | None = None
    obb: Floats | None = None
    scores: Floats | None = None
    obb_scores: Floats | None = None


_GIVEN = {
    (mask, hbb, obb): frozenset(
        name for name, is_in in (("mask", mask), ("hbb", hbb), ("obb", obb)) if is_in
    )
    for mask in (False, True)
    for hbb in (False, True)
    for obb in (False, True)
}


def parse_record(entry: Entry, line: int, in_map: bool = False) -> Record:
    """Read one record; raises InputError for anything that is not as `formats.md` says.

    `in_map`: whether sides of oriented boxes cross is asked later, in pixels.
    """
    fields = entry.fields
    query_id = entry.text("query_id")
    entry.where = f"{entry.where}, query {query_id}"
    for key in fields:
        if key not in _KEY_SET:
            _refuse_near_miss(entry, key)
    try:
        hbb = _list(entry, "hbb")
        obb = _list(entry, "obb")
        scores = _scores(entry)
        record = Record(
            query_id,
            line,
            _GIVEN["mask" in fields, "hbb" in fields, "obb" in fields],
            _mask(entry),
            None if hbb is None else check_boxes(hbb),
            None if obb is None else (finite_quads if in_map else check_quads)(obb),
            scores,
            scores,
        )
    except GeometryError as fault:
        raise InputError(fault.what, entry.where, fault.mend) from None
    _check_parallel(entry, record)
    return record


def joint_records(
    lines: Sequence[int], objects: Sequence[dict[str, Any]], in_map: bool
) -> list[Record] | None:
    """Return what parse_record returns for each object, their boxes looked at together.

    None where anything is out of the ordinary: parse_record then has the words for it.
    """
    if not all(map(_is_ordinary, objects)):
        return None
    try:
        hbb = _apart([fields.get("hbb") for fields in objects], check_boxes)
        obb = _apart(
            [fields.get("obb") for fields in objects], finite_quads if in_map else check_quads
        )
        scores = _apart([fields.get("scores") for fields in objects], _score_column)
    except GeometryError:
        return None
    records = [
        Record(
            fields["query_id"],
            line,
            _GIVEN["mask" in fields, "hbb" in fields, "obb" in fields],
            fields.get("mask"),
            *parallel,
        )
        for line, fields, *parallel in zip(lines, objects, hbb, obb, scores, scores, strict=True)
    ]
    return records if all(map(_is_parallel, records)) else None


def _is_parallel(record: Record) -> bool:
    if record.scores is None and (record.hbb is None or record.obb is None):
        return True
    return len(set(_counts(record).values())) < 2


def _is_ordinary(fields: dict[str, Any]) -> bool:
    return (
        fields.keys() <= _KEY_SET
        and type(fields.get("query_id")) is str
        and isinstance(fields.get("mask"), (dict, list, NoneType))
        and all(isinstance(fields.get(key), (list, NoneType)) for key in _LISTS)
    )


def _apart(
    lists: Sequence[list[Any] | None], check: Callable[[list[Any]], Floats]
) -> Sequence[Floats | None]:
    """Return each list as the rows that `check` makes of them, all looked at in one go."""
    if not any(lists):
        return [None if rows is None else check(rows) for rows in lists]
    table = check([row for rows in lists if rows for row in rows])
    found: list[Floats | None] = []
    first = 0
    for rows in lists:
        if rows is None:
            found.append(None)
            continue
        found.append(table[first : first + len(rows)])
        first += len(rows)
    return found


def _list(entry: Entry, key: str) -> list[Any] | None:
    value = entry.fields.get(key)
    if value is None or isinstance(value, list):
        return value
    raise entry.fail(f"'{key}' is {describe(value)}, not a list", "write a list of boxes or null")


def _mask(entry: Entry) -> Any:
    value = entry.fields.get("mask")
    if value is None or isinstance(value, (dict, list)):
        return value
    raise entry.fail(
        f"'mask' is {describe(value)}",
        'write an RLE, a list of them, {"polygons": …}, {"file": …} or null',
    )


def _scores(entry: Entry) -> Floats | None:
    value = entry.fields.get("scores")
    if value is None:
        return None
    if not isinstance(value, list):
        raise entry.fail(f"'scores' is {describe(value)}, not a list", "write one score per box")
    return np.array(entry.numbers("scores", value), dtype=np.float64)


def _score_column(values: list[Any]) -> Floats:
    column = np.array(values, dtype=np.float64) if are_numbers(values) else np.full(1, np.nan)
    if not (np.abs(column) <= FARTHEST).all():
        raise GeometryError("a score is no number")
    return column


def _check_parallel(entry: Entry, record: Record) -> None:
    """Refuse lists of boxes and scores whose lengths disagree; an empty list is no boxes."""
    counts = _counts(record)
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise entry.fail(f"lists of different length ({listed})", "give one score per box")


def _counts(record: Record) -> dict[str, int]:
    """Return the lengths that must agree, by name."""
    counts = {
        name: len(boxes)
        for name, boxes in (("hbb", record.hbb), ("obb", record.obb))
        if boxes is not None and len(boxes)
    }
    has_boxes = record.hbb is not None or record.obb is not None
    if record.scores is not None and has_boxes:
        counts = counts or {"boxes": 0}
        counts["scores"] = len(record.scores)
    return counts


def _refuse_near_miss(entry: Entry, key: str) -> None:
    near = meant_of_record(key)
    if near is not None and near not in entry.fields:
        raise entry.fail(f"unknown key {key!r}", f"did you mean {near!r}?")


def meant_of_record(key: str) -> str | None:
    """Return the key of a record that an unknown one was probably meant to be, or None."""
    if key.lower() in _INNOCENT:
        return None
    found = difflib.get_close_matches(key.lower(), _KEYS, n=1, cutoff=_ALIKE)
    return _ALIASES.get(key.lower(), found[0] if found else None)
