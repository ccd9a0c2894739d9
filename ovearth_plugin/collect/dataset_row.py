"""The row that opens and makes datasets, and names the open one."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ..flow import Flow
from ..inspect.file_choice import open_folder
from ..open_dataset import OpenDataset


class DatasetRow(QWidget):
    """Two buttons and the open dataset's folder."""

    def __init__(self, open_dataset: OpenDataset, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open_dataset = open_dataset
        self.open = QPushButton(self.tr("Open dataset…"), self)
        self.open.setToolTip(self.tr("Open the folder of a dataset"))
        self.open.clicked.connect(
            lambda: open_folder(self, self.tr("Open the folder of a dataset"), open_dataset.open)
        )
        self.make = QPushButton(self.tr("New…"), self)
        self.make.setToolTip(self.tr("Make a new dataset in a folder, with all categories"))
        self.make.clicked.connect(
            lambda: open_folder(self, self.tr("Make a dataset in this folder"), open_dataset.make)
        )
        self.name = QLabel(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Flow((self.open, self.make, self.name), self))
        open_dataset.opened.connect(self._show)
        open_dataset.closed.connect(self._show)
        self._show()

    def _show(self) -> None:
        dataset = self._open_dataset.dataset
        if dataset is None:
            self.name.setText(self.tr("No dataset is open."))
            self.name.setToolTip("")
            return
        folder = Path(dataset.folder)
        words = self.tr("{} (read only)") if self._open_dataset.is_read_only else "{}"
        self.name.setText(words.format(folder.name))
        self.name.setToolTip(str(folder))
