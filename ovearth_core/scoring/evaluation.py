"""Scores one run against a benchmark: the evaluation protocol from records to numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..benchmark import MODALITIES, TASKS, Benchmark, Truth
from ..crs import read_crs
from ..errors import InputError, OVEarthError, UsageError
from ..predictions import Predictions, Record
from .answer import AnswerScorer
from .attempt import check_words, declared_modalities, declared_tasks
from .missing_truth import check_truth
from .results import ResultTable
from .scores import Scores

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Options:
    """How to score: what to look at, and how lenient to be.

    `min_score` drops boxes below it. `ignore_unknown` counts records of unknown queries instead
    of refusing them. `query_ids` takes the ids in the run's file to those of the benchmark.
    `keep_pairs`: of boxes that overlap, for maps and per-query files; a million queries need room.
    """

    modalities: Sequence[str] | None = None
    tasks: Sequence[str] | None = None
    min_score: float | None = None
    ignore_unknown: bool = False
    query_ids: dict[str, str] | None = None
    keep_pairs: bool = True


def evaluate(
    benchmark: Benchmark,
    predictions: Predictions,
    modalities: Sequence[str] | None = None,
    options: Options | None = None,
    truth: Truth | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Score a run, read from a file or made in memory, against a benchmark.

    `modalities` narrows or declares what is scored, as `options.modalities` does. `truth` may be
    shared between runs. `progress` is called with the number of records done.

    Raises InputError naming file, line and query for a faulty record, an unknown or doubled query,
    truth that is missing; UsageError where nothing is left to score.
    """
    options = options or Options()
    evaluation = _Evaluation(
        benchmark, predictions, modalities or options.modalities, options, truth or Truth(benchmark)
    )
    return evaluation.run(progress)


class _Evaluation:
    def __init__(
        self,
        benchmark: Benchmark,
        run: Predictions,
        modalities: Sequence[str] | None,
        options: Options,
        truth: Truth,
    ) -> None:
        if options.min_score is not None and not math.isfinite(options.min_score):
            raise UsageError("the least score is no number", "--min-score", "give one such as 0.5")
        if not benchmark.queries:
            raise InputError("no query in it", benchmark.source, "name a benchmark with queries")
        # Also for answers in pixels: an image that is nowhere would pass unnoticed until one isn't.
        _ = benchmark.has_sound_frames
        self.benchmark = benchmark
        self.predictions = run
        self.options = options
        self.truth = truth
        check_words(modalities, MODALITIES, "modality")
        check_words(options.tasks, TASKS, "task")
        try:
            if run.header.crs is not None:
                read_crs(run.header.crs)
            self.modalities = declared_modalities(run.header, modalities)
            self.tasks = declared_tasks(run.header, options.tasks)
        except OVEarthError as fault:
            raise fault.at(f"{run.source}, header") from None
        self.scorer = AnswerScorer(benchmark, truth, run, self.modalities, options.min_score)
        self.lines: dict[int, int] = {}
        self.unknown = 0
        self.unattempted = 0
        self.given: set[str] = set()
        self.tasks_met: set[str] = set()

    def run(self, progress: Progress | None) -> Scores:
        if self.modalities is not None and self.tasks is not None:
            check_truth(self.benchmark, self.truth, self.modalities, self.tasks, self._box_crs)
        table = ResultTable(
            len(self.benchmark.queries), self.modalities or MODALITIES, self.options.keep_pairs
        )
        for done, (record, index) in enumerate(self._known(self.predictions), start=1):
            self.given |= record.given
            table.put(self.scorer.score(record, index))
            if progress is not None:
                progress(done)
        modalities, tasks = self._attempted()
        check_truth(self.benchmark, self.truth, modalities, tasks, self._box_crs)
        return Scores(
            self.benchmark,
            self.truth,
            self.predictions,
            modalities,
            tasks,
            table,
            self._frame(modalities),
            self._counted(),
        )

    def _known(self, records: Iterable[Record]) -> Iterator[tuple[Record, int]]:
        """Yield the records of attempted tasks with the index of their query."""
        for record in records:
            index = self._index(record)
            if index is None:
                self.unknown += 1
                continue
            if index in self.lines:
                raise InputError(
                    f"query {record.query_id!r} is answered twice",
                    f"{self.predictions.place(self.lines[index])} and"
                    f" {self.predictions.entry(record.line)}",
                    "keep one of them",
                )
            self.lines[index] = record.line
            task = self.benchmark.queries[index].task
            if self.tasks is not None and task not in self.tasks:
                self.unattempted += 1
                continue
            self.tasks_met.add(task)
            yield record, index

    def _index(self, record: Record) -> int | None:
        query_id: str | None = record.query_id
        if self.options.query_ids is not None:
            query_id = self.options.query_ids.get(record.query_id)
        index = None if query_id is None else self.benchmark.query_index.get(query_id)
        if index is None and not self.options.ignore_unknown:
            known_by = "the key" if self.options.query_ids is not None else self.benchmark.source
            raise InputError(
                f"unknown query id {record.query_id!r}",
                self.predictions.place(record.line),
                f"{known_by} has no such query: mend the id, or score with --ignore-unknown",
            )
        return index

    def _attempted(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        modalities = self.modalities
        if modalities is None:
            modalities = tuple(name for name in MODALITIES if name in self.given)
        tasks = self.tasks
        if tasks is None:
            tasks = tuple(name for name in TASKS if name in self.tasks_met)
        if not modalities or not tasks:
            lacking = "mask, hbb or obb" if tasks else "query of the benchmark"
            raise InputError(
                f"no record has a {lacking}",
                self.predictions.source,
                "say in a header what the run attempts, or answer something",
            )
        return modalities, tasks

    def _box_crs(self, target_id: int) -> str | None:
        target = self.benchmark.target_by_id[target_id]
        image = self.benchmark.image_by_id[target.image_id]
        if image.crs is None or image.transform is None:
            return None  # an answer there is refused; without one, pixels say as much
        return self.scorer.placing.box_crs(image)

    def _frame(self, modalities: tuple[str, ...]) -> dict[str, object]:
        header = self.predictions.header
        if not header.in_map:
            return {"coordinates": "pixel"}
        return {
            "coordinates": "map",
            "crs": header.crs or "each image's own",
            "hbb": "compared in that CRS",
            "mask and obb": "compared in pixels",
            "operations": {
                way: sorted(names) for way, names in sorted(self.scorer.placing.operations.items())
            },
        }

    def _counted(self) -> dict[str, object]:
        counted: dict[str, object] = {"records": len(self.lines)}
        if self.options.min_score is not None:
            counted["min_score"] = self.options.min_score
        if self.unknown:
            counted["ignored_unknown"] = self.unknown
        undeclared = sorted(self.given - set(self.predictions.header.modalities or MODALITIES))
        if undeclared:
            counted["ignored_modalities_not_declared"] = undeclared
        if self.unattempted:
            counted["ignored_tasks_not_attempted"] = self.unattempted
        return counted
