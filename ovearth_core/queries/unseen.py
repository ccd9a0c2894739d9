"""Letters that people don't see: they come along when text is copied, and hide in it."""

from __future__ import annotations

import re
import unicodedata

# Reversed writing, joiners, marks of byte order.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def without_unseen(text: str) -> str:
    """Return a text without invisible letters, and with plain spaces for those of other widths."""
    seen = _UNSEEN.sub("", text)
    return "".join(" " if unicodedata.category(letter) == "Zs" else letter for letter in seen)
