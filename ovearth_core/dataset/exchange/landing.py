"""Rows of one import, written in many short transactions, and taken back if it doesn't end.

While an import lasts, the dataset notes in the same transactions which rows are its own. One that
was killed leaves these notes; the next import takes those rows back first.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from ...errors import InputError
from ..edit import Edit
from ..rows import CategoryRow, ImageRow, InstanceRow, QueryRow, TargetRow
from ..store import Dataset
from ..view import View

Row = CategoryRow | ImageRow | TargetRow | InstanceRow | QueryRow
Step = Callable[[Edit], Iterable[Row]]
Ranges = dict[str, list[list[int]]]

# As `Dataset.write_all` does: QGIS can commit in between. Of a dataset that nobody else has yet,
# longer transactions are cheaper: each commit waits for the disk.
_BUDGET_S, _BREATH_S, _AHEAD = 0.03, 0.002, 100
_ALONE_BUDGET_S, _ALONE_AHEAD = 2.0, 2000
_NOTE = "import"
# So many ranges of ids in one note; with ids in odd orders there are many.
_MOST_RANGES = 400
_NAMES = {
    CategoryRow: "categories",
    ImageRow: "images",
    TargetRow: "targets",
    InstanceRow: "instances",
    QueryRow: "queries",
}


class Landing:
    """Writes the rows of one import.

    source: what is imported, for the note of it. is_alone: nobody else can have the dataset yet.
    """

    def __init__(
        self, dataset: Dataset, source: str, who: str | None, *, is_alone: bool = False
    ) -> None:
        self._dataset = dataset
        self._source = source
        self._who = who
        self._budget_s = _ALONE_BUDGET_S if is_alone else _BUDGET_S
        self._ahead = _ALONE_AHEAD if is_alone else _AHEAD
        self._blocks = 0
        self._ranges: Ranges = {}
        self.counts: Counter[str] = Counter()

    def write(self, steps: Iterable[Step], notes: Callable[[], Mapping[str, Any]] = dict) -> None:
        """Take all steps, each of which adds rows and returns them; all of them, or none.

        notes: what is to be kept with the dataset when the last one is taken.
        """
        source = iter(steps)
        waiting = deque(islice(source, self._ahead))
        try:
            while waiting:
                self._write_some(waiting)
                # Reading and preparing may be slow: not while the file is held.
                waiting.extend(islice(source, self._ahead - len(waiting)))
                time.sleep(_BREATH_S)
            with self._dataset.writing(self._who) as edit:
                for key, value in notes().items():
                    edit.set_note(key, value)
                _forget(edit, self._blocks + 1)
        except BaseException:
            take_back(self._dataset, self._who)
            raise

    def _write_some(self, waiting: deque[Step]) -> None:
        with self._dataset.writing(self._who) as edit:
            end = time.monotonic() + self._budget_s
            while waiting and time.monotonic() < end:
                for row in waiting.popleft()(edit):
                    self._note(row)
            self._keep_notes(edit)

    def _note(self, row: Row) -> None:
        name = _NAMES[type(row)]
        self.counts[name] += 1
        if isinstance(row, QueryRow) or row.id is None:
            return  # queries go with their targets
        ranges = self._ranges.setdefault(name, [])
        if ranges and ranges[-1][1] + 1 == row.id:
            ranges[-1][1] = row.id
        else:
            ranges.append([row.id, row.id])

    def _keep_notes(self, edit: Edit) -> None:
        edit.set_note(_block(self._blocks), self._ranges)
        edit.set_note(_NOTE, {"source": self._source, "blocks": self._blocks + 1})
        if sum(map(len, self._ranges.values())) > _MOST_RANGES:
            self._blocks += 1
            self._ranges = {}


def unfinished(view: View) -> str | None:
    """Return the source of an import that was cut off, None where there is none."""
    note = view.note(_NOTE)
    return None if note is None else str(note["source"])


def take_back(dataset: Dataset, who: str | None = None) -> str | None:
    """Remove what an import that was cut off has left, and return its source, None without one.

    An instance whose polygon somebody has changed since stays, and what it hangs on.
    """
    with dataset.reading() as view:
        note = view.note(_NOTE)
        blocks = [view.note(_block(n)) or {} for n in range(note["blocks"])] if note else []
    if note is None:
        return None
    for name, remove in _REMOVALS:
        ids = (n for block in blocks for low, high in block.get(name, [])
               for n in range(low, high + 1))  # fmt: skip
        dataset.write_all(ids, remove, who)
    with dataset.writing(who) as edit:
        _forget(edit, len(blocks))
    return str(note["source"])


def _forget(edit: Edit, blocks: int) -> None:
    for number in range(blocks):
        edit.set_note(_block(number), None)
    edit.set_note(_NOTE, None)


def _block(number: int) -> str:
    return f"{_NOTE}:{number}"


def _remove_instance(edit: Edit, instance_id: int) -> None:
    try:
        changes = edit.instance(instance_id).changes
    except InputError:
        return  # taken away already
    if not changes:
        edit.remove_instance(instance_id)


def _remove_target(edit: Edit, target_id: int) -> None:
    try:
        edit.target(target_id)
    except InputError:
        return
    if next(edit.instances(target_id=target_id), None) is None:
        edit.remove_target(target_id)


def _remove_image(edit: Edit, image_id: int) -> None:
    try:
        edit.image(image_id)
    except InputError:
        return
    if next(edit.targets(image_id=image_id), None) is None:
        edit.remove_image(image_id)


def _remove_category(edit: Edit, category_id: int) -> None:
    try:
        edit.category(category_id)
    except InputError:
        return
    if next(edit.targets(category_id=category_id), None) is None:
        edit.remove_category(category_id)


# What hangs on something goes before it.
_REMOVALS = (
    ("instances", _remove_instance),
    ("targets", _remove_target),
    ("images", _remove_image),
    ("categories", _remove_category),
)
