"""What people do with the texts asked of a target: edit, accept, remove; each step is logged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...errors import UsageError
from ..rows import QueryRow
from .rules import Said
from .session import ReviewSession

ACCEPTED, REMOVED = "accepted", "removed"
_ACTIONS = {ACCEPTED: "accept query", REMOVED: "remove query"}


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


def edit_text(session: ReviewSession, query_id: str, text: str) -> QueryRow:
    """Give a query another text; the first one is kept. UsageError for an empty one.

    Flags that the check gave the old text go: they say nothing of the new one.
    """
    query = session.edit.query(query_id)
    text = text.strip()
    if not text:
        raise UsageError("a query without words", f"query {query_id}", "write one, or remove it")
    if text == query.text:
        return query
    changed = session.edit.update(replace(query, text=text, flags=()))
    _log(session, "edit query", query, f"{query.text!r} became {text!r}")
    return changed


def decide(session: ReviewSession, query_id: str, state: str) -> QueryRow:
    """Accept a query, or remove it: then it is kept, but no longer asked."""
    query = session.edit.query(query_id)
    if state not in _ACTIONS:
        raise UsageError(f"no decision {state!r}", f"query {query_id}", "accepted or removed")
    if query.state == state:
        return query
    changed = session.edit.update(replace(query, state=state))
    _log(session, _ACTIONS[state], query, f"was {query.state}")
    return changed


def _log(session: ReviewSession, action: str, query: QueryRow, words: str) -> None:
    target = session.edit.target(query.target_id)
    session.log(action, target, Said(words), query_id=query.id)
