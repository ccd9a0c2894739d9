"""Texts that can't be asked: missing, doubled, contradicting, or giving the answer away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..benchmark.model import Query, Target
from ..queries.naming import known_names, names_category
from .finding import Finding
from .scope import Scope


def texts(scope: Scope) -> Iterator[Finding]:
    """Find what is wrong with each target's queries."""
    for target in scope.benchmark.targets:
        queries = scope.queries_by_target.get(target.id, [])
        if not queries:
            what, mend = "has no query", "write one, or remove the target"
            yield scope.at_target(target, "no-query", what, mend)
        yield from _contradictions(scope, target, queries)
        yield from _doubles(scope, target, queries)
        yield from _giveaways(scope, target, queries)
        for query in queries:
            if not query.is_positive and query.task != "vocabulary":
                what = f"is a negative {query.task} query: only vocabulary may be negative"
                yield _at(query, target, "negative-task", what, "make it positive, or remove it")
            if not query.text.strip():
                yield _at(query, target, "no-text", "has no text", "write one")
            elif query.text != query.text.strip():
                what = f"{query.text!r} begins or ends with spaces"
                yield _at(query, target, "spaces", what, "take them away (check --fix)")


def _contradictions(scope: Scope, target: Target, queries: list[Query]) -> Iterator[Finding]:
    positive = {_even(query.text): query.text for query in queries if query.is_positive}
    negative = {_even(query.text) for query in queries if not query.is_positive}
    for key in sorted(positive.keys() & negative):
        what = f"{positive[key]!r} is both positive and negative"
        yield scope.at_target(target, "both-polarities", what, "keep one of them")


def _doubles(scope: Scope, target: Target, queries: list[Query]) -> Iterator[Finding]:
    counts = Counter((query.task, query.is_positive, _even(query.text)) for query in queries)
    for (task, _is_positive, text), count in sorted(counts.items()):
        if count > 1:
            what = f"{text!r} occurs {count} times as a {task} query"
            yield scope.at_target(target, "doubled-text", what, "keep one of them")


def _giveaways(scope: Scope, target: Target, queries: list[Query]) -> Iterator[Finding]:
    category = scope.benchmark.category_by_id[target.category_id]
    for query in queries:
        if query.task != "reasoning":
            continue
        name = names_category(query.text, known_names(category.name))
        if name is not None:
            of = "its category" if name == category.name else f"{name!r}, as its category is called"
            what = f"{query.text!r} names {of}"
            yield _at(query, target, "names-category", what, "say what it is for instead")


def _at(query: Query, target: Target, kind: str, what: str, mend: str) -> Finding:
    return Finding(kind, "query", query.id, what, mend, target.image_id)


def _even(text: str) -> str:
    """Return a text by which phrases that people take for the same are the same."""
    return " ".join(text.casefold().split())
