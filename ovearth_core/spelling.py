"""The nearest right word to a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Up to so many right words, and letters of them, are all named.
_MOST_WORDS, _MOST_LETTERS = 40, 600
_FEW = 5
_LONGEST = 200


def nearest(word: str, right_words: Iterable[str]) -> str:
    """Return a hint such as `did you mean 'mask'? (mask, hbb or obb)`.

    Of very many right words only the nearest are named.
    """
    words = list(right_words)
    if len(words) > _MOST_WORDS or sum(map(len, words)) > _MOST_LETTERS:
        return _nearest_of_many(word, words)
    choice = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    by_lower = {w.lower(): w for w in words}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.0)
    return f"did you mean {by_lower[found[0]]!r}? ({choice})" if found else f"use {choice}"


def _nearest_of_many(word: str, words: list[str]) -> str:
    by_lower = {w.lower(): w for w in words}
    found = difflib.get_close_matches(word[:_LONGEST].lower(), by_lower, n=_FEW, cutoff=0.0)
    first, *others = (shortened(by_lower[key]) for key in found)
    rest = len(words) - len(found)
    also = ", ".join(others) + (f" and {rest} more" if rest else "")
    return f"did you mean {first!r}? ({also})"


def shortened(text: str, most: int = 60) -> str:
    """Return a text of at most so many letters, its end left out."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun: `1 patch`, `2,000 patches`."""
    return f"{number:,} {one if number == 1 else many}"
