"""Whose turn it is to ask a host: pauses hold for a whole process, whoever asks."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock


class Turns:
    """When each host may be asked next.

    One search asks by several connections, one after another or side by side: the host counts
    them all. clock: seconds, from any start. wait: sleeps for some.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._wait = wait
        self._free_at: dict[str, float] = {}
        self._lock = Lock()

    def take(self, host: str, pause_s: float) -> None:
        """Wait for the next turn at a host, and take it: nobody else has one for `pause_s`."""
        with self._lock:
            now = self._clock()
            start = max(now, self._free_at.get(host, now))
            self._free_at[host] = start + pause_s
        if start > now:
            self._wait(start - now)


# Of this process.
TURNS = Turns()
