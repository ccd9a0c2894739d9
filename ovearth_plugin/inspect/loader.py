"""Reads benchmarks and runs in the background, and hands them to the state."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.inspection.inspected import (
    InspectedBenchmark,
    InspectedRun,
    inspect_benchmark,
    inspect_run,
)
from ..messages import Messages
from ..tasks import Tasks
from .state import InspectState

_PERCENT = 100


class Loader(QObject):
    """Starts the tasks that read; `working` says whether any runs.

    They read files and touch no project: closing one stops nothing here.
    """

    working = pyqtSignal(bool)

    def __init__(self, state: InspectState, tasks: Tasks, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._tasks = tasks
        self._messages = messages
        self._running: list = []
        # Runs are read one after the other: scoring two at once would only take turns.
        self._waiting: list[Path] = []

    def open_benchmark(self, path: Path) -> None:
        """Read a benchmark; what was being read for the last one is given up."""
        self.stop()

        def read(report) -> InspectedBenchmark:
            return inspect_benchmark(path, lambda share: report(int(share * _PERCENT), _PERCENT))

        self._start(self.tr("Open {}").format(path.name), read, self._state.open)

    def add_runs(self, paths: Sequence[Path]) -> None:
        """Read and score runs, one after the other; those that are there already are left out."""
        there = {run.path for run in self._state.runs} | set(self._waiting)
        new = [path for path in paths if path not in there]
        if len(new) < len(paths):
            self._messages.inform(self.tr("A run that is already in the list was left out."))
        self._waiting += new
        if not self._running:
            self._next()

    def stop(self) -> None:
        """Give up all that is being read."""
        self._waiting.clear()
        for task in list(self._running):
            task.cancel()

    def _next(self) -> None:
        inspected = self._state.inspected
        if inspected is None or not self._waiting:
            return
        path = self._waiting.pop(0)

        def read(report) -> InspectedRun:
            return inspect_run(inspected, path, progress=report)

        def take(run: InspectedRun) -> None:
            if self._state.inspected is inspected:
                self._state.add_run(run)

        self._start(self.tr("Score {}").format(path.name), read, take)

    def _start(self, title: str, work, then) -> None:
        def ended() -> None:
            self._running.remove(task)
            self._next()
            self.working.emit(bool(self._running))

        task = self._tasks.start(title, work, then, of_project=False, ended=ended)
        self._running.append(task)
        self.working.emit(True)
