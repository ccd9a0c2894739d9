"""JSON texts put out of the way: in memory while they are few, in a temporary file beyond."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import IO, Any

from ..errors import OutputError

_BYTES_AT_ONCE = 1 << 20


class Shelf:
    """JSON texts by their number, from 0: the last megabyte in memory, the rest in a file.

    Reading is safe from any thread.
    """

    def __init__(self) -> None:
        self._ends = array("q", [0])
        self._pending = bytearray()
        self._written = 0
        self._file: IO[bytes] | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def put(self, text: str) -> None:
        """Add a text; raises OutputError where there is no room for it."""
        self._pending += text.encode()
        self._ends.append(self._written + len(self._pending))
        if len(self._pending) > _BYTES_AT_ONCE:
            self._write()

    def value(self, number: int) -> Any:
        """Return what the text with this number says."""
        return json.loads(self._text(self._ends[number], self._ends[number + 1]))

    def _text(self, start: int, end: int) -> bytes:
        with self._lock:
            if self._file is None or start >= self._written:
                return bytes(self._pending[start - self._written : end - self._written])
            self._file.seek(start)
            return self._file.read(end - start)

    def _write(self) -> None:
        with self._lock:
            try:
                if self._file is None:
                    self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - kept
                self._file.seek(self._written)
                left = memoryview(bytes(self._pending))
                while left:
                    left = left[self._file.write(left) :]
            except OSError as fault:
                raise OutputError(
                    f"a benchmark of this size needs room for a temporary file ({fault.strerror})",
                    tempfile.gettempdir(),
                    "make room there, or name another folder in TMPDIR",
                ) from None
            self._written += len(self._pending)
            self._pending.clear()


class Shelved(Mapping[str, Any]):
    """A JSON object on a shelf, under a key of the object that is there; read when it is used.

    Sent to another process it becomes a plain one.
    """

    __slots__ = ("_key", "_number", "_shelf")

    def __init__(self, shelf: Shelf, number: int, key: str) -> None:
        self._shelf = shelf
        self._number = number
        self._key = key

    def load(self) -> dict[str, Any]:
        """Return the object itself."""
        found: dict[str, Any] = self._shelf.value(self._number)[self._key]
        return found

    def __getitem__(self, key: str) -> Any:
        return self.load()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.load())

    def __len__(self) -> int:
        return len(self.load())

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (self.load(),)


def loaded(value: Any) -> Any:
    """Return a JSON value as itself, wherever it was kept."""
    return value.load() if isinstance(value, Shelved) else value
