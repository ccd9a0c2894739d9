"""What a selector asks of one tag's value: five kinds, each a predicate and a POSIX expression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from .posix_automaton import Automaton

_SPECIAL = frozenset(".*+?()[]{}|$")
# What is present and not "no": an expression can't say "not", so it spells out every other text.
_ANYTHING_BUT_NO = ".|[^n].*|n[^o].*|no.+"


class TagValue(Protocol):
    """The wanted value of one tag."""

    def accepts(self, value: str) -> bool:
        """Whether a tag with this value is meant."""

    def expression(self) -> str:
        """Return a POSIX extended expression that the whole value matches when it is meant."""

    def as_json(self) -> Any:
        """Return it as a taxonomy file writes it."""


def literal(text: str) -> str:
    """Return the expression that only `text` matches."""
    return "".join(_literal(character) for character in text)


def _literal(character: str) -> str:
    if character in r"\^":  # these two mean something else in brackets
        return "\\" + character
    return f"[{character}]" if character in _SPECIAL else character


@dataclass(frozen=True)
class Equal:
    """One value, letter by letter."""

    value: str

    def accepts(self, value: str) -> bool:
        """Whether it is that value."""
        return value == self.value

    def expression(self) -> str:
        """See TagValue."""
        return literal(self.value)

    def as_json(self) -> str:
        """See TagValue."""
        return self.value


@dataclass(frozen=True)
class OneOf:
    """Any of several values."""

    values: tuple[str, ...]

    def accepts(self, value: str) -> bool:
        """Whether it is one of them."""
        return value in self.values

    def expression(self) -> str:
        """See TagValue."""
        return "|".join(map(literal, self.values))

    def as_json(self) -> list[str]:
        """See TagValue."""
        return list(self.values)


@dataclass(frozen=True)
class Present:
    """Any value but `no`."""

    def accepts(self, value: str) -> bool:
        """Whether the value says that the thing is there."""
        return value != "no"

    def expression(self) -> str:
        """See TagValue."""
        return _ANYTHING_BUT_NO

    def as_json(self) -> str:
        """See TagValue."""
        return "*"


@dataclass(frozen=True)
class Has:
    """An item of a list that semicolons separate, as in `sport=tennis;soccer`."""

    item: str

    def accepts(self, value: str) -> bool:
        """Whether one of the items is that one."""
        return self.item in (part.strip(" ") for part in value.split(";"))

    def expression(self) -> str:
        """See TagValue."""
        return f"(.*;)? *{literal(self.item)} *(;.*)?"

    def as_json(self) -> dict[str, str]:
        """See TagValue."""
        return {"has": self.item}


@dataclass(frozen=True)
class Matching:
    """A POSIX extended expression that the whole value must match."""

    posix: str

    def accepts(self, value: str) -> bool:
        """Whether the whole value matches."""
        return _automaton(self.posix).matches(value)

    def expression(self) -> str:
        """See TagValue."""
        return self.posix

    def as_json(self) -> dict[str, str]:
        """See TagValue."""
        return {"re": self.posix}


@cache
def _automaton(posix: str) -> Automaton:
    return Automaton(posix)


def tag_value_of(value: Any) -> TagValue:
    """Return the wanted value that a taxonomy file writes so; ValueError says what is wrong."""
    if value == "*":
        return Present()
    if isinstance(value, str) and value:
        return Equal(value)
    if isinstance(value, list) and value and all(isinstance(v, str) and v for v in value):
        if "*" in value:
            raise ValueError('"*" in a list is no wildcard, write it alone')
        return OneOf(tuple(value))
    if isinstance(value, dict) and len(value) == 1:
        ((kind, text),) = value.items()
        if kind == "has" and isinstance(text, str) and text.strip(" ") and ";" not in text:
            return Has(text.strip(" "))
        if kind == "re" and isinstance(text, str) and text:
            _automaton(text)
            return Matching(text)
    raise ValueError(
        'it is none of "text", ["text", …], "*", {"has": "item"}, {"re": "expression"}'
    )
