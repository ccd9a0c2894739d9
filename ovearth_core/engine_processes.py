"""Processes of this machine, spawned: no lock, handle or layer of this one is theirs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from .block_cache import limit_block_cache
from .engine import Engine, ItemT, ResultT

_SECONDS_TO_START = 60.0
# Where a Python lies under its prefix, on Unix and on Windows.
_NAMES = (
    f"bin/python3.{sys.version_info[1]}",
    "bin/python3",
    "bin/python",
    "python3.exe",
    "python.exe",
)


class Processes(Engine):
    """`workers` processes; one that is killed is replaced, and its work is done again."""

    is_remote = True

    def __init__(self, workers: int, interpreter: str) -> None:
        self.workers = self.processes = workers
        self._interpreter = interpreter
        self._executor = self._started()

    def executor(self) -> Executor:
        """Return the pool of processes."""
        return self._executor

    def warm(self, function: Callable[[ItemT], object], item: ItemT) -> None:
        """Start the processes, and let each do function(item) if no other is quicker."""
        for _ in range(self.workers):
            self._executor.submit(function, item)

    def restart(self, fault: BaseException) -> None:
        """Start a new pool: the old one is of no use once a process was lost."""
        self.close()
        self._executor = self._started()

    def close(self) -> None:
        """End the processes, without waiting for what nobody wants any more."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def abandon(self) -> None:
        """Kill the processes: one may be waiting for a server."""
        running = list((getattr(self._executor, "_processes", None) or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        context.set_executable(self._interpreter)
        return _Pool(self.workers, mp_context=context, initializer=begin)


class _Pool(ProcessPoolExecutor):
    """Starts processes with Ctrl-C blocked: until they ignore it they would die of it, loudly."""

    def submit(
        self, function: Callable[..., ResultT], /, *args: Any, **kwargs: Any
    ) -> Future[ResultT]:
        """Have it done; a process may be started for it, which inherits what is blocked."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(function, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(function, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@cache
def interpreter() -> str | None:
    """Return a Python that can run this package, found from `sys.exec_prefix`, or None.

    `sys.executable` won't do: inside QGIS it may be QGIS itself. Each candidate is tried.
    """
    prefix = Path(sys.exec_prefix)
    found = (str(prefix / name) for name in _NAMES if (prefix / name).is_file())
    return next(filter(_answers, found), None)


def _answers(candidate: str) -> bool:
    if _runs_this(candidate):
        return True
    context = multiprocessing.get_context("spawn")
    context.set_executable(candidate)
    try:
        process = context.Process(target=ready)
        process.start()
    except OSError:
        return False
    process.join(_SECONDS_TO_START)
    if process.exitcode is None:
        process.kill()
    return process.exitcode == 0


def _runs_this(candidate: str) -> bool:
    """Whether it is what runs this very process, which needs no other test; known on Linux only."""
    try:
        return Path(candidate).samefile("/proc/self/exe")
    except OSError:
        return False


def ready() -> None:
    """Do nothing: that it could be called shows that a process is fit for work."""


def begin() -> None:
    """Make a process that has started a worker of ours."""
    limit_block_cache()
    end_with_parent()


def end_with_parent() -> None:
    """End this process when the one that started it is killed: nobody would tell it to.

    Ctrl-C goes to all of a terminal's processes: what it means is for the one that started them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
