"""Opens runs for analyses: predictions are scored, per-query files are read as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..benchmark import Benchmark, Truth, read_benchmark
from ..errors import InputError, OVEarthError, UsageError
from ..predictions import read_predictions
from ..scoreboard import Progress
from ..scoring import Options, evaluate
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun, evaluated_run
from .per_query import is_per_query, read_per_query


def load_evaluated(
    benchmark: Path | Benchmark,
    paths: Sequence[Path],
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress | None = None,
    modality: str | None = None,
) -> Evaluated:
    """Read a benchmark and runs over it, each a run's predictions or its per-query file.

    Both give the same numbers to the last bit. attributes: by model, added to those of the run's
    header, and stronger. modality: of what the features of vector files are that don't say so.
    Raises as the readers and `evaluate` do; UsageError for two runs of one
    model; InputError for a run of another benchmark.
    """
    whole = benchmark if isinstance(benchmark, Benchmark) else read_benchmark(benchmark)
    if not paths:
        raise UsageError("no run", "here", "name predictions or per-query files")
    truth = Truth(whole)
    runs = []
    for number, path in enumerate(paths):
        step = None if progress is None else partial(progress, number)
        run = _run(whole, path, truth, modality, step)
        more = (attributes or {}).get(run.model, {})
        runs.append(replace(run, attributes={**run.attributes, **more}) if more else run)
    return Evaluated(whole, tuple(runs))


def _run(
    benchmark: Benchmark,
    path: Path,
    truth: Truth,
    modality: str | None,
    step: Callable[[int], None] | None,
) -> EvaluatedRun:
    if is_per_query(path):
        return read_per_query(path, benchmark)
    opened = read_predictions(path, modality)
    try:
        # Pairs of boxes need room, and nothing here asks for them.
        options = Options(keep_pairs=False)
        scores = evaluate(benchmark, opened, options=options, truth=truth, progress=step)
    except OVEarthError as fault:
        raise other_benchmark(fault, benchmark) from None
    return evaluated_run(scores)


def other_benchmark(fault: OVEarthError, benchmark: Benchmark) -> OVEarthError:
    """Return a fault of scoring, or what it most likely means: a run of another benchmark."""
    if not fault.what.startswith("unknown query id"):
        return fault
    return InputError(
        f"this run answers another benchmark: {fault.what}",
        fault.where,
        f"name a run of {benchmark.source}, or its own benchmark",
    )
