"""The table of queries: its columns, which rows are shown, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import TASKS, Benchmark
from ..benchmark.object_size import SIZES
from ..scoring.error_kinds import KINDS
from .facts import QueryFacts
from .outcomes import NOT_ASKED, Outcomes
from .query_filter import QueryFilter

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Value = str | int | float | bool | None


class Column(Enum):
    """A column, by the name that it has in a CSV file."""

    QUERY = "query_id"
    TEXT = "text"
    ERROR = "error"
    IOU = "iou"
    SECOND_IOU = "second_iou"
    DIFFERENCE = "difference"
    TP = "tp"
    FP = "fp"
    FN = "fn"
    F1 = "f1"
    CATEGORY = "category"
    DOMAIN = "domain"
    TASK = "task"
    IS_POSITIVE = "polarity"
    SIZE = "size"
    IS_PRESENT = "present"


_OF_SECOND = (Column.SECOND_IOU, Column.DIFFERENCE)


class QueryTable:
    """The queries of a benchmark with one run's outcomes, and those of a second where compared.

    Immutable: another run, modality or step of the threshold is another table, made in no time.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        facts: QueryFacts,
        first: Outcomes,
        step: int,
        second: Outcomes | None = None,
    ) -> None:
        self.benchmark = benchmark
        self.facts = facts
        self.first = first
        self.second = second
        self.step = step
        self.columns = tuple(c for c in Column if second is not None or c not in _OF_SECOND)
        self._keys: dict[Column, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self.facts)

    def key(self, column: Column) -> NDArray[Any]:
        """Return what the rows are sorted by in this column, (N,)."""
        found = self._keys.get(column)
        if found is None:
            found = self._keys[column] = self._made_key(column)
        return found

    def value(self, column: Column, row: int) -> Value:
        """Return a cell; None where nothing was asked."""
        words = _WORDS.get(column)
        if words is not None:
            return words(self, row)
        value = self.key(column)[row].item()
        if column is Column.IS_PRESENT:
            return bool(value) if self.first.is_attempted[row] else None
        if column in (Column.TP, Column.FP, Column.FN):
            return int(value) if self.first.is_asked[row] else None
        return None if value != value else float(value)  # noqa: PLR0124 - NaN alone differs

    def rows(
        self, wanted: QueryFilter, column: Column | None = None, descending: bool = False
    ) -> Ints:
        """Return the rows that pass, in the order of a column, or the worst first.

        Equal rows keep the benchmark's order; those where nothing was asked come last.
        """
        rows = np.flatnonzero(self._passing(wanted))
        if column is None:
            return rows[self._worst_first(rows)]
        key = self.key(column)[rows]
        if key.dtype.kind == "b":
            key = key.astype(np.int8)
        if descending:
            key = -key
        return rows[np.argsort(key, kind="stable")]

    def difference(self) -> Floats:
        """Return by how much the second run is better, (N,); NaN where one has no answer."""
        if self.second is None:
            return np.full(len(self), np.nan)
        return self.second.quality(self.step) - self.first.quality(self.step)

    def _passing(self, wanted: QueryFilter) -> NDArray[np.bool_]:
        passing = wanted.passes(self.facts, self._kinds) & self.first.is_attempted
        if wanted.is_better:
            passing &= np.asarray(self.key(Column.DIFFERENCE), dtype=np.float64) > 0
        return passing

    def _worst_first(self, rows: Ints) -> Ints:
        quality = self.first.quality(self.step)[rows]
        wrong = self.first.spurious(self.step)[rows] + self.first.missed(self.step)[rows]
        return np.lexsort((-wrong, quality))

    @property
    def _kinds(self) -> NDArray[np.int8]:
        return np.asarray(self.key(Column.ERROR), dtype=np.int8)

    def _made_key(self, column: Column) -> NDArray[Any]:
        return _KEYS[column](self)


_KEYS: dict[Column, Callable[[QueryTable], NDArray[Any]]] = {
    Column.QUERY: lambda table: table.facts.id_ranks,
    Column.TEXT: lambda table: table.facts.text_ranks,
    Column.TASK: lambda table: table.facts.tasks,
    Column.IS_POSITIVE: lambda table: table.facts.is_positive,
    Column.DOMAIN: lambda table: table.facts.domains,
    Column.CATEGORY: lambda table: table.facts.categories,
    Column.SIZE: lambda table: table.facts.areas_px,
    Column.IS_PRESENT: lambda table: table.first.is_present,
    Column.IOU: lambda table: table.first.iou,
    Column.TP: lambda table: table.first.matched(table.step),
    Column.FP: lambda table: table.first.spurious(table.step),
    Column.FN: lambda table: table.first.missed(table.step),
    Column.F1: lambda table: table.first.f1(table.step),
    Column.ERROR: lambda table: table.first.kinds(table.step),
    Column.SECOND_IOU: lambda table: (table.second or table.first).iou,
    Column.DIFFERENCE: lambda table: table.difference(),
}

_WORDS: dict[Column, Callable[[QueryTable, int], Value]] = {
    Column.QUERY: lambda table, row: table.benchmark.columns.queries.ids[row],
    Column.TEXT: lambda table, row: table.benchmark.queries[row].text,
    Column.TASK: lambda table, row: TASKS[table.facts.tasks[row]],
    Column.IS_POSITIVE: lambda table, row: (
        "positive" if table.facts.is_positive[row] else "negative"
    ),
    Column.DOMAIN: lambda table, row: table.facts.domain_names[table.facts.domains[row]],
    Column.CATEGORY: lambda table, row: table.facts.category_names[table.facts.categories[row]],
    Column.SIZE: lambda table, row: SIZES[table.facts.sizes[row]],
    Column.ERROR: lambda table, row: _kind_word(int(table.key(Column.ERROR)[row])),
}


def _kind_word(place: int) -> str | None:
    return None if place == NOT_ASKED else KINDS[place]
