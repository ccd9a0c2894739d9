"""What Inspect is looking at: benchmark, runs, threshold, filter, order, query."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.inspection.image_files import ImageFiles
from ...ovearth_core.inspection.inspected import InspectedBenchmark, InspectedRun
from ...ovearth_core.inspection.outcomes import DEFAULT_STEP, STEPS
from ...ovearth_core.inspection.query_filter import QueryFilter
from ...ovearth_core.inspection.query_table import Column, QueryTable


class InspectState(QObject):
    """One place that all of the panel's widgets read from and write to.

    benchmark_changed: another benchmark, without any run. runs_changed: the runs, or which of
    them are A and B. modality_changed, step_changed: what is looked at. table_changed: the rows of
    the table or their cells. row_changed: another query is selected, or none.
    """

    benchmark_changed = pyqtSignal()
    runs_changed = pyqtSignal()
    modality_changed = pyqtSignal()
    step_changed = pyqtSignal()
    table_changed = pyqtSignal()
    row_changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.inspected: InspectedBenchmark | None = None
        self.images: ImageFiles | None = None
        self.runs: list[InspectedRun] = []
        self.first: InspectedRun | None = None
        self.second: InspectedRun | None = None
        self.modality = ""
        self.step = DEFAULT_STEP
        self.wanted = QueryFilter()
        # None is the worst first.
        self.column: Column | None = None
        self.is_descending = False
        self.row: int | None = None
        self.table: QueryTable | None = None
        self.rows: list[int] = []

    @property
    def threshold(self) -> float:
        """The chosen IoU threshold."""
        return STEPS[self.step]

    @property
    def modalities(self) -> tuple[str, ...]:
        """What can be looked at: of run A, and of B where there is one."""
        if self.first is None:
            return ()
        second = self.first if self.second is None else self.second
        return tuple(name for name in self.first.outcomes if name in second.outcomes)

    def open(self, inspected: InspectedBenchmark) -> None:
        """Look at a benchmark; runs of the last one are put away."""
        self.inspected = inspected
        self.images = ImageFiles(inspected.path)
        self.runs, self.first, self.second = [], None, None
        self.wanted = QueryFilter()
        self._select(None)
        self.benchmark_changed.emit()
        self._runs_changed()

    def add_run(self, run: InspectedRun) -> None:
        """Take in a run; the first is A. One of the same file takes the place of the last one."""
        path = run.path.resolve()
        old = next((one for one in self.runs if one.path.resolve() == path), None)
        if old is None:
            self.runs.append(run)
        else:
            self.runs = [run if one is old else one for one in self.runs]
            self.second = run if self.second is old else self.second
        self.first = run if self.first is old else self.first
        self._runs_changed()

    def remove_run(self, run: InspectedRun) -> None:
        """Put a run away."""
        self.runs.remove(run)
        if self.second is run:
            self.second = None
        if self.first is run:
            others = [other for other in self.runs if other is not self.second]
            self.first = others[0] if others else self.second
            self.second = None if self.first is self.second else self.second
        self._runs_changed()

    def compare(self, first: InspectedRun, second: InspectedRun | None) -> None:
        """Choose runs A and B; one run is no comparison."""
        self.first = first
        self.second = None if second is first else second
        self._runs_changed()

    def choose_modality(self, modality: str) -> None:
        """Look at masks, horizontal or oriented boxes."""
        if modality != self.modality and modality in self.modalities:
            self.modality = modality
            self.modality_changed.emit()
            self._remake()

    def choose_step(self, step: int) -> None:
        """Choose the IoU threshold by its place in STEPS."""
        if step != self.step:
            self.step = step
            self.step_changed.emit()
            self._remake()

    def filter(self, **changes: object) -> None:
        """Change some of the filter's words."""
        self.wanted = replace(self.wanted, **changes)
        self._order()

    def sort(self, column: Column | None, is_descending: bool = False) -> None:
        """Choose the order of the rows; None is the worst first."""
        self.column, self.is_descending = column, is_descending
        self._order()

    def select(self, row: int | None) -> None:
        """Select a query by its place in the benchmark."""
        if row != self.row:
            self._select(row)

    def look_in(self, folder: Path) -> None:
        """Look for images in another folder too."""
        if self.images is not None:
            self.images = self.images.also_in(folder)
            self.row_changed.emit()

    def _select(self, row: int | None) -> None:
        self.row = row
        self.row_changed.emit()

    def _runs_changed(self) -> None:
        if self.second is None:
            self.wanted = replace(self.wanted, is_better=False)
        if self.modality not in self.modalities:
            self.modality = next(iter(self.modalities), "")
        self.runs_changed.emit()
        self._remake()

    def _remake(self) -> None:
        if self.inspected is None or self.first is None or not self.modality:
            self.table = None
        else:
            self.table = QueryTable(
                self.inspected.benchmark,
                self.inspected.facts,
                self.first.outcomes[self.modality],
                self.step,
                None if self.second is None else self.second.outcomes[self.modality],
            )
        self._order()

    def _order(self) -> None:
        table = self.table
        if table is None:
            self.rows = []
        else:
            if self.column not in (None, *table.columns):
                self.column = None
            self.rows = table.rows(self.wanted, self.column, self.is_descending).tolist()
        self.table_changed.emit()
