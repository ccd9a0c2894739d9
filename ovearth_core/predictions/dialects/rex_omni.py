"""Rex-Omni: `<|object_ref_start|>…<|box_start|><x0><y0><x1><y1>, …<|box_end|>`, bins 0 to 999.

Source: Rex-Omni's rex_omni/parser.py, parse_standard_prediction: bin / 999 of width or height; two
numbers are a point, four a box, more a polygon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grid import Grid
from .items import Item, broken, label_of, of_numbers
from .text import text_dialect

_TOKEN = re.compile(
    r"<\|object_ref_start\|>|<\|object_ref_end\|>|<\|box_start\|>|<\|box_end\|>|<\|im_end\|>"
)
_NUMBER = re.compile(r"<(\d{1,9})>", re.ASCII)
_START, _END = "<|box_start|>", "<|box_end|>"
_STOP = "<|im_end|>"
_NOTHING = ("", "none")


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    label: str | None = None
    label_from = 0
    start: int | None = None
    end = len(text)
    for match in _TOKEN.finditer(text):
        mark = match[0]
        if start is not None:
            yield from _boxes(text[start : match.start()], start, label, mark == _END)
            start = None
        if mark == _STOP:
            end = match.start()
            break
        if mark == "<|object_ref_start|>":
            label_from, label = match.end(), None
        elif mark == "<|object_ref_end|>":
            label = label_of(text[label_from : match.start()])
        elif mark == _START:
            start = match.end()
    if start is not None:
        yield from _boxes(text[start:end], start, label, is_closed=False)


def _boxes(block: str, at: int, label: str | None, is_closed: bool) -> Iterator[Item]:
    """Yield the groups between commas; where the block is cut off, the last only if whole."""
    groups = block.split(",")
    for number, group in enumerate(groups, 1):
        numbers = tuple(map(float, _NUMBER.findall(group)))
        other = _NUMBER.sub("", group).strip()
        is_last = not is_closed and number == len(groups)
        if is_last and (other or len(numbers) != 4):
            pass
        elif other and (numbers or other.lower() not in _NOTHING):
            yield broken(f"{other[:40]!r} among the numbers of a box", at)
        elif numbers:
            yield of_numbers(numbers, at, label)
        at += len(group) + 1
    if not is_closed:
        yield broken(f"cut off inside a box: no {_END}", at - 1)


DIALECTS = (
    text_dialect(
        "rex-omni",
        ("Rex-Omni",),
        scan,
        Grid(highest=999, per=999),
        "bins from 0 to 999 in angle brackets, bin / 999 of width or height; two numbers are a"
        " point, four a box, six and more a polygon",
        "https://github.com/IDEA-Research/Rex-Omni rex_omni/parser.py, read in"
        " shady-elasbow-makkook/Rex-Omni-in-docker at ed3d2380e3d43561d95664f2253245daecda57bd",
    ),
)
