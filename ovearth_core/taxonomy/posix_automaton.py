"""Matches a POSIX expression in time that grows with the text alone, whatever the expression.

Expressions and values come from files of others; a matcher that tries and goes back can take
years for one of them. Source: Thompson, "Regular expression search algorithm", CACM 1968.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .posix_expression import Either, InTurn, Node, OneCharacter, Repeat, parse

_MOST_STATES = 5000
_MOST_REMEMBERED = 20_000
_END = 0

States = frozenset[int]


class Automaton:
    """An expression ready to be matched; ValueError where it is none, or too large."""

    def __init__(self, posix: str) -> None:
        # Per state: the character that leads on from it, if any, and the states it leads to.
        self._patterns: list[re.Pattern[str] | None] = [None]
        self._next: list[list[int]] = [[]]
        self._start = self._closure([self._add(parse(posix), _END)])
        self._moves: dict[tuple[States, str], States] = {}

    def matches(self, text: str) -> bool:
        """Whether the whole text matches."""
        states = self._start
        for character in text:
            if not states:
                return False
            states = self._moved(states, character)
        return _END in states

    def _moved(self, states: States, character: str) -> States:
        known = self._moves.get((states, character))
        if known is None:
            if len(self._moves) >= _MOST_REMEMBERED:
                self._moves.clear()
            known = self._closure(
                state
                for before in states
                if (pattern := self._patterns[before]) is not None and pattern.match(character)
                for state in self._next[before]
            )
            self._moves[states, character] = known
        return known

    def _closure(self, states: Iterable[int]) -> States:
        """Return the states and all that are reached from them without a character."""
        found: set[int] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                if self._patterns[state] is None:
                    waiting += self._next[state]
        return frozenset(found)

    def _state(self, pattern: re.Pattern[str] | None, following: list[int]) -> int:
        if len(self._next) == _MOST_STATES:
            raise ValueError("the expression repeats too much")
        self._patterns.append(pattern)
        self._next.append(following)
        return len(self._next) - 1

    def _add(self, node: Node, after: int) -> int:
        """Add the states of `node`, which lead to the state `after`; return the first."""
        if isinstance(node, OneCharacter):
            return self._state(node.pattern, [after])
        if isinstance(node, InTurn):
            for part in reversed(node.parts):
                after = self._add(part, after)
            return after
        if isinstance(node, Either):
            return self._state(None, [self._add(choice, after) for choice in node.choices])
        return self._repeat(node, after)

    def _repeat(self, node: Repeat, after: int) -> int:
        if node.most is None:
            loop = self._state(None, [after])
            self._next[loop].append(self._add(node.part, loop))
            after = loop
        else:
            end = after
            for _ in range(node.most - node.least):
                after = self._state(None, [end, self._add(node.part, after)])
        for _ in range(node.least):
            after = self._add(node.part, after)
        return after
