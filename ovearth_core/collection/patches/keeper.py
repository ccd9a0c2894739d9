"""Keeps what workers made: files in their places, rows in the dataset, the rest in the report."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from ...dataset import Dataset, Edit, ImageRow, PoiRow, View
from ...errors import OVEarthError
from ...spelling import counted
from ...taxonomy import load
from ..identity import identity
from ..pois.into_dataset import category_row
from .duplicates import KnownLooks, looks_of
from .extraction import Outcome
from .place import Place
from .placeholders import Placeholders
from .refusal import DUPLICATE, FAILED, MOST_FAULTS_IN_A_ROW, Refusal, placeholder
from .report import Report

# Rows are stored together: a commit waits for the disk. A killed job loses no more than these,
# and finds their files again.
_ROWS_TOGETHER = 16
_SECONDS_TOGETHER = 1.0
# The dataset's note of placeholders, by imagery.
_NOTE = "placeholders"
_LOG = logging.getLogger("ovearth")


class Keeper:
    """Takes outcomes in their order: refuses duplicates, writes files, stores rows.

    imagery: what it is called in public. keep_duplicates: near-duplicates too. Raises OutputError
    where the disk is full.
    """

    def __init__(
        self, dataset: Dataset, report: Report, imagery: str, keep_duplicates: bool, who: str | None
    ) -> None:
        self._dataset = dataset
        self.report = report
        self._keep_duplicates = keep_duplicates
        self._who = who
        self._pois: dict[tuple[object, ...], int | None] = {}
        self._last_poi = 0
        with dataset.reading() as view:
            rows = list(view.images())
            self._know_pois(view)
            noted = view.note(_NOTE)
        # How its server is asked, after the #, makes no other tiles of them.
        self._imagery = imagery.partition("#")[0]
        self._noted: dict[str, list[str]] = noted if isinstance(noted, dict) else {}
        self.placeholders = Placeholders(self._noted.get(self._imagery, ()))
        for row in rows:
            if _imagery_of(row) == self._imagery:
                self.placeholders.recall(row.file_name, row.extra.get("tiles"))
        self._looks: KnownLooks = looks_of(dataset, rows)
        self._waiting: list[Outcome] = []
        self._since = time.monotonic()
        self._faults_in_a_row = 0
        self._is_final = False

    @property
    def is_over(self) -> bool:
        """Whether going on is no use: the source fails, by what it says or at place after place."""
        return self._is_final or self._faults_in_a_row >= MOST_FAULTS_IN_A_ROW

    def take(self, outcome: Outcome) -> None:
        """Keep a patch, or say in the report why there is none."""
        is_fault = outcome.refusal is not None and outcome.refusal.reason == FAILED
        self._faults_in_a_row = self._faults_in_a_row + 1 if is_fault else 0
        self._is_final = outcome.is_final
        has_learnt = self.placeholders.see(outcome.tiles)
        hollow = self.placeholders.share(outcome.tiles)
        if outcome.row is not None and hollow > outcome.task.most_nodata:
            outcome.task.part(self._dataset.folder).drop()
            outcome = Outcome(outcome.task, placeholder(hollow))
        if outcome.row is not None and not self._keep_duplicates:
            frame, group = outcome.row.frame(), outcome.row.location_group
            twin = self._looks.twin(frame, group, outcome.look)
            if twin is not None and twin != outcome.row.file_name:
                outcome.task.part(self._dataset.folder).drop()
                outcome = Outcome(outcome.task, Refusal(DUPLICATE, f"it looks like {twin}"))
        if outcome.row is None:
            self.report.take(outcome)
        else:
            self._write(outcome, outcome.row)
        if has_learnt:
            self._take_back(outcome.task.most_nodata)

    def _take_back(self, most_nodata: float) -> None:
        """Remove the patches of which a placeholder is known only now, and remember it."""
        self.flush()
        removed: list[str] = []
        self._noted[self._imagery] = list(self.placeholders.known)
        with self._dataset.writing(self._who) as edit:
            edit.set_note(_NOTE, self._noted)
            for file_name, share in self.placeholders.taken_in(most_nodata).items():
                row = edit.image_of_file(file_name)
                if row is None or row.id is None:
                    continue
                if next(iter(edit.targets(row.id)), None) is not None:
                    _LOG.warning("note: %s shows a placeholder, but has targets: kept", file_name)
                    continue
                edit.remove_image(row.id)
                poi = None if row.poi_id is None else edit.poi(row.poi_id)
                self.report.take_back(row, poi, placeholder(share))
                removed.append(file_name)
        # Rows first: one without its file would be lost, a file without a row is made anew.
        for file_name in removed:
            (self._dataset.folder / file_name).unlink(missing_ok=True)
        if removed:
            named = ", ".join(removed[:3]) + (", …" if len(removed) > 3 else "")
            count = counted(len(removed), "patch", "patches")
            _LOG.warning("note: %s taken back, a placeholder is known now: %s", count, named)

    def _write(self, outcome: Outcome, row: ImageRow) -> None:
        # The file first: a row without its file would count as done.
        part = outcome.task.part(self._dataset.folder)
        if outcome.content:
            part.write(outcome.content)
        part.keep()
        self._waiting.append(replace(outcome, content=b""))
        self._looks.add(row.file_name, row.frame(), row.location_group, outcome.look)
        self.placeholders.keep(row.file_name, outcome.tiles)
        late = time.monotonic() - self._since > _SECONDS_TOGETHER
        if late or len(self._waiting) >= _ROWS_TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Store the rows of the files that were written.

        Where that fails, half of the files make room for the rows of the others, again and again;
        what failed is raised all the same.
        """
        self._since = time.monotonic()
        first: OVEarthError | None = None
        while self._waiting:
            try:
                self._store_waiting()
            except OVEarthError as fault:
                first = first or fault
                kept = len(self._waiting) // 2
                for outcome in self._waiting[kept:]:
                    (self._dataset.folder / outcome.task.file_name).unlink(missing_ok=True)
                self._waiting = self._waiting[:kept]
        if first is not None:
            raise first

    def _store_waiting(self) -> None:
        with self._dataset.writing(self._who) as edit:
            if edit.last_poi() != self._last_poi:
                # Somebody else added some meanwhile, or ours were rolled back.
                self._know_pois(edit)
            self._last_poi = -1
            for outcome in self._waiting:
                self._store(edit, outcome)
            last_poi = edit.last_poi()
        # Whoever interrupts it before here has it done again.
        self._last_poi = last_poi
        stored, self._waiting = self._waiting, []
        for outcome in stored:
            self.report.take(outcome)

    def _know_pois(self, view: View) -> None:
        self._pois = {_poi_key(row): row.id for row in view.pois()}
        self._last_poi = view.last_poi()

    def _store(self, edit: Edit, outcome: Outcome) -> None:
        if outcome.row is None:
            return
        row = replace(outcome.row, poi_id=self._poi_id(edit, outcome.task.place))
        # It may have been there before without its file, or have been made by others meanwhile.
        old = edit.image_of_file(row.file_name)
        if old is None:
            edit.add(row)
        else:
            edit.update(replace(row, id=old.id))

    def _poi_id(self, edit: Edit, place: Place) -> int | None:
        """Return the dataset's id of a place, which is taken in where it is from a file."""
        if place.id is not None:
            return place.id
        row = PoiRow(
            None, place.lon, place.lat, _category_id(edit, place), place.name, "accepted",
            place.source, place.reference, dict(place.tags),
            extra={"continent": place.continent} if place.continent else {},
        )  # fmt: skip
        key = _poi_key(row)
        if key not in self._pois:
            self._pois[key] = edit.add(row).id
        return self._pois[key]


def _category_id(edit: Edit, place: Place) -> int | None:
    """Return the dataset's id of a place's category, taken in where only the taxonomy has it."""
    known = None
    if place.category_id is None and place.category is not None:
        known = load().known(place.category)
    if known is None:
        return place.category_id
    slug = next((row.slug for row in edit.categories() if row.id == known.number), None)
    if slug is None:
        edit.add(category_row(known))
    return known.number if slug in (None, known.id) else None


def _imagery_of(row: ImageRow) -> str | None:
    history = row.extra.get("patch")
    text = history.get("imagery") if isinstance(history, dict) else None
    return text.partition("#")[0] if isinstance(text, str) else None


def _poi_key(row: PoiRow) -> tuple[object, ...]:
    return (identity(row.source_id, row.lon, row.lat, row.name), row.category_id)
