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
from ..tasks import CoreTask, Failure, Tasks
from .state import InspectState

_PERCENT = 100
_Stamp = tuple[int, int] | None


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
        self._opening: CoreTask | None = None
        # Runs are read one after the other: scoring two at once would only take turns.
        self._waiting: list[Path] = []
        self._reading: Path | None = None
        # What each run's file was when it was read, to tell whether it has changed since.
        self._stamps: dict[Path, _Stamp] = {}

    @property
    def is_opening(self) -> bool:
        """Whether a benchmark is being read: runs that are added wait for it."""
        return self._opening is not None

    def open_benchmark(self, path: Path) -> None:
        """Read a benchmark; what was being read for the last one is given up."""
        self.stop()

        def read(report) -> InspectedBenchmark:
            return inspect_benchmark(path, lambda share: report(int(share * _PERCENT), _PERCENT))

        def take(inspected: InspectedBenchmark) -> None:
            self._opening = None
            self._stamps.clear()
            self._state.open(inspected)

        self._opening = self._start(self.tr("Open {}").format(path.name), read, take)
        self.working.emit(True)

    def add_runs(self, paths: Sequence[Path]) -> None:
        """Read and score runs, one after the other; those that are there already are left out.

        Whichever way a path is spelt. One whose file has changed since is read again, and takes the
        place of what was read before.
        """
        taken = {_plain(path) for path in self._waiting} | self._unchanged()
        if self._reading is not None:
            taken.add(self._reading)
        left_out = False
        for path in paths:
            plain = _plain(path)
            if plain in taken:
                left_out = True
                continue
            taken.add(plain)
            self._waiting.append(path)
        if left_out:
            self._messages.inform(self.tr("A run that is already in the list was left out."))
        self._next()

    def stop(self) -> None:
        """Give up all that is being read."""
        self._waiting.clear()
        self._reading = None
        for task in list(self._running):
            task.cancel()

    def _next(self) -> None:
        inspected = self._state.inspected
        if self._running or inspected is None or not self._waiting:
            return
        path = self._waiting.pop(0)
        plain = self._reading = _plain(path)
        stamp = _stamp(plain)

        def read(report) -> InspectedRun:
            return inspect_run(inspected, path, progress=report)

        def take(run: InspectedRun) -> None:
            if self._state.inspected is inspected:
                self._stamps[plain] = stamp
                self._state.add_run(run)

        self._start(self.tr("Score {}").format(path.name), read, take)

    def _unchanged(self) -> set[Path]:
        """Return the runs in the list whose files are as they were read."""
        if self.is_opening:
            return set()
        paths = {_plain(run.path) for run in self._state.runs}
        stamps = {path: self._stamps.get(path) for path in paths}
        return {path for path, stamp in stamps.items() if stamp and stamp == _stamp(path)}

    def _start(self, title: str, work, then) -> CoreTask:
        def taken(result) -> None:
            then(result)
            self._go_on()

        def failed(failure: Failure) -> None:
            self._messages.failure(failure)
            self._gave_up(task)

        def ended() -> None:
            self._running.remove(task)
            if task.was_canceled:
                self._gave_up(task)

        task = self._tasks.start(title, work, taken, failed, of_project=False, ended=ended)
        self._running.append(task)
        self.working.emit(True)
        return task

    def _gave_up(self, task: CoreTask) -> None:
        if task is self._opening:
            # The runs that wait are the other benchmark's, not those of the one that stays.
            self._opening = None
            self._waiting.clear()
        self._go_on()

    def _go_on(self) -> None:
        self._reading = None
        self._next()
        self.working.emit(bool(self._running))


def _plain(path: Path) -> Path:
    """Return the one spelling of a path, links followed."""
    return path.resolve()


def _stamp(path: Path) -> _Stamp:
    """Return what changes with a file, None for a folder: what is in it may change."""
    try:
        found = path.stat()
    except OSError:
        return None
    return None if path.is_dir() else (found.st_size, found.st_mtime_ns)
