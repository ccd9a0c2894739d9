"""JSON objects within the text of an answer: prose around them, fences, ends that are cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...entry import are_numbers
from ...errors import InputError
from ...jsonstream import DECODER, refuse_half_characters

_MARKS = re.compile(r'[{}"\\]')
_BRACE = re.compile("{")
_HOLDERS = (dict, list)
# What an object that was cut off may begin with.
_BEGUN = re.compile(r'\{\s*(?:"|\Z)')


@dataclass(frozen=True, slots=True)
class Found:
    """An object, None where it is malformed or cut off, and `fault` says how; `at`: its place."""

    at: int
    value: dict[str, Any] | None
    fault: str = ""


@dataclass(slots=True)
class _Open:
    """An object whose end is still to come; first_inner: where the first within it begins."""

    start: int
    first_inner: int | None = None


@dataclass(slots=True)
class _Spans:
    """Where objects are: those within no other that is closed, the innermost, and the open ones."""

    whole: list[tuple[int, int]] = field(default_factory=list)
    innermost: list[tuple[int, int]] = field(default_factory=list)
    opened: list[_Open] = field(default_factory=list)


def objects_in(text: str, keys: Sequence[str]) -> Iterator[Found]:
    """Yield the objects in a text, at any depth, in its order, whatever stands around them.

    keys: one of which an object of interest has; of one that is cut off, they tell whether it is.
    Takes linear time for any text: none of it is decoded more than three times. Of an object that
    is no JSON, those within it are tried. Quotes count inside of braces only, since prose has its
    own.
    """
    whole = _of_one_list(text)
    if whole is not None:
        yield from whole
        return
    spans = _spans(text)
    at = 0
    for start, end in spans.whole:
        value, fault = _decoded(text[start:end])
        if value is not None:
            yield from (Found(start, each) for each in _objects(value))
            continue
        is_told = False
        while at < len(spans.innermost) and spans.innermost[at][0] < end:
            inner_start, inner_end = spans.innermost[at]
            at += 1
            if inner_start <= start:
                continue
            piece = text[inner_start:inner_end]
            inner, inner_fault = _decoded(piece)
            if inner is None and not any(key in piece for key in keys):
                continue
            is_told = is_told or inner is None
            yield Found(inner_start, inner, inner_fault)
        # Braces of prose are no object.
        if not is_told and any(key in text[start:end] for key in keys):
            yield Found(start, None, fault)
    for each in spans.opened:
        own = text[each.start : each.first_inner]
        is_begun = each.first_inner is None and _BEGUN.match(own)
        if is_begun or any(f'"{key}"' in own for key in keys):
            yield Found(each.start, None, "cut off inside an object")


def _of_one_list(text: str) -> list[Found] | None:
    """Return the objects of a text in which all of them stand in one list that is whole.

    That is what most answers are, and the quick way; None for any other text.
    """
    start, first = text.find("["), text.find("{")
    if start < 0 or first < start or text[start + 1 : first].strip():
        return None
    try:
        value, end = DECODER.raw_decode(text, start)
        refuse_half_characters(text, value)
    except (InputError, ValueError, RecursionError):
        return None
    if text.find("{", end) >= 0:
        return None
    found = list(_objects(value))
    # As many braces as objects: none stands in a text, and each begins an object.
    if text.count("{", start, end) != len(found):
        return None
    places = (match.start() for match in _BRACE.finditer(text, start, end))
    return [Found(at, each) for at, each in zip(places, found, strict=True)]


def four_numbers(value: Any) -> tuple[float, ...] | None:
    """Return four finite numbers of a JSON list, None for anything else."""
    numbers = numbers_in(value)
    return numbers if numbers is not None and len(numbers) == 4 else None


def numbers_in(value: Any) -> tuple[float, ...] | None:
    """Return the numbers of a JSON list of numbers that fit a double, None for anything else."""
    if not isinstance(value, list) or not are_numbers(value):
        return None
    try:
        return tuple(map(float, value))
    except OverflowError:
        return None


def _spans(text: str) -> _Spans:
    spans = _Spans()
    in_text = False
    skip_to = 0
    for match in _MARKS.finditer(text):
        at, mark = match.start(), match[0]
        if at < skip_to or (not spans.opened and mark != "{"):
            continue
        if mark == "\\":
            skip_to = at + 2 if in_text else at
        elif mark == '"':
            in_text = not in_text
        elif not in_text:
            _step(spans, at, mark)
    return spans


def _step(spans: _Spans, at: int, mark: str) -> None:
    if mark == "{":
        if spans.opened and spans.opened[-1].first_inner is None:
            spans.opened[-1].first_inner = at
        spans.opened.append(_Open(at))
        return
    closed = spans.opened.pop()
    if closed.first_inner is None:
        spans.innermost.append((closed.start, at + 1))
    while spans.whole and spans.whole[-1][0] > closed.start:
        spans.whole.pop()
    spans.whole.append((closed.start, at + 1))


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield an object and all within it, in order, however deep."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        inner = each
        if type(each) is dict:
            yield each
            inner = each.values()
        waiting.extend([part for part in inner if type(part) in _HOLDERS][::-1])


def _decoded(piece: str) -> tuple[dict[str, Any] | None, str]:
    try:
        value = DECODER.decode(piece)
        refuse_half_characters(piece, value)
    except InputError as fault:
        return None, fault.what
    except (ValueError, RecursionError):
        return None, "an object that is no JSON"
    return value, ""
