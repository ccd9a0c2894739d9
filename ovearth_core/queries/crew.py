"""Threads that do work side by side and that nothing has to wait for at the end.

An executor's threads are waited for when Python ends: one that a server keeps waiting would hold a
job that was stopped for minutes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Done(Generic[ItemT, ResultT]):
    """A piece of work that came to its end: its result, or what was raised."""

    item: ItemT
    result: ResultT | None
    fault: Exception | None


class Crew(Generic[ItemT, ResultT]):
    """`count` threads that do `work`, a function of one item."""

    def __init__(self, work: Callable[[ItemT], ResultT], count: int) -> None:
        self._work = work
        self._waiting: SimpleQueue[ItemT | None] = SimpleQueue()
        self._done: SimpleQueue[Done[ItemT, ResultT]] = SimpleQueue()
        self._count = count
        self.under_way = 0
        for _ in range(count):
            threading.Thread(target=self._run, daemon=True).start()

    @property
    def is_full(self) -> bool:
        """Whether every thread has something to do."""
        return self.under_way >= self._count

    def give(self, item: ItemT) -> None:
        """Give the next free thread an item."""
        self.under_way += 1
        self._waiting.put(item)

    def take(self, seconds: float | None = None) -> Done[ItemT, ResultT] | None:
        """Wait for the next that is done, for so long; None where none is."""
        try:
            done = self._done.get(timeout=seconds)
        except Empty:
            return None
        self.under_way -= 1
        return done

    def dismiss(self) -> None:
        """Let the threads end once they are done with what they have."""
        for _ in range(self._count):
            self._waiting.put(None)

    def _run(self) -> None:
        while (item := self._waiting.get()) is not None:
            try:
                self._done.put(Done(item, self._work(item), None))
            except Exception as fault:
                self._done.put(Done(item, None, fault))
