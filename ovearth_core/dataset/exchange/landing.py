"""Rows of one import, written into a dataset in many short transactions: all of them, or none.

They wait in a file beside the dataset until all are found good. While they land, the dataset
notes in the same transactions how far they are and which rows are theirs. What a killed import
leaves is so finished by whoever opens the dataset next (see `unfinished`).
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from ...errors import InputError, OVEarthError
from ..edit import Edit
from ..rows import CategoryRow, ImageRow, InstanceRow, QueryRow, TargetRow
from ..store import Dataset
from .arrivals import Arrival, Ending, Row, Staged, clear, stage
from .imported import IMPORTED_NOTE
from .taking_back import IMPORT_NOTE, Ranges, block_note, forget, take_back

# As `Dataset.write_all` does: QGIS can commit in between. Of a dataset that nobody else has yet,
# longer transactions are cheaper: each commit waits for the disk.
_BUDGET_S, _BREATH_S, _AHEAD = 0.03, 0.002, 100
_ALONE_BUDGET_S, _ALONE_AHEAD = 2.0, 2000
# So many ranges of ids in one note; with ids in odd orders there are many.
_MOST_RANGES = 400
_NAMES = {
    CategoryRow: "categories",
    ImageRow: "images",
    TargetRow: "targets",
    InstanceRow: "instances",
    QueryRow: "queries",
}
_BARE_NOTE = "bare images"


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
        self._is_alone = is_alone
        self._budget_s = _ALONE_BUDGET_S if is_alone else _BUDGET_S
        self._ahead = _ALONE_AHEAD if is_alone else _AHEAD
        self._key: str | None = None
        self._done = self._blocks = 0
        self._ranges: Ranges = {}
        self.counts: Counter[str] = Counter()

    def write(self, arrivals: Iterable[Arrival], ending: Callable[[], Ending]) -> None:
        """Take all arrivals; all of them, or none.

        ending: what is to be kept with the dataset; asked for when the last one is read.
        """
        if self._is_alone:
            self._land(iter(arrivals), ending)
            return
        try:
            staged = stage(self._dataset.folder, arrivals, ending)
            self._key = staged.key
            self._land_or_take_back(staged.arrivals(), staged.ending)
        finally:
            clear(self._dataset.folder)

    def carry_on(self, staged: Staged, note: Mapping[str, Any]) -> None:
        """Take the arrivals that a killed import didn't come to; `note` is what it left."""
        self._key = staged.key
        self._done, self._blocks = int(note["done"]), int(note["blocks"])
        self._land_or_take_back(staged.arrivals(self._done), staged.ending)

    def _land_or_take_back(self, arrivals: Iterator[Arrival], ending: Ending) -> None:
        try:
            self._land(arrivals, lambda: ending)
        except BaseException:
            # What can't be taken back now, the next one to open the dataset takes back.
            with suppress(OVEarthError):
                take_back(self._dataset, self._who)
            raise

    def _land(self, arrivals: Iterator[Arrival], ending: Callable[[], Ending]) -> None:
        waiting = deque(islice(arrivals, self._ahead))
        while waiting:
            self._write_some(waiting)
            # Reading and preparing may be slow: not while the file is held.
            waiting.extend(islice(arrivals, self._ahead - len(waiting)))
            if waiting:
                time.sleep(_BREATH_S)
        with self._dataset.writing(self._who) as edit:
            _end(edit, ending())
            forget(edit, self._blocks + 1)

    def _write_some(self, waiting: deque[Arrival]) -> None:
        with self._dataset.writing(self._who) as edit:
            end = time.monotonic() + self._budget_s
            while waiting and time.monotonic() < end:
                for row in _LAND[waiting[0].how](edit, waiting.popleft()):
                    self._note(row)
                self._done += 1
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
        edit.set_note(block_note(self._blocks), self._ranges)
        note = {
            "source": self._source, "who": self._who, "blocks": self._blocks + 1,
            "rows": self._key, "done": self._done,
        }  # fmt: skip
        edit.set_note(IMPORT_NOTE, note)
        if sum(map(len, self._ranges.values())) > _MOST_RANGES:
            self._blocks += 1
            self._ranges = {}


def _end(edit: Edit, ending: Ending) -> None:
    for key, value in ending.notes.items():
        edit.set_note(key, value)
    rows = (edit.image_of_file(name) for name in ending.bare)
    bare = [row.id for row in rows if row is not None]
    if bare:
        edit.set_note(_BARE_NOTE, (edit.note(_BARE_NOTE) or []) + bare)
    if ending.imported is not None:
        edit.set_note(IMPORTED_NOTE, [*(edit.note(IMPORTED_NOTE) or []), dict(ending.imported)])


def _land_row(edit: Edit, arrival: Arrival) -> Iterable[Row]:
    row: Any = arrival.row
    made: Row = edit.add(row, arrival.geometry)
    return (made,)


def _land_image(edit: Edit, arrival: Arrival) -> Iterable[Row]:
    row = arrival.row
    if not isinstance(row, ImageRow) or edit.image_of_file(row.file_name) is not None:
        return ()
    if row.id is not None and _is_taken(edit.image, row.id):
        row = replace(row, id=None)
    return (edit.add(row),)


def _land_label(edit: Edit, arrival: Arrival) -> Iterable[Row]:
    image = edit.image_of_file(arrival.image or "")
    if image is None or not isinstance(arrival.row, InstanceRow):
        raise InputError("the image is no longer there", arrival.image or "", "import it again")
    found = {target.id for target in edit.targets(image.id, arrival.category_id)}
    target = _target(edit, image.id or 0, arrival.category_id or 0, arrival.row.target_id)
    row = replace(arrival.row, target_id=target.id or 0)
    if row.id is not None and _is_taken(edit.instance, row.id):
        row = replace(row, id=None)
    made = edit.add(row, arrival.geometry)
    return (made,) if target.id in found else (target, made)


def _target(edit: Edit, image_id: int, category_id: int, wanted: int) -> TargetRow:
    """Return the target that a label joins; a new one has the id that is wanted, if it is free."""
    is_new = next(edit.targets(image_id, category_id), None) is None
    if is_new and wanted and not _is_taken(edit.target, wanted):
        return edit.add(TargetRow(wanted, image_id, category_id))
    # Whoever imports it didn't draw it: it has no annotator yet.
    return edit.open_target(image_id, category_id, is_drawn=False)


def _is_taken(row_of: Callable[[int], object], row_id: int) -> bool:
    try:
        row_of(row_id)
    except InputError:
        return False
    return True


_LAND: dict[str, Callable[[Edit, Arrival], Iterable[Row]]] = {
    "row": _land_row,
    "image": _land_image,
    "label": _land_label,
}
