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

_GROUND = r"(?:north|south)[- ]?(?:east|west)(?:ern)?|(?:north|south|east|west)(?:ern)?|[ns][ew]"
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
_IMAGE = (
    r"(?:the |this |whole |entire |aerial |satellite )*"
    r"(?:image|picture|photo|photograph|scene|frame|view|tile|map|patch)\b"
)
# "Left of the image's center" is said of the whole image too, as is "left of center".
_CENTER = r"(?:the |its |exact |very )*(?:center|centre|middle)(?: point)?"
_WHOLE = re.compile(rf"{_IMAGE}|{_CENTER}(?: (?:of|in) (?={_IMAGE})|$|(?=[,.;]))|{_CENTER} and\b")
_FROM_MIDDLE = re.compile(
    r"\b(?:above|below|beneath|under|of|beyond|past|off|outside|from|to)\s+(?:the\s+|its\s+)*"
    r"(?:exact\s+|very\s+)?(?:(?:image|picture|scene)(?:'s)?\s+)?$"
)
_OF = re.compile(r"\s+(?:of|from|in|within)\s+(?=the |this |a |an |that |those |these |two |\w)")
_PLACED = re.compile(
    r"\b(?:(?:in|at|on|near|along|by)\s+(?:the\s+)?(?:far|very|extreme)?"
    r"|to\s+the\s+(?:far|very|extreme))\s*$"
)
# "Pool, upper left".
_ALONE = re.compile(r"(?:^|[,;:])\s*$")
_GOES_ON = re.compile(
    r"\s*(?:$|[,.;:!?()]|(?:and|with|where|which|that|next|near|beside|by|along|just|surrounded"
    r"|bordered|between|behind|under|over|is|are|lies|lie)\b)"
)
_NEAR = re.compile(
    r"\b(?:right |directly |immediately )?(?:next to|beside|adjacent to|alongside|bordering"
    r"|close to|near to|near|abutting|adjoining)\s+"
)
_NEGATED = re.compile(
    r"\b(?:not|never|neither|nor|isn't|aren't|doesn't|don't)\b(?:\s+[\w']+){0,3}\s*$"
    r"|\b(?:away from|far from|rather than)\s+(?:the\s+)?$"
)
# What is said after these is said of something else, until the phrase ends: "with a pond on the
# left", "whose bottom edge", "bordered by a lane on the right", "the road that enters at the top".
_OF_OTHERS = re.compile(
    r"\b(?:with|whose|its|their|has|have|had|having|showing|containing|between|opposite|unlike"
    r"|than|away|across|crossing|entering|reaching|casting|facing|faces|everything"
    r"|nothing|anything|the rest|the others?"
    r"|(?!located|situated|positioned|placed)\w+ed (?:by|to|with|from)"
    r"|(?:that|which|where|who) (?!is\b|are\b|was\b|were\b|can\b|lie|lay|sit|stand|appear|occup"
    r"|cover|fill|span|take|make|form|stretch|extend|run)\w+"
    rf"|(?:left|right|north|south|east|west) of(?! {_IMAGE}| {_CENTER})"
    rf"|(?:above|below|beneath|behind|beyond)(?! {_IMAGE}| {_CENTER}))\b[^,.;]*$"
)
# On top of a building, not in the upper part of the picture.
_ATOP = re.compile(r"\bon\s+$")
# Where the words for a thing end.
_END = re.compile(
    r"[,.;:!?()]|\b(?:and|with|in|on|at|near|next|beside|by|where|which|that|along|to|from|of|is|are"
    r"|north|south|east|west|left|right|above|below|between|behind|surrounded|bordered)\b"
)
_MOST_WORDS = 8

_DEGREES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
_ABBREVIATED = 2
_LETTERS = {word[0]: word for word in _DEGREES}
_UP_DOWN = {"upper": "north", "top": "north", "lower": "south", "bottom": "south"}
_LEFT_RIGHT = {"left": "west", "right": "east"}


