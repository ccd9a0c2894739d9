"""Threads of this process for work that may wait for a server: it can be left at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from .daemons import DaemonPool
from .engine import Engine
from .kernels import are_compiled
from .kernels.threads import thread_count


def daemon_count() -> int:
    """Return how many threads there would be."""
    return thread_count() if are_compiled() else 1


class DaemonThreads(Engine):
    """One thread, or as many as there are processors where kernels release the lock.

    What is still under way at the end is left to itself: its result is nobody's. check: called now
    and then while a result is waited for; what it raises ends the waiting.
    """

    look_s = 0.5

    def __init__(self, check: Callable[[], object] | None = None) -> None:
        self._check = check
        self.workers = daemon_count()
        self._executor = DaemonPool(self.workers, "work")

    def executor(self) -> Executor:
        """Return the threads."""
        return self._executor

    def look(self) -> None:
        """Raise what the check raises."""
        if self._check is not None:
            self._check()

    def close(self) -> None:
        """Take no more work."""
        self._executor.shutdown(wait=False, cancel_futures=True)
