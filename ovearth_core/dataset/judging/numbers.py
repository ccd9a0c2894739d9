"""The human pass in numbers: what people changed of each kind of text, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..review.changes import Share, text_shares
from ..rows import JudgementRow, QueryRow
from ..view import View
from .concord import Concord, by_kind, concord, units_of
from .questions import question_of
from .settlement import is_contested, latest

CHANGES = ("changed", "removed", "changed or removed")
HEADINGS = ("texts", "decided", *CHANGES, "paper", "reviewers", "judged", "by several", "alike",
            "alpha", "contested")  # fmt: skip
# What the paper reports of its own human pass.
PAPER = {("positive referring", "changed or removed"): 0.573,
         ("negative vocabulary", "changed"): 0.160}  # fmt: skip


@dataclass(frozen=True)
class KindNumbers:
    """One kind of text, such as "positive referring".

    shares: of the decided texts, by the words of CHANGES. judged: texts that reviewers judged in a
    sheet or in QGIS. decisions, answers: how far they agree about what to do, and about the
    question. contested: texts that are open for want of a majority.
    """

    kind: str
    question: str
    shares: dict[str, Share]
    reviewers: int
    judged: int
    decisions: Concord
    answers: Concord
    contested: int

    @property
    def paper(self) -> float | None:
        """The share that the paper gives for this kind."""
        return next((share for (kind, _), share in PAPER.items() if kind == self.kind), None)

    def cells(self) -> tuple[str, ...]:
        """Return a row of a table under HEADINGS; what can't be computed is a dash."""
        shares = [self.shares[what].cells()[3] for what in CHANGES]
        paper = next(
            (f"{100 * s:.1f} % {what}" for (k, what), s in PAPER.items() if k == self.kind), ""
        )
        alpha = self.decisions.alpha
        return (
            self.kind, str(self.shares["changed"].of), *shares, paper, str(self.reviewers),
            str(self.judged), str(self.decisions.texts), str(self.decisions.same),
            "–" if alpha is None else f"{alpha:.3f}", str(self.contested),
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "question": self.question,
            "decided": self.shares["changed"].of,
            **{what.replace(" ", "_"): self.shares[what].document() for what in CHANGES},
            "paper": self.paper,
            "reviewers": self.reviewers,
            "judged": self.judged,
            "decisions": self.decisions.document(),
            "answers": self.answers.document(),
            "contested": self.contested,
        }


def kind_of(query: QueryRow) -> str:
    """Name a query's kind: its polarity and task."""
    return f"{query.polarity} {query.task}"


def human_pass(view: View) -> tuple[KindNumbers, ...]:
    """Count what people did with each kind of text. MissingPackageError without krippendorff."""
    queries = list(view.queries())
    judgements = list(view.judgements())
    shares = {share.key: share for share in text_shares(queries)}
    judged = by_kind(judgements, {query.id: kind_of(query) for query in queries})
    contested = _contested_kinds(queries, judgements)
    found = []
    for task, polarity in _kinds():
        kind = f"{polarity} {task}"
        rows = judged.get(kind, [])
        of_kind = {what: shares[f"{kind} {what}".replace(" ", "_")] for what in CHANGES}
        found.append(
            KindNumbers(
                kind, question_of(task, polarity).sentence, of_kind, len(latest(rows)),
                len({row.query_id for row in rows}),
                concord(units_of(rows, lambda row: row.decision)),
                concord(units_of(rows, lambda row: row.answer)), contested.count(kind),
            )
        )  # fmt: skip
    return tuple(found)


def contested_queries(
    queries: Iterable[QueryRow], judgements: Iterable[JudgementRow]
) -> list[QueryRow]:
    """Return the queries that are open because their reviewers don't agree."""
    by_query: dict[str, list[JudgementRow]] = {}
    for row in judgements:
        by_query.setdefault(row.query_id, []).append(row)
    return [query for query in queries if is_contested(query, by_query.get(query.id, []))]


def _contested_kinds(queries: list[QueryRow], judgements: list[JudgementRow]) -> list[str]:
    return [kind_of(query) for query in contested_queries(queries, judgements)]


def _kinds() -> tuple[tuple[str, str], ...]:
    return (("vocabulary", "positive"), ("vocabulary", "negative"), ("referring", "positive"),
            ("reasoning", "positive"))  # fmt: skip
