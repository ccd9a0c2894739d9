"""Who I am: a name that signs every step, and the role in which I act."""

from __future__ import annotations

from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from ...ovearth_core.dataset.review import ROLES
from ..help import help_address
from .state import ReviewState
from .words import shown


class WhoBar(QWidget):
    """A line for the name and a choice of the role; both are remembered."""

    def __init__(self, state: ReviewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.name = QLineEdit(self)
        self.name.setObjectName("ovearth_who")
        self.name.setToolTip(self.tr("Signs every step in the log; it is no password"))
        self.name.editingFinished.connect(self._say)
        self.role = QComboBox(self)
        self.role.setObjectName("ovearth_role")
        for role in ROLES:
            self.role.addItem(shown(role), role)
        self.role.activated.connect(self._say)
        self.help = QPushButton("?", self)
        self.help.setToolTip(self.tr("How Review is used"))
        self.help.setFixedWidth(2 * self.help.fontMetrics().height())
        self.help.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(help_address("review"))))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QLabel(self.tr("I am"), self))
        layout.addWidget(self.name, 1)
        layout.addWidget(self.role)
        layout.addWidget(self.help)
        state.person_changed.connect(self._fill)
        self._fill()

    def _say(self) -> None:
        name, role = self.name.text(), self.role.currentData()
        if (name.strip(), role) != (self._state.person.name, self._state.person.role):
            self._state.be(name, role)

    def _fill(self) -> None:
        self.name.setText(self._state.person.name)
        self.role.setCurrentIndex(self.role.findData(self._state.person.role))
