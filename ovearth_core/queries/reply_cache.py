"""Replies of language models kept on disk by all that was asked: nothing is paid for twice.

Neither the key nor the pictures are in it. Replies don't grow old: what was asked is the same.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from ..atomic import AtomicFiles
from ..collection.answer_cache import default_folder
from ..errors import OutputError

_FOLDER = "language"
_LARGEST = 4 << 20


@dataclass(frozen=True)
class Reply:
    """What a model said. finish: why it ended ("stop", "length", "content_filter").

    refusal: its words where it won't. at: when, UTC. tokens_in, tokens_out: as the server counts.
    """

    text: str
    refusal: str | None = None
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    at: str = ""


def default_cache() -> Path:
    """Return the folder for replies: `language` in that of other answers (OVEARTH_CACHE)."""
    return default_folder() / _FOLDER


@dataclass(frozen=True)
class ReplyCache:
    """A folder with a file for each reply; None keeps nothing. Damaged files are taken for none."""

    folder: Path | None

    def get(self, key: str) -> Reply | None:
        """Return the reply kept under a key, None where there is none that is good."""
        if self.folder is None:
            return None
        try:
            with self._path(self.folder, key).open("rb") as file:
                whole = file.read(_LARGEST)
            digest, _, body = whole.partition(b"\n")
            if digest != sha256(body).hexdigest().encode():
                return None
            return Reply(**json.loads(body))
        except (OSError, ValueError, TypeError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply, whole or not at all; on a full disk it is still a reply."""
        if self.folder is None:
            return
        body = json.dumps(asdict(reply), ensure_ascii=True).encode()
        with suppress(OutputError), AtomicFiles() as files:
            digest = sha256(body).hexdigest().encode()
            files.write_bytes(self._path(self.folder, key), digest + b"\n" + body)

    def _path(self, folder: Path, key: str) -> Path:
        return folder / key[:2] / key[2:]
