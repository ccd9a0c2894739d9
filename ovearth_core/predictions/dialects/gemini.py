"""Gemini: JSON of `box_2d` as y0, x0, y1, x1 from 0 to 1000, `label`, and perhaps `mask`.

A mask is a PNG of probabilities within its box (Gemini 2.5), or a polygon of x, y from 0 to 1000.

Source: google-gemini/cookbook, quickstarts/Spatial_understanding.ipynb, whose SegmentationMask says
how pictures are read; the polygons as supervision's from_google_gemini_3_6 reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .grid import Grid
from .items import BOX, PICTURE, POINT, POLYGON, Item, broken
from .json_objects import numbers_in, objects_in
from .said import boxed
from .text import text_dialect

_KEY = "box_2d"
_POINT = "point"


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    for group, found in enumerate(objects_in(text, (_KEY, _POINT))):
        if found.value is None:
            yield broken(found.fault, found.at)
        elif _KEY in found.value:
            item = boxed(found.value, _KEY, found.at, "mask")
            if item is not None and item.kind == BOX:
                yield replace(item, group=group)
                yield from _mask(found.value.get("mask"), item, group)
            elif item is not None:
                yield item
        elif _POINT in found.value:
            numbers = numbers_in(found.value[_POINT])
            if numbers is None or len(numbers) != 2:
                yield broken(f"'{_POINT}' is not two numbers", found.at)
            else:
                yield Item(POINT, found.at, numbers)


def _mask(mask: Any, box: Item, group: int) -> Iterator[Item]:
    if mask is None:
        return
    if isinstance(mask, str):
        yield Item(PICTURE, box.at, box.numbers, what=mask, group=group)
        return
    positions = [numbers_in(pair) for pair in mask] if isinstance(mask, list) else [None]
    if not all(pair is not None and len(pair) == 2 for pair in positions):
        yield broken("'mask' is not a list of positions, or a PNG", box.at)
        return
    # Written x first, unlike the box beside it.
    numbers = tuple(number for pair in positions for number in (pair or ())[::-1])
    yield Item(POLYGON, box.at, numbers, group=group)


DIALECTS = (
    text_dialect(
        "gemini",
        ("Gemini",),
        scan,
        Grid(highest=1000, per=1000, y_first=True),
        'JSON objects {"box_2d": [y0, x0, y1, x1], "label"}, numbers from 0 to 1000, number / 1000'
        ' of height or width; "mask" is a PNG in base64, resized to its box, of which what is above'
        " 127 is inside, or [[x, y], …] on the same grid",
        "https://github.com/google-gemini/cookbook quickstarts/Spatial_understanding.ipynb at"
        " 044ee7004f40db9835ff776f4d9b7d47bfde79c8",
    ),
)
