"""What people do with the texts asked of a target: edit, accept, remove; each step is logged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...errors import UsageError
from ..rows import VERDICTS, JudgementRow, QueryRow
from .rules import Said
from .session import ReviewSession

ACCEPTED, REMOVED = "accepted", "removed"
_ACTIONS = {ACCEPTED: "accept query", REMOVED: "remove query"}
_DECISIONS = {ACCEPTED: "accept", REMOVED: "remove"}
# What was decided at once, beside what came in with sheets.
_ORIGIN = "review"


@dataclass(frozen=True)
class TextChanges:
    """How many texts people changed and removed, of so many that are decided."""

    changed: int
    removed: int
    decided: int


def text_changes(queries: Iterable[QueryRow]) -> TextChanges:
    """Count them; proposed ones are not decided yet."""
    decided = [query for query in queries if query.state != "proposed"]
    return TextChanges(
        sum(is_changed(query) for query in decided),
        sum(query.state == REMOVED for query in decided),
        len(decided),
    )


def is_changed(query: QueryRow) -> bool:
    """Whether people changed a query's text."""
    return query.original_text not in (None, query.text)


def with_text(query: QueryRow, text: str) -> QueryRow:
    """Return a query with another text, without what the check found in the old one.

    The verifying model's words stay: they are counted, and its correction is beside them.
    """
    if text == query.text:
        return query
    return replace(query, text=text, flags=tuple(f for f in query.flags if f in VERDICTS))


def edit_text(session: ReviewSession, query_id: str, text: str) -> QueryRow:
    """Give a query another text; the first one is kept. UsageError for an empty one.

    It takes effect at once, and counts as the person's judgement too, as do decisions.
    """
    query = session.edit.query(query_id)
    text = text.strip()
    if not text:
        raise UsageError("a query without words", f"query {query_id}", "write one, or remove it")
    return query if text == query.text else _retexted(session, query, text, "edit query")


def has_correction(query: QueryRow) -> bool:
    """Whether the verifying model would write something else than stands there now."""
    return bool(query.correction) and query.correction != query.text


def take_correction(session: ReviewSession, query_id: str) -> QueryRow:
    """Give a query the text that the verifying model would write; the first one is kept.

    It counts as an edit by the person who takes it. UsageError where nothing else is proposed.
    """
    query = session.edit.query(query_id)
    if not has_correction(query):
        raise UsageError(
            "no other text is proposed", f"query {query_id}", "edit it, or have it verified"
        )
    return _retexted(session, query, query.correction or "", "take correction")


def _retexted(session: ReviewSession, query: QueryRow, text: str, action: str) -> QueryRow:
    _judge(session, query, "edit", text)
    changed = session.edit.update(with_text(query, text))
    _log(session, action, query, f"{query.text!r} became {text!r}")
    return changed


def decide(session: ReviewSession, query_id: str, state: str) -> QueryRow:
    """Accept a query, or remove it: then it is kept, but no longer asked."""
    query = session.edit.query(query_id)
    if state not in _ACTIONS:
        raise UsageError(f"no decision {state!r}", f"query {query_id}", "accepted or removed")
    if query.state == state:
        return query
    _judge(session, query, _DECISIONS[state])
    changed = session.edit.update(replace(query, state=state))
    _log(session, _ACTIONS[state], query, f"was {query.state}")
    return changed


def _judge(
    session: ReviewSession, query: QueryRow, decision: str, new_text: str | None = None
) -> None:
    session.edit.add(
        JudgementRow(
            None, query.id, query.target_id, query.text, decision, new_text=new_text, origin=_ORIGIN
        )
    )


def _log(session: ReviewSession, action: str, query: QueryRow, words: str) -> None:
    target = session.edit.target(query.target_id)
    session.log(action, target, Said(words), query_id=query.id)
