"""JSON texts put out of the way: in memory while they are few, in a temporary file beyond."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any

from ..errors import OutputError

_MOST_BYTES_IN_MEMORY = 1 << 20


class Shelf:
    """JSON texts by their number, from 0. Reading is safe from any thread."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_MOST_BYTES_IN_MEMORY)  # noqa: SIM115 - kept
        self._ends = array("q", [0])
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def put(self, text: str) -> None:
        """Add a text; raises OutputError where there is no room for it."""
        try:
            written = self._file.write(text.encode())
        except OSError as fault:
            raise OutputError(
                f"a benchmark of this size needs room for a temporary file ({fault.strerror})",
                tempfile.gettempdir(),
                "make room there, or name another folder in TMPDIR",
            ) from None
        self._ends.append(self._ends[-1] + written)

    def value(self, number: int) -> Any:
        """Return what the text with this number says."""
        start, end = self._ends[number], self._ends[number + 1]
        with self._lock:
            self._file.seek(start)
            return json.loads(self._file.read(end - start))


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
