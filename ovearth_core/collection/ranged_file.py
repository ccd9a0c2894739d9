"""A file on a web server, read in ranges: only the wanted bytes travel."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event

from ..daemons import LOOK_S, DaemonPool
from .exchange import Answer, Exchange, Politeness, Request, check_template, shown_url
from .service_errors import CutOffError, UnreadableAnswerError


class RangedFile(io.RawIOBase):
    """A read-only, seekable file over HTTP range requests.

    requests, bytes_read: what it cost so far. Raises a ServiceError where the server fails, gives
    no ranges, or has another file there than it had at first. Closing it
    ends a read that is under way in another thread.
    """

    def __init__(self, url: str, politeness: Politeness) -> None:
        super().__init__()
        self._url = check_template(url)
        self._where = shown_url(url)
        self._exchange = Exchange(politeness)
        self._threads = DaemonPool(1, "ranges")
        self._waiting = Event()
        self._is_given_up = False
        self._position = 0
        self.requests = 0
        self.bytes_read = 0
        self._edition: tuple[str, str] | None = None
        self._size = 0
        self._size = self._ask(0, 1)[1]

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move without asking anything."""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        """Read up to `size` bytes by one request."""
        left = max(0, self._size - self._position)
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted == 0:
            return b""
        body, _ = self._ask(self._position, wanted)
        self._position += len(body)
        return body

    def close(self) -> None:
        """Close the connection."""
        if not self.closed:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._is_given_up = True
            self._waiting.set()
            self._exchange.close()
        super().close()

    def _ask(self, start: int, length: int) -> tuple[bytes, int]:
        """Return the bytes and the size of the whole file."""
        last = start + length - 1
        headers = {"Range": f"bytes={start}-{last}", "Accept-Encoding": "identity"}

        def read(answer: Answer) -> tuple[bytes, int]:
            shown = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", answer.content_range.strip())
            if shown is None or int(shown[1]) != start:
                what = "it answers with another range than was asked for"
                raise UnreadableAnswerError(what, self._where, "check the address")
            size = int(shown[3])
            self._check_same(size, answer.edition)
            if len(answer.body) != min(length, size - start):
                raise CutOffError("a range came incomplete", self._where, "try again later")
            return answer.body, size

        body, size = self._answer(Request(self._url, headers=headers), read)
        self.requests += 1
        self.bytes_read += len(body)
        return body, size

    def _check_same(self, size: int, edition: tuple[str, str]) -> None:
        """Raise UnreadableAnswerError where the file was replaced: parts of two don't fit."""
        if self._edition is None:
            self._edition = edition
            return
        # Mirrors may give one file several ETags: where both moments are told, they decide.
        known = [pair for pair in zip(self._edition, edition, strict=True) if all(pair)]
        if size != self._size or (known and known[-1][0] != known[-1][1]):
            what = "the file was replaced while it was read"
            raise UnreadableAnswerError(what, self._where, "run it again")

    def _answer(
        self, request: Request, read: Callable[[Answer], tuple[bytes, int]]
    ) -> tuple[bytes, int]:
        """Ask in another thread, which can be left while the server is silent."""
        self._waiting = is_over = Event()
        asked: Future[tuple[bytes, int]] = self._threads.submit(self._exchange.ask, request, read)
        asked.add_done_callback(lambda _: is_over.set())
        while not is_over.wait(LOOK_S):
            pass
        if self._is_given_up:
            raise CutOffError("it was closed", self._where, "try again")
        return asked.result()
