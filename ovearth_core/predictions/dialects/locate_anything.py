"""LocateAnything: `<ref>…</ref><box><x1><y1><x2><y2></box>…`, 0 to 1000 inclusive.

Source: NVlabs/Eagle's Embodied/locateanything_worker.py, parse_boxes and parse_points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grid import Grid
from .items import Item, broken, label_of, of_numbers
from .text import text_dialect

_TOKEN = re.compile(r"<ref>|</ref>|<box>|</box>|<(\d{1,9})>", re.ASCII)
_NOTHING = ("", "none")
# A tag that the end of the answer cut in two.
_BEGUN = ("<b", "<bo", "<box")


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    label: str | None = None
    label_from = cursor = 0
    numbers: list[float] = []
    others: list[str] = []
    at: int | None = None
    for match in _TOKEN.finditer(text):
        mark, between = match[0], text[cursor : match.start()]
        cursor = match.end()
        if at is not None and mark in ("<box>", "</box>", "<ref>"):
            others.append(between)
            yield from _box(numbers, others, at, label, mark == "</box>")
            at = None
        elif at is not None:
            others.append(between)
            if match[1] is not None:
                numbers.append(float(match[1]))
            else:
                others.append(mark)
        if mark == "<ref>":
            label_from, label = cursor, None
        elif mark == "</ref>":
            label = label_of(text[label_from : match.start()])
        elif mark == "<box>":
            at, numbers, others = match.start(), [], []
    if at is not None:
        yield broken("cut off inside a box: no </box>", at)
    elif text[cursor:].rstrip().endswith(_BEGUN):
        yield broken("cut off inside a box: no </box>", len(text))


def _box(
    numbers: list[float], others: list[str], at: int, label: str | None, is_closed: bool
) -> Iterator[Item]:
    other = "".join(others).strip()
    if not is_closed:
        yield broken("no </box> before the next tag", at)
    elif numbers and not other and len(numbers) in (2, 4):
        yield of_numbers(tuple(numbers), at, label)
    elif numbers or other.lower() not in _NOTHING:
        what = f"{other[:40]!r} in a box" if other else f"{len(numbers)} numbers in a box"
        yield broken(f"{what}, where four belong", at)


DIALECTS = (
    text_dialect(
        "locate-anything",
        ("LocateAnything",),
        scan,
        Grid(highest=1000, per=1000),
        "numbers from 0 to 1000 in angle brackets within <box>, number / 1000 of width or height;"
        " several boxes may follow one <ref>, two numbers are a point, <box>none</box> is absence",
        "https://github.com/NVlabs/Eagle Embodied/locateanything_worker.py at"
        " 8442db3b79f7fd2357e468e6eecdd9b6a82049ff",
    ),
)
