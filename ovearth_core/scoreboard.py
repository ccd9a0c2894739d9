"""Scores files of runs against a benchmark file: the `ovearth-scores/1` document."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .atomic import AtomicFiles
from .benchmark import Benchmark, Truth, read_benchmark
from .engine import Engine, EngineChoice, open_engine
from .predictions import Predictions, read_predictions
from .predictions.dialects import DialectOptions, open_dialect
from .scoring import THRESHOLDS, Options, Scores, evaluate
from .scoring.matching import TOLERANCE
from .versions import versions

FORMAT = "ovearth-scores/1"
PER_QUERY_FORMAT = "ovearth-perquery/1"
PIXEL_RULE = (
    "a pixel belongs to a polygon when its centre does, ties as GDAL's rasteriser breaks them"
    " (all_touched=False); vertices rounded to 1e-6 pixel first"
)

# Called with the run's number from 0, its records done.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Scoreboard:
    """The scores of several runs on one benchmark, side by side."""

    benchmark: Benchmark
    runs: tuple[Scores, ...]
    options: Options

    def to_dict(self) -> dict[str, Any]:
        """Return the whole `ovearth-scores/1` document."""
        return {
            "format": FORMAT,
            "benchmark": {"sha256": self.benchmark.sha256, **self.benchmark.counts()},
            "settings": settings(self.options.min_score),
            "runs": [run.to_dict() for run in self.runs],
        }

    def write(self, files: AtomicFiles, path: Path) -> None:
        """Write the document as JSON."""
        files.write(path, json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n")

    def write_per_query(self, files: AtomicFiles, folder: Path) -> list[Path]:
        """Write one `ovearth-perquery/1` JSON Lines file a run; returns their paths."""
        paths = []
        for name, run in zip(_file_names(self.runs), self.runs, strict=True):
            paths.append(folder / name)
            with files.open(paths[-1]) as file:
                for document in per_query_lines(run):
                    file.write(json.dumps(document, ensure_ascii=False) + "\n")
        return paths


def score_files(
    benchmark: Path,
    predictions: Sequence[Path],
    options: Options | None = None,
    progress: Progress | None = None,
    engine: EngineChoice | None = None,
    dialect: str | None = None,
    dialect_options: DialectOptions | None = None,
) -> Scoreboard:
    """Read a benchmark and runs, and score them. Raises as the readers and `evaluate` do.

    A single modality of the options also says what the features of vector files are that don't.
    dialect: what all runs are written in, None for files of ours.
    """
    wanted = set(options.modalities or ()) if options is not None else set()
    modality = wanted.pop() if len(wanted) == 1 else None
    with open_engine(engine or EngineChoice()) as opened_engine:
        if dialect is None:
            if dialect_options is not None:
                dialect_options.refuse_without_dialect()
            opened = [read_predictions(path, modality) for path in predictions]
            return score_runs(read_benchmark(benchmark), opened, options, progress, opened_engine)
        truth = read_benchmark(benchmark)
        told = dialect_options or DialectOptions(modality=modality)
        runs = [open_dialect(path, dialect, truth, told) for path in predictions]
        return score_runs(truth, runs, options, progress, opened_engine)


def score_runs(
    benchmark: Benchmark,
    predictions: Sequence[Predictions],
    options: Options | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Scoreboard:
    """Score runs against a benchmark; what is derived from its truth is shared between them."""
    options = options or Options()
    truth = Truth(benchmark)
    runs = []
    for number, run in enumerate(predictions):
        step = None if progress is None else _step(progress, number)
        runs.append(
            evaluate(benchmark, run, options=options, truth=truth, progress=step, engine=engine)
        )
    return Scoreboard(benchmark, tuple(runs), options)


def per_query_lines(run: Scores) -> Iterator[dict[str, Any]]:
    """Yield the header and the lines of a run's per-query file."""
    min_score = run.counted.get("min_score")
    yield {
        "format": PER_QUERY_FORMAT,
        "model": run.predictions.header.model,
        "benchmark_sha256": run.benchmark.sha256,
        "predictions_sha256": run.predictions.sha256,
        "modalities": list(run.modalities),
        "tasks": list(run.tasks),
        "settings": settings(min_score if isinstance(min_score, float) else None),
        **run.predictions.header.attributes,
    }
    yield from run.per_query()


def _step(progress: Progress, number: int) -> Callable[[int], None]:
    return lambda done: progress(number, done)


# Of the settings, what the numbers follow from: of other rules they can't be compared.
RULES = ("pixel_rule", "iou_thresholds", "iou_tolerance", "matching")


def settings(min_score: float | None = None) -> dict[str, Any]:
    """Return the rules and versions that scores come from."""
    return {
        "pixel_rule": PIXEL_RULE,
        "iou_thresholds": list(THRESHOLDS),
        "iou_tolerance": f"an edge needs IoU >= threshold * (1 - {TOLERANCE:g})",
        "matching": "maximum cardinality, one to one",
        "min_score": min_score,
        "versions": versions(),
    }


def per_query_name(model: str, taken: Iterable[str]) -> str:
    """Return a safe file name after a run's model; numbered where it is taken, in any case."""
    met = {name.casefold() for name in taken}
    safe = quote(model, safe="+,=@()[]").lstrip(".")[:150] or "run"
    name, number = f"{safe}.jsonl", 1
    while name.casefold() in met:
        number += 1
        name = f"{safe}-{number}.jsonl"
    return name


def _file_names(runs: Sequence[Scores]) -> list[str]:
    names: list[str] = []
    for run in runs:
        names.append(per_query_name(run.predictions.header.model, names))
    return names
