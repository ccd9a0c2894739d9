"""All that is wrong with texts as far as words, categories and geometry tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..benchmark.model import Benchmark
from ..checking.finding import Finding
from ..checking.scope import Scope
from ..checking.texts import texts
from ..dataset import Dataset, Edit
from .flags import with_findings
from .naming import alike
from .selection import LIVE_QUERIES, Selection, scenes
from .subject import Subject, subjects_of
from .text_checks import even, finding, text_findings

# `check` says it; a target without texts is no fault of a text.
_NOT_HERE = ("no-query",)


def check_dataset_texts(dataset: Dataset) -> Iterator[Finding]:
    """Yield what is wrong with a dataset's texts, proposed and accepted ones, image by image."""
    repeated = _Repeated()
    for part, subjects in scenes(dataset, Selection()):
        yield from _of_image(Scope(part.benchmark, "instance"), subjects)
        repeated.add(subjects)
    yield from repeated.findings()


def check_benchmark_texts(benchmark: Benchmark) -> Iterator[Finding]:
    """Yield what is wrong with a benchmark's texts."""
    scope = Scope(benchmark)
    yield from (found for found in texts(scope) if found.kind not in _NOT_HERE)
    repeated = _Repeated()
    on_images: dict[int, list[Subject]] = defaultdict(list)
    for subject in subjects_of(benchmark, scope.truth):
        on_images[subject.image.id].append(subject)
    for subjects in on_images.values():
        yield from _between(subjects)
        repeated.add(subjects)
    yield from repeated.findings()


def _of_image(scope: Scope, subjects: Sequence[Subject]) -> Iterator[Finding]:
    yield from (found for found in texts(scope) if found.kind not in _NOT_HERE)
    yield from _between(subjects)


def _between(subjects: Sequence[Subject]) -> Iterator[Finding]:
    for subject in subjects:
        yield from text_findings(subject, [other for other in subjects if other is not subject])
    yield from _ambiguous(subjects)


def _ambiguous(subjects: Sequence[Subject]) -> Iterator[Finding]:
    """Find texts that two targets on one image share: neither is singled out."""
    owners: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
    asked = [(s, q) for s in subjects for q in s.queries if q.polarity == "positive"]
    for subject, query in asked:
        owners[query.task, alike(query.text)].add(subject.target_id)
    for subject, query in asked:
        others = owners[query.task, alike(query.text)] - {subject.target_id}
        if others:
            what = f"{query.text!r} is asked of target {min(others)} on the same image too"
            yield finding(subject, query, "ambiguous-text", what, "tell them apart")


class _Repeated:
    """Referring and reasoning texts that stand at targets on several images, word for word."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], tuple[int, int]] = {}
        self._found: list[Finding] = []

    def add(self, subjects: Iterable[Subject]) -> None:
        for subject in subjects:
            for query in subject.queries:
                if query.task == "vocabulary":
                    continue
                here = (subject.image.id, subject.target_id)
                image_id, target_id = self._first.setdefault((query.task, even(query.text)), here)
                if image_id != subject.image.id:
                    what = f"{query.text!r} is asked of target {target_id} too, on another image"
                    mend = "say what this one has of its own"
                    self._found.append(finding(subject, query, "repeated-text", what, mend))

    def findings(self) -> Iterator[Finding]:
        yield from self._found


def flag_texts(dataset: Dataset, findings: Iterable[Finding], who: str | None = None) -> int:
    """Put the kinds of findings beside their texts, in place of older ones; return how many have.

    What the verifying model said stays.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for found in findings:
        if found.item == "query":
            kinds[str(found.id)].append(found.kind)
    with dataset.reading() as view:
        live = [query for query in view.queries() if query.state in LIVE_QUERIES]
    changed = [q for q in live if with_findings(q.flags, kinds[q.id]) != q.flags]

    def flag(edit: Edit, query_id: str) -> None:
        query = edit.query(query_id)
        edit.update(replace(query, flags=with_findings(query.flags, kinds[query_id])))

    dataset.write_all([query.id for query in changed], flag, who)
    return sum(bool(kinds[query.id]) for query in live)
