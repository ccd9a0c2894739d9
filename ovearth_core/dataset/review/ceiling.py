"""The human ceiling: a second annotator's drawings as a run, scored like any model's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ...benchmark import MODALITIES, TASKS, Benchmark, part_of
from ...errors import InputError
from ...predictions.header import Header
from ..rows import ReviewRow, TargetRow
from ..store import Dataset
from ..view import View
from .rivals import groups
from .truth import truth_of

MODEL = "human"
_FINISHED = ("submitted", "approved")


@dataclass(frozen=True)
class Ceiling:
    """The run of the second annotators. lines: header and records, as they stand in a file.

    targets: how many it answers for. undecided: how many have several annotations of which none
    is approved. unfinished: approved ones whose other annotation was never submitted, or that
    nothing positive is asked of.
    """

    lines: tuple[dict[str, Any], ...]
    targets: int
    undecided: int
    unfinished: int

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries that it answers."""
        return tuple(line["query_id"] for line in self.lines[1:])


def human_ceiling(dataset: Dataset) -> Ceiling:
    """Return the answers of second annotators to the positive queries of approved targets.

    Of each group of annotations the approved one is the truth; of the others, the first that its
    annotator ever submitted answers, whatever a manager thought of it. Boxes are those of its
    polygons, none where the category has no instances. The dataset is read once a target, so that
    nobody waits for long. InputError where nobody annotated anything twice.
    """
    with dataset.reading() as view:
        several = [group for group in groups(view.targets()).values() if len(group) > 1]
        finished = _ever_finished(view.reviews())
    chosen = [(_truth(group), group) for group in several]
    answered = []
    drawn = 0
    for truth, group in chosen:
        second = None if truth is None else _second(group, truth, finished)
        if truth is not None and second is not None:
            drawn += 1
            with dataset.reading() as view:
                answered.append(_answered(view, truth, second))
    records = [record for one in answered for record in one.records]
    if not records and drawn:
        raise InputError(
            f"nothing positive is asked of the {drawn} approved targets that were drawn twice",
            str(dataset.path),
            "give them queries that are accepted",
        )
    if not records:
        raise InputError(
            "no approved target has a finished second annotation",
            str(dataset.path),
            "begin some with review second",
        )
    targets = sum(bool(one.records) for one in answered)
    undecided = sum(truth is None for truth, _ in chosen)
    return Ceiling(
        (_header(answered).document(), *records),
        targets,
        undecided,
        len(several) - targets - undecided,
    )


def answered_part(benchmark: Benchmark, ceiling: Ceiling) -> Benchmark:
    """Return the part of the dataset's benchmark that the ceiling answers, to score models on too.

    Negative queries aren't in it: nobody asked the second annotators. InputError for a query that
    the benchmark doesn't have.
    """
    lacking = [query for query in ceiling.query_ids if query not in benchmark.query_index]
    if lacking:
        raise InputError(
            f"{len(lacking)} answered queries are not in the benchmark ({', '.join(lacking[:10])})",
            benchmark.source,
            "export it anew from this dataset",
        )
    queries = [benchmark.queries[benchmark.query_index[query]] for query in ceiling.query_ids]
    part = part_of(benchmark, (query.target_id for query in queries), queries)
    return replace(
        part,
        info={**benchmark.info, "part": "targets annotated twice"},
        licenses=benchmark.licenses,
    )


def _ever_finished(lines: Iterable[ReviewRow]) -> set[int]:
    return {line.target_id for line in lines if line.to_state in _FINISHED}


def _truth(group: tuple[TargetRow, ...]) -> TargetRow | None:
    return next((target for target in group if target.state == "approved"), None)


def _second(group: tuple[TargetRow, ...], truth: TargetRow, finished: set[int]) -> TargetRow | None:
    others = (other for other in group if other.id != truth.id and other.id in finished)
    return next(others, None)


@dataclass(frozen=True)
class _Answered:
    records: list[dict[str, Any]]
    tasks: set[str]


def _header(answered: list[_Answered]) -> Header:
    boxed = any("hbb" in record for one in answered for record in one.records)
    asked = {task for one in answered for task in one.tasks}
    return Header(
        MODEL,
        modalities=MODALITIES if boxed else MODALITIES[:1],
        tasks=tuple(task for task in TASKS if task in asked),
    )


def _answered(view: View, truth: TargetRow, second: TargetRow) -> _Answered:
    queries = [
        query
        for query in view.queries(truth.id)
        if query.polarity == "positive" and query.state == "accepted"
    ]
    answer = _answer(view, truth, second) if queries else {}
    return _Answered(
        [{"query_id": query.id, **answer} for query in queries], {query.task for query in queries}
    )


def _answer(view: View, truth: TargetRow, second: TargetRow) -> dict[str, Any]:
    target_id = second.id or 0
    drawn = truth_of(view, (second,))
    mask = drawn.mask(target_id)
    answer: dict[str, Any] = {"mask": None if mask is None else mask.to_rle()}
    # What is asked for depends on the truth's category, also where the second thought otherwise.
    if view.category(truth.category_id).instanceable:
        answer["hbb"] = drawn.hbb(target_id).tolist()
        answer["obb"] = drawn.obb(target_id).reshape(-1, 8).tolist()
    return answer
