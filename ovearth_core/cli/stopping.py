"""Ctrl-C and SIGTERM, once and again, as a person at a command line means them."""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

# Until then whoever was interrupted may tidy up, however often Ctrl-C is pressed.
_SECONDS_TO_TIDY_UP = 5.0


class _Stopping:
    """The first one interrupts; those right after it don't; a later one ends the process."""

    def __init__(self) -> None:
        self._since: float | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._since is None:
            self._since = now
            raise KeyboardInterrupt
        if now - self._since > _SECONDS_TO_TIDY_UP:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


def listen() -> None:
    """Have Ctrl-C and SIGTERM interrupt this process, once: it is to be called at its start.

    What whoever started it wants ignored (`nohup`, a script's `&`) stays so.
    """
    stopping = _Stopping()
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stopping)
