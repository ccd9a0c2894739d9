"""How many requests one host gets at a time from this process, and when it wants a rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class HostGate:
    """Lets so many requests through at a time. Shared by all threads and sources of a process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._under_way = 0
        self._closed_until = 0.0

    @contextmanager
    def turn(self, limit: int, stop: threading.Event) -> Iterator[None]:
        """Wait until fewer than `limit` requests are under way and the host's rest is over.

        limit: of all processes of a job together; see `share_hosts`. stop: when set, the rest is
        over too.
        """
        own = max(1, limit // _hosts.sharers)
        with self._changed:
            while self._under_way >= own:
                self._changed.wait()
            self._under_way += 1
        try:
            rest_s = self._closed_until - time.monotonic()
            if rest_s > 0.0:
                stop.wait(rest_s)
            yield
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify()

    def rest(self, seconds: float) -> None:
        """Let nothing more through for some time, as the host asks."""
        self._closed_until = max(self._closed_until, time.monotonic() + seconds)


class _Hosts:
    """The gates of a process, and how many processes stand before the same hosts."""

    def __init__(self) -> None:
        self.sharers = 1
        self._gates: dict[str, HostGate] = {}
        self._lock = threading.Lock()

    def gate(self, host: str) -> HostGate:
        """Return the gate of a host, the same each time."""
        with self._lock:
            return self._gates.setdefault(host, HostGate())


_hosts = _Hosts()


def gate_of(host: str) -> HostGate:
    """Return the gate of a host."""
    return _hosts.gate(host)


def share_hosts(processes: int) -> None:
    """Let this process have its part of what a host is asked for at once: so many ask it.

    Each has at least one request under way.
    """
    _hosts.sharers = max(1, processes)
