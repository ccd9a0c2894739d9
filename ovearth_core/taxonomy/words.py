"""Names that people and datasets write differently: one form for them all, and their likeness."""

from __future__ import annotations

import difflib
import re
import unicodedata
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
    plain = unicodedata.normalize("NFKC", name)  # full-width letters and ligatures too
    text = _NOT_WORD.sub(" ", _HUMP.sub(" ", plain)).casefold()
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


class Likeness:
    """How alike other names are spelt to one name, from 0 to 1."""

    def __init__(self, name: str) -> None:
        self._matcher = difflib.SequenceMatcher(None, "", key_of(name), autojunk=False)

    def to(self, other: str, at_least: float = 0.0) -> float:
        """Return the likeness, or 0 where it is below `at_least` (which is quicker to tell)."""
        self._matcher.set_seq1(key_of(other))
        bounds = (self._matcher.real_quick_ratio, self._matcher.quick_ratio, self._matcher.ratio)
        found = 0.0
        for bound in bounds:
            found = bound()
            if found < at_least:
                return 0.0
        return found
