"""JSON objects within the text of an answer: prose around them, fences, ends that are cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...entry import are_numbers
from ...errors import InputError
from ...jsonstream import DECODER

_MARKS = re.compile(r'[{}"\\]')


@dataclass(frozen=True, slots=True)
class Found:
    """An object without another within it, None where it is malformed or cut off; `at`: its {."""

    at: int
    value: dict[str, Any] | None
    fault: str = ""


def innermost_objects(text: str) -> Iterator[Found]:
    """Yield the innermost objects in a text, in its order, whatever stands around them.

    Takes linear time for any text: none of it is decoded twice. Quotes count inside of braces
    only, since prose has its own.
    """
    opened: list[int] = []
    has_inner: list[bool] = []
    in_text = False
    skip_to = 0
    for match in _MARKS.finditer(text):
        at, mark = match.start(), match[0]
        if at < skip_to or (not opened and mark != "{"):
            continue
        if mark == "\\":
            skip_to = at + 2 if in_text else at
        elif mark == '"':
            in_text = not in_text
        elif in_text:
            continue
        elif mark == "{":
            if opened:
                has_inner[-1] = True
            opened.append(at)
            has_inner.append(False)
        else:
            start, inner = opened.pop(), has_inner.pop()
            if not inner:
                yield _decoded(text[start : at + 1], start)
    # Of those that are open at the end, the last may be one that was cut off.
    if opened and not has_inner[-1]:
        yield Found(opened[-1], None, "cut off inside an object")


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


def _decoded(piece: str, at: int) -> Found:
    try:
        value = DECODER.decode(piece)
    except InputError as fault:
        return Found(at, None, fault.what)
    except (ValueError, RecursionError):
        return Found(at, None, "an object that is no JSON")
    return Found(at, value)
