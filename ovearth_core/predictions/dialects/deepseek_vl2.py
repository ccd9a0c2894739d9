"""DeepSeek-VL2: `<|ref|>…<|/ref|><|det|>[[x0, y0, x1, y1], …]<|/det|>`, 0 to 999.

Source: DeepSeek-VL2's serve/app_modules/utils.py, parse_ref_bbox: number / 999 of width or height.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grid import Grid
from .items import BOX, Item, broken, label_of
from .text import text_dialect

_TOKEN = re.compile(r"<\|ref\|>|<\|/ref\|>|<\|det\|>|<\|/det\|>")
_LIST = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = re.compile(r"\s*\d{1,9}(?:\.\d{1,17})?\s*", re.ASCII)
_CLOSED = "<|/det|>"


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    label: str | None = None
    label_from = 0
    start: int | None = None
    for match in _TOKEN.finditer(text):
        mark = match[0]
        if start is not None and mark != _CLOSED:
            yield from _boxes(text, start, match.start(), label, is_cut=True)
            start = None
        if mark == "<|ref|>":
            label_from, label = match.end(), None
        elif mark == "<|/ref|>":
            label = label_of(text[label_from : match.start()])
        elif mark == "<|det|>":
            start = match.end()
        elif start is not None:
            yield from _boxes(text, start, match.start(), label, is_cut=False)
            start = None
    if start is not None:
        yield from _boxes(text, start, len(text), label, is_cut=True)


def _boxes(text: str, start: int, end: int, label: str | None, is_cut: bool) -> Iterator[Item]:
    """Yield the innermost lists of a stretch, and what else stands there as broken."""
    cursor = start
    others: list[str] = []
    for match in _LIST.finditer(text, start, end):
        others.append(text[cursor : match.start()])
        cursor = match.end()
        words = match[1].split(",")
        if len(words) == 4 and all(map(_NUMBER.fullmatch, words)):
            yield Item(BOX, match.start(), tuple(map(float, words)), label)
        elif match[1].strip():
            yield broken(f"[{match[1][:40]}] is not four numbers", match.start())
    others.append(text[cursor:end])
    other = "".join(others)
    if is_cut:
        yield broken(f"cut off inside a box: no {_CLOSED}", start)
    elif other.strip("[], \t\r\n"):
        yield broken(f"{other.strip()[:40]!r} among the boxes", start)


DIALECTS = (
    text_dialect(
        "deepseek-vl2",
        ("DeepSeek-VL2",),
        scan,
        Grid(highest=999, per=999),
        "[[x0, y0, x1, y1], …] between <|det|> and <|/det|>, numbers from 0 to 999, number / 999 of"
        " width or height",
        "https://github.com/deepseek-ai/DeepSeek-VL2 deepseek_vl/serve/app_modules/utils.py at"
        " 52669704e8d330136e84b914092c9ad0232c77b9",
    ),
)
