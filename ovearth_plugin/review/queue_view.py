"""The queue on the screen: filter, list, how many wait, and the button to the next."""

from __future__ import annotations

from qgis.PyQt.QtCore import QModelIndex, Qt
from qgis.PyQt.QtGui import QFont, QFontMetrics
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.dataset.review import UNTOUCHED
from ...ovearth_core.dataset.rows import STATES
from .queue_model import QueueModel
from .state import ReviewState
from .words import shown

_LINES = 6
_IMAGE, _CATEGORY, _STATE, _ANNOTATOR, _TARGET = range(5)


class QueueView(QWidget):
    """A click on a line goes there."""

    def __init__(self, state: ReviewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.model = QueueModel(state, self)
        self.view = self._made_view()
        self.states = QComboBox(self)
        self.states.setObjectName("ovearth_queue_state")
        self.states.addItem(self.tr("All states"), ())
        for name in (UNTOUCHED, *STATES):
            self.states.addItem(shown(name), (name,))
        self.states.activated.connect(lambda _: state.choose(states=self.states.currentData()))
        self.category = self._line("category", self.tr("Category"))
        self.image = self._line("image", self.tr("Image"))
        self.annotator = self._line("annotator", self.tr("Annotator"))
        self.count = QLabel(self)
        self.next = QPushButton(self.tr("Next"), self)
        self.next.setToolTip(self.tr("Go to the next that needs me"))
        self.next.clicked.connect(state.next)
        self._lay_out()
        state.queue_changed.connect(self._filled)
        state.sample_changed.connect(self._follow)
        self._filled()

    def _lay_out(self) -> None:
        filters = QGridLayout()
        for place, widget in enumerate((self.states, self.category, self.image, self.annotator)):
            filters.addWidget(widget, 0, place)
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(filters)
        layout.addWidget(self.view, 1)
        layout.addLayout(row)

    def _line(self, key: str, words: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(f"ovearth_queue_{key}")
        line.setPlaceholderText(words)
        line.setClearButtonEnabled(True)

        def choose() -> None:
            text = line.text().strip() or None
            if getattr(self._state.choice, key) != text:
                self._state.choose(**{key: text})

        line.editingFinished.connect(choose)
        return line

    def _made_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("ovearth_queue")
        view.setModel(self.model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setWordWrap(False)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        height = view.fontMetrics().height() + 6
        view.verticalHeader().setDefaultSectionSize(height)
        self._set_widths(view)
        view.setMinimumHeight(3 * height)
        view.clicked.connect(self._go)
        view.activated.connect(self._go)
        return view

    def _set_widths(self, view: QTableView) -> None:
        """Show states whole; names of images and categories share what room is left."""
        bold = QFont(view.font())
        bold.setBold(True)
        metrics = QFontMetrics(bold)
        states = [shown(name) for name in (UNTOUCHED, *STATES)]
        for place, words in ((_STATE, states), (_ANNOTATOR, []), (_TARGET, [])):
            heading = self.model.headerData(place, Qt.Orientation.Horizontal)
            wide = max(map(metrics.horizontalAdvance, [heading, *words]))
            view.setColumnWidth(place, wide + 2 * metrics.horizontalAdvance("n"))
        for place in (_IMAGE, _CATEGORY):
            view.horizontalHeader().setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)

    def _go(self, index: QModelIndex) -> None:
        entry = self.model.entry_at(index.row())
        self._state.go_to(entry.image_id, entry.target_id)

    def _filled(self) -> None:
        entries = self._state.entries
        waiting = sum(entry.needs_me for entry in entries)
        if self._state.shared.dataset is None:
            self.count.setText(self.tr("Open a dataset."))
        else:
            text = self.tr("{} of {} wait for me").format(f"{waiting:n}", f"{len(entries):n}")
            self.count.setText(text)
        self.next.setEnabled(bool(waiting))
        self._follow()

    def _follow(self) -> None:
        row = self.model.row_of(self._state.key)
        if row < 0:
            self.view.clearSelection()
        elif row not in {index.row() for index in self.view.selectionModel().selectedRows()}:
            self.view.selectRow(row)
            self.view.scrollTo(self.model.index(row, 0))
