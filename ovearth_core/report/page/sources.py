"""The runs of a report: scored or read, each with the per-query file that the report keeps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...analysis.evaluated_run import EvaluatedRun, evaluated_run
from ...analysis.loading import other_benchmark
from ...analysis.per_query import is_per_query, read_per_query
from ...atomic import AtomicFiles
from ...benchmark import Benchmark, Truth
from ...errors import OVEarthError
from ...predictions import Predictions, read_predictions
from ...scoreboard import per_query_lines, per_query_name
from ...scoring import Options, Scores, evaluate
from ...textsource import open_text_bytes, sha256_of
from .folder import KeptFile, KeptRun, ReportFolder
from .naming import shown_path


@dataclass(frozen=True)
class ReportedRun:
    """A run, what is kept of it, and its predictions where they are at hand."""

    run: EvaluatedRun
    kept: KeptRun
    predictions: Predictions | None = None


class RunReader:
    """Takes runs into a report's folder one after another, so that none stays in memory whole.

    benchmark_file: where it was read from. attributes: by model, what is said of it beside its
    header. taken: names of per-query files that are there already.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        benchmark_file: Path,
        folder: ReportFolder,
        files: AtomicFiles,
        attributes: Mapping[str, Mapping[str, Any]],
        taken: Iterable[str] = (),
    ) -> None:
        self._benchmark = benchmark
        self._benchmark_file = benchmark_file
        self._folder = folder
        self._files = files
        self._attributes = attributes
        self._taken = list(taken)
        self._truth = Truth(benchmark)

    def kept(self, kept: KeptRun) -> ReportedRun:
        """Read a run that the report already has."""
        path = self._folder.per_query(kept.per_query.name)
        self._folder.check_unchanged(path, kept.per_query)
        run = read_per_query(path, self._benchmark)
        return self._reported(run, kept)

    def given(self, path: Path, progress: Callable[[int], None] | None = None) -> ReportedRun:
        """Score predictions, or read a per-query file. Raises as those do."""
        if is_per_query(path):
            run = read_per_query(path, self._benchmark)
            return self._reported(
                run, KeptRun(run.model, self._given(path), self._copied(run, path))
            )
        predictions = read_predictions(path)
        try:
            scores = evaluate(
                self._benchmark, predictions, options=Options(), truth=self._truth,
                progress=progress,
            )  # fmt: skip
        except OVEarthError as fault:
            raise other_benchmark(fault, self._benchmark) from None
        return self.scored(scores, path)

    def scored(self, scores: Scores, path: Path) -> ReportedRun:
        """Take in a run that has been scored with its pairs of boxes; `path`: where it is from."""
        run = evaluated_run(scores)
        documents = per_query_lines(scores)
        lines = (json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
        file = self._written(self._name(run.model), lines)
        return self._reported(run, KeptRun(run.model, self._given(path), file), scores.predictions)

    def _given(self, path: Path) -> str:
        return shown_path(path, self._benchmark_file)

    def _copied(self, run: EvaluatedRun, path: Path) -> KeptFile:
        name = self._name(run.model)
        if self._folder.per_query(name).resolve() == path.resolve():
            return KeptFile(name, sha256_of(path))
        return self._written(name, _texts(path))

    def _written(self, name: str, texts: Iterable[str]) -> KeptFile:
        digest = hashlib.sha256()
        with self._files.open(self._folder.per_query(name)) as file:
            for text in texts:
                file.write(text)
                digest.update(text.encode("utf-8"))
        return KeptFile(name, digest.hexdigest())

    def _name(self, model: str) -> str:
        self._taken.append(per_query_name(model, self._taken))
        return self._taken[-1]

    def _reported(
        self, run: EvaluatedRun, kept: KeptRun, predictions: Predictions | None = None
    ) -> ReportedRun:
        said = {**kept.attributes, **self._attributes.get(run.model, {})}
        if said:
            run = replace(run, attributes={**run.attributes, **said})
            kept = replace(kept, attributes=said)
        return ReportedRun(run, kept, predictions)


def _texts(path: Path) -> Iterator[str]:
    with open_text_bytes(path) as source:
        for line in source:
            yield line.decode("utf-8")
