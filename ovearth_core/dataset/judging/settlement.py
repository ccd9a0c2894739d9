"""What becomes of a text by what its reviewers say: the majority decides, or it stays open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..review.person import same_name
from ..rows import JudgementRow, QueryRow
from .questions import ACCEPT, EDIT, REMOVE


@dataclass(frozen=True)
class Settlement:
    """The state and the text that a query has then. is_contested: no majority was found."""

    state: str
    text: str
    is_contested: bool = False


def settle(text: str, judgements: Sequence[JudgementRow], needed: int = 1) -> Settlement | None:
    """Return what reviewers make of a text; None while fewer than `needed` have judged it.

    judgements: all about that text, oldest first; the last one of each reviewer counts. A final one
    decides alone, the last of several. Else more than half of the reviewers must say the same, an
    edit to the same words; where they don't, the text is proposed again, as it was.
    """
    last = latest(judgements)
    if final := [row for row in judgements if row.is_final]:
        return _outcome(text, final[-1])
    if len(last) < max(1, needed):
        return None
    (winner, votes), *_ = Counter(map(_vote, last)).most_common(1)
    if 2 * votes <= len(last):
        return Settlement("proposed", text, is_contested=True)
    return _outcome(text, next(row for row in last if _vote(row) == winner))


def latest(judgements: Iterable[JudgementRow]) -> list[JudgementRow]:
    """Return the last judgement of each reviewer, whatever capitals the name is written in."""
    last: list[JudgementRow] = []
    for row in judgements:
        last = [other for other in last if not same_name(other.who or "", row.who or "")]
        last.append(row)
    return last


def current_round(
    query: QueryRow, judgements: Sequence[JudgementRow]
) -> tuple[str, tuple[JudgementRow, ...]]:
    """Return the text that a query's reviewers are at, and what they say of it.

    That is its text as it stands, where anybody judged it; else the one that they made it of.
    """
    text = query.text
    if not any(row.text == text for row in judgements):
        edits = [row.text for row in judgements if row.new_text == text]
        text = edits[-1] if edits else text
    return text, tuple(row for row in judgements if row.text == text)


def is_contested(query: QueryRow, judgements: Sequence[JudgementRow]) -> bool:
    """Whether a query is open because its reviewers don't agree."""
    if query.state != "proposed":
        return False
    text, current = current_round(query, judgements)
    found = settle(text, current)
    return found is not None and found.is_contested


def _vote(row: JudgementRow) -> tuple[str, str | None]:
    return row.decision, row.new_text


def _outcome(text: str, row: JudgementRow) -> Settlement:
    states = {ACCEPT: "accepted", EDIT: "accepted", REMOVE: "removed"}
    return Settlement(states[row.decision], row.new_text or text)
