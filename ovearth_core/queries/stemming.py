"""English words cut to their stems, so that "mining", "mines" and "mined" are one.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the three
departures of the author's own programs (bli, logi, and words of one or two letters left alone).
"""

from __future__ import annotations

import re
from functools import lru_cache

_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("logi", "log"),
)  # fmt: skip
_THIRD = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
          ("ful", ""), ("ness", ""))  # fmt: skip
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_LONGEST_FIRST = tuple(sorted(_FOURTH, key=len, reverse=True))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; other scripts and short words stay as they are."""
    if len(word) <= 2 or not word.isascii():
        return word
    word = _plural(word)
    word = _past_or_going_on(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND)
    word = _replaced(word, _THIRD)
    word = _without_suffix(word)
    return _tidied(word)


def _shape(word: str) -> str:
    """Return the word's letters as v for vowels and c for consonants; y is either."""
    shape = ""
    for place, letter in enumerate(word):
        is_vowel = letter in "aeiou" or (letter == "y" and place > 0 and shape[-1] == "c")
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    return len(re.findall("v+c", _shape(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _ends_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_or_going_on(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return _restored(rest) if _has_vowel(rest) else word
    return word


def _restored(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double(word) and word[-1] not in "lsz":
        return word[:-1]
    if _measure(word) == 1 and _ends_short(word):
        return word + "e"
    return word


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, new in sorted(table, key=lambda pair: -len(pair[0])):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + new if _measure(rest) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    for suffix in _LONGEST_FIRST:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if _measure(rest) > 1 and (suffix != "ion" or rest.endswith(("s", "t"))):
                return rest
            return word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short(rest)):
            word = rest
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        return word[:-1]
    return word
