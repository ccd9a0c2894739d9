"""The human ceiling: a second annotator's drawings as a run, scored like any model's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ...benchmark import MODALITIES, TASKS, Benchmark, part_of
from ...errors import InputError
from ...predictions.header import Header
from ..rows import QueryRow, ReviewRow, TargetRow
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


def human_ceiling(view: View) -> Ceiling:
    """Return the answers of second annotators to the positive queries of approved targets.

    Of each group of annotations the approved one is the truth; of the others, the first that its
    annotator ever submitted answers, whatever a manager thought of it. Boxes are those of its
    polygons, none where the category has no instances. InputError where nobody annotated anything
    twice.
    """
    finished = _ever_finished(view.reviews())
    records: list[dict[str, Any]] = []
    asked: set[str] = set()
    boxed = False
    targets = undecided = unfinished = 0
    for members in groups(view.targets()).values():
        if len(members) == 1:
            continue
        truth = next((target for target in members if target.state == "approved"), None)
        if truth is None:
            undecided += 1
            continue
        second = _second(members, truth, finished)
        queries = [query for query in view.queries(truth.id) if _is_asked(query)]
        if second is None or not queries:
            unfinished += 1
            continue
        answer = _answer(view, truth, second)
        records += [{"query_id": query.id, **answer} for query in queries]
        asked |= {query.task for query in queries}
        boxed = boxed or "hbb" in answer
        targets += 1
    if not targets:
        raise InputError(
            "no approved target has a finished second annotation",
            mend="begin some with review second",
        )
    header = Header(
        MODEL,
        modalities=MODALITIES if boxed else MODALITIES[:1],
        tasks=tuple(task for task in TASKS if task in asked),
    )
    return Ceiling((header.document(), *records), targets, undecided, unfinished)


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


def _second(
    members: tuple[TargetRow, ...], truth: TargetRow, finished: set[int]
) -> TargetRow | None:
    return next((other for other in members if other.id != truth.id and other.id in finished), None)


def _is_asked(query: QueryRow) -> bool:
    return query.polarity == "positive" and query.state == "accepted"


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
