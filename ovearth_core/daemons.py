"""Threads that nobody has to wait for: at work in C code or on a silent server, they can be left.

`concurrent.futures` waits for its threads at the end of the program, however long that takes.
Whoever leaves such a thread behind sees to it that it holds nothing that must be closed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")
# A Ctrl-C that comes between the interpreter's last look for one and a wait wakes nobody: whoever
# may be the main thread waits in pieces of this length.
LOOK_S = 0.25
_Work = tuple["Future[Any]", Callable[[], Any]]


class DaemonPool(Executor):
    """An executor of so many threads; `shutdown(wait=False)`, or dropping it, leaves them behind.

    set_up: called in each thread first.
    """

    def __init__(self, workers: int, name: str, set_up: Callable[[], object] | None = None) -> None:
        self._workers = workers
        self._name = name
        self._set_up = set_up
        self._work: SimpleQueue[_Work | None] = SimpleQueue()
        self._waiting: set[Future[Any]] = set()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._is_shut = False

    def submit(
        self, function: Callable[..., ResultT], /, *args: Any, **kwargs: Any
    ) -> Future[ResultT]:
        """Have it done; RuntimeError after `shutdown`."""
        future: Future[ResultT] = Future()
        with self._lock:
            if self._is_shut:
                raise RuntimeError("no work is taken after the shutdown")
            self._waiting.add(future)
            future.add_done_callback(self._waiting.discard)
            self._work.put((future, lambda: function(*args, **kwargs)))
            if len(self._threads) < min(self._workers, len(self._waiting)):
                # No reference to this object: dropping it ends them.
                thread = threading.Thread(
                    target=_do, args=(self._work, self._set_up), name=self._name, daemon=True
                )
                self._threads.append(thread)
                thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end once the work is done; wait for them, or leave them to it."""
        with self._lock:
            self._is_shut = True
        if cancel_futures:
            for future in list(self._waiting):
                future.cancel()
        self._work.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def __del__(self) -> None:
        self._work.put(None)


def _do(work: SimpleQueue[_Work | None], set_up: Callable[[], object] | None) -> None:
    if set_up is not None:
        set_up()
    while (item := work.get()) is not None:
        future, function = item
        if future.set_running_or_notify_cancel():
            try:
                result = function()
            except BaseException as fault:
                future.set_exception(fault)
            else:
                future.set_result(result)
        # Kept no longer than needed: the next work may be long in coming.
        del item, future, function
    # For the next one.
    work.put(None)


def awaited(future: Future[ResultT], check: Callable[[], object] | None = None) -> ResultT:
    """Return a future's result as soon as it is there; no Ctrl-C is missed meanwhile.

    check: called now and then; what it raises ends the waiting.
    """
    while not future.done():
        wait([future], timeout=LOOK_S)
        if check is not None and not future.done():
            check()
    return future.result()


def leavable(
    function: Callable[..., ResultT], *args: Any, check: Callable[[], object] | None = None
) -> ResultT:
    """Return function(*args), done in a thread of its own, so that Ctrl-C needn't wait for it.

    check: called now and then; what it raises leaves the thread behind, too.
    """
    pool = DaemonPool(1, "leavable")
    try:
        return awaited(pool.submit(function, *args), check)
    finally:
        pool.shutdown(wait=False)
