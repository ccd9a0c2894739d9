"""Pictures fetched side by side."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from ...daemons import LOOK_S, DaemonPool, awaited
from .address import Address
from .fetching import EMPTY_STATUSES, Politeness, fetch
from .picture import Picture, check_packages, is_marked_empty, picture_of, set_up_thread
from .server_errors import CutOffError, ForbiddenError
from .tile_level import Piece

_MOST_ATTEMPTS = 2
# Pictures.
KEPT = 64
# What some hosts say of a tile that they don't have; of a key that they don't take, too.
_FORBIDDEN = 403


@dataclass(frozen=True)
class Request:
    """A picture that is wanted, and where it goes.

    place: names the ground that it shows, where that isn't its address: two pictures of one place
    may be alike to the bit.
    """

    piece: Piece
    address: Address
    place: str | None = None


@dataclass(frozen=True)
class Fetched:
    """A picture, None where there is none.

    size: bytes. digest: what tells it from others. color: the only one in it, None
    where there are several. is_placeholder: the server says so. refusal: that it forbids this one.
    """

    picture: Picture | None
    size: int
    digest: bytes = b""
    color: tuple[float, ...] | None = None
    is_placeholder: bool = False
    refusal: ForbiddenError | None = None


class Fetcher:
    """Fetches pictures in threads of its own, and keeps the last ones; close it after use.

    refusal: that a tile is forbidden (403), as long as no picture has come: it may be the key.
    """

    def __init__(self, rules: Politeness, kept: int = KEPT) -> None:
        self._rules = rules
        check_packages()
        self._threads = DaemonPool(rules.per_host, "tiles", set_up_thread)
        self._kept: OrderedDict[str, Fetched] = OrderedDict()
        self._most_kept = kept
        self._lock = threading.Lock()
        self._has_pictures = False
        self.refusal: ForbiddenError | None = None

    def fetch(self, address: Address) -> Fetched:
        """Return the picture at an address; a ServerError says what came instead."""
        stop = threading.Event()
        try:
            return awaited(self._threads.submit(self._kept_or_fetched, address, stop))
        finally:
            stop.set()

    def _kept_or_fetched(self, address: Address, stop: threading.Event) -> Fetched:
        found = self._kept.get(address.url)
        if found is None:
            found = self._fetched(address, stop)
            with self._lock:
                self._has_pictures |= found.picture is not None
                self.refusal = None if self._has_pictures else found.refusal or self.refusal
                if found.refusal is not None:
                    return found
                self._kept[address.url] = found
                while len(self._kept) > self._most_kept:
                    self._kept.popitem(last=False)
        return found

    def each(self, requests: Sequence[Request], take: Callable[[Request, Fetched], None]) -> None:
        """Fetch side by side, and hand over in this thread what has come, in any order.

        After a fault, or Ctrl-C, no more are asked for and no pauses are waited for.
        """
        left = iter(requests)
        stop = threading.Event()
        running: dict[Future[Fetched], Request] = {}
        try:
            while True:
                while len(running) < 2 * self._rules.per_host:
                    request = next(left, None)
                    if request is None:
                        break
                    running[self._threads.submit(self._kept_or_fetched, request.address, stop)] = (
                        request
                    )
                if not running:
                    return
                for done in wait(running, LOOK_S, FIRST_COMPLETED).done:
                    take(running.pop(done), done.result())
        finally:
            stop.set()
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _fetched(self, address: Address, stop: threading.Event) -> Fetched:
        attempt = 0
        while True:
            attempt += 1
            try:
                arrival = fetch(address, self._rules, stop=stop)
            except ForbiddenError as fault:
                if fault.status != _FORBIDDEN:
                    raise
                return Fetched(None, 0, refusal=fault)
            if arrival.status in EMPTY_STATUSES:
                return Fetched(None, len(arrival.body))
            try:
                picture = picture_of(arrival, address.shown)
            except CutOffError:
                if attempt >= _MOST_ATTEMPTS or stop.is_set():
                    raise
                continue
            digest = hashlib.blake2b(arrival.body, digest_size=16).digest()
            color, is_empty = picture.one_color(), is_marked_empty(arrival)
            return Fetched(picture, len(arrival.body), digest, color, is_empty)
