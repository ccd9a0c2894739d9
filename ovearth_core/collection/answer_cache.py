"""Answers of servers kept on disk by the content of their request."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ..atomic import AtomicFiles
from ..errors import OutputError, UsageError
from .cache_tidying import tidy
from .exchange import Answer, Request

_FOLDER = "OVEARTH_CACHE"
_DAY_S = 86400.0
_DIGEST_LENGTH = 64
# The first of each process, and every so many.
_TIDY_EVERY = 100
_puts = count()


def default_folder() -> Path:
    """Return where answers are kept: $OVEARTH_CACHE, else the user's folder for caches.

    UsageError for a user without a home.
    """
    if named := os.environ.get(_FOLDER):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "ovearth" / "answers"
    except RuntimeError:
        raise UsageError(
            "this user has no home for a cache", f"${_FOLDER} and $HOME", f"set ${_FOLDER}"
        ) from None


@dataclass(frozen=True)
class AnswerCache:
    """A folder with one file for each answer; None for a folder keeps nothing.

    A file is the SHA-256 of the body in hex, a line end, and the body: damaged ones are taken for
    none. Answers older than `days` are asked anew, and now and then removed, as are the oldest of
    more than `most_bytes`.
    """

    folder: Path | None
    days: float = 7.0
    most_bytes: int = 1 << 30

    def get(self, request: Request, where: str) -> Answer | None:
        """Return the answer kept for this request, None where there is none that is good."""
        if self.folder is None:
            return None
        path = self._path(self.folder, request)
        try:
            if time.time() - path.stat().st_mtime > self.days * _DAY_S:
                return None
            digest, _, body = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        is_whole = digest == hashlib.sha256(body).hexdigest().encode()
        return Answer(body, "", where) if is_whole else None

    def put(self, request: Request, answer: Answer) -> None:
        """Keep an answer, whole or not at all; a full or locked disk keeps none, without a word."""
        if self.folder is None:
            return
        digest = hashlib.sha256(answer.body).hexdigest().encode()
        # An answer that can't be kept is still an answer.
        with suppress(OutputError), AtomicFiles() as files:
            files.write_bytes(self._path(self.folder, request), digest + b"\n" + answer.body)
        if next(_puts) % _TIDY_EVERY == 0:
            tidy(self.folder, time.time() - self.days * _DAY_S, self.most_bytes)

    def _path(self, folder: Path, request: Request) -> Path:
        content = [request.method, request.url, request.params, request.fields]
        key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return folder / key[:2] / key[2:_DIGEST_LENGTH]
