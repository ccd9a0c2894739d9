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
from ..core_words import in_qgis
from ..messages import Messages
from ..tasks import CoreTask, Failure, Tasks
from .dialect_form import Spoken
from .state import InspectState

_PERCENT = 100
_Stamp = tuple[int, int] | None
_OURS = Spoken()


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
        self._waiting: list[tuple[Path, Spoken]] = []
        self._reading: tuple[Path, Spoken] | None = None
        # What each run's files were when it was read, and as what, to tell whether that changed.
        self._stamps: dict[Path, tuple[Spoken, list[_Stamp]]] = {}

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

    def add_runs(self, paths: Sequence[Path], spoken: Spoken = _OURS) -> None:
        """Read and score runs, one after the other; those that are there already are left out.

        Whichever way a path is spelt. One whose file has changed since, or that is now to be read
        as something else (`spoken`), is read again, and takes the place of what was read before.
        """
        taken = [(_plain(path), how) for path, how in self._waiting] + self._unchanged()
        if self._reading is not None:
            taken.append(self._reading)
        left_out = False
        for path in paths:
            plain = _plain(path)
            if (plain, spoken) in taken:
                left_out = True
                continue
            taken.append((plain, spoken))
            self._waiting.append((path, spoken))
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
        path, spoken = self._waiting.pop(0)
        plain = _plain(path)
        self._reading = (plain, spoken)
        stamps = _stamps(plain, spoken)

        def read(report) -> InspectedRun:
            return inspect_run(inspected, path, None, report, spoken.dialect, spoken.options)

        def take(run: InspectedRun) -> None:
            if self._state.inspected is inspected:
                self._stamps[plain] = (spoken, stamps)
                self._state.add_run(run)
                self._tell_left_out(run)

        self._start(self.tr("Score {}").format(path.name), read, take)

    def _tell_left_out(self, run: InspectedRun) -> None:
        if not run.left_out:
            return
        listed = "; ".join(f"{count} {in_qgis(text)}" for text, count in run.left_out.items())
        self._messages.warn(
            self.tr("{}: left out, or to be looked at: {}").format(run.path.name, listed)
        )

    def _unchanged(self) -> list[tuple[Path, Spoken]]:
        """Return the runs in the list whose files are as they were read, and as what they were."""
        if self.is_opening:
            return []
        found = []
        for path in {_plain(run.path) for run in self._state.runs} & set(self._stamps):
            spoken, stamps = self._stamps[path]
            if None not in stamps and stamps == _stamps(path, spoken):
                found.append((path, spoken))
        return found

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


def _stamps(path: Path, spoken: Spoken) -> list[_Stamp]:
    """Return what changes with a run's file, or with those that say how it is read."""
    return [_stamp(each) for each in (path, *spoken.files)]


def _stamp(path: Path) -> _Stamp:
    """Return what changes with a file, None for a folder: what is in it may change."""
    try:
        found = path.stat()
    except OSError:
        return None
    return None if path.is_dir() else (found.st_size, found.st_mtime_ns)
