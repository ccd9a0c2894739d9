"""POSIX extended expressions, as Overpass reads them, said in Python's own.

What both languages read alike is let through, brackets are written anew, and everything that means
something else in one of them (lookaheads, lazy repeats, letters after a backslash) is refused.
Whole values are matched, so that anchors have no place.
Source: POSIX.1-2017, Base Definitions, chapter 9.4.
"""

from __future__ import annotations

import re

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
_REPEATS = "*+?{"
_TOKEN = re.compile(
    r"""(?P<escape>\\[][.*+?(){}|^$\\])
      | (?P<bracket>\[\^?\]?(?:\[:[a-z]+:\]|[^]])*\])
      | (?P<repeat>[*+?]|\{[0-9]+(?:,[0-9]*)?\})
      | (?P<group>[()|])
      | (?P<plain>[^][\\*+?(){}|^$])""",
    re.VERBOSE | re.DOTALL,
)


def as_python(posix: str) -> str:
    """Return the Python expression that fully matches the same texts; ValueError says why not."""
    if len(posix) > _LONGEST:
        raise ValueError(f"the expression is longer than {_LONGEST} characters")
    python, place, before = "", 0, "("
    while place < len(posix):
        found = _TOKEN.match(posix, place)
        if found is None:
            raise _fault("a whole value's POSIX expression can't go on", posix, place)
        kind, text = found.lastgroup, found.group()
        if kind == "repeat" and before in {"repeat", "(", "|"}:
            raise _fault("nothing to repeat", posix, place)
        if text in {"|", ")"} and before in {"(", "|"}:
            raise _fault("nothing to choose", posix, place)
        python += _translated(kind or "", text)
        before = text if kind == "group" else str(kind)
        place = found.end()
    if before == "|":
        raise _fault("nothing to choose", posix, place)
    try:
        re.compile(python)
    except (re.error, OverflowError, RecursionError) as fault:
        raise ValueError(f"{fault} in {posix!r}") from None
    return python


def _fault(what: str, posix: str, place: int) -> ValueError:
    return ValueError(f"{what} at character {place + 1} of {posix!r}")


def _translated(kind: str, text: str) -> str:
    if kind == "bracket":
        return _bracket(text)
    if kind == "group" and text == "(":
        return "(?:"
    return re.escape(text) if kind == "plain" and text != "." else text


def _bracket(text: str) -> str:
    """Return a bracket expression in which a backslash stands for itself, as POSIX has it."""
    inside = text[1:-1]
    negated = inside.startswith("^")
    if "--" in inside:
        raise ValueError(f"an unclear range in {text!r}")
    parts = re.split(r"(\[:[a-z]+:\])", inside[negated:])
    python = "".join(_part(part) for part in parts)
    return f"[{'^' if negated else ''}{python}]"


def _part(part: str) -> str:
    if not part.startswith("[:"):
        return re.sub(r"[\\[\]^&~|#]", r"\\\g<0>", part)
    name = part[2:-2]
    if name not in _CLASSES:
        raise ValueError(f"no character class {part!r}")
    return _CLASSES[name]
