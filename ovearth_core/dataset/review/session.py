"""Reviewing: what people do with targets, each step signed, allowed, and logged, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...errors import UsageError
from ..edit import Edit
from ..rows import ReviewRow, TargetRow
from ..store import Dataset
from .moves import ANNOTATOR, MANAGER, MOVES, OWN, Move
from .person import Person, same_name
from .rivals import group_of
from .rules import Said, check_move, check_not_drawer, check_role, drawers, move_named, place_of

_NOTHING_SAID = Said()
_STILL_DRAWN = ("draft", "returned")
_RECATEGORISE = Move("recategorise", ANNOTATOR, _STILL_DRAWN, "", OWN)


@contextmanager
def review_session(dataset: Dataset, person: Person) -> Iterator[ReviewSession]:
    """Let a person review in one transaction: all that the block does is there, or none of it.

    Others wait meanwhile: keep it short.
    """
    with dataset.writing(person.name, person.role) as edit:
        yield ReviewSession(edit, person)


class ReviewSession:
    """What one person does in one transaction; made by `review_session`.

    Every method raises UsageError for what the person may not do, with what is possible instead.
    """

    def __init__(self, edit: Edit, person: Person) -> None:
        self.edit = edit
        self.person = person
        # Ids of what was dealt with, in order.
        self.touched: dict[int, None] = {}

    def move(self, name: str, target_id: int, said: Said = _NOTHING_SAID) -> TargetRow:
        """Make a move by its name (see `moves.MOVES`) and return the target as it is then."""
        move, target = move_named(name), self.edit.target(target_id)
        if name == "choose":
            return self.choose(target_id, said)
        check_move(self.edit, move, target, self.person, said)
        return self._make(move, target, said)

    def choose(self, target_id: int, said: Said = _NOTHING_SAID) -> TargetRow:
        """Approve one of several annotations of the same thing, and reject the others.

        Queries of the others that this one lacks come over to it. UsageError where there are no
        others, or one of them is still being drawn.
        """
        target = self.edit.target(target_id)
        others = [other for other in group_of(self.edit, target) if other.id != target_id]
        self._check_choice(target, others, said)
        for other in others:
            if other.state != MOVES["pass over"].to_state:
                passed = Said(f"target {target_id} was chosen over it")
                self._make(MOVES["pass over"], other, passed)
        moved = [query for other in others for query in self._bring_queries(other, target_id)]
        over = [other.id for other in others]
        return self._make(MOVES["choose"], target, said, over=over, queries_moved=moved)

    def comment(self, target_id: int, said: Said, query_id: str | None = None) -> ReviewRow:
        """Say something about a target in any state, or about one of its queries."""
        target = self.edit.target(target_id)
        if said.text is None:
            raise UsageError("a comment without words", place_of(target), "say --comment TEXT")
        if query_id is not None and self.edit.query(query_id).target_id != target_id:
            raise UsageError(
                f"query {query_id} is not one of its queries", place_of(target), "see review show"
            )
        return self.log("comment", target, said, query_id=query_id)

    def assign(self, target_id: int, annotator: str) -> TargetRow:
        """Hand a target that is still drawn on to another annotator; for a manager."""
        target = self.edit.target(target_id)
        self._check_is(MANAGER, "assign", target)
        if target.state not in _STILL_DRAWN:
            raise UsageError(
                f"it is {target.state}, and assign takes one that is draft or returned",
                place_of(target),
                "return it first",
            )
        name = Person(annotator).name.strip()
        self._check_is_new_to(name, target)
        changed = self.edit.update(replace(target, annotator=name))
        before = target.annotator or "nobody"
        self.log("assign", target, Said(f"from {before} to {name}"))
        return changed

    def recategorise(self, target_id: int, category_id: int) -> TargetRow:
        """Give a target another category: its annotator while it is drawn, else a manager.

        Not one that is approved or rejected: return it first.
        """
        target = self.edit.target(target_id)
        self.edit.category(category_id)
        self.touched[target_id] = None
        if self.person.role == ANNOTATOR:
            check_move(self.edit, _RECATEGORISE, target, self.person, _NOTHING_SAID)
        elif target.state not in (*_STILL_DRAWN, "submitted"):
            raise UsageError(
                f"it is {target.state}, and keeps its category", place_of(target), "return it first"
            )
        if target.category_id == category_id:
            return target
        return self.edit.update(replace(target, category_id=category_id))

    def open_second(self, target_id: int) -> TargetRow:
        """Begin an annotation of what another annotator draws, to see how far the two agree."""
        first = self.edit.target(target_id)
        self._check_is(ANNOTATOR, "a second annotation", first)
        group = group_of(self.edit, first)
        self._check_is_new_to(self.person.name, first, as_second=True)
        made = TargetRow(
            None,
            first.image_id,
            first.category_id,
            annotator=self.person.name,
            rival_of=group[0].id,
        )
        stored = self.edit.add(made)
        self.touched[stored.id or 0] = None
        return stored

    def _make(self, move: Move, target: TargetRow, said: Said, **more: Any) -> TargetRow:
        if move.role == MANAGER:
            self.log(move.name, target, said, **more)
        self.touched[target.id or 0] = None
        if move.name == "submit" and target.annotator is None:
            self.edit.update(replace(target, annotator=self.person.name))
        if target.state == move.to_state:
            return target
        return self.edit.set_state(target.id or 0, move.to_state, said.text)

    def log(
        self, action: str, target: TargetRow, said: Said, query_id: str | None = None, **more: Any
    ) -> ReviewRow:
        """Write a line about a target; more: goes into its `extra`, what is empty left out."""
        extra = {key: value for key, value in more.items() if value}
        if said.alone:
            extra["alone"] = True
        line = ReviewRow(
            None, target.id or 0, action, comment=said.text, query_id=query_id, extra=extra
        )
        if said.pin is not None:
            lon, lat = said.pin.lonlat(self.edit.frame(target.image_id))
            line = replace(line, lon=lon, lat=lat)
        self.touched[line.target_id] = None
        return self.edit.add(said.answers.put_into(line))

    def _check_choice(self, target: TargetRow, others: Sequence[TargetRow], said: Said) -> None:
        move = MOVES["choose"]
        check_role(move, target, self.person)
        if not others:
            raise UsageError(
                "there is no other annotation to choose from", place_of(target), "approve it"
            )
        for other in others:
            if other.state in _STILL_DRAWN:
                raise UsageError(
                    f"target {other.id}, another annotation of the same, is {other.state}",
                    place_of(target),
                    "wait until it is submitted, or reject it",
                )
        check_move(self.edit, move, target, self.person, said)
        for other in () if said.alone else others:
            check_not_drawer(self.edit, move, other, target, self.person)

    def _bring_queries(self, other: TargetRow, target_id: int) -> list[str]:
        """Give a target what is asked of another and not of it; return the queries' ids."""
        asked = {(q.task, q.polarity, q.text) for q in self.edit.queries(target_id)}
        brought = [
            query
            for query in list(self.edit.queries(other.id))
            if (query.task, query.polarity, query.text) not in asked
        ]
        for query in brought:
            self.edit.update(replace(query, target_id=target_id))
        return [query.id for query in brought]

    def _check_is(self, role: str, what: str, target: TargetRow) -> None:
        check_role(Move(what, role, (), ""), target, self.person)

    def _check_is_new_to(self, name: str, target: TargetRow, *, as_second: bool = False) -> None:
        """Two annotations of the same by one person would say nothing about people."""
        for other in group_of(self.edit, target):
            is_another = as_second or other.id != target.id
            names = drawers(self.edit, other) if is_another else (other.annotator,)
            if any(found is not None and same_name(found, name) for found in names):
                raise UsageError(
                    f"{name} draws it already (target {other.id})",
                    place_of(target),
                    "let somebody else do it",
                )
