"""What a JSON object of an answer says of its box besides the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...entry import FARTHEST, describe
from .items import BOX, Item, broken
from .json_objects import four_numbers

_SCORES = ("score", "confidence")
_NOTHING = ("", "none", "null", "nothing")


def boxed(value: Mapping[str, Any], key: str, at: int, *known: str) -> Item | None:
    """Return the box of an object with its label, score and whatever else is said of it.

    key: of its four numbers; known: other keys that are looked at elsewhere. None for an object
    that says that there is nothing: an empty box, null, "none", or zeros with the label "none".
    """
    box, label = value[key], value.get("label")
    is_nothing = isinstance(label, str) and label.strip().lower() in _NOTHING[1:]
    if box is None or box == [] or (isinstance(box, str) and box.strip().lower() in _NOTHING):
        return None
    numbers = four_numbers(box)
    if numbers is None:
        return broken(f"{key!r} is not four numbers", at)
    if is_nothing and not any(numbers):
        return None
    used = {key, *known}
    if isinstance(label, str):
        used.add("label")
    for scored in _SCORES:
        score = value.get(scored)
        if score is None:
            continue
        if type(score) not in (int, float) or not abs(score) <= FARTHEST:
            return broken(f"{scored!r} is {describe(score)}, not a number", at)
        used.add(scored)
        break
    rest = {name: each for name, each in value.items() if name not in used and each is not None}
    return Item(BOX, at, numbers, label if isinstance(label, str) else None, score, attributes=rest)
