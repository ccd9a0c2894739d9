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
_PICTURE = r"(?:the |this )*(?:image|picture|scene|frame|view|photo)"
_SOME = re.compile(
    r"^(?:only |just |about )?(?:the )?"
    r"(?:one|some|half(?!-| a? ?dozen)|most|several|a few|any|part|portion|majority|a couple"
    rf"|a (?:single )?part)(?: of\b(?! {_PICTURE})| (?!of\b)|$)"
)
_EXTREME = (
    r"(?:left|right|top|bottom|upper|lower|north|south|east|west|northern|southern|eastern"
    r"|western|outer|inner|center|centre)-?most|largest|biggest|smallest|tallest|longest|shortest"
    r"|widest|nearest|closest|farthest|furthest"
)
# Not "single-family", "second world war", "first class": nor the extremes of groups.
_SELECTED = re.compile(
    rf"\b(?:(?:{_EXTREME})(?! (?:\w+ )?(?:group|row|cluster|set|array|line|complex|block|farm)s?\b)"
    r"|(?:first|second|third|fourth|fifth)(?! world\b| class\b| floor\b)|last|single|lone"
    r"|other(?! than\b)|another)\b(?!-)"
)
_COMPARED = re.compile(
    r"^(?:the )?(?:larger|smaller|bigger|longer|shorter|taller|wider|older|newer|brighter|darker)"
    r"(?: one)? of\b"
)
_NUMBERS = {
    word: number for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
         "twelve"), 1)
} | {"both": 2, "pair": 2, "couple": 2, "trio": 3}  # fmt: skip
_FEW = ("both", "pair", "couple", "trio")
_ALL = re.compile(r"\b(?:all|every|each|entire|whole|complete)\b")
# Words for many things in the singular.
_COLLECTIVE = re.compile(
    r"\b(?:(?:group|row|cluster|set|array|line|collection|rank|block|grid|string|chain|ring|circle"
    r"|pair|couple|trio|number|bunch|fleet|farm|network)s?|series|complex|assembly)\b"
)
_WORDS = "|".join(_NUMBERS) + r"|[1-9]\d{0,2}"
# A count has nothing before it but such words, unlike "Boeing 747", and no measure after it, unlike
# "20 m wide".
_NUMBER = re.compile(
    r"(?:^|\b(?:the|these|those|a|of|about|around|only|exactly|just|roughly|nearly|almost|some)\s+)"
    rf"({_WORDS})\b(?!-|\s*(?:m|km|cm|ft|feet|foot|met(?:er|re)s?|percent|%|stor(?:ey|y)|lane)\b)"
)
_COUNT_OF = re.compile(rf"^(?:only |just )?(?:the )?({_WORDS}) of (?:the|these|those)\b")
_BEFORE_NAME = 3


def describes_part(text: str, subject: Subject) -> str | None:
    """Return why a referring text is of a part of the target only, None where it is not.

    Targets of one instance, or one area, have no part that could be meant.
    """
    count = len(subject.shapes)
    if count < 2:
        return None
    head = _head(text)
    selected = _of_them(text, subject)
    if selected is None and not _ALL.search(head):
        found = _SELECTED.search(head) or _SOME.match(head)
        selected = None if found is None else found[0].strip()
    if selected is not None:
        return f"{selected!r} picks some of the {count} that are outlined"
    number = None if _ALL.search(head) or not subject.is_counted else _number(head, subject)
    if number is not None and number != count:
        return f"it speaks of {number}, and {count} are outlined"
    return None


def _of_them(text: str, subject: Subject) -> str | None:
    """Return the words with which a text begins that pick some of many: "three of the"."""
    even = " ".join(text.lower().split())
    if (compared := _COMPARED.match(even)) is not None:
        return compared[0]
    counted = _COUNT_OF.match(even)
    if counted is None or not subject.is_counted or _value(counted[1]) == len(subject.shapes):
        return None
    return counted[0]


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
    if re.match(rf"^\w+ of {_PICTURE}", even):
        return ""
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
    if match[1] not in _FEW and _COLLECTIVE.search(after.partition(named.split()[0])[0]):
        # "Two rows of three tanks": the rows are counted.
        return None
    return _value(match[1])


def _value(word: str) -> int:
    return _NUMBERS.get(word) or int(word)
