"""Ctrl-C, heard where it does no harm: between two pieces of work, not in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_Handler = Callable[[int, "FrameType | None"], object]


class Interrupts:
    """Holds Ctrl-C and SIGTERM back for the length of a block, but for where they are `heard`.

    What came meanwhile and was not heard by the end of the block is forgotten: the work is done
    then. Signals come to the main thread alone: in others it changes nothing. Nor does it where
    they mean something else than an exception, as SIGTERM does unless somebody has said so.
    """

    def __init__(self) -> None:
        self._before: dict[int, _Handler] = {}
        self._came: int | None = None
        self._is_open = False

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                before = signal.getsignal(number)
                if callable(before):
                    self._before[number] = before
                    signal.signal(number, self._take)
        return self

    def __exit__(self, *fault: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Let them be heard while the block lasts, also one that came before it."""
        self._is_open = True
        try:
            if self._came is not None:
                self._pass_on(self._came, None)
            yield
        finally:
            self._is_open = False

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._is_open:
            self._pass_on(number, frame)
        else:
            self._came = number

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        # Once: what is tidied up after it is not to be interrupted in turn.
        self._came, self._is_open = None, False
        self._before[number](number, frame)
