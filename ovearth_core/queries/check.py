"""All that is wrong with texts as far as words, categories and geometry tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..benchmark.model import Benchmark
from ..checking.finding import Finding
from ..dataset import Dataset


def check_dataset_texts(dataset: Dataset) -> Iterator[Finding]:
    """Yield what is wrong with a dataset's texts, proposed and accepted ones."""
    yield from ()


def check_benchmark_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Yield what is wrong with a benchmark's texts."""
    yield from ()


def flag_texts(dataset: Dataset, findings: Iterable[Finding], who: str | None = None) -> None:
    """Put the kinds of findings beside their texts."""
