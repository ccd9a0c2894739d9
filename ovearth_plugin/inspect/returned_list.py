"""The returned targets: kept in their file from the first click on, and shown as a list."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.errors import OVEarthError
from ...ovearth_core.inspection.returned import (
    ReturnedTarget,
    read_returned,
    returned_path,
    write_returned,
)
from ..messages import Messages
from ..tasks import failure_of
from .file_choice import save_file
from .state import InspectState


class ReturnedTargets(QObject):
    """The list and its file. Where it can't be written, it is kept here until it can."""

    changed = pyqtSignal()

    def __init__(self, state: InspectState, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._messages = messages
        self.path: Path | None = None
        self.entries: tuple[ReturnedTarget, ...] = ()
        self.is_saved = True
        state.benchmark_changed.connect(self._open)

    def add(self, entry: ReturnedTarget) -> None:
        """Add a target and save the list."""
        self._keep((*self.entries, entry))

    def remove(self, entry: ReturnedTarget) -> None:
        """Take a target out and save the list."""
        self._keep(tuple(one for one in self.entries if one is not entry))

    def save_in(self, path: Path) -> None:
        """Keep the list in another file from now on."""
        self.path = path
        self._keep(self.entries)

    def _keep(self, entries: tuple[ReturnedTarget, ...]) -> None:
        self.entries = entries
        try:
            write_returned(self.path, entries)
            self.is_saved = True
        except OVEarthError as fault:
            self.is_saved = False
            self._messages.failure(failure_of(fault))
        self.changed.emit()

    def _open(self) -> None:
        self.path = returned_path(self._state.inspected.path)
        self.entries, self.is_saved = (), True
        try:
            self.entries = read_returned(self.path)
        except OVEarthError as fault:
            # What can't be read is not written over: the list goes to a file beside it.
            self.path = self.path.with_name(f"{self.path.stem}-2.json")
            self._messages.failure(failure_of(fault))
        self.changed.emit()


class ReturnedList(QWidget):
    """Shows the list; a double click goes to the query."""

    def __init__(
        self, state: InspectState, returned: ReturnedTargets, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._returned = returned
        self.tree = QTreeWidget(self)
        self.tree.setRootIsDecorated(False)
        self.tree.setHeaderLabels(
            [self.tr("Category"), self.tr("Comment"), self.tr("Image"), self.tr("When")]
        )
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.itemActivated.connect(self._go)
        self.where = QLabel(self)
        self.where.setWordWrap(True)
        self.remove = QPushButton(self.tr("Remove from the list"), self)
        self.remove.setToolTip(self.tr("Take the marked target out of the list and its file"))
        self.remove.clicked.connect(self._remove)
        self.save_as = QPushButton(self.tr("Keep in another file…"), self)
        self.save_as.setToolTip(self.tr("Save the list in a file of your choice from now on"))
        self.save_as.clicked.connect(self._ask_file)
        buttons = QHBoxLayout()
        buttons.addWidget(self.remove)
        buttons.addWidget(self.save_as)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.tree, 1)
        layout.addLayout(buttons)
        layout.addWidget(self.where)
        returned.changed.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        self.tree.clear()
        for entry in self._returned.entries:
            item = QTreeWidgetItem([entry.category, entry.comment, entry.image, entry.returned_at])
            item.setData(0, Qt.ItemDataRole.UserRole, entry)
            item.setToolTip(1, entry.comment)
            self.tree.addTopLevelItem(item)
        path = self._returned.path
        self.save_as.setEnabled(path is not None)
        self.remove.setEnabled(bool(self._returned.entries))
        if path is None:
            self.where.setText("")
        elif self._returned.is_saved:
            self.where.setText(self.tr("Kept in {}").format(path))
        else:
            self.where.setText(
                self.tr("Not saved: {} can't be written. Choose another file.").format(path)
            )

    def _go(self, item: QTreeWidgetItem, _column: int) -> None:
        entry = item.data(0, Qt.ItemDataRole.UserRole)
        if self._state.inspected is not None:
            self._state.select(self._state.inspected.benchmark.query_index.get(entry.query_id))

    def _remove(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            self._returned.remove(item.data(0, Qt.ItemDataRole.UserRole))

    def _ask_file(self) -> None:
        title, kinds = self.tr("Keep the list in"), self.tr("JSON (*.json)")
        save_file(self, title, kinds, "json", self._returned.save_in)
