"""What a scanner finds in the text of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

BOX, POLYGON, PICTURE, POINT = "box", "polygon", "picture", "point"
BROKEN, LEFT_OUT = "broken", "left out"
KINDS = (BOX, POLYGON, PICTURE, POINT, BROKEN, LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in an answer, in the order of the text.

    kind: BOX (four numbers), POLYGON (x, y, x, y … or y, x, as the grid has them), PICTURE (a mask
    within the box of its four numbers, `what` being its PNG in base64), POINT, BROKEN (`what` says
    how it is malformed or cut off) or LEFT_OUT (`what` says what it is, in plural).
    at: where it begins in the text, from 0. group: polygons and pictures of one number are one mask
    with one box. attributes: whatever else the answer says of it.
    """

    kind: str
    at: int
    numbers: tuple[float, ...] = ()
    label: str | None = None
    score: float | None = None
    what: str = ""
    group: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


# Takes linear time for any text whatever, and raises nothing.
Scan = Callable[[str], Iterator[Item]]


def of_numbers(numbers: tuple[float, ...], at: int, label: str | None) -> Item:
    """Return what a list of numbers is by its length: a point, a box, a polygon, or broken."""
    if len(numbers) == 2:
        return Item(POINT, at, numbers, label)
    if len(numbers) == 4:
        return Item(BOX, at, numbers, label)
    if len(numbers) >= 6 and len(numbers) % 2 == 0:
        return Item(POLYGON, at, numbers, label)
    return broken(f"{len(numbers)} numbers where a box has four", at)


def broken(what: str, at: int) -> Item:
    """Return an item for something malformed, or cut off."""
    return Item(BROKEN, at, what=what)


def label_of(text: str) -> str | None:
    """Return a label as it is kept: on one line, None where there is none."""
    return " ".join(text.split()) or None
