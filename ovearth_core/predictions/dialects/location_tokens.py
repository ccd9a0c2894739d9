"""Runs of location tokens such as `<loc0012><loc0034>` or `<loc_12><loc_34>` in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Labels longer than that are prose.
_LONGEST_LABEL = 1000


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens that follow each other: their numbers, and the text before and after them.

    at: where it begins. ends: whether the text ends with it.
    """

    at: int
    numbers: tuple[float, ...]
    before: str
    after: str
    ends: bool


def runs_of(text: str, token: re.Pattern[str]) -> Iterator[Run]:
    """Yield the runs of tokens, whose number is group 1, in linear time."""
    begun: list[re.Match[str]] = []
    before_from = 0
    for match in token.finditer(text):
        if begun and text[begun[-1].end() : match.start()].strip():
            yield _run(text, begun, before_from, match.start())
            before_from = begun[-1].end()
            begun = []
        begun.append(match)
    if begun:
        yield _run(text, begun, before_from, len(text))


def cut_token(text: str, begin: str) -> bool:
    """Whether a text ends within a token that begins so, such as `<loc00`."""
    tail = text.rstrip()[-len(begin) - 5 :]
    place = tail.rfind("<")
    rest = tail[place:]
    if place < 0 or ">" in rest:
        return False
    return rest.startswith(begin) or (len(rest) > 1 and begin.startswith(rest))


def _run(text: str, begun: list[re.Match[str]], before_from: int, after_to: int) -> Run:
    last = begun[-1].end()
    return Run(
        begun[0].start(),
        tuple(float(match[1]) for match in begun),
        text[max(before_from, begun[0].start() - _LONGEST_LABEL) : begun[0].start()],
        text[last : min(after_to, last + _LONGEST_LABEL)],
        not text[last:].strip() if after_to == len(text) else False,
    )


def fours(numbers: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
    """Yield the whole groups of four numbers."""
    for start in range(0, len(numbers) - 3, 4):
        yield numbers[start : start + 4]
