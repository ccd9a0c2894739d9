"""Runs core work in one of Python's own threads, whatever thread QGIS calls from.

QGIS's pooled threads forget Python's thread-local values after each task, and pyproj 3.7 keeps its
context in one: with QGIS 3.40 of Debian 13 the second task that reads a CRS takes QGIS along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")
Tell = Callable[[float], None]


@contextmanager
def python_thread() -> Iterator[Callable[..., Any]]:
    """Yield a function that calls another, with its arguments, in a thread that lasts the block."""
    with ThreadPoolExecutor(1, "ovearth") as threads:
        yield lambda function, *arguments: threads.submit(function, *arguments).result()


def in_python_thread(work: Callable[[Tell], ResultT], set_progress: Tell) -> ResultT:
    """Return what `work` returns, or raise what it raises; the calling thread waits.

    `work` is called with a function that takes the progress in percent, which is handed to
    `set_progress` in the calling thread: what belongs to QGIS stays in the thread it came in. It
    goes on when that has been done, so that who cancels there stops the very next step.
    """
    told: SimpleQueue[tuple[float, Event] | None] = SimpleQueue()
    is_deaf = Event()

    def tell(percent: float) -> None:
        is_taken = Event()
        told.put((percent, is_taken))
        # Nobody takes it any more where the calling thread has left by an exception.
        while not (is_taken.wait(0.1) or is_deaf.is_set()):
            continue

    with ThreadPoolExecutor(1, "ovearth") as threads:
        future = threads.submit(work, tell)
        future.add_done_callback(lambda _: told.put(None))
        try:
            while (news := told.get()) is not None:
                percent, is_taken = news
                set_progress(percent)
                is_taken.set()
        finally:
            is_deaf.set()
    return future.result()
