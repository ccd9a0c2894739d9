"""The list of returned targets, on the screen."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
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

from .file_choice import save_file
from .returned_targets import ReturnedTargets
from .state import InspectState


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
        self._set_tips()
        self.tree.itemActivated.connect(self._go)
        self.tree.itemSelectionChanged.connect(self._selection_changed)
        self.where = QLabel(self)
        self.where.setWordWrap(True)
        self.remove = QPushButton(self.tr("Remove from the list"), self)
        self.remove.setToolTip(self.tr("Take the marked target out of the list and its file"))
        self.remove.clicked.connect(self._remove)
        self.save_as = QPushButton(self.tr("Keep in another file…"), self)
        self.save_as.setToolTip(
            self.tr("Save the list in a file of your choice from now on; a list there stays")
        )
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
        self._selection_changed()
        if path is None:
            self.where.setText("")
        elif self._returned.is_saved:
            self.where.setText(self.tr("Kept in {}").format(path))
        else:
            self.where.setText(
                self.tr(
                    "Not saved: {} can't be written. Keep it in another file; until then it waits"
                    " in QGIS's profile."
                ).format(path)
            )

    def _set_tips(self) -> None:
        self.tree.setToolTip(self.tr("Targets to look at again; a double click goes to the query"))
        tips = (
            self.tr("What the target is one of"),
            self.tr("What a reviewer is told"),
            self.tr("The image that the target is on"),
            self.tr("When it was returned, UTC"),
        )
        for place, tip in enumerate(tips):
            self.tree.headerItem().setToolTip(place, tip)

    def _selection_changed(self) -> None:
        self.remove.setEnabled(bool(self.tree.selectedItems()))

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
        save_file(self, title, kinds, "json", self._returned.save_in, is_added_to=True)
