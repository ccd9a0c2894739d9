"""Texts that describe only a part of a target that has several instances."""

from __future__ import annotations

import re

from ..taxonomy.words import words_of
from .naming import names_category
from .subject import Subject

# The words for the thing itself end where those for its place begin.
_REST = re.compile(
    r"[,.;:!?()]|\b(?:next|in|on|at|near|beside|by|with|that|which|where|along|to|from|inside|within"
    r"|adjacent|located|situated|lying|surrounded|bordered|between|behind|above|below|left of"
    r"|right of|north of|south of|east of|west of|of|and|for|used|standing|arranged|built)\b"
)
_LEADING_PLACE = re.compile(r"^(?:in|on|at|near|along|beside|next to|to|within)\b[^,]*,\s*")
_SOME = re.compile(
    r"^(?:only |just |about )?(?:the )?"
    r"(?:one|some|half|most|several|a few|any|part|portion|majority|a couple|a (?:single )?part)"
    r"(?: of\b|\s|$)"
)
_SELECTED = re.compile(
    r"\b(?:(?:left|right|top|bottom|upper|lower|north|south|east|west|northern|southern|eastern"
    r"|western|outer|inner|center|centre)-?most|largest|biggest|smallest|tallest|longest|shortest"
    r"|widest|nearest|closest|farthest|furthest|first|second|third|fourth|fifth|last|single|lone"
    r"|only|individual|other|another)\b"
)
_NUMBERS = {
    word: number for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
         "twelve"), 1)
} | {"both": 2, "pair": 2, "couple": 2, "trio": 3}  # fmt: skip
_ALL = re.compile(r"\b(?:all|every|each|entire|whole|complete)\b")
# Words for many things in the singular.
_COLLECTIVE = re.compile(
    r"\b(?:group|row|rows|cluster|set|array|line|lines|series|collection|complex|rank|block|grid"
    r"|string|chain|ring|circle|assembly|pair|couple|trio|number|bunch|fleet|farm|network)\b"
)
_NUMBER = re.compile(r"\b(" + "|".join(_NUMBERS) + r"|[1-9]\d{0,2})\b")
_BEFORE_NAME = 3


def describes_part(text: str, subject: Subject) -> str | None:
    """Return why a referring text is of a part of the target only, None where it is not.

    Targets of one instance, or one area, have no part that could be meant.
    """
    count = len(subject.shapes)
    if count < 2:
        return None
    head = _head(text)
    if _ALL.search(head):
        return None
    if (selected := _SELECTED.search(head) or _SOME.match(head)) is not None:
        return f"{selected[0].strip()!r} picks some of the {count} that are outlined"
    if not subject.is_counted:
        return None
    number = _number(head, subject)
    if number is not None and number != count:
        return f"it speaks of {number}, and {count} are outlined"
    return None


def names_one(text: str, subject: Subject) -> bool:
    """Whether a text speaks of one thing of the target's category, and the target has several."""
    if len(subject.shapes) < 2 or not subject.instanceable:
        return False
    head = _head(text)
    if _ALL.search(head) or _COLLECTIVE.search(head) or not head.split():
        return False
    last = re.sub(r"\W+$", "", head.split()[-1])
    is_singular = words_of(last) == (last,)
    is_named = names_category(head, subject.names) is not None
    return is_named and is_singular and any(words_of(n)[-1:] == (last,) for n in subject.names)


def _head(text: str) -> str:
    """Return the words for the thing itself, in lower case."""
    even = _LEADING_PLACE.sub("", " ".join(text.lower().split()))
    some = _SOME.match(even)
    if some is not None and some[0].rstrip().endswith(" of"):
        return some[0].strip()
    collective = re.match(r"^(?:the |a |an )?(?:\w+ ){0,2}\w+ of (?=\w)", even)
    start = collective.end() if collective and _COLLECTIVE.search(collective[0]) else 0
    rest = _REST.search(even, start)
    return (even[: rest.start()] if rest else even).strip()


def _number(head: str, subject: Subject) -> int | None:
    """Return the number that stands before the category's name, or a phrase for it."""
    match = _NUMBER.search(head)
    if match is None:
        return None
    after = head[match.end() :]
    names = (
        *subject.names,
        *(q.text for q in subject.queries if q.task == "vocabulary" and q.polarity == "positive"),
    )
    named = names_category(after, names)
    if named is None or len(after.split()) > _BEFORE_NAME + len(named.split()):
        return None
    word = match[1]
    return _NUMBERS.get(word) or int(word)
