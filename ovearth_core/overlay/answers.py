"""A run's answers by query id, for whoever looks at one query after another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..predictions import Predictions, Record
from ..predictions.json_lines import JsonLinesRecords, record_at

_CHUNK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"

Offsets = NDArray[np.int64]


class AnswerShelf:
    """Finds the record of a query.

    Of plain JSON Lines only the place in the file is kept, and read when asked for; other runs
    are kept whole. Raises while it is made as iterating the run does.
    """

    def __init__(self, run: Predictions, progress: Callable[[int], None] | None = None) -> None:
        lines = run.records if isinstance(run.records, JsonLinesRecords) else None
        self._lines = None if lines is None or _is_packed(lines.path) else lines
        self._line_of: dict[str, int] = {}
        self._records: dict[str, Record] = {}
        for count, record in enumerate(run, 1):
            if self._lines is None:
                self._records[record.query_id] = record
            else:
                self._line_of[record.query_id] = record.line
            if progress is not None:
                progress(count)
        self._offsets = _NONE if self._lines is None else _line_offsets(self._lines.path)

    def __len__(self) -> int:
        return len(self._line_of) or len(self._records)

    def __contains__(self, query_id: object) -> bool:
        return query_id in self._line_of or query_id in self._records

    def get(self, query_id: str) -> Record | None:
        """Return the query's record, None where the run doesn't answer it.

        Raises InputError where the file has been changed or taken away in the meantime.
        """
        if self._lines is None:
            return self._records.get(query_id)
        line = self._line_of.get(query_id)
        if line is None:
            return None
        return record_at(self._lines, line, int(self._offsets[line - 1]), query_id)


_NONE: Offsets = np.zeros(1, np.int64)


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == _GZIP


def _line_offsets(path: Path) -> Offsets:
    """Return where each line of a file begins."""
    found = [_NONE]
    done = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))
            found.append(ends + done + 1)
            done += len(chunk)
    return np.concatenate(found)
