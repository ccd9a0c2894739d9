"""What a manager says of a target: three answers, a comment with a pin, and the move."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.dataset.review import MANAGER, Said
from ..messages import Messages
from .map_sample import MapSample
from .pin_tool import PinTool
from .questions import Questions
from .state import ReviewState
from .steps import Steps


class DecisionBox(QWidget):
    """Buttons are on where the core's rules let the person make that move."""

    def __init__(
        self,
        state: ReviewState,
        steps: Steps,
        scene: MapSample,
        canvas: QgsMapCanvas,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._steps = steps
        self.questions = Questions(self)
        self.comment = QLineEdit(self)
        self.comment.setObjectName("ovearth_comment")
        self.comment.setPlaceholderText(self.tr("Comment"))
        self.pin = QPushButton(self.tr("Pin"), self)
        self.pin.setToolTip(self.tr("Then click the place on the map that the comment is about"))
        self.pin_tool = PinTool(self.pin, scene, canvas, messages)
        self.alone = QCheckBox(self.tr("There is no other manager"), self)
        self.alone.setToolTip(self.tr("Approve what I drew myself; the log says so"))
        self.moves: dict[str, QPushButton] = {}
        for name, text, tip in (
            ("approve", self.tr("Approve"), self.tr("All three questions answered with yes")),
            ("return", self.tr("Send back"), self.tr("Return it with a comment, or a no")),
            ("reject", self.tr("Reject"), self.tr("Not to be used, with a comment or a no")),
            ("choose", self.tr("Choose"), self.tr("Of several annotations of the same, this one")),
        ):
            button = QPushButton(text, self)
            button.setObjectName(f"ovearth_{name}")
            button.setToolTip(tip)
            button.clicked.connect(lambda _, name=name: self._move(name))
            self.moves[name] = button
        self.say = QPushButton(self.tr("Comment"), self)
        self.say.setObjectName("ovearth_say")
        self.say.setToolTip(self.tr("Only log the comment"))
        self.say.clicked.connect(lambda: steps.comment(self.said()))
        self._lay_out()
        self.pin_tool.pinned.connect(self.comment.setFocus)
        steps.made.connect(self._made)
        state.sample_changed.connect(self._start_anew)
        for signal in (state.sample_renewed, state.person_changed):
            signal.connect(self._enable)
        self.alone.toggled.connect(lambda _: self._enable())
        self._start_anew()

    def said(self) -> Said:
        """Return what the person says along with a move."""
        return Said(
            self.comment.text().strip() or None,
            self.questions.answers,
            self.pin_tool.pin,
            self.alone.isChecked(),
        )

    def stop(self) -> None:
        """Leave the map as it was."""
        self.pin_tool.stop()

    def _lay_out(self) -> None:
        words = QHBoxLayout()
        words.addWidget(self.comment, 1)
        words.addWidget(self.pin)
        words.addWidget(self.say)
        moves = QHBoxLayout()
        for button in self.moves.values():
            moves.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.questions)
        layout.addLayout(words)
        layout.addLayout(moves)
        layout.addWidget(self.alone)
        layout.addStretch(1)

    def _move(self, name: str) -> None:
        self._steps.move(name, self.said())

    def _made(self, name: str) -> None:
        if name in self.moves or name == "comment":
            self._start_anew()

    def _start_anew(self) -> None:
        self.comment.clear()
        self.questions.clear()
        self.pin_tool.clear()
        self._enable()

    def _enable(self) -> None:
        sample = self._state.sample
        target = None if sample is None else sample.target
        is_manager = self._state.person.role == MANAGER
        for name, button in self.moves.items():
            is_own = self.alone.isChecked() and name in ("approve", "choose")
            can = target is not None and (sample.can(name) or (is_own and self._can_alone(name)))
            button.setEnabled(is_manager and can)
        self.moves["choose"].setVisible(target is not None and len(sample.group) > 1)
        self.questions.setEnabled(target is not None and is_manager)
        self.alone.setVisible(is_manager)
        for widget in (self.comment, self.pin, self.say):
            widget.setEnabled(target is not None)

    def _can_alone(self, name: str) -> bool:
        from ...ovearth_core.dataset.review import moves_from

        sample = self._state.sample
        if name == "choose" and len(sample.group) < 2:
            return False
        return any(move.name == name for move in moves_from(sample.target.state, MANAGER))
