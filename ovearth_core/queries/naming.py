"""Whether a text names a category: a reasoning query must not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from ..taxonomy import load
from ..taxonomy.words import words_of
from .stemming import stem

# Plurals that no suffix tells.
_IRREGULAR = {
    "wharves": "wharf", "leaves": "leaf", "halves": "half", "men": "man", "women": "woman",
    "quays": "quay", "buses": "bus",
}  # fmt: skip

_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)

Words = tuple[str, ...]


def names_category(text: str, names: Iterable[str]) -> str | None:
    """Return the first of a category's names and synonyms that a text has in it, or None.

    Words are compared by their stems, whatever their case, number, hyphens and accents, British
    or American, written apart or together: "Storage-tanks" and "storagetank" name "storage tank".
    The name's words must stand side by side and in order; "the tank for storage" doesn't name it.
    """
    return _named(text, names, stem)


def names_thing(text: str, names: Iterable[str]) -> str | None:
    """Return the first of a thing's names that a text has in it, or None.

    As `names_category`, but words are the same in any number only: "the parking" is no park.
    """
    return _named(text, names, str)


def _named(text: str, names: Iterable[str], form: Callable[[str], str]) -> str | None:
    words = _words(text)
    forms = tuple(map(form, words))
    for name in names:
        wanted = tuple(map(form, alike(name)))
        together = form("".join(alike(name)))
        if wanted and (_has(forms, wanted) or _has_together(words, together, len(wanted), form)):
            return name
    return None


def known_names(name: str) -> tuple[str, ...]:
    """Return a category's name and, where the taxonomy knows it, its other names and synonyms."""
    category = load().known(name)
    return (name,) if category is None else tuple(dict.fromkeys((name, *category.names)))


@lru_cache(maxsize=65536)
def alike(text: str) -> Words:
    """Return a text's words in one form: the same for texts that differ in number or spelling."""
    return tuple(_words(text))


def _words(text: str) -> Sequence[str]:
    bare = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    # Possessives: "the harbour's cranes".
    bare = _POSSESSIVE.sub("", bare)
    return [word for part in bare.split() for word in _regular(part)]


def _regular(part: str) -> Sequence[str]:
    plain = part.strip(".,;:!?()[]\"'").casefold()
    return words_of(_IRREGULAR.get(plain, part))


def _has(words: Words, wanted: Words) -> bool:
    size = len(wanted)
    return any(words[at : at + size] == wanted for at in range(len(words) - size + 1))


def _has_together(
    words: Sequence[str], together: str, size: int, form: Callable[[str], str]
) -> bool:
    """Whether one word is the whole name, or two neighbours are a name of one word."""
    if size > 1:
        return any(form(word) == together for word in words)
    pairs = ("".join(words[at : at + 2]) for at in range(len(words) - 1))
    return any(form(pair) == together for pair in pairs)