@dataclass(frozen=True)
class Claim:
    """One thing said of where the target lies.

    kind: POSITION in the image; RELATIVE, outside of something; PART, at a part of it; NEAR it.
    axes: PICTURE or GROUND. degrees: clockwise from up or north, None for the middle, or nearness.
    reference: the words for what it is told from. is_extreme: a corner or an edge. is_over: said
    with "above" or "below", which bridges and roofs also are in height. words: as written.
    """

    kind: str
    axes: str
    degrees: float | None
    words: str
    reference: str = ""
    is_extreme: bool = False
    is_over: bool = False


def claims(text: str) -> list[Claim]:
    """Return what a text says of where its target lies."""
    even = " ".join(text.lower().replace("’", "'").split())
    found = [*_directions(even), *_nearness(even)]
    is_elsewhere = any(c.kind == POSITION and c.degrees is not None for c in found)
    # "At the top, in the middle": halfway along the top.
    return [c for c in found if not (is_elsewhere and c.kind == POSITION and c.degrees is None)]


def _directions(text: str) -> Iterator[Claim]:
    for match in _DIRECTION.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        others = (_RUNS_BEFORE, _NEGATED, _OF_OTHERS)
        if any(other.search(before) for other in others) or _RUNS_AFTER.match(after):
            continue
        if match["middle"] and _FROM_MIDDLE.search(before):
            continue
        if match[0] == "top" and _ATOP.search(before) and after.startswith(" of "):
            continue
        claim = _claim(match, before, after)
        if claim is not None:
            yield claim


def _claim(match: re.Match[str], before: str, after: str) -> Claim | None:
    axes = GROUND if match["ground"] else PICTURE
    degrees = None if match["middle"] else _degrees(match)
    if match["over"]:
        return _over(match[0], after, degrees)
    area = _AREA_AFTER.match(after)
    rest = after[area.end() :] if area else after
    words = match[0] + (area[0] if area else "")
    is_extreme = bool(area and re.search(r"corner|edge|border|margin", area[0]))
    of = _OF.match(rest)
    if of and _WHOLE.match(rest[of.end() :]):
        return Claim(POSITION, axes, degrees, words, is_extreme=is_extreme)
    if of and of[0].strip() == "of":
        return _of_thing(match, area, _thing(rest[of.end() :]), words)
    is_said = bool(_PLACED.search(before)) or (" " in match[0] and _ALONE.search(before))
    is_placed = bool(is_said) and bool(_GOES_ON.match(rest))
    if area and (is_placed or not match["ground"] or _GOES_ON.match(rest)):
        return Claim(POSITION, axes, degrees, words, is_extreme=is_extreme)
    is_adjective = match[0].endswith("ern") or match[0] == "central"
    if is_placed and not is_adjective:
        return Claim(POSITION, axes, degrees, words)
    return None


def _of_thing(
    match: re.Match[str], area: re.Match[str] | None, reference: str, words: str
) -> Claim | None:
    """Return the claim of "left of the pond", "the south end of the pier"."""
    axes = GROUND if match["ground"] else PICTURE
    degrees = None if match["middle"] else _degrees(match)
    is_part = bool(area and "side" not in area[0]) or bool(match["middle"] and not area)
    kind = PART if is_part else RELATIVE
    said = f"{words} of {reference}"
    return Claim(kind, axes, degrees, said, reference) if reference else None


def _over(word: str, after: str, degrees: float | None) -> Claim | None:
    """Return the claim of a word such as "above"."""
    if _WHOLE.match(after.lstrip()) and not re.match(_IMAGE, after.lstrip()):
        return Claim(POSITION, PICTURE, degrees, f"{word} the middle")
    reference = _thing(after)
    if not reference:
        return None
    return Claim(RELATIVE, PICTURE, degrees, f"{word} {reference}", reference, is_over=True)


def _nearness(text: str) -> Iterator[Claim]:
    for match in _NEAR.finditer(text):
        before = text[: match.start()]
        if _NEGATED.search(before) or _OF_OTHERS.search(before):
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
    if len(word) == _ABBREVIATED:
        return [_LETTERS[letter] for letter in word]
    found = re.findall(r"north|south|east|west|upper|lower|top|bottom|left|right", word)
    return [_UP_DOWN.get(part) or _LEFT_RIGHT.get(part) or part for part in found]
