"""Writes what Inspect shows: table and scores as CSV, the overlay as a GeoPackage, the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qgis.PyQt.QtCore import QObject

from ...ovearth_core.atomic import AtomicFiles
from ...ovearth_core.dataset.store import FILE_NAME
from ...ovearth_core.inspection.query_csv import write_query_csv
from ...ovearth_core.inspection.returned import returned_path
from ...ovearth_core.overlay import overlay_files
from ...ovearth_core.report.page.folder import PAGE
from ...ovearth_core.report.page.making import make_report
from ...ovearth_core.report.page.wanted import Wanted
from ...ovearth_core.report.score_csv import scores_csv
from ..messages import Messages
from ..tasks import Tasks
from .state import InspectState

_STEPS = 100


class Exporter(QObject):
    """Each file is written in the background, whole or not at all; inputs are never replaced."""

    def __init__(self, state: InspectState, tasks: Tasks, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._tasks = tasks
        self._messages = messages

    def queries(self, path: Path) -> None:
        """Write the rows of the table as they stand."""
        table, rows, inputs = self._state.table, list(self._state.rows), self._inputs(path)
        if table is None:
            return

        def write(report) -> None:
            with AtomicFiles(inputs()) as files, files.open(path) as file:
                write_query_csv(table, _watched(rows, report), file)

        self._start(path, write)

    def scores(self, path: Path) -> None:
        """Write the scores of all runs, as `ovearth score --csv` does."""
        document = {"runs": [run.document for run in self._state.runs]}
        inputs = self._inputs(path)

        def write(_report) -> None:
            with AtomicFiles(inputs()) as files:
                files.write(path, scores_csv(document))

        self._start(path, write)

    def overlay(self, path: Path) -> None:
        """Write matched, spurious and missed of run A, as `ovearth overlay` does."""
        state = self._state
        if state.first is None or state.inspected is None:
            return
        benchmark, run, threshold = state.inspected.path, state.first, state.threshold
        inputs = self._inputs(path)

        def write(report) -> None:
            AtomicFiles(inputs()).check(path)
            overlay_files(
                *(benchmark, run.path, threshold, path, report, run.dialect, run.dialect_options)
            )

        self._start(path, write)

    def report(self, folder: Path) -> None:
        """Write the HTML report on all runs into a folder, as `ovearth report` does."""
        state = self._state
        if state.inspected is None or not state.runs:
            return
        scored = [run.scores for run in state.runs]
        wanted = Wanted(
            state.inspected.path,
            [run.path for run in state.runs],
            folder,
            images=() if state.images is None else state.images.folders,
        )

        def write(report) -> None:
            make_report(wanted, scored, lambda share, _: report(int(_STEPS * share), _STEPS))

        self._start(folder / PAGE, write)

    def _inputs(self, path: Path) -> Callable[[], list[Path]]:
        """Return what tells, in the background, all that `path` must not be."""
        state = self._state
        inspected, images = state.inspected, state.images
        inputs = [file for run in state.runs for file in (run.path, *run.scores.predictions.files)]
        # A dataset is never what is exported, whichever folder it is in.
        inputs += [path] if path.name == FILE_NAME else []
        if inspected is None or images is None:
            return lambda: inputs
        inputs += [inspected.path, returned_path(inspected.path)]

        def told() -> list[Path]:
            # Only what is there can be one of perhaps a hundred thousand images.
            shown = inspected.benchmark.images if path.exists() else ()
            return inputs + images.that_are_there(shown)

        return told

    def _start(self, path: Path, write) -> None:
        title = self.tr("Write {}").format(path.name)
        said = self.tr("Written: {}").format(path)
        self._tasks.start(title, write, lambda _: self._messages.succeed(said), of_project=False)


def _watched(rows, report):
    for done, row in enumerate(rows):
        report(done, len(rows))
        yield row
