"""A Dask cluster, whose workers have the same versions installed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from queue import Empty, Queue
from threading import Thread
from typing import Any

from .engine import Engine
from .errors import EngineError, MissingPackageError
from .versions import versions

_SECONDS_TO_ANSWER = 15.0
_SECONDS_OF_GRACE = 1.0
_SECONDS_WITHOUT_WORKER = 30.0


class DaskCluster(Engine):
    """The workers behind a scheduler. A worker that dies is made up for by those that are left."""

    is_remote = True
    shares_disk = False

    def __init__(self, scheduler: str) -> None:
        self._scheduler = scheduler
        self._client = _client(scheduler)
        self._alone_since: float | None = None
        try:
            threads = self._checked_workers()
            self.workers, self.processes = sum(threads.values()), len(threads)
            self._executor = _Submitter(self._client, self.lost)
        except BaseException:
            self.close()
            raise

    def executor(self) -> Executor:
        """Return the client, as an executor."""
        return self._executor

    def place(self) -> str:
        """Name the scheduler."""
        return f"scheduler {self._scheduler}"

    def close(self) -> None:
        """Leave the cluster as it is, and forget what was asked of it."""
        self._client.close(timeout=_SECONDS_TO_ANSWER)

    def look(self) -> None:
        """Raise EngineError when the scheduler is gone, or has had no worker for a while."""
        if self._client.status != "running":
            raise self.lost()
        try:
            has_workers = bool(self._client.nthreads())
        except OSError:
            raise self.lost() from None
        if has_workers:
            self._alone_since = None
            return
        now = time.monotonic()
        self._alone_since = now if self._alone_since is None else self._alone_since
        if now - self._alone_since > _SECONDS_WITHOUT_WORKER:
            raise EngineError("no worker is left", self.place(), "start some, and score again")

    def lost(self, fault: BaseException | None = None) -> EngineError:
        """Return the error for work that nobody can finish."""
        if type(fault).__name__ == "KilledWorker":
            return EngineError(
                "one piece of work was under way when several workers died",
                self.place(),
                "look at their logs (memory?)",
            )
        return EngineError("the scheduler is gone", self.place(), "start it, and score again")

    def _checked_workers(self) -> dict[str, int]:
        """Return the threads of each worker; EngineError unless all have what this machine has."""
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS_TO_ANSWER)
        except (asyncio.TimeoutError, TimeoutError):  # the same from Python 3.11 on
            raise EngineError("it has no workers", self.place(), "start some") from None
        mine = versions()
        for worker, found in self._client.run(versions, on_error="return").items():
            if not isinstance(found, dict):
                raise EngineError(
                    f"its worker {worker} can't run ovearth ({found})",
                    self.place(),
                    f"install ovearth {mine['ovearth']} there",
                )
            for name, version in mine.items():
                if found.get(name) != version:
                    raise EngineError(
                        f"its worker {worker} has {name} {found.get(name)}, here it is {version}",
                        self.place(),
                        "install the same there: numbers may depend on it",
                    )
        threads: dict[str, int] = self._client.nthreads()
        return threads


class _Submitter(Executor):
    """A client as an executor. Dask's own loses results whose worker dies right after the work."""

    def __init__(self, client: Any, lost: Callable[[BaseException], EngineError]) -> None:
        self._client = client
        self._lost = lost

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give the cluster work to do."""
        return _Result(self._client.submit(fn, *args, pure=False, **kwargs), self._lost)


class _Result(Future[Any]):
    """Waits for a future of Dask, which does the work again as long as there are workers."""

    def __init__(self, remote: Any, lost: Callable[[BaseException], EngineError]) -> None:
        super().__init__()
        self._remote = remote
        self._lost = lost

    def done(self) -> bool:
        """Whether the work has failed: what it gave may still be lost, with its worker."""
        return self._remote.status in {"error", "cancelled"}

    def result(self, timeout: float | None = None) -> Any:
        """Return what the work gave; raises TimeoutError, or what the work raised."""
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            return self._remote.result(timeout=timeout)
        except (asyncio.TimeoutError, TimeoutError) as fault:
            raise FutureTimeoutError from fault
        except (KilledWorker, CommClosedError, CancelledError, asyncio.CancelledError) as fault:
            raise self._lost(fault) from None


def _client(scheduler: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise MissingPackageError(
            "a Dask cluster needs distributed", mend="pip install 'ovearth[dask]'"
        ) from None
    # What it has to say comes as an exception too, and that is told in one line.
    for name in ("asyncio", *logging.Logger.manager.loggerDict):
        if name.split(".")[0] in {"distributed", "asyncio", "tornado"}:
            logging.getLogger(name).disabled = True
    # A port that takes the call and says nothing outlasts the client's own time-out.
    answer: Queue[Any] = Queue()
    Thread(target=_connect, args=(Client, scheduler, answer), daemon=True).start()
    try:
        found = answer.get(timeout=_SECONDS_TO_ANSWER + _SECONDS_OF_GRACE)
    except Empty:
        found = TimeoutError(f"nothing within {_SECONDS_TO_ANSWER:g} s")
    if isinstance(found, Exception):
        raise EngineError(
            f"the scheduler doesn't answer ({found})",
            scheduler,
            "check the address, and that it runs",
        )
    return found


def _connect(client: Callable[..., Any], scheduler: str, answer: Queue[Any]) -> None:
    try:
        answer.put(client(scheduler, timeout=_SECONDS_TO_ANSWER, set_as_default=False))
    except Exception as fault:
        answer.put(fault)
