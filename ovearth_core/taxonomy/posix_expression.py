"""POSIX extended expressions of a whole value, as Overpass reads them: parsed into a tree.

Everything that a server's C library reads otherwise, or not at all, is refused: lookaheads, lazy
repeats, letters after a backslash, repeats beyond RE_DUP_MAX, and anchors, which have no place
where the whole value is matched. Source: POSIX.1-2017, Base Definitions, chapter 9.4.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r"\ \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "space": r"\ \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_LONGEST = 300
_MOST_REPEATS = 255  # RE_DUP_MAX, the least that every C library takes
_TOKEN = re.compile(
    r"""(?P<escape>\\[][.*+?(){}|^$\\])
      | (?P<bracket>\[\^?\]?(?:\[:[a-z]+:\]|[^]])*\])
      | (?P<repeat>[*+?]|\{[0-9]+(?:,[0-9]*)?\})
      | (?P<group>[()|])
      | (?P<plain>[^][\\*+?(){}|^$])""",
    re.VERBOSE | re.DOTALL,
)
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@dataclass(frozen=True)
class OneCharacter:
    """Any single character that the pattern, a Python one, matches."""

    pattern: re.Pattern[str]


@dataclass(frozen=True)
class InTurn:
    """Parts one after the other; without parts it matches the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Either:
    """One of several choices."""

    choices: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """A part from `least` to `most` times; None is without end."""

    part: Node
    least: int
    most: int | None


Node = OneCharacter | InTurn | Either | Repeat


def parse(posix: str) -> Node:
    """Return the expression as a tree; ValueError says why it is none, and where."""
    if len(posix) > _LONGEST:
        raise ValueError(f"the expression is longer than {_LONGEST} characters")
    return _Parser(posix).whole()


class _Parser:
    def __init__(self, posix: str) -> None:
        self.posix = posix
        self.place = 0

    def whole(self) -> Node:
        node = self._choices()
        if self.place < len(self.posix):
            raise self._fault("a ')' without its '('")
        return node

    def _fault(self, what: str) -> ValueError:
        return ValueError(f"{what} at character {self.place + 1} of {self.posix!r}")

    def _next(self) -> str:
        return self.posix[self.place : self.place + 1]

    def _choices(self) -> Node:
        choices = [self._sequence()]
        while self._next() == "|":
            self.place += 1
            choices.append(self._sequence())
        return choices[0] if len(choices) == 1 else Either(tuple(choices))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self._next() not in {"", "|", ")"}:
            parts.append(self._repeated(self._single()))
        if not parts:
            raise self._fault("nothing to choose")
        return parts[0] if len(parts) == 1 else InTurn(tuple(parts))

    def _single(self) -> Node:
        found = _TOKEN.match(self.posix, self.place)
        if found is None:
            raise self._fault("a whole value's POSIX expression can't go on")
        kind, text = found.lastgroup, found.group()
        if kind == "repeat":
            raise self._fault("nothing to repeat")
        self.place = found.end()
        if kind == "group":
            return self._group()
        return OneCharacter(self._compiled(_as_python(kind or "", text)))

    def _group(self) -> Node:
        node = self._choices()
        if self._next() != ")":
            raise self._fault("a '(' without its ')'")
        self.place += 1
        return node

    def _repeated(self, part: Node) -> Node:
        found = _TOKEN.match(self.posix, self.place)
        if found is None or found.lastgroup != "repeat":
            return part
        least, most = _times(found.group())
        if max(least, most or 0) > _MOST_REPEATS or (most is not None and most < least):
            raise self._fault(f"a repeat beyond {_MOST_REPEATS}, or from more to less")
        self.place = found.end()
        following = _TOKEN.match(self.posix, self.place)
        if following is not None and following.lastgroup == "repeat":
            raise self._fault("a repeat of a repeat")
        return Repeat(part, least, most)

    def _compiled(self, python: str) -> re.Pattern[str]:
        try:
            return re.compile(python, re.DOTALL)
        except re.error as fault:
            raise self._fault(str(fault)) from None


def _times(text: str) -> tuple[int, int | None]:
    if text in _REPEATS:
        return _REPEATS[text]
    least, comma, most = text[1:-1].partition(",")
    return int(least), int(most) if most else None if comma else int(least)


def _as_python(kind: str, text: str) -> str:
    """Return the Python expression of a single character."""
    if kind == "bracket":
        return _bracket(text)
    return re.escape(text) if kind == "plain" and text != "." else text


def _bracket(text: str) -> str:
    """Return a bracket expression in which a backslash stands for itself, as POSIX has it."""
    inside = text[1:-1]
    negated = inside.startswith("^")
    if "--" in inside:
        raise ValueError(f"an unclear range in {text!r}")
    parts: Sequence[str] = re.split(r"(\[:[a-z]+:\])", inside[negated:])
    return f"[{'^' if negated else ''}{''.join(map(_part, parts))}]"


def _part(part: str) -> str:
    if not part.startswith("[:"):
        return re.sub(r"[\\[\]^&~|#]", r"\\\g<0>", part)
    name = part[2:-2]
    if name not in _CLASSES:
        raise ValueError(f"no character class {part!r}")
    return _CLASSES[name]
