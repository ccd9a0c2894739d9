"""Where long work runs: here, in threads, in other processes, or on a Dask cluster.

Behind each is an executor of `concurrent.futures`; results come back in the order of the work, so
that no choice changes a number.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.thread import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from .errors import EngineError, OVEarthError, UsageError
from .kernels import are_compiled
from .kernels.threads import thread_count
from .spelling import nearest

ENGINES = ("local", "dask")
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?")
# Items under way for each that works on them: one at work, some ready.
_ITEMS_A_WORKER = 3
_SECONDS_BETWEEN_LOOKS = 2.0
_MOST_RESTARTS = 2
# Each is a process of its own, with all that it has imported.
_MOST_JOBS, _MOST_JOBS_A_PROCESSOR = 64, 4

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class EngineChoice:
    """How to run: `jobs` processes of this machine, or the cluster of a Dask `scheduler`."""

    name: str = "local"
    jobs: int = 1
    scheduler: str | None = None

    def check(self) -> None:
        """Raise UsageError for a choice that makes no sense."""
        if self.name not in ENGINES:
            raise UsageError(
                f"unknown engine {self.name!r}", "--engine", nearest(self.name, ENGINES)
            )
        if self.jobs < 1:
            raise UsageError(f"{self.jobs} jobs", "--jobs", "give 1 or more")
        most = max(_MOST_JOBS, _MOST_JOBS_A_PROCESSOR * (os.cpu_count() or 1))
        if self.jobs > most:
            raise UsageError(
                f"{self.jobs} jobs are more than this machine can hold", "--jobs",
                f"give {most} at most; one a processor ({os.cpu_count()}) is quickest",
            )  # fmt: skip
        if self.name == "dask" and not self.scheduler:
            raise UsageError(
                "a cluster without its scheduler",
                "--engine dask",
                "give --scheduler tcp://HOST:PORT",
            )
        if self.name == "dask" and not _ADDRESS.fullmatch(str(self.scheduler)):
            raise UsageError(
                f"{self.scheduler!r} is no address", "--scheduler", "give tcp://HOST:PORT"
            )
        if self.name == "local" and self.scheduler:
            raise UsageError("a scheduler without a cluster", "--scheduler", "add --engine dask")
        if self.name == "dask" and self.jobs > 1:
            raise UsageError(
                "a cluster has its own workers", "--jobs", "leave it out with --engine dask"
            )


class Engine:
    """Work done here, one piece after another; the base of those that do it elsewhere."""

    # Whether work has to be sent: it must be whole then, and is worth cutting up.
    is_remote = False
    # Whether those who work see the files of this process.
    shares_disk = True
    workers = 1
    # Between two looks, while a result is waited for.
    look_s = _SECONDS_BETWEEN_LOOKS
    # How many of them have a process of their own.
    processes = 1

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *fault: object) -> None:
        if isinstance(fault[1], KeyboardInterrupt):
            self.abandon()
        self.close()

    def executor(self) -> Executor | None:
        """Return where to submit work, None for here."""
        return None

    def close(self) -> None:
        """Let go of whatever is held."""

    def abandon(self) -> None:
        """Give up what is under way, as far as that can be done at once; `close` comes after."""

    def warm(self, function: Callable[[ItemT], object], item: ItemT) -> None:
        """Let workers do function(item) to get ready, while this process does something else."""

    def look(self) -> None:
        """Raise EngineError where nobody is left to do the work that was submitted."""

    def restart(self, fault: BaseException) -> None:
        """Start anew after workers were lost; raises EngineError where that is no use."""
        raise self.lost(fault)

    def lost(self, fault: BaseException | None = None) -> EngineError:
        """Return the error for work that nobody can finish."""
        return EngineError(
            "worker processes were lost again and again while at one piece of work",
            self.place(),
            "look for what kills them (memory?), or use fewer --jobs",
        )

    def in_order(
        self, function: Callable[[ItemT], ResultT], items: Iterable[ItemT]
    ) -> Iterator[ResultT]:
        """Yield function(item) for each item in order, a bounded number of them under way.

        A fault of the items themselves is raised after the results of those before it, as if all
        had been done one by one. Raises EngineError where the workers are lost for good.
        """
        if self.executor() is None:
            yield from map(function, items)
            return
        waiting: deque[tuple[ItemT, Future[ResultT]]] = deque()
        most = _ITEMS_A_WORKER * self.workers
        for item in (source := _UpToFault(items)):
            self._submit(function, item, waiting)
            if len(waiting) >= most:
                yield self._first_result(function, waiting)
        while waiting:
            yield self._first_result(function, waiting)
        if source.fault is not None:
            raise source.fault

    def _submit(
        self,
        function: Callable[[ItemT], ResultT],
        item: ItemT,
        waiting: deque[tuple[ItemT, Future[ResultT]]],
    ) -> None:
        executor = self.executor()
        if executor is None:
            raise EngineError("no workers", mend="open the engine first")
        try:
            waiting.append((item, executor.submit(function, item)))
        except (BrokenExecutor, RuntimeError):
            # The pool broke meanwhile: whoever waits for the first result starts it anew.
            broken: Future[ResultT] = Future()
            broken.set_exception(BrokenExecutor())
            waiting.append((item, broken))

    def _first_result(
        self,
        function: Callable[[ItemT], ResultT],
        waiting: deque[tuple[ItemT, Future[ResultT]]],
    ) -> ResultT:
        for _ in range(_MOST_RESTARTS + 1):
            try:
                result = self._wait(waiting[0][1])
            except (BrokenExecutor, CancelledError) as fault:
                self.restart(fault)
                items = [item for item, _ in waiting]
                waiting.clear()
                for item in items:
                    self._submit(function, item, waiting)
            else:
                waiting.popleft()
                return result
        raise self.lost()

    def _wait(self, future: Future[ResultT]) -> ResultT:
        while True:
            try:
                return future.result(timeout=self.look_s)
            except FutureTimeoutError:
                if future.done():  # the work itself ran into a time-out
                    raise
                self.look()

    def place(self) -> str:
        """Name where the work is done, for messages."""
        return "on this machine"


class Threads(Engine):
    """Threads, for work whose kernels release the interpreter lock."""

    def __init__(self) -> None:
        self.workers = thread_count()
        self._executor = ThreadPoolExecutor(self.workers)

    def executor(self) -> Executor:
        """Return the threads."""
        return self._executor

    def close(self) -> None:
        """Wait for the threads to end."""
        self._executor.shutdown(cancel_futures=True)


def local_engine() -> Engine:
    """Return threads where compiled kernels make them worth while, else plain work here."""
    return Threads() if thread_count() > 1 and are_compiled() else Engine()


def open_engine(choice: EngineChoice) -> Engine:
    """Return the engine that was chosen, ready for work, to be closed after it.

    Raises UsageError for a choice that makes no sense, EngineError where it can't be reached.
    """
    choice.check()
    are_compiled()  # a switch set wrong is said before anything is read
    if choice.name == "dask":
        from .engine_dask import DaskCluster

        return DaskCluster(str(choice.scheduler))
    if choice.jobs > 1:
        from .engine_processes import Processes, interpreter

        found = interpreter()
        if found is not None:
            return Processes(choice.jobs, found)
    return local_engine()


class _UpToFault(Iterable[ItemT]):
    """Items up to a fault of their source, which is kept."""

    def __init__(self, items: Iterable[ItemT]) -> None:
        self._items = items
        self.fault: OVEarthError | None = None

    def __iter__(self) -> Iterator[ItemT]:
        try:
            yield from self._items
        except OVEarthError as fault:
            self.fault = fault
