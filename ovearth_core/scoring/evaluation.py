"""Scores one run against a benchmark: the evaluation protocol from records to numbers."""

from __future__ import annotations

import math
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..benchmark import MODALITIES, TASKS, Benchmark, Truth, part_of
from ..crs import read_crs
from ..engine import Engine, local_engine
from ..errors import InputError, OVEarthError, UsageError
from ..predictions import Predictions, Record
from .answer import Answer, AnswerBatch, AnswerScorer, compared
from .attempt import check_words, declared_modalities, declared_tasks
from .missing_truth import asked_targets, check_truth
from .part import AnswerPart, TruthPart, answer_part, find_facts, in_whole, score_part
from .results import BatchScores, ResultTable
from .scores import Scores
from .truth_facts import FactFinder, TruthFacts

Progress = Callable[[int], None]

_ANSWERS_AT_ONCE = 128
_MOST_OF_ONE_TARGET = 512
_TARGETS_AT_ONCE = 256


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
    engine: Engine | None = None,
) -> Scores:
    """Score a run, read from a file or made in memory, against a benchmark.

    `modalities` narrows or declares what is scored, as `options.modalities` does. `truth` may be
    shared between runs. `progress` is called with the number of records done. `engine`: where the
    work is done, here unless given; no engine changes a number.

    Raises InputError naming file, line and query for a faulty record, an unknown or doubled query,
    truth that is missing; UsageError where nothing is left to score.
    """
    options = options or Options()
    chosen = modalities or options.modalities
    truth = truth or Truth(benchmark)
    if engine is not None:
        return _Evaluation(benchmark, predictions, chosen, options, truth, engine).run(progress)
    with local_engine() as here:
        return _Evaluation(benchmark, predictions, chosen, options, truth, here).run(progress)


