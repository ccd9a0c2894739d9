"""Runs core work in one of Python's own threads, whatever thread QGIS calls from.

QGIS's pooled threads forget Python's thread-local values after each task, and pyproj 3.7 keeps its
context in one: with QGIS 3.40 of Debian 13 the second task that reads a CRS takes QGIS along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
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
    `set_progress` in the calling thread: what belongs to QGIS stays in the thread it came in.
    """
    told: SimpleQueue[float | None] = SimpleQueue()
    with ThreadPoolExecutor(1, "ovearth") as threads:
        future = threads.submit(work, told.put)
        future.add_done_callback(lambda _: told.put(None))
        while (percent := told.get()) is not None:
            set_progress(percent)
    return future.result()
