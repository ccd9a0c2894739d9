"""Does the core's work on the open dataset off the main thread, one piece after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..messages import Messages
from ..open_dataset import OpenDataset
from ..tasks import Failure, Tasks

if TYPE_CHECKING:
    from ...ovearth_core.dataset import Dataset

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class _Piece:
    title: str
    work: Callable[[Dataset], Any]
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
        shared.closed.connect(self.stop)

    @property
    def is_busy(self) -> bool:
        """Whether anything is being done."""
        return self._running is not None

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
        fail = failed or self._messages.failure
        self._waiting.append(_Piece(title, work, then, fail, wrote, newest_of))
        self._next()

    def stop(self) -> None:
        """Give up what waits; what is being done is no longer listened to."""
        self._waiting = []
        if self._running is not None:
            self._running.cancel()

    def _next(self) -> None:
        if self._running is not None or not self._waiting:
            return
        piece = self._waiting.pop(0)
        dataset = self._shared.dataset
        if dataset is None or (piece.wrote and self._shared.ready() is None):
            self._waiting = []
            return

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
            piece.title, lambda _: piece.work(dataset), take, fail, ended=self._ended
        )

    def _ended(self) -> None:
        self._running = None
        self._next()
        if self._running is None:
            self.idle.emit()