class _Evaluation:
    def __init__(
        self,
        benchmark: Benchmark,
        run: Predictions,
        modalities: Sequence[str] | None,
        options: Options,
        truth: Truth,
        engine: Engine,
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
        self.engine = engine
        check_words(modalities, MODALITIES, "modality")
        check_words(options.tasks, TASKS, "task")
        try:
            if run.header.crs is not None:
                read_crs(run.header.crs)
            self.modalities = declared_modalities(run.header, modalities)
            self.tasks = declared_tasks(run.header, options.tasks)
        except OVEarthError as fault:
            raise fault.at(f"{run.source}, header") from None
        self.scorer = AnswerScorer(
            benchmark, truth, run, self.modalities, options.min_score, options.keep_pairs
        )
        columns = benchmark.columns.queries
        self.target_ids = array("q", columns.target_ids.tobytes())
        self.task_places = columns.tasks.tobytes()
        # The line that answers each query, 0 for none.
        self.lines = array("q", bytes(8 * len(benchmark.queries)))
        self.records = 0
        self.unknown = 0
        self.unattempted = 0
        self.given: set[str] = set()
        self.tasks_met: set[str] = set()

    def run(self, progress: Progress | None) -> Scores:
        if self.modalities is not None and self.tasks is not None:
            self._check_truth(self.modalities, self.tasks)
        table = ResultTable(len(self.benchmark.queries), self.modalities or MODALITIES)
        done = 0
        for scores in self._scored():
            table.put(scores)
            done += len(scores.indices)
            if progress is not None:
                progress(done)
        modalities, tasks = self._attempted()
        self._check_truth(modalities, tasks)
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

    def _check_truth(self, modalities: tuple[str, ...], tasks: tuple[str, ...]) -> None:
        header = self.predictions.header
        looked_at = (modalities, tasks, header.in_map, header.crs)
        if looked_at not in self.truth.found_whole:
            check_truth(
                self.benchmark, self._facts(asked_targets(self.benchmark, tasks), modalities)
            )
            self.truth.found_whole.add(looked_at)

    def _facts(self, target_ids: list[int], modalities: tuple[str, ...]) -> Iterator[TruthFacts]:
        starts = range(0, len(target_ids), _TARGETS_AT_ONCE)
        pieces = (target_ids[start : start + _TARGETS_AT_ONCE] for start in starts)
        if self.engine.is_remote:
            run = self.predictions.without_records()
            parts = (
                TruthPart(part_of(self.benchmark, piece, ()), run, piece, modalities)
                for piece in pieces
            )
            found = self.engine.in_order(find_facts, parts)
        else:
            finder = FactFinder(self.benchmark, self.truth, self.predictions)
            found = (finder.facts(piece, modalities) for piece in pieces)
        for facts in found:
            if facts.areas is not None:
                self.truth.know_areas(facts.target_ids, facts.areas.tolist())
            yield facts

    def _scored(self) -> Iterator[BatchScores]:
        return self._scored_away() if self.engine.is_remote else self._scored_here()

    def _scored_here(self) -> Iterator[BatchScores]:
        gathered = ((answers, self.scorer.gathered(answers)) for answers in self._batches())
        for answers, scores in self.engine.in_order(_compared, gathered):
            if scores is None:
                yield from self.scorer.carefully(answers)
            else:
                yield scores

    def _scored_away(self) -> Iterator[BatchScores]:
        sent: deque[list[Answer]] = deque()
        for found in self.engine.in_order(score_part, self._parts(sent)):
            answers = sent.popleft()
            for way, names in found.operations.items():
                self.scorer.placing.operations.setdefault(way, set()).update(names)
            for scores in found.scores:
                yield in_whole(scores, answers)

    def _parts(self, sent: deque[list[Answer]]) -> Iterator[AnswerPart]:
        for answers in self._batches():
            sent.append(answers)
            yield answer_part(self.scorer, answers)

    def _batches(self) -> Iterator[list[Answer]]:
        """Yield the answers in file order, some at once; a fault comes after those before it.

        They are cut between targets, unless one has very many answers.
        """
        batch: list[Answer] = []
        last_target_id = None
        fault: OVEarthError | None = None
        answers = self._known(self.predictions)
        while fault is None:
            try:
                record, index = next(answers)
            except StopIteration:
                break
            except OVEarthError as found:
                fault = found
                break
            target_id = self.target_ids[index]
            if _is_full(batch, target_id == last_target_id):
                yield batch
                batch = []
            last_target_id = target_id
            self.given |= record.given
            batch.append((record, index))
        if batch:
            yield batch
        if fault is not None:
            raise fault

    def _known(self, records: Iterable[Record]) -> Iterator[tuple[Record, int]]:
        """Yield the records of attempted tasks with the index of their query."""
        for record in records:
            index = self._index(record)
            if index is None:
                self.unknown += 1
                continue
            if self.lines[index]:
                raise InputError(
                    f"query {record.query_id!r} is answered twice",
                    f"{self.predictions.place(self.lines[index])} and"
                    f" {self.predictions.entry(record.line)}",
                    "keep one of them",
                )
            self.lines[index] = record.line
            self.records += 1
            task = TASKS[self.task_places[index]]
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
        counted: dict[str, object] = {"records": self.records}
        if self.options.min_score is not None:
            counted["min_score"] = float(self.options.min_score)
        if self.unknown:
            counted["ignored_unknown"] = self.unknown
        undeclared = sorted(self.given - set(self.predictions.header.modalities or MODALITIES))
        if undeclared:
            counted["ignored_modalities_not_declared"] = undeclared
        if self.unattempted:
            counted["ignored_tasks_not_attempted"] = self.unattempted
        counted |= {key: dict(counts) for key, counts in self.predictions.told.items() if counts}
        return counted


def _compared(
    gathered: tuple[list[Answer], AnswerBatch | None],
) -> tuple[list[Answer], BatchScores | None]:
    answers, batch = gathered
    return answers, None if batch is None else compared(batch)


def _is_full(batch: list[Answer], is_same_target: bool) -> bool:
    return len(batch) >= (_MOST_OF_ONE_TARGET if is_same_target else _ANSWERS_AT_ONCE)
