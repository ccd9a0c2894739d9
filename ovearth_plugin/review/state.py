"""What Review is at: who, which part of the queue, which sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from qgis.core import QgsExpressionContextUtils, QgsProject
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.dataset.review import (
    ANNOTATOR,
    Choice,
    Entry,
    Person,
    Sample,
    next_entry,
    read_sample,
    worklist,
)
from ...ovearth_core.errors import UsageError
from ..messages import Messages
from ..open_dataset import OpenDataset
from ..settings import person, store, store_person, stored
from ..tasks import failure_of
from .desk import Desk

if TYPE_CHECKING:
    from ...ovearth_core.dataset import CategoryRow

_ROLE = "role"
_NOBODY = "somebody"


class ReviewState(QObject):
    """One place that all of the panel's widgets read from and write to.

    person_changed: name or role. queue_changed: the entries, or what they are chosen by.
    sample_changed: another sample, or none. sample_renewed: the same one, read anew.
    """

    person_changed = pyqtSignal()
    queue_changed = pyqtSignal()
    sample_changed = pyqtSignal()
    sample_renewed = pyqtSignal()
    category_changed = pyqtSignal()

    def __init__(self, shared: OpenDataset, desk: Desk, messages: Messages) -> None:
        super().__init__()
        self.shared = shared
        self.desk = desk
        self._messages = messages
        self.person = _stored_person()
        self.choice = Choice()
        self.entries: list[Entry] = []
        self.sample: Sample | None = None
        # Of what is drawn next, where the sample has no target to draw on yet.
        self.category: CategoryRow | None = None
        # Asked before another sample comes up: what is drawn here may not be saved yet.
        self.may_leave: Callable[[], bool] = lambda: True
        shared.opened.connect(self._opened)
        shared.closed.connect(self._closed)
        shared.changed.connect(self._written)

    @property
    def key(self) -> tuple[int, int] | None:
        """Where the sample stands in the queue."""
        if self.sample is None:
            return None
        target = self.sample.target
        return self.sample.image.id or 0, 0 if target is None else target.id or 0

    def be(self, name: str, role: str) -> None:
        """Say who is at work; a name that is none is refused in the message bar."""
        try:
            self.person = Person(name.strip(), role)
        except UsageError as fault:
            self._messages.failure(failure_of(fault))
            self.person_changed.emit()
            return
        store_person(self.person.name)
        store(_ROLE, role)
        self._sign_forms()
        self.person_changed.emit()
        self.refresh()
        self.renew()

    def choose(self, **changes: object) -> None:
        """Change what the queue is chosen by: fields of the core's `Choice`."""
        self.choice = replace(self.choice, **changes)
        self.refresh()

    def refresh(self) -> None:
        """Read the queue anew."""
        if self.shared.dataset is None:
            return
        who, choice = self.person, self.choice

        def read(dataset) -> list[Entry]:
            with dataset.reading() as view:
                return worklist(view, who, choice)

        self.desk.do(self.tr("Reading the queue"), read, self._take_entries, newest_of="queue")

    def next(self) -> None:
        """Go to the next that needs this person."""
        entry = next_entry(self.entries, self.key)
        if entry is None:
            self._messages.inform(self.tr("Nothing else in the queue waits for you."))
        else:
            self.go_to(entry.image_id, entry.target_id)

    def go_to(self, image_id: int, target_id: int | None = None) -> None:
        """Bring up a target, or an image on which nothing is chosen yet."""
        if (image_id, target_id or 0) != self.key and not self.may_leave():
            return
        who = self.person

        def read(dataset) -> Sample:
            with dataset.reading() as view:
                return read_sample(view, who, image_id, target_id)

        self.desk.do(self.tr("Reading the sample"), read, self._take_sample, newest_of="sample")

    def renew(self) -> None:
        """Read the sample anew: something was written about it."""
        if self.sample is None:
            return
        target = self.sample.target
        self.go_to(self.sample.image.id or 0, None if target is None else target.id)

    def choose_category(self, category: CategoryRow | None) -> None:
        """Say what is drawn next where there is no target to draw on yet."""
        self.category = category
        self.category_changed.emit()

    def _take_entries(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.queue_changed.emit()

    def _take_sample(self, sample: Sample) -> None:
        before = self.key
        self.sample = sample
        if self.key == before:
            self.sample_renewed.emit()
            return
        self.category = None
        self.sample_changed.emit()

    def _opened(self) -> None:
        self._sign_forms()
        self.refresh()

    def _written(self, tables: list[str]) -> None:
        # Collect cut images: they wait to be drawn on. What Review writes, it reads by itself.
        if "images" in tables:
            self.refresh()

    def _closed(self) -> None:
        self.entries, self.sample, self.category = [], None, None
        self.queue_changed.emit()
        self.sample_changed.emit()

    def _sign_forms(self) -> None:
        """Let QGIS's own forms sign with the same name (see the core's forms)."""
        if self.shared.dataset is None:
            return
        project = QgsProject.instance()
        names = {"ovearth_user": self.person.name, "ovearth_role": self.person.role}
        for name, value in names.items():
            QgsExpressionContextUtils.setProjectVariable(project, name, value)


def _stored_person() -> Person:
    try:
        return Person(person().strip(), stored(_ROLE, ANNOTATOR))
    except UsageError:
        return Person(_NOBODY)
