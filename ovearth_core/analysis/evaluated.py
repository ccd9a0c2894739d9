"""Several runs over one benchmark, in columns: what every analysis works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark
from ..errors import UsageError
from .evaluated_run import EvaluatedRun
from .facts import BenchmarkFacts

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Evaluated:
    """A benchmark, runs over it in the order given, and which of its N queries are looked at.

    wanted: (N,), or None for all. Models have different names.
    """

    benchmark: Benchmark
    runs: tuple[EvaluatedRun, ...]
    wanted: Bools | None = None

    def __post_init__(self) -> None:
        names = Counter(run.model for run in self.runs)
        for run in self.runs:
            if names[run.model] > 1:
                twins = [other.source for other in self.runs if other.model == run.model]
                raise UsageError(
                    f"{len(twins)} runs have the model name {run.model!r}",
                    ", ".join(twins),
                    "give each its own in its header, or leave out what is there twice",
                )

    @cached_property
    def facts(self) -> BenchmarkFacts:
        """What is known of the queries."""
        return BenchmarkFacts(self.benchmark)

    def within(self, wanted: Bools) -> Evaluated:
        """Return the same runs looked at in those queries (N,) only."""
        both = wanted if self.wanted is None else self.wanted & wanted
        return self._with_facts(replace(self, wanted=both))

    def with_runs(self, runs: Sequence[EvaluatedRun]) -> Evaluated:
        """Return other runs over the same queries."""
        return self._with_facts(replace(self, runs=tuple(runs)))

    def _with_facts(self, other: Evaluated) -> Evaluated:
        other.__dict__["facts"] = self.facts  # they are the benchmark's, and take long to make
        return other

    def of_modality(self, modality: str) -> Evaluated:
        """Return the same runs as if they attempted that modality only, or nothing without it."""
        return self.with_runs(
            [
                replace(run, modalities=tuple({modality} & set(run.modalities)))
                for run in self.runs
            ]
        )  # fmt: skip

    def runs_of(self, task: str, modality: str = "mask") -> tuple[EvaluatedRun, ...]:
        """Return the runs that attempt the task in the modality."""
        return tuple(run for run in self.runs if run.attempts(task, modality))

    def queries(self, task: str) -> Ints:
        """Return the places of the task's queries of both polarities, ascending."""
        return np.flatnonzero(self._looked_at(task))

    def positive(self, task: str) -> Ints:
        """Return the places of the task's positive queries, ascending."""
        return np.flatnonzero(self._looked_at(task) & self.benchmark.columns.queries.is_positive)

    def asked(self, task: str, modality: str = "mask") -> Ints:
        """Return the places of the task's positive queries that the modality is asked of."""
        rows = self.positive(task)
        return rows if modality == "mask" else rows[self.benchmark.has_boxes[rows]]

    def _looked_at(self, task: str) -> Bools:
        of_task = self.benchmark.columns.queries.of_task(task)
        return of_task if self.wanted is None else of_task & self.wanted
