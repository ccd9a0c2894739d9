"""Counts a benchmark, or a dataset as the benchmark that it would be exported to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..benchmark.model import Benchmark
from ..dataset import Dataset
from ..dataset.parts import goes_out, parts
from .tally import Tally

Progress = Callable[[], None]


def benchmark_statistics(benchmark: Benchmark) -> dict[str, Any]:
    """Return the statistics of a benchmark, as `ovearth stats --json` writes them."""
    tally = Tally()
    tally.add(benchmark)
    return tally.as_json()


def dataset_statistics(dataset: Dataset, progress: Progress = lambda: None) -> dict[str, Any]:
    """Return the statistics of a dataset's approved targets and accepted queries.

    They are those of the benchmark exported from it. progress: called after each image.
    """
    tally = Tally()
    for part in parts(dataset, goes_out):
        tally.add(part.benchmark)
        progress()
    return tally.as_json()
