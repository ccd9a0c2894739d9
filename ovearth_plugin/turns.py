"""Short work in a thread of its own, one piece after the other, told of on the main thread.

Not by QGIS's task manager: of two of its tasks that are over in no time, it may take the second
out of the queue for good when it puts the first away (seen with 3.22 on a busy machine).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from qgis.PyQt.QtCore import QObject, pyqtSignal

ResultT = TypeVar("ResultT")


class Turns(QObject):
    """Does work in the order in which it is asked for; `running`: pieces that are not over."""

    _over = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.running = 0
        self._is_stopped = False
        self._thread = ThreadPoolExecutor(1, "ovearth")
        # Across threads, so that it is called on this one.
        self._over.connect(self._tell)

    def start(
        self,
        work: Callable[[], ResultT],
        then: Callable[[ResultT], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do work, then tell of its result or of what it raised."""
        if self._is_stopped:
            return
        self.running += 1

        def run() -> None:
            try:
                found = work()
            except Exception as fault:
                # The name is gone after the block, and with it what the other thread is to be told.
                told = fault
                self._over.emit(lambda: failed(told))
            else:
                self._over.emit(lambda: then(found))

        self._thread.submit(run)

    def stop(self) -> None:
        """Finish what is under way, and tell no more: the plugin is being unloaded."""
        self._is_stopped = True
        self.running = 0
        self._over.disconnect(self._tell)
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _tell(self, tell: Callable[[], None]) -> None:
        self.running -= 1
        tell()
