"""The three questions that a manager answers, each a button: open, yes, no."""

from __future__ import annotations

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ...ovearth_core.dataset.review import QUESTIONS, Answers
from ..flow import Flow
from .words import shown

_NEXT = {None: True, True: False, False: None}
_SIGNS = {None: "?", True: "✓", False: "✗"}


class Questions(QWidget):
    """A click, or its key, turns an answer: yes, no, open again. answered: any was turned."""

    answered = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: dict[str, bool | None] = {}
        self.buttons: dict[str, QPushButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for name in QUESTIONS:
            button = QPushButton(self)
            button.setObjectName(f"ovearth_{name}")
            button.setToolTip(self.tr("{} Yes, no, or not answered").format(shown(name)))
            button.clicked.connect(lambda _, name=name: self._turn(name))
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.buttons[name] = button
        layout.addWidget(Flow(self.buttons.values(), self))
        self.clear()

    @property
    def answers(self) -> Answers:
        """The answers given."""
        return Answers(**self._answers)

    def clear(self) -> None:
        """Leave every question open."""
        self._answers = dict.fromkeys(QUESTIONS)
        self._show()

    def _turn(self, name: str) -> None:
        self._answers[name] = _NEXT[self._answers[name]]
        self._show()
        self.answered.emit()

    def _show(self) -> None:
        for name, button in self.buttons.items():
            button.setText(f"{_SIGNS[self._answers[name]]} {shown(name)}")
