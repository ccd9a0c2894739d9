"""Whether a text is English: by its letters, and by the small words that every sentence has."""

from __future__ import annotations

import re
import unicodedata

_FUNCTION_WORDS = {
    "English": "the of and in to is are that with on at by for from this where which it as an or"
    " between near next its their into has have can what who all used along people things when a an"
    " be was were will not no there here two one some most over under but if do does so than then"
    " they you i",
    "German": "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als"
    " auch es an werden aus wird wo neben dort hier",
    "French": "le la les de des et en un une du que est pour qui dans ce au pas sur avec il sont où"
    " près aux",
    "Spanish": "el la los las de y en un una que es por con para del se al lo como más pero sus"
    " donde junto",
    "Italian": "il lo la i gli le di e in un una che è per con del della nel non si sono dove"
    " vicino dei",
    "Portuguese": "o a os as de e em um uma que é por com para do da no na não se onde perto",
    "Dutch": "de het een en van in is op te dat die voor met niet aan zijn er maar om waar naast",
}
_WORDS = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_FEWEST_WORDS = 5
_MOST_FOREIGN = 0.3


def foreign(text: str) -> str | None:
    """Return why a text isn't English ("German", "in another script"), None where it may be."""
    letters = [letter for letter in text if letter.isalpha()]
    others = [letter for letter in letters if not unicodedata.name(letter, "").startswith("LATIN")]
    if letters and len(others) > _MOST_FOREIGN * len(letters):
        return "in another script"
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if len(words) < _FEWEST_WORDS:
        return None
    counts = {name: sum(word in known for word in words) for name, known in _WORDS.items()}
    best = max(counts, key=lambda name: counts[name])
    is_clear = counts[best] >= 2 and counts[best] > counts["English"]
    return best if best != "English" and is_clear else None
