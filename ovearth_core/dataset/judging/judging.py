"""A judgement stored, and what becomes of its text by it, in one transaction."""

from __future__ import annotations

from dataclasses import replace

from ...errors import OVEarthError
from ..edit import Edit
from ..review.person import same_name
from ..review.query_moves import with_text
from ..rows import JudgementRow, QueryRow
from .questions import check_judgement
from .settlement import current_round, settle

# What became of a text, in the order in which people are told.
ACCEPTED, EDITED, REMOVED, CONTESTED, WAITING, STALE, REPEATED = OUTCOMES = (
    "accepted", "edited", "removed", "contested", "waiting", "stale", "repeated",
)  # fmt: skip


def judge(edit: Edit, row: JudgementRow, needed: int = 1) -> str:
    """Store a judgement, put its query into the state that follows, and return one of OUTCOMES.

    The text that was first written stays in the query's `original_text`. "waiting": fewer reviewers
    than needed; "contested": no majority; "stale": about a text that was changed since, stored
    without effect; "repeated": the reviewer said just that before, nothing was stored. Raises
    UsageError for one that contradicts itself, InputError where there is no such query.
    """
    try:
        check_judgement(row)
    except OVEarthError as fault:
        raise fault.at(f"query {row.query_id}") from None
    query = edit.query(row.query_id)
    before = list(edit.judgements(query.id))
    if _is_repeated(before, row):
        return REPEATED
    text, _ = current_round(query, before)
    stored = edit.add(row)
    if row.text not in (text, query.text):
        return STALE
    about = [other for other in (*before, stored) if other.text == row.text]
    found = settle(row.text, about, needed)
    if found is None:
        return WAITING
    _put(edit, query, found.state, found.text)
    if found.is_contested:
        return CONTESTED
    if found.state == "removed":
        return REMOVED
    return ACCEPTED if found.text == row.text else EDITED


def _put(edit: Edit, query: QueryRow, state: str, text: str) -> None:
    if (query.state, query.text) == (state, text):
        return
    edit.update(replace(with_text(query, text), state=state))


def _is_repeated(before: list[JudgementRow], row: JudgementRow) -> bool:
    mine = [other for other in before if same_name(other.who or "", row.who or "")]
    return bool(mine) and _said(mine[-1]) == _said(row)


def _said(row: JudgementRow) -> tuple[object, ...]:
    return (row.text, row.decision, row.answer, row.new_text, row.reason, row.is_final)
