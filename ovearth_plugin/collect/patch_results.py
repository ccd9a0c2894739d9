"""What became of every place of a run: patches, and refusals with their reasons."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from qgis.PyQt.QtWidgets import QHeaderView, QTableView, QVBoxLayout, QWidget

from ...ovearth_core.collection.patches import Report
from ..patch_layers import PatchLayers
from .state import CollectState


class ResultModel(QAbstractTableModel):
    """A report's entries: those without a patch first. Cells are made when they are shown."""

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.entries: list[dict[str, Any]] = []

    def show(self, report: Report | None) -> None:
        """Show a report, or none."""
        self.beginResetModel()
        self.entries = [] if report is None else [*report.failed, *report.refused, *report.fetched]
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:  # noqa: N802
        """Return how many entries there are."""
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def columnCount(self, parent: QModelIndex | None = None) -> int:  # noqa: N802
        """Return how many columns there are."""
        return 3

    def headerData(self, section: int, orientation, role=Qt.ItemDataRole.DisplayRole):  # noqa: N802
        """Return the columns' titles."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Place"), self.tr("Result"), self.tr("Detail"))[section]

    def data(self, index: QModelIndex, role=Qt.ItemDataRole.DisplayRole):
        """Return a cell's text."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        entry = self.entries[index.row()]
        place = entry["name"] or entry["reference"] or f"{entry['lat']:.5f}, {entry['lon']:.5f}"
        return (
            place,
            self._reason(str(entry.get("reason", "patch"))),
            entry.get("detail") or entry.get("file", ""),
        )[index.column()]

    def _reason(self, reason: str) -> str:
        return {
            "patch": self.tr("patch"),
            "outside": self.tr("outside"),
            "nodata": self.tr("no data"),
            "forbidden": self.tr("forbidden"),
            "coarse": self.tr("too coarse"),
            "blank": self.tr("blank"),
            "placeholder": self.tr("placeholder"),
            "duplicate": self.tr("duplicate"),
            "failed": self.tr("failed"),
        }.get(reason, reason)


class PatchResults(QWidget):
    """The table; a double click shows a patch on the map, in a group of its own."""

    def __init__(self, state: CollectState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.layers = PatchLayers()
        self.model = ResultModel(self)
        self.view = QTableView(self)
        self.view.setModel(self.model)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.view.verticalHeader().hide()
        self.view.setToolTip(self.tr("Double-click a patch to show it on the map"))
        self.view.doubleClicked.connect(self._show_patch)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def show_report(self, report: Report) -> None:
        """Show what a run has done, and its first patches on the map."""
        self.model.show(report)
        dataset = self._state.open_dataset.dataset
        if dataset is not None:
            files = [dataset.folder / entry["file"] for entry in report.fetched]
            self.layers.show(files)

    def clear(self) -> None:
        """Show nothing; patches on the map stay."""
        self.model.show(None)

    def _show_patch(self, index: QModelIndex) -> None:
        name = self.model.entries[index.row()].get("file")
        dataset = self._state.open_dataset.dataset
        if name and dataset is not None:
            self.layers.show([dataset.folder / name])
