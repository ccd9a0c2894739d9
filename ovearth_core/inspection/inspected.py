"""A benchmark and its runs, read and scored to be looked at query by query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..benchmark import Benchmark, Truth, read_benchmark
from ..benchmark.object_size import Progress
from ..errors import InputError, OVEarthError
from ..overlay import AnswerShelf
from ..predictions import read_predictions
from ..predictions.dialects import DialectOptions, open_dialect
from ..scoring import Options, Scores, evaluate
from .facts import QueryFacts, query_facts
from .outcomes import Outcomes, run_outcomes


@dataclass(frozen=True)
class InspectedBenchmark:
    """A benchmark with what is known of its queries; `path`: its file."""

    path: Path
    benchmark: Benchmark
    facts: QueryFacts

    def image_of(self, row: int) -> int:
        """Return the id of the image that the query at `row` asks about."""
        return int(self.facts.images[row])


@dataclass(frozen=True)
class InspectedRun:
    """A scored run: its outcomes by modality, and where its answers are. `path`: its file.

    document: its entry in `runs` of a scores file. dialect, dialect_options: what its file is
    written in, None for a run of ours.
    """

    path: Path
    scores: Scores
    outcomes: Mapping[str, Outcomes]
    answers: AnswerShelf
    document: Mapping[str, Any]
    dialect: str | None = None
    dialect_options: DialectOptions | None = None

    @property
    def left_out(self) -> dict[str, int]:
        """What a dialect left out of it, or warns of, why and how often."""
        return {
            text: count
            for key in ("left_out", "warnings")
            for text, count in self.document.get(key, {}).items()
        }

    @property
    def name(self) -> str:
        """The model's name."""
        return self.scores.predictions.header.model


def inspect_benchmark(path: Path, progress: Progress | None = None) -> InspectedBenchmark:
    """Read a benchmark and look at its queries. Raises as the reader does, and TruthError."""
    benchmark = read_benchmark(path)
    # A truth of its own: another thread may be drawing from one, and none is safe for two.
    return InspectedBenchmark(path, benchmark, query_facts(benchmark, Truth(benchmark), progress))


def inspect_run(
    inspected: InspectedBenchmark,
    path: Path,
    modality: str | None = None,
    progress: Callable[[int], None] | None = None,
    dialect: str | None = None,
    dialect_options: DialectOptions | None = None,
) -> InspectedRun:
    """Score a run and keep what it takes to show it. Raises as the readers and `evaluate` do.

    `modality`: what features of a vector file are that don't say so. `progress` is called with
    the records done. `dialect`: what it is written in, None for a run of ours. A run without any
    known query is named as another benchmark's.
    """
    benchmark = inspected.benchmark
    if dialect is None:
        run = read_predictions(path, modality)
    else:
        told = dialect_options or DialectOptions(modality=modality)
        run = open_dialect(path, dialect, benchmark, told)
    try:
        scores = evaluate(
            benchmark, run, options=Options(), truth=Truth(benchmark),
            progress=progress,
        )  # fmt: skip
    except OVEarthError as fault:
        if fault.what.startswith("unknown query id"):
            raise InputError(
                f"this run answers another benchmark: {fault.what}",
                fault.where,
                f"choose a run of {inspected.path.name}, or open its own benchmark",
            ) from None
        raise
    return InspectedRun(
        path,
        scores,
        run_outcomes(scores),
        AnswerShelf(run, progress),
        scores.to_dict(),
        dialect,
        dialect_options,
    )
