"""A piece of scoring that is whole in itself: work for another process or machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..benchmark import Benchmark, Truth, part_of
from ..predictions import Predictions
from .answer import Answer, AnswerScorer
from .results import BatchScores
from .truth_facts import FactFinder, TruthFacts


@dataclass(frozen=True)
class AnswerPart:
    """Some answers of a run with the truth of their targets; query indices are the part's own."""

    benchmark: Benchmark
    run: Predictions
    answers: Sequence[Answer]
    modalities: tuple[str, ...] | None
    min_score: float | None
    keep_pairs: bool


@dataclass(frozen=True)
class TruthPart:
    """Some targets whose truth is to be looked at, as the boxes of `run` are compared with it."""

    benchmark: Benchmark
    run: Predictions
    target_ids: Sequence[int]
    modalities: tuple[str, ...]


@dataclass(frozen=True)
class PartScores:
    """Scores of a part, and the operations between CRSs that were used for them."""

    scores: list[BatchScores]
    operations: Mapping[str, frozenset[str]]


def answer_part(scorer: AnswerScorer, answers: Sequence[Answer]) -> AnswerPart:
    """Return the answers as work to be sent away."""
    whole = scorer.benchmark
    queries = [whole.queries[index] for _, index in answers]
    return AnswerPart(
        part_of(whole, (query.target_id for query in queries), queries),
        scorer.run.without_records(record for record, _ in answers),
        [(record, place) for place, (record, _) in enumerate(answers)],
        scorer.modalities if scorer.declared else None,
        scorer.min_score,
        scorer.keep_pairs,
    )


def score_part(part: AnswerPart) -> PartScores:
    """Score the answers of a part, wherever this runs."""
    scorer = AnswerScorer(
        part.benchmark,
        Truth(part.benchmark),
        part.run,
        part.modalities,
        part.min_score,
        part.keep_pairs,
    )
    scores = scorer.score(part.answers)
    used = {way: frozenset(names) for way, names in scorer.placing.operations.items()}
    return PartScores(scores, used)


def in_whole(scores: BatchScores, answers: Sequence[Answer]) -> BatchScores:
    """Return a part's scores with the query indices of the whole benchmark."""
    indices = np.array([index for _, index in answers], dtype=np.int64)
    return replace(scores, indices=indices[scores.indices])


def find_facts(part: TruthPart) -> TruthFacts:
    """Look at the truth of a part's targets, wherever this runs."""
    finder = FactFinder(part.benchmark, Truth(part.benchmark), part.run)
    return finder.facts(part.target_ids, part.modalities)
