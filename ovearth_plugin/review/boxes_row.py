"""Derives horizontal and oriented boxes of all approved targets that have instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from ...ovearth_core.dataset.boxes import Derived, derive_boxes
from ...ovearth_core.dataset.rows import BOX_FRAMES
from ..messages import Messages
from ..tasks import Failure, Reporter
from .desk import Desk
from .state import ReviewState
from .words import shown

if TYPE_CHECKING:
    from ...ovearth_core.dataset import Dataset


class BoxesRow(QWidget):
    """A button, and in which frame boxes are upright or smallest."""

    def __init__(
        self,
        state: ReviewState,
        desk: Desk,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._desk = desk
        self._messages = messages
        self.frame = QComboBox(self)
        self.frame.setObjectName("ovearth_box_frame")
        self.frame.setToolTip(self.tr("In what boxes are upright or smallest"))
        for frame in BOX_FRAMES:
            self.frame.addItem(shown(frame), frame)
        self.derive = QPushButton(self.tr("Boxes"), self)
        self.derive.setToolTip(
            self.tr("Derive horizontal and oriented boxes of approved targets with instances")
        )
        self.derive.clicked.connect(self._derive)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.frame, 1)
        layout.addWidget(self.derive)
        state.shared.opened.connect(self._enable)
        state.shared.closed.connect(self._enable)
        desk.idle.connect(self._enable)
        self._enable()

    def _enable(self) -> None:
        is_free = self._state.shared.dataset is not None and not self._desk.is_busy
        self.derive.setEnabled(is_free)

    def _derive(self) -> None:
        if self._state.shared.ready() is None:
            return
        frame, name = self.frame.currentData(), self._state.person.name

        def work(dataset: Dataset, report: Reporter) -> Derived:
            with dataset.reading() as view:
                count = view.counts()["images"]
            done = 0

            def progress() -> None:
                nonlocal done
                done += 1
                report(done, count)

            return derive_boxes(dataset, frame, name, progress)

        def done(derived: Derived) -> None:
            self._messages.succeed(
                self.tr("Boxes: {} derived, {} brought in step, {} removed, {} kept").format(
                    derived.added, derived.replaced, derived.removed, derived.kept
                )
            )

        def failed(failure: Failure) -> None:
            self._enable()
            self._messages.failure(failure)

        title = self.tr("Deriving boxes")
        self._desk.do_long(title, work, done, failed, wrote=("hbb", "obb"))
        self._enable()
