"""The queue for Qt's views: rows of the state's entries, cells made when they are seen."""

from __future__ import annotations

from pathlib import PurePosixPath

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from qgis.PyQt.QtGui import QFont

from ...ovearth_core.dataset.review import Entry
from .state import ReviewState
from .words import shown

_HERE = QModelIndex()


class QueueModel(QAbstractTableModel):
    """Image, target, category, state, annotator; what waits for the person in bold."""

    def __init__(self, state: ReviewState, parent=None) -> None:
        super().__init__(parent)
        self._state = state
        self._entries: list[Entry] = []
        state.queue_changed.connect(self._reset)

    def entry_at(self, row: int) -> Entry:
        """Return the entry of a row."""
        return self._entries[row]

    def row_of(self, key: tuple[int, int] | None) -> int:
        """Return the row of an entry by its key, -1 where it isn't in the list."""
        return next((n for n, entry in enumerate(self._entries) if entry.key == key), -1)

    def rowCount(self, parent: QModelIndex = _HERE) -> int:  # noqa: N802
        """Return how many entries there are."""
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: QModelIndex = _HERE) -> int:  # noqa: N802
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._headings())

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        """Return a cell's text, or its font."""
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                PurePosixPath(entry.file_name).name,
                entry.category or "–",
                shown(entry.state),
                entry.annotator or "–",
                "–" if entry.target_id is None else str(entry.target_id),
            )[index.column()]
        if role == Qt.ItemDataRole.FontRole and entry.needs_me:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.file_name
        return None

    def headerData(  # noqa: N802
        self, section: int, orientation, role: int = Qt.ItemDataRole.DisplayRole
    ):
        """Return a column's heading."""
        is_heading = role == Qt.ItemDataRole.DisplayRole
        if is_heading and orientation == Qt.Orientation.Horizontal:
            return self._headings()[section]
        return None

    def _headings(self) -> tuple[str, ...]:
        return (
            self.tr("Image"),
            self.tr("Category"),
            self.tr("State"),
            self.tr("Annotator"),
            self.tr("Target"),
        )

    def _reset(self) -> None:
        self.beginResetModel()
        self._entries = self._state.entries
        self.endResetModel()
