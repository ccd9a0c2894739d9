"""What reviewers say of a text as it stands, to be shown beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..rows import DECISIONS, JudgementRow, QueryRow
from .settlement import current_round, is_contested, latest


@dataclass(frozen=True)
class Verdicts:
    """What is said of one text. last: the last judgement of each reviewer about the text that they
    are at, oldest first. earlier: how many more there are, of other texts or taken back.
    """

    last: tuple[JudgementRow, ...] = ()
    earlier: int = 0
    is_contested: bool = False

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """How many reviewers decided what, in the order of DECISIONS."""
        counted = Counter(row.decision for row in self.last)
        return tuple((name, counted[name]) for name in DECISIONS if counted[name])


def verdicts(query: QueryRow, judgements: Sequence[JudgementRow]) -> Verdicts:
    """Return what reviewers say of a query; judgements: all of that query, oldest first."""
    _, current = current_round(query, judgements)
    last = tuple(latest(current))
    return Verdicts(last, len(judgements) - len(last), is_contested(query, judgements))


def verdicts_of(
    queries: Iterable[QueryRow], judgements: Iterable[JudgementRow]
) -> dict[str, Verdicts]:
    """Return what reviewers say of each of several queries, by their ids."""
    by_query: dict[str, list[JudgementRow]] = {}
    for row in judgements:
        by_query.setdefault(row.query_id, []).append(row)
    return {query.id: verdicts(query, by_query.get(query.id, [])) for query in queries}
