"""Qwen2.5-VL and Qwen3-VL: fenced JSON of `bbox_2d` and `label`.

The one writes pixels of the resized image that it saw, the other 0 to 1000 of width and height: a
file doesn't tell which, so the dialect is named.

Source: QwenLM's cookbooks, spatial_understanding.ipynb (Qwen2.5-VL) and 2d_grounding.ipynb
(Qwen3-VL).
"""

from __future__ import annotations

from collections.abc import Iterator

from .grid import PIXELS, Grid
from .items import POINT, Item, broken
from .json_objects import numbers_in, objects_in
from .said import boxed
from .text import text_dialect

_KEY = "bbox_2d"
_POINT = "point_2d"


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds; see `Scan`."""
    for found in objects_in(text, (_KEY, _POINT)):
        if found.value is None:
            yield broken(found.fault, found.at)
        elif _KEY in found.value:
            item = boxed(found.value, _KEY, found.at)
            if item is not None:
                yield item
        elif _POINT in found.value:
            numbers = numbers_in(found.value[_POINT])
            if numbers is None or len(numbers) != 2:
                yield broken(f"'{_POINT}' is not two numbers", found.at)
            else:
                yield Item(POINT, found.at, numbers)


DIALECTS = (
    text_dialect(
        "qwen2.5-vl",
        ("Qwen2.5-VL", "Qwen2.5-VL with SAM"),
        scan,
        PIXELS,
        'JSON objects {"bbox_2d": [x1, y1, x2, y2], "label"} in pixels of the image as the model'
        " saw it, whose width and height are `input_size`",
        "https://github.com/QwenLM/Qwen2.5-VL cookbooks/spatial_understanding.ipynb (abs_x1 ="
        " bbox_2d[0] / input_width * width), read in copies of it, and supervision 0.31.2"
        " from_qwen_2_5_vl",
    ),
    text_dialect(
        "qwen3-vl",
        ("Qwen3-VL", "Qwen3-VL with SAM"),
        scan,
        Grid(highest=1000, per=1000),
        'JSON objects {"bbox_2d": [x1, y1, x2, y2], "label"}, numbers from 0 to 1000, number / 1000'
        " of width or height",
        "https://github.com/QwenLM/Qwen3-VL cookbooks/2d_grounding.ipynb (bbox_2d[0] / 1000 *"
        " width), read in"
        " Firefly-llm/Qwen3-VL at d8cc2c173563f9fe5b35d29299e532b533fd2c7d",
    ),
)
