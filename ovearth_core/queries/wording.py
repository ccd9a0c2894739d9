"""What a text says of places, in English: directions, nearness, and what they are told from.

Read cautiously: what isn't surely a claim about the target's place is left alone, such as
"north-south", "facing south", "the northern runway".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PICTURE, GROUND = "picture", "ground"
POSITION, RELATIVE, PART, NEAR = "position", "relative", "part", "near"

_GROUND = r"(?:north|south)[- ]?(?:east|west)(?:ern)?|(?:north|south|east|west)(?:ern)?"
_VERTICAL, _SIDE = r"upper|lower|top|bottom", r"left|right"
_ON_PICTURE = (
    rf"(?:{_VERTICAL})[- ]?(?:{_SIDE})|(?:{_SIDE})[- ]?(?:upper|lower)|{_VERTICAL}|{_SIDE}"
)
_MIDDLE = r"center|centre|middle|central"
_DIRECTION = re.compile(
    rf"\b(?:(?P<ground>{_GROUND})|(?P<picture>{_ON_PICTURE})|(?P<middle>{_MIDDLE})"
    r"|(?P<over>above|below|beneath|underneath))\b(?!-?most)",
)
# North-south, east-west, northbound, south-facing: how something runs, not where it lies.
_RUNS_BEFORE = re.compile(
    r"(?:(?:north|south|east|west)(?:[- ]to)?[- ]|(?:facing|faces|heading|heads|running|runs"
    r"|pointing|points|pointed|leading|leads|oriented|extending|extends|stretching|flowing|flows"
    r"|toward|towards|turned|turning|from)(?: (?:to|toward|towards|from))?(?: the)? )$"
)
_RUNS_AFTER = re.compile(r"(?:-| to |[- ]to[- ])(?:north|south|east|west)|[- ](?:facing|bound)\b")
_AREA = (
    r"(?:most )?(?:[- ]?hand )?(?:side|part|portion|corner|edge|end|half|third|quarter|quadrant"
    r"|section|area|region|border|margin)s?"
)
_AREA_AFTER = re.compile(rf"[- ]{_AREA}\b")
_WHOLE = re.compile(
    r"(?:the |this |whole |entire |aerial |satellite )*"
    r"(?:image|picture|photo|photograph|scene|frame|view|tile|map|patch)\b"
)
_OF = re.compile(r"\s+(?:of|from|in|within)\s+(?=the |this |a |an |that |those |these |two |\w)")
_PLACED = re.compile(r"\b(?:in|at|on|near|along|by)\s+(?:the\s+)?(?:far|very|extreme)?\s*$")
_GOES_ON = re.compile(
    r"\s*(?:$|[,.;:!?()]|(?:and|with|where|which|that|next|near|beside|by|along|just|surrounded"
    r"|bordered|between|behind|under|over|is|are|lies|lie)\b)"
)
_NEAR = re.compile(
    r"\b(?:right |directly |immediately )?(?:next to|beside|adjacent to|alongside|bordering"
    r"|close to|near to|near|abutting|adjoining)\s+"
)
_NEGATED = re.compile(r"\b(?:not|away from|far from|isn't|aren't|rather than)\s+(?:the\s+)?$")
# What is said after it is said of something else: "with a pond on the left".
_WITH = re.compile(r"\bwith\b[^,.;]*$")
# Where the words for a thing end.
_END = re.compile(
    r"[,.;:!?()]|\b(?:and|with|in|on|at|near|next|beside|by|where|which|that|along|to|from|of|is|are"
    r"|north|south|east|west|left|right|above|below|between|behind|surrounded|bordered)\b"
)
_MOST_WORDS = 8

_DEGREES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
_UP_DOWN = {"upper": "north", "top": "north", "lower": "south", "bottom": "south"}
_LEFT_RIGHT = {"left": "west", "right": "east"}


@dataclass(frozen=True)
class Claim:
    """One thing said of where the target lies.

    kind: POSITION in the image; RELATIVE, outside of something; PART, at a part of it; NEAR it.
    axes: PICTURE or GROUND. degrees: clockwise from up or north, None for the middle, or nearness.
    reference: the words for what it is told from. is_extreme: a corner or an edge. words: as
    written.
    """

    kind: str
    axes: str
    degrees: float | None
    words: str
    reference: str = ""
    is_extreme: bool = False


def claims(text: str) -> list[Claim]:
    """Return what a text says of where its target lies."""
    even = " ".join(text.lower().replace("’", "'").split())
    return [*_directions(even), *_nearness(even)]


def _directions(text: str) -> Iterator[Claim]:
    for match in _DIRECTION.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        others = (_RUNS_BEFORE, _NEGATED, _WITH)
        if any(other.search(before) for other in others) or _RUNS_AFTER.match(after):
            continue
        claim = _claim(match, before, after)
        if claim is not None:
            yield claim


def _claim(match: re.Match[str], before: str, after: str) -> Claim | None:
    axes = GROUND if match["ground"] else PICTURE
    degrees = None if match["middle"] else _degrees(match)
    if match["over"]:
        reference = _thing(after)
        words = f"{match[0]} {reference}"
        return Claim(RELATIVE, axes, degrees, words, reference) if reference else None
    area = _AREA_AFTER.match(after)
    rest = after[area.end() :] if area else after
    words = match[0] + (area[0] if area else "")
    is_extreme = bool(area and re.search(r"corner|edge|border|margin", area[0]))
    of = _OF.match(rest)
    if of and _WHOLE.match(rest[of.end() :]):
        return Claim(POSITION, axes, degrees, words, is_extreme=is_extreme)
    if of and of[0].strip() == "of":
        reference = _thing(rest[of.end() :])
        kind = PART if area or match["middle"] else RELATIVE
        is_side = bool(area and "side" in area[0])
        kind = RELATIVE if is_side else kind
        said = f"{words} of {reference}"
        return Claim(kind, axes, degrees, said, reference) if reference else None
    is_placed = bool(_PLACED.search(before)) and bool(_GOES_ON.match(rest))
    if area and (is_placed or not match["ground"] or _GOES_ON.match(rest)):
        return Claim(POSITION, axes, degrees, words, is_extreme=is_extreme)
    is_adjective = match[0].endswith("ern") or match[0] == "central"
    if is_placed and not is_adjective:
        return Claim(POSITION, axes, degrees, words)
    return None


def _nearness(text: str) -> Iterator[Claim]:
    for match in _NEAR.finditer(text):
        before = text[: match.start()]
        if _NEGATED.search(before) or _WITH.search(before):
            continue
        reference = _thing(text[match.end() :])
        if reference and not _WHOLE.match(reference):
            yield Claim(NEAR, GROUND, None, f"{match[0].strip()} {reference}", reference)


def _thing(text: str) -> str:
    """Return the words for a thing that a text begins with."""
    plain = text.strip()
    end = _END.search(plain)
    words = (plain[: end.start()] if end else plain).split()
    while words and words[0] in ("the", "a", "an", "this", "that", "these", "those", "its"):
        words = words[1:]
    return " ".join(words[:_MOST_WORDS])


def _degrees(match: re.Match[str]) -> float:
    if match["over"]:
        return _DEGREES["north" if match[0] == "above" else "south"]
    parts = _compass_parts(match[0])
    if len(parts) == 1:
        return _DEGREES[parts[0]]
    up, across = sorted(parts, key=("north", "south", "east", "west").index)
    middle = (_DEGREES[up] + _DEGREES[across]) / 2.0
    return 315.0 if (up, across) == ("north", "west") else middle


def _compass_parts(word: str) -> list[str]:
    found = re.findall(r"north|south|east|west|upper|lower|top|bottom|left|right", word)
    return [_UP_DOWN.get(part) or _LEFT_RIGHT.get(part) or part for part in found]
