"""Imagery, an estimate, the extraction, and what became of every place."""

from __future__ import annotations

from collections.abc import Callable

from qgis.PyQt.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.collection.patches import PatchJob, Plan, Report
from ...ovearth_core.errors import OVEarthError
from ..core_words import in_qgis
from ..messages import Messages
from ..settings import person
from ..tasks import CoreTask, Tasks, failure_of
from .imagery_form import ImageryForm
from .layer_imagery import LayerImagery
from .patch_results import PatchResults
from .patch_run import ACCEPTED, NOT_REJECTED, PatchRun
from .state import CollectState


class PatchPanel(QWidget):
    """Cuts patches of the dataset's places out of imagery."""

    def __init__(
        self,
        state: CollectState,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._tasks = tasks
        self._messages = messages
        self._task: CoreTask | None = None
        self._layer: LayerImagery | None = None
        self.imagery = ImageryForm(self)
        self.places = QComboBox(self)
        self.places.addItem(self.tr("accepted places"), ACCEPTED)
        self.places.addItem(self.tr("all but rejected places"), NOT_REJECTED)
        self.estimate = QPushButton(self.tr("Estimate"), self)
        self.estimate.setToolTip(self.tr("Say how many patches, pixels and megabytes it would be"))
        self.extract = QPushButton(self.tr("Extract"), self)
        self.extract.setToolTip(
            self.tr("Cut the patches; running it again goes on where it stopped")
        )
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setToolTip(self.tr("Stop; what was cut is kept"))
        self.progress = QProgressBar(self)
        self.said = QLabel(self)
        self.said.setWordWrap(True)
        self.results = PatchResults(state, self)
        self._lay_out()
        self.imagery.changed.connect(self._shape_changed)
        self.estimate.clicked.connect(self._estimate)
        self.extract.clicked.connect(self._extract)
        self.cancel.clicked.connect(self.stop)
        state.open_dataset.opened.connect(self._refresh)
        state.open_dataset.closed.connect(self._closed)
        self._shape_changed()
        self._refresh()

    def stop(self) -> None:
        """Stop what is running; what was made is kept."""
        if self._task is not None:
            self._task.cancel()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(QLabel(self.tr("Cut"), self))
        row.addWidget(self.places, 1)
        for button in (self.estimate, self.cancel, self.extract):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.imagery)
        column.addLayout(row)
        column.addWidget(self.progress)
        column.addWidget(self.said)
        column.addWidget(self.results, 1)

    def _shape_changed(self) -> None:
        self._state.set_shape(self.imagery.shape(), self.imagery.native_m())

    def _closed(self) -> None:
        self.stop()
        self.said.clear()
        self.results.clear()
        self._refresh()

    def _refresh(self) -> None:
        is_running = self._task is not None
        is_there = self._state.open_dataset.dataset is not None
        self.estimate.setEnabled(is_there and not is_running)
        self.extract.setEnabled(is_there and not is_running)
        self.cancel.setVisible(is_running)
        self.progress.setVisible(is_running)

    def _estimate(self) -> None:
        run = self._prepared()
        if run is not None:
            self._start(self.tr("Estimate the patches"), run.plan, self._estimated)

    def _extract(self) -> None:
        run = self._prepared()
        if run is not None:
            self.results.clear()
            self._start(self.tr("Cut patches"), run.run, self._done)

    def _prepared(self) -> PatchRun | None:
        """Return the run, all that it needs of the window taken; say why where it can't be."""
        dataset = self._state.open_dataset.ready()
        if dataset is None:
            return None
        try:
            spec, self._layer = self.imagery.prepared()
            job = PatchJob(spec, self.imagery.shape())
        except OVEarthError as fault:
            self._release()
            self._messages.failure(failure_of(fault))
            return None
        return PatchRun(dataset, job, self.places.currentData(), person())

    def _start(self, title: str, work: Callable, then: Callable) -> None:
        self.said.setText(self.tr("Looking at the imagery…"))
        self.progress.setRange(0, 100)
        self.progress.setValue(0)
        layer = self._layer
        self._task = self._tasks.start(
            title, work, then, ended=self._ended, of_project=False,
            # A person may cancel in QGIS's own list of tasks too.
            canceled=None if layer is None else layer.cancel,
        )  # fmt: skip
        self._task.progressChanged.connect(lambda percent: self.progress.setValue(int(percent)))
        self._refresh()

    def _ended(self) -> None:
        was_canceled = self._task is not None and self._task.was_canceled
        self._task = None
        self._release()
        self.said.setText(self.tr("Stopped; what was cut is kept.") if was_canceled else "")
        self._refresh()
        if self._state.open_dataset.dataset is not None:
            self._state.open_dataset.wrote("images", "pois")

    def _release(self) -> None:
        if self._layer is not None:
            self._layer.release()
            self._layer = None

    def _estimated(self, plan: Plan) -> None:
        parts = _sentences(plan.estimate.line(), *plan.report.warnings)
        if plan.report.already:
            parts.append(self.tr("{} are there already.").format(plan.report.already))
        self.said.setText("\n".join(parts))

    def _done(self, report: Report) -> None:
        self.said.setText("\n".join(_sentences(report.line(), *report.warnings)))
        self.results.show_report(report)


def _sentences(*said: str) -> list[str]:
    """Return what the core says as sentences in the words of QGIS."""
    return [f"{text[:1].upper()}{text[1:]}." for text in map(in_qgis, said)]
