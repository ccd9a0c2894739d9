"""Long work: one core function in a QgsTask, its result handled on the main thread.

The function runs in another thread and touches no layer, widget or project. It is called with a
Reporter, which it calls with what is done and how much there is; that call also stops it when a
person cancels.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from qgis.core import QgsApplication, QgsMessageLog, QgsProject, QgsTask
from qgis.PyQt.QtCore import QCoreApplication, QObject, QTimer

from .compat import WARNING
from .dependencies import sentence_of
from .network import hand_over_network
from .python_thread import in_python_thread
from .turns import Turns

ResultT = TypeVar("ResultT")


class CanceledError(Exception):
    """Leaves the core function when a person cancels."""


class Reporter:
    """Tells of progress, and stops the work when it is canceled. Called from any thread."""

    def __init__(
        self, set_progress: Callable[[float], None], is_canceled: Callable[[], bool]
    ) -> None:
        self.show = set_progress
        self._is_canceled = is_canceled
        self._last = -1

    def __call__(self, done: int, count: int | None = None) -> None:
        """Tell what is done, out of `count` where that is known; CanceledError if canceled."""
        self.check()
        if count:
            percent = min(100, int(100 * done / count))
            # Each one crosses to the main thread: no more than it can show.
            if percent != self._last:
                self._last = percent
                self.show(float(percent))

    def check(self) -> None:
        """Raise CanceledError if a person canceled."""
        if self._is_canceled():
            raise CanceledError


@dataclass(frozen=True)
class Failure:
    """Why work came to no result, and more for who asks.

    sentence: what, where, how to mend it. is_foreseen: it says it all, and what is more is for who
    looks into the code. short: the same for the message bar, where two lines are seen; nothing
    where the sentence will do.
    """

    sentence: str
    details: str
    is_foreseen: bool = True
    short: str = ""


class CoreTask(QgsTask, Generic[ResultT]):
    """Runs `work` in the background, then `then` with its result, or `failed`, in the foreground.

    Canceled, it calls neither, but `ended` is called in any case.
    """

    def __init__(
        self,
        title: str,
        work: Callable[[Reporter], ResultT],
        then: Callable[[ResultT], None],
        failed: Callable[[Failure], None],
        ended: Callable[[CoreTask[ResultT]], None],
        canceled: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(title, QgsTask.Flag.CanCancel)
        self._canceled = canceled
        self._work = work
        self._then = then
        self._failed = failed
        self._ended = ended
        self._results: list[ResultT] = []
        self._failure: Failure | None = None
        # QGIS's half of a task is gone before its result is handed over.
        self.was_canceled = False
        self._is_over = False

    def run(self) -> bool:
        """Do the work, in another thread."""
        try:
            self._results.append(
                in_python_thread(
                    lambda tell: self._work(Reporter(tell, self.isCanceled)), self.setProgress
                )
            )
        except CanceledError:
            return False
        except Exception as fault:
            self._failure = failure_of(fault)
            return False
        return True

    def cancel(self) -> None:
        """Ask the work to stop; also what QGIS's own list of tasks calls."""
        self.was_canceled = True
        if not self._is_over:
            super().cancel()
        if self._canceled is not None:
            self._canceled()

    def finished(self, result: bool) -> None:
        """Hand the result over, on the main thread, once QGIS has put this task away.

        Before that, QGIS's manager takes from its queue what lies where this task's runnable lay:
        another task that was started here, and now and then lay there, would never run.
        """
        self._is_over = True
        self.was_canceled = self.was_canceled or self.isCanceled()
        QTimer.singleShot(0, lambda: self._hand_over(result))

    def _hand_over(self, result: bool) -> None:
        self._ended(self)
        if self.was_canceled:
            return
        if result and self._results:
            self._then(self._results.pop())
        elif self._failure is not None:
            self._failed(self._failure)


def failure_of(fault: Exception) -> Failure:
    """Return a fault as a sentence, and the rest of what is known of it."""
    from ..ovearth_core.errors import OVEarthError, one_line
    from .core_words import in_qgis, short_in_qgis

    details = "".join(traceback.format_exception(type(fault), fault, fault.__traceback__))
    if isinstance(fault, ImportError):
        return Failure(sentence_of(fault), details)
    if isinstance(fault, OVEarthError):
        return Failure(in_qgis(str(fault)), details, short=short_in_qgis(fault))
    if isinstance(fault, MemoryError):
        return Failure(_tr("There is not enough memory for this."), details)
    if isinstance(fault, OSError) and fault.filename:
        said = f"{fault.strerror}, {fault.filename}"
        return Failure(_tr("A file can't be used: {}").format(one_line(said)), details)
    said = one_line(f"{type(fault).__name__}: {fault}")
    return Failure(_tr("Something unexpected went wrong ({}).").format(said), details, False)


class Tasks(QObject):
    """The plugin's running tasks. Python's half of a task lives as long as it is kept here.

    Closing the project cancels what works for it; unloading the plugin cancels all.
    """

    def __init__(self, show_failure: Callable[[Failure], None]) -> None:
        super().__init__()
        self._show_failure = show_failure
        self._running: list[tuple[CoreTask, bool]] = []
        self._turns = Turns()
        QgsProject.instance().cleared.connect(self._project_closed)

    def start(
        self,
        title: str,
        work: Callable[[Reporter], ResultT],
        then: Callable[[ResultT], None],
        failed: Callable[[Failure], None] | None = None,
        *,
        of_project: bool = True,
        ended: Callable[[], None] | None = None,
        canceled: Callable[[], None] | None = None,
    ) -> CoreTask[ResultT]:
        """Start work. `failed`: instead of the message bar. `of_project`: ends with the project.

        `ended` is called on the main thread, before the others, also after canceling; `canceled` as
        soon as a person cancels, to cut short what the work is waiting for.
        """

        def forget(task: CoreTask[ResultT]) -> None:
            self._running = [entry for entry in self._running if entry[0] is not task]
            if ended is not None:
                ended()

        hand_over_network()
        task = CoreTask(title, work, then, failed or self._show_failure, forget, canceled)
        self._running.append((task, of_project))
        QgsApplication.taskManager().addTask(task)
        return task

    def in_turn(
        self,
        work: Callable[[], ResultT],
        then: Callable[[ResultT], None],
        failed: Callable[[Failure], None] | None = None,
    ) -> None:
        """Do what is over in no time, after what was asked for before; it isn't canceled."""
        tell = failed or self._show_failure
        self._turns.start(work, then, lambda fault: tell(failure_of(fault)))

    @property
    def running(self) -> int:
        """How many tasks have not ended."""
        return len(self._running) + self._turns.running

    def stop(self) -> None:
        """Cancel everything, for good: the plugin is being unloaded."""
        QgsProject.instance().cleared.disconnect(self._project_closed)
        for task, _ in list(self._running):
            task.cancel()
        self._turns.stop()

    def _project_closed(self) -> None:
        for task, of_project in list(self._running):
            if of_project:
                task.cancel()


def log_failure(failure: Failure) -> None:
    """Write a failure to QGIS's log, where there is no message bar."""
    QgsMessageLog.logMessage(f"{failure.sentence}\n{failure.details}", "OVEarth", WARNING)


def _tr(text: str) -> str:
    return QCoreApplication.translate("OVEarthTasks", text)
