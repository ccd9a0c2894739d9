"""Indices of a table of colours, as the colours that they stand for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .source import Mask, Palette, Values
from .window import Block

# Of 8 bits; more where indices are larger.
_LEAST_ENTRIES = 256


def colored(block: Block, palette: Palette) -> Block:
    """Return a block of indices as colours; what is wholly transparent holds no data."""
    colors = _looked_up(block.values[0], palette)
    valid: Mask = colors[:, :, 3] > 0
    if block.valid is not None:
        valid &= block.valid
    values = np.ascontiguousarray(np.moveaxis(colors[:, :, :3], 2, 0))
    return replace(block, values=values, valid=None if valid.all() else valid)


def has_clear(palette: Palette | None) -> bool:
    """Whether a table has a colour that is wholly transparent."""
    return palette is not None and any(color[3] == 0 for color in palette.values())


def shows(values: Values, palette: Palette) -> Mask:
    """Return where indices (1,h,w) stand for a colour that can be seen."""
    seen: Mask = _looked_up(values[0], palette)[:, :, 3] > 0
    return seen


def _looked_up(indices: NDArray[Any], palette: Palette) -> NDArray[np.uint8]:
    """Return red, green, blue, alpha (h,w,4); what the table lacks is transparent."""
    count = max(_LEAST_ENTRIES, max(palette, default=0) + 2)
    table = np.zeros((count, 4), np.uint8)
    for index, color in palette.items():
        if index >= 0:
            table[index] = color
    found: NDArray[np.uint8] = table[indices.astype(np.intp).clip(0, count - 1)]
    return found
