"""What an annotator does: choose the category, draw, take back, hand in."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ...ovearth_core.dataset import CategoryRow
from ...ovearth_core.dataset.review import ANNOTATOR, Said
from ..messages import Messages
from .category_field import CategoryField
from .click_model import ModelRow
from .click_to_mask import ClickToMask
from .committer import Committer
from .desk import Desk
from .digitising import Digitising
from .problem_marks import ProblemList, ProblemMarks
from .state import ReviewState
from .steps import Steps
from .undo_record import UndoRecord
from .words import shown


class DrawingBox(QWidget):
    """The target among those of the image, its category, the tools, and what is wrong."""

    def __init__(
        self,
        state: ReviewState,
        steps: Steps,
        digitising: Digitising,
        committer: Committer,
        undo: UndoRecord,
        problems: ProblemMarks,
        model_desk: Desk,
        canvas: QgsMapCanvas,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._steps = steps
        self._committer = committer
        self.targets = QComboBox(self)
        self.targets.setObjectName("ovearth_targets")
        self.targets.activated.connect(self._target_chosen)
        self.category = CategoryField(state, self)
        self.category.taken.connect(self._category_taken)
        self.draw = self._button(self.tr("Draw"), self.tr("Draw a polygon with QGIS's own tool"))
        self.draw.clicked.connect(digitising.draw)
        self.click = self._button(
            self.tr("Click to mask"),
            self.tr(
                "Left click: inside. Right click, or Shift: outside. Drag: a box. Return takes"
            ),
        )
        self.clicking = ClickToMask(self.click, state, model_desk, canvas, messages)
        self.clicking.category_wanted.connect(self._ask_category)
        self.take = self._button(self.tr("Take"), self.tr("Take the mask as a polygon"))
        self.take.clicked.connect(self.clicking.take)
        self.clicking.changed.connect(self._fill_take)
        self.choose_model = self._button(self.tr("Model…"), self.tr("Choose the model for masks"))
        self.model = ModelRow(self.clicking.model, self)
        self.choose_model.clicked.connect(self.model.ask)
        self._undo = undo
        self.undo = self._button(self.tr("Undo"), self.tr("Take back what I drew last"))
        self.undo.clicked.connect(self._undo_last)
        self.submit = self._button(self.tr("Submit"), self.tr("Hand the target in"))
        self.submit.clicked.connect(lambda: steps.move("submit", Said()))
        self.withdraw = self._button(
            self.tr("Withdraw"), self.tr("Take it back before a manager has looked at it")
        )
        self.withdraw.clicked.connect(lambda: steps.move("withdraw", Said()))
        self.second = self._button(
            self.tr("Annotate it too"), self.tr("Draw the same thing without looking at this")
        )
        self.second.clicked.connect(steps.open_second)
        self.waiting = QLabel(self)
        self.waiting.setObjectName("ovearth_unsaved")
        self.waiting.setWordWrap(True)
        self.problems = ProblemList(problems, self)
        self._lay_out()
        committer.waiting_changed.connect(self._tell_waiting)
        committer.category_wanted.connect(self._ask_category)
        for signal in (state.sample_changed, state.sample_renewed, state.person_changed):
            signal.connect(self._fill)
        self._tell_waiting(False)
        self._fill()

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        return button

    def _lay_out(self) -> None:
        self.tools = QGridLayout()
        for place, button in enumerate(
            (
                self.draw,
                self.click,
                self.take,
                self.choose_model,
                self.undo,
                self.submit,
                self.withdraw,
                self.second,
            )
        ):
            self.tools.addWidget(button, place // 4, place % 4)  # fmt: skip
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.targets)
        layout.addWidget(self.category)
        layout.addLayout(self.tools)
        layout.addWidget(self.model)
        layout.addWidget(self.waiting)
        layout.addWidget(self.problems, 1)
        layout.addStretch(0)

    def _fill(self) -> None:
        sample = self._state.sample
        self.targets.clear()
        self.targets.addItem(self.tr("A new target"), None)
        for target in () if sample is None else sample.targets:
            name = sample.categories[target.category_id].name
            words = (name, shown(target.state), target.annotator or "–")
            self.targets.addItem(f"{target.id}: {', '.join(words)}", target.id)
        target = None if sample is None else sample.target
        self.targets.setCurrentIndex(self.targets.findData(None if target is None else target.id))
        is_annotator = self._state.person.role == ANNOTATOR
        can_draw = sample is not None and is_annotator and (target is None or sample.is_mine)
        self.targets.setEnabled(sample is not None)
        self.draw.setEnabled(can_draw)
        self.click.setEnabled(can_draw)
        self._fill_take()
        self.undo.setEnabled(is_annotator)
        self.submit.setEnabled(target is not None and sample.can("submit"))
        self.withdraw.setEnabled(target is not None and sample.can("withdraw"))
        self.withdraw.setVisible(target is not None and target.state == "submitted")
        others = target is not None and not self._state.person.is_called(target.annotator)
        self.second.setVisible(is_annotator and others and target.annotator is not None)

    def stop(self) -> None:
        """Leave the map as it was."""
        self.clicking.stop()

    def _undo_last(self) -> None:
        if self.clicking.has_clicks:
            self.clicking.undo()
        else:
            self._undo.undo()

    def _fill_take(self) -> None:
        self.take.setEnabled(self.clicking.proposal is not None)

    def _target_chosen(self) -> None:
        sample = self._state.sample
        if sample is not None:
            self._state.go_to(sample.image.id or 0, self.targets.currentData())

    def _category_taken(self, row: CategoryRow) -> None:
        sample = self._state.sample
        if sample is None:
            return
        if sample.target is not None:
            self._steps.recategorise(row)
        else:
            self._state.choose_category(row)

    def _ask_category(self) -> None:
        self.category.line.setFocus()

    def _tell_waiting(self, is_waiting: bool) -> None:
        sample = self._state.sample
        text = ""
        if is_waiting and sample is not None and sample.target is None:
            text = self.tr("Not saved yet: what is it? Type its category.")
        elif is_waiting:
            text = self.tr("Not saved yet.")
        self.waiting.setText(text)
        self.waiting.setVisible(bool(text))
