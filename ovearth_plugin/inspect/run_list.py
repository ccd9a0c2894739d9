"""The runs, and which of them are A and B."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qgis.PyQt.QtCore import Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..flow import Flow
from ..help import help_address
from ..messages import Messages
from .dialect_form import DialectForm
from .file_choice import open_file, open_files, open_folder
from .loader import Loader
from .state import InspectState


class RunList(QWidget):
    """Buttons that open a benchmark and add runs, and a box of choices each for A and B.

    What is added is read as `dialects` says: OVEarth's own, or as a model family writes it.
    """

    def __init__(
        self,
        state: InspectState,
        loader: Loader,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._loader = loader
        self._messages = messages
        self.dialects = DialectForm(self)
        self.dialects.failed.connect(messages.failure)
        self.dialects.changed.connect(self._dialect_changed)
        self.benchmark = QLabel(self.tr("No benchmark"), self)
        self.benchmark.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.benchmark.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open = QPushButton(self.tr("Open benchmark…"), self)
        self.open.setToolTip(self.tr("The benchmark whose queries the runs answer"))
        self.open.clicked.connect(self._ask_benchmark)
        self.add = QPushButton(self.tr("Add runs…"), self)
        self.add.clicked.connect(self._ask_runs)
        self.add_masks = QPushButton(self)
        self._dialect_changed()
        self.add_masks.clicked.connect(self._ask_masks)
        self.remove = QPushButton(self.tr("Remove A"), self)
        self.remove.setToolTip(self.tr("Take run A out of the list; its file stays"))
        self.remove.clicked.connect(lambda: state.remove_run(state.first))
        self.first = QComboBox(self)
        self.second = QComboBox(self)
        for box in (self.first, self.second):
            box.activated.connect(lambda _: self._chosen())
        self.help = QToolButton(self)
        self.help.setText("?")
        self.help.setToolTip(self.tr("Help"))
        self.help.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(help_address("inspect"))))
        self.busy = QProgressBar(self)
        self.busy.setRange(0, 0)
        self.busy.setMaximumHeight(6)
        self.busy.setTextVisible(False)
        self.busy.hide()
        self.stop = QPushButton(self.tr("Cancel"), self)
        self.stop.setToolTip(self.tr("Give up what is being read and scored"))
        self.stop.clicked.connect(loader.stop)
        self.stop.hide()
        loader.working.connect(self.busy.setVisible)
        loader.working.connect(self.stop.setVisible)
        loader.working.connect(lambda _: self._enable_adding())
        self._lay_out()
        state.benchmark_changed.connect(self._benchmark_changed)
        state.runs_changed.connect(self._runs_changed)
        self._runs_changed()

    def _lay_out(self) -> None:
        choice = self.dialects.choice
        choice.setSizePolicy(QSizePolicy.Policy.Expanding, choice.sizePolicy().verticalPolicy())
        buttons = Flow((self.open, self.add, self.add_masks, choice, self.help), self)
        runs = QHBoxLayout()
        for name, box in ((self.tr("A"), self.first), (self.tr("B"), self.second)):
            runs.addWidget(QLabel(name, self))
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(6)
            runs.addWidget(box, 1)
        runs.addWidget(self.remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        what = QHBoxLayout()
        what.addWidget(self.benchmark, 1)
        what.addWidget(self.busy, 1)
        what.addWidget(self.stop)
        layout.addWidget(buttons)
        layout.addWidget(self.dialects)
        layout.addLayout(what)
        layout.addLayout(runs)

    def _ask_benchmark(self) -> None:
        kinds = self.tr("Benchmark (*.json *.json.gz);;All files (*)")
        open_file(self, self.tr("Open a benchmark"), kinds, self._loader.open_benchmark)

    def _ask_runs(self) -> None:
        kinds = self.tr(
            "Predictions (*.jsonl *.jsonl.gz *.gpkg *.geojson *.fgb *.shp *.parquet *.csv)"
            ";;All files (*)"
        )
        if self.dialects.dialect is not None:
            kinds = self.tr("All files (*)")
        self._ask(lambda: open_files(self, self.tr("Add runs"), kinds, self._add))

    def _ask_masks(self) -> None:
        title = self.tr("Add a folder of masks")
        if self.dialects.dialect is not None:
            title = self.tr("Add a folder")
        self._ask(lambda: open_folder(self, title, lambda folder: self._add([folder])))

    def _ask(self, ask: Callable[[], None]) -> None:
        self.dialects.ask_if_whole(self._messages.warn, ask)

    def _add(self, paths: list[Path]) -> None:
        self._loader.add_runs(paths, self.dialects.spoken())

    def _dialect_changed(self) -> None:
        if self.dialects.dialect is None:
            runs = self.tr(
                "Predictions: JSON Lines, vector files; one that has changed is read again"
            )
            masks = self.tr(
                "Predictions: a folder of PNG or GeoTIFF masks, each named by its query"
            )
            self.add_masks.setText(self.tr("Add masks…"))
        else:
            runs = self.tr("Files with the answers of a model, as it gave them")
            masks = self.tr("A folder of the files that a model gave")
            self.add_masks.setText(self.tr("Add folder…"))
        self.add.setToolTip(runs)
        self.add_masks.setToolTip(masks)

    def _chosen(self) -> None:
        self._state.compare(self._state.runs[self.first.currentIndex()], self.second.currentData())

    def _benchmark_changed(self) -> None:
        inspected = self._state.inspected
        counts = inspected.benchmark.counts()
        self.benchmark.setText(
            self.tr("{}: {} images, {} targets, {} queries").format(
                inspected.path.name, counts["images"], counts["targets"], counts["queries"]
            )
        )
        self.benchmark.setToolTip(str(inspected.path))

    def _enable_adding(self) -> None:
        # Those that are added while a benchmark opens wait for it.
        can_add = self._state.inspected is not None or self._loader.is_opening
        self.add.setEnabled(can_add)
        self.add_masks.setEnabled(can_add)

    def _runs_changed(self) -> None:
        state = self._state
        self._enable_adding()
        self.remove.setEnabled(state.first is not None)
        self.first.clear()
        self.second.clear()
        self.second.addItem(self.tr("none"), None)
        for run in state.runs:
            self.first.addItem(run.name, run)
            if run is not state.first:
                self.second.addItem(run.name, run)
        tips = self.tr("The run that is shown"), self.tr("A second run to compare run A with")
        chosen = (self.first, state.first), (self.second, state.second)
        for (box, run), tip in zip(chosen, tips, strict=True):
            box.setCurrentIndex(max(0, _place(box, run)))
            box.setEnabled(box.count() > (box is self.second))
            box.setToolTip(tip if run is None else f"{tip}: {run.path}")


def _place(box: QComboBox, run) -> int:
    """Return where a run stands; Qt's own search would compare whole runs by value."""
    return next((place for place in range(box.count()) if box.itemData(place) is run), -1)
