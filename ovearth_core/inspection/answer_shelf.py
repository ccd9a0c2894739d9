"""A run's answers put aside while it is scored, so that any one can be shown later."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..benchmark import Benchmark
from ..benchmark.shelf import Shelf
from ..predictions import Predictions, Record

_NONE = -1


class AnswerShelf:
    """The answers of one run by the query's place in the benchmark; reading is safe in any thread.

    `noting` wraps the run: as it is iterated, each record is put aside on its way.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        self._index = benchmark.query_index
        self._shelf = Shelf()
        self._numbers = array("q", [_NONE]) * len(benchmark.queries)

    def noting(self, run: Predictions) -> Predictions:
        """Return the same run, whose records are put aside as they are read."""
        return Predictions(
            run.header,
            _Noted(run, self),
            run.source,
            run.folder,
            lambda: run.sha256 or "",
            run.entry,
            run.files,
        )

    def put(self, record: Record) -> None:
        """Keep a record; one of an unknown query is left out."""
        place = self._index.get(record.query_id)
        if place is None:
            return
        self._numbers[place] = len(self._shelf)
        self._shelf.put(json.dumps(record._asdict(), default=_plain))

    def record(self, place: int) -> Record | None:
        """Return the answer to the query at `place`, None where the run has none."""
        number = self._numbers[place]
        if number == _NONE:
            return None
        fields = self._shelf.value(number)
        for name in ("hbb", "obb", "scores", "obb_scores"):
            if fields[name] is not None:
                fields[name] = np.array(fields[name], dtype=np.float64)
        for name, shape in (("hbb", (-1, 4)), ("obb", (-1, 4, 2))):
            if fields[name] is not None:
                fields[name] = fields[name].reshape(shape)
        return Record(**{**fields, "given": frozenset(fields["given"])})


class _Noted:
    def __init__(self, records: Iterable[Record], shelf: AnswerShelf) -> None:
        self._records = records
        self._shelf = shelf

    def __iter__(self) -> Iterator[Record]:
        for record in self._records:
            self._shelf.put(record)
            yield record


def _plain(value: Any) -> Any:
    """Return what JSON has no word for in one that it has."""
    return value.tolist() if isinstance(value, np.ndarray) else list(value)
