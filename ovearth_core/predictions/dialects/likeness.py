"""Which dialect a text looks like in which the one that was named found nothing.

An answer in another family's syntax would otherwise score as the answer that nothing is there.
"""

from __future__ import annotations

import re

# What only answers of a family have in them. Bounded repeats: linear time for any text.
_MARKS: dict[str, re.Pattern[str]] = {
    "qwen2.5-vl or qwen3-vl": re.compile(r"\b(?:bbox|point)_2d\b"),
    "gemini": re.compile(r"\bbox_2d\b"),
    "rex-omni": re.compile(r"<\|box_start\|>"),
    "locate-anything": re.compile(r"<box>"),
    "deepseek-vl2": re.compile(r"<\|det\|>"),
    "paligemma": re.compile(r"<loc\d{1,9}>", re.ASCII),
    "florence-2": re.compile(r"<loc_\d{1,9}>", re.ASCII),
    "text4seg": re.compile(r"<seg>[^<>*]{1,200}\*"),
    "seg-token": re.compile(r"\[SEG\]"),
}
_NUMBER = r"[-+]?\d{1,9}(?:\.\d{0,17})?"
_GAP = r"[\s,;()\[\]]{1,9}"
_FOUR = re.compile(rf"[\[(<{{]\s{{0,9}}{_NUMBER}(?:{_GAP}{_NUMBER}){{3}}", re.ASCII)
_BINS = re.compile(r"(?:<\d{1,9}>){4}", re.ASCII)


def looks_like(text: str, dialect: str) -> str | None:
    """Return what a text, in which `dialect` has found nothing, looks like; None for no boxes.

    An answer with the dialect's own marks and none of others' says itself that nothing is there.
    """
    own = [name for name in _MARKS if dialect in name.split(" or ")]
    for name, mark in _MARKS.items():
        if name not in own and mark.search(text):
            return f"an answer of {name}"
    if any(_MARKS[name].search(text) for name in own):
        return None
    if _BINS.search(text):
        return "an answer of rex-omni or locate-anything"
    return "boxes in another syntax" if _FOUR.search(text) else None
