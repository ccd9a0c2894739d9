"""Does the core's work on the open dataset off the main thread, one piece after the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...ovearth_core.errors import OVEarthError
from ..messages import Messages
from ..open_dataset import OpenDataset
from ..tasks import Failure, Reporter, Tasks

if TYPE_CHECKING:
    from ...ovearth_core.dataset import Dataset

ResultT = TypeVar("ResultT")

# Whoever writes is done in a moment, or holds the file for long.
_PAUSE_MS, _TELL_AFTER_S, _LONGEST_WAIT_S = 50, 0.5, 60.0


@dataclass(frozen=True)
class _Piece:
    title: str
    work: Callable[[Dataset, Reporter], Any]
    then: Callable[[Any], None]
    failed: Callable[[Failure], None]
    wrote: tuple[str, ...]
    newest_of: str


class Desk(QObject):
    """Pieces are done in the order in which they came: what one writes, the next one sees.

    idle: nothing is being done any more.
    """

    idle = pyqtSignal()

    def __init__(self, shared: OpenDataset, tasks: Tasks, messages: Messages) -> None:
        super().__init__()
        self._shared = shared
        self._tasks = tasks
        self._messages = messages
        self._waiting: list[_Piece] = []
        self._running: Any = None
        self._held_since: float | None = None
        self._is_told = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._next)
        shared.closed.connect(self.stop)

    @property
    def is_busy(self) -> bool:
        """Whether anything is being done."""
        return self._running is not None or self._timer.isActive()

    def do(
        self,
        title: str,
        work: Callable[[Dataset], ResultT],
        then: Callable[[ResultT], None] = lambda _: None,
        failed: Callable[[Failure], None] | None = None,
        *,
        wrote: tuple[str, ...] = (),
        newest_of: str = "",
    ) -> None:
        """Do a piece of work in its turn; `then` gets its result on the main thread.

        wrote: the tables that it writes. newest_of: a name; only the newest of that name is done
        of those that wait. failed: instead of the message bar.
        """
        if newest_of:
            self._waiting = [piece for piece in self._waiting if piece.newest_of != newest_of]
        self._put(title, lambda dataset, _: work(dataset), then, failed, wrote, newest_of)

    def do_long(
        self,
        title: str,
        work: Callable[[Dataset, Reporter], ResultT],
        then: Callable[[ResultT], None] = lambda _: None,
        failed: Callable[[Failure], None] | None = None,
        *,
        wrote: tuple[str, ...] = (),
    ) -> None:
        """Do work that tells how far it is, else as `do`: a person may cancel it."""
        self._put(title, work, then, failed, wrote)

    def stop(self) -> None:
        """Give up what waits, and say so of what was to be written; what runs isn't listened to."""
        self._timer.stop()
        self._held_since = None
        self._drop_waiting()
        if self._running is not None:
            self._running.cancel()

    def _put(
        self,
        title: str,
        work: Callable[[Dataset, Reporter], Any],
        then: Callable[[Any], None],
        failed: Callable[[Failure], None] | None,
        wrote: tuple[str, ...],
        newest_of: str = "",
    ) -> None:
        fail = failed or self._messages.failure
        self._waiting.append(_Piece(title, work, then, fail, wrote, newest_of))
        self._next()

    def _next(self) -> None:
        if self.is_busy or not self._waiting:
            return
        piece = self._waiting[0]
        dataset = self._shared.dataset
        if dataset is None or (piece.wrote and self._shared.ready() is None):
            self._drop_waiting()
            return
        if piece.wrote and not self._may_write(piece, dataset):
            return
        self._waiting.pop(0)

        def take(result: Any) -> None:
            if self._shared.dataset is not dataset:
                return
            if piece.wrote:
                self._shared.wrote(*piece.wrote)
            piece.then(result)

        def fail(failure: Failure) -> None:
            if self._shared.dataset is dataset and self._shared.is_there():
                piece.failed(failure)

        self._running = self._tasks.start(
            piece.title, lambda report: piece.work(dataset, report), take, fail, ended=self._ended
        )

    def _may_write(self, piece: _Piece, dataset: Dataset) -> bool:
        """Whether the file is free now; else it is asked again by a timer, and said soon."""
        try:
            with dataset.if_free() as view:
                is_free = view is not None
        except OVEarthError:
            # The work itself meets the fault, and tells of it.
            is_free = True
        now = time.monotonic()
        since = self._held_since = self._held_since or now
        if is_free:
            self._held_since, self._is_told = None, False
            return True
        if now - since > _LONGEST_WAIT_S:
            self._held_since, self._is_told = None, False
            self._waiting.pop(0)
            sentence = self.tr("{}: not done, for another program holds the dataset. Try again.")
            piece.failed(Failure(sentence.format(piece.title), str(dataset.path)))
            self._next()
            return False
        if now - since > _TELL_AFTER_S and not self._is_told:
            self._is_told = True
            self._messages.inform(
                self.tr("{} waits: another program is writing to the dataset.").format(piece.title)
            )
        self._timer.start()
        return False

    def _drop_waiting(self) -> None:
        lost = [piece.title for piece in self._waiting if piece.wrote]
        self._waiting = []
        if lost:
            self._messages.warn(
                self.tr("Not done, for the dataset is closed: {}.").format(", ".join(lost))
            )

    def _ended(self) -> None:
        self._running = None
        self._next()
        if not self.is_busy:
            self.idle.emit()
