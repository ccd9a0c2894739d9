"""The nearest right word to a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, right_words: Iterable[str]) -> str:
    """Return a hint such as `did you mean 'mask'? (mask, hbb or obb)`."""
    words = list(right_words)
    choice = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    by_lower = {w.lower(): w for w in words}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.0)
    return f"did you mean {by_lower[found[0]]!r}? ({choice})" if found else f"use {choice}"
