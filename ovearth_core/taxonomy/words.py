"""Names that people and datasets write differently: one form for them all, and their likeness."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_WORD = re.compile(r"[\W_]+")
# British spellings that differ by rule; whole words that differ are synonyms in the taxonomy.
_AMERICAN = (("centre", "center"), ("harbour", "harbor"), ("storey", "story"), ("tyre", "tire"))
_NO_PLURAL = ("ss", "us", "is", "os")
_SHORTEST_PLURAL = 4


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a class or category name: lower case, singular, American.

    `StorageTanks`, `storage_tank` and "storage tanks" give the same.
    """
    text = _NOT_WORD.sub(" ", _HUMP.sub(" ", name)).casefold()
    for british, american in _AMERICAN:
        text = text.replace(british, american)
    return tuple(map(_singular, text.split()))


def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1]


def key_of(name: str) -> str:
    """Return the name's words run together: also `groundtrackfield` is a ground track field."""
    return "".join(words_of(name))


def alike(one: str, other: str) -> float:
    """Return how alike two names are spelt, from 0 to 1."""
    matcher = difflib.SequenceMatcher(None, key_of(one), key_of(other), autojunk=False)
    return matcher.ratio()
