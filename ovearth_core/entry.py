"""One JSON object of a file, its fields taken out with their types checked."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

from .errors import InputError
from .spelling import nearest

_NUMBERS = {int, float}
# The whole numbers that every JSON reader holds exactly.
_LARGEST = 2**53
# No pixel, metre or degree lies farther; squares of such numbers stay finite.
FARTHEST = 1e15
_ALIKE = 0.85
# Shared by the many objects that carry no field of their own.
_NOTHING: Mapping[str, Any] = {}


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether every value is an int or a float; a bool or a numeric text is neither."""
    return set(map(type, values)) <= _NUMBERS


class Entry:
    """A JSON object and its place, for messages such as `'width' is missing, FILE line 3`."""

    __slots__ = ("fields", "where")

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise InputError(
                f"expected a JSON object, found {describe(value)}", where, "write {…} there"
            )
        self.fields: dict[str, Any] = value
        self.where = where

    def fail(self, what: str, mend: str) -> InputError:
        """Return the error for this place."""
        return InputError(what, self.where, mend)

    def require(self, key: str) -> Any:
        """Return the value, which must be there and not null."""
        value = self.fields.get(key)
        if value is None:
            raise self.fail(f"'{key}' is missing", f"add '{key}'")
        return value

    def integer(self, key: str, at_least: int | None = None) -> int:
        """Return a required whole number."""
        value = self.require(key)
        if type(value) is not int or (at_least is not None and value < at_least):
            bound = "" if at_least is None else f" of at least {at_least}"
            raise self.fail(
                f"'{key}' is {describe(value)}, not a whole number{bound}", "write a number"
            )
        if abs(value) > _LARGEST:
            raise self.fail(f"'{key}' is {describe(value)}, beyond 2**53", "number them from 0")
        return value

    def text(self, key: str) -> str:
        """Return a required text."""
        value = self.require(key)
        if not isinstance(value, str):
            raise self.fail(f"'{key}' is {describe(value)}, not text", "write it in quotes")
        return value

    def optional_text(self, key: str) -> str | None:
        """Return a text or None."""
        return None if self.fields.get(key) is None else self.text(key)

    def word(self, key: str, words: Collection[str]) -> str:
        """Return a required word out of `words`."""
        value = self.text(key)
        if value not in words:
            raise self.fail(f"'{key}' is {value!r}", nearest(value, words))
        return value

    def boolean(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.fields.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.fail(f"'{key}' is {describe(value)}", "write true or false")
        return value

    def optional_number(self, key: str, above: float | None = None) -> float | None:
        """Return a finite number or None."""
        if self.fields.get(key) is None:
            return None
        value = self.numbers(key, [self.fields[key]])[0]
        if above is not None and value <= above:
            raise self.fail(f"'{key}' is {value}", f"write a number above {above:g}")
        return value

    def optional_numbers(self, key: str, length: int) -> tuple[float, ...] | None:
        """Return `length` finite numbers or None."""
        value = self.fields.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != length:
            found = f"{len(value)}" if isinstance(value, list) else describe(value)
            raise self.fail(f"'{key}' has {found} where {length} numbers belong", "mend the list")
        return self.numbers(key, value)

    def numbers(self, key: str, values: list[Any]) -> tuple[float, ...]:
        """Return the values as floats, all of them finite numbers."""
        if not are_numbers(values):
            wrong = next(value for value in values if type(value) not in _NUMBERS)
            raise self.fail(f"'{key}' holds {describe(wrong)}, not a number", "write a number")
        try:
            floats = tuple(map(float, values))
        except OverflowError:
            floats = (math.inf,)
        if not all(abs(number) <= FARTHEST for number in floats):
            raise self.fail(
                f"'{key}' holds a number that is not finite or beyond {FARTHEST:g}",
                "write a finite number",
            )
        return floats

    def mapping(self, key: str) -> Mapping[str, Any] | None:
        """Return a JSON object or None."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.fail(f"'{key}' is {describe(value)}, not an object", "write {…} or null")
        return value

    def other_fields(self, known: Collection[str]) -> Mapping[str, Any]:
        """Return the fields that are not in `known`: they are kept, not understood.

        One that is spelt nearly like a known field that lacks is refused: it would be lost.
        """
        found = {key: value for key, value in self.fields.items() if key not in known}
        for key in found:
            near = nearly(key, frozenset(known))
            if near is not None and near not in self.fields:
                raise self.fail(f"unknown key {key!r}", f"did you mean {near!r}?")
        return found or _NOTHING


@lru_cache(maxsize=4096)
def nearly(key: str, known: Collection[str]) -> str | None:
    """Return the known key that an unknown one is spelt nearly like, or None."""
    found = difflib.get_close_matches(key.lower(), sorted(known), n=1, cutoff=_ALIKE)
    return found[0] if found else None


def describe(value: Any) -> str:
    """Say in a few words what a JSON value is."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
