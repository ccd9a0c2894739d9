"""Indices of a table of colours, as the colours that they stand for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blackness import black_edges
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


def shows(values: Values, palette: Palette) -> Mask:
    """Return where indices (1,h,w) stand for a colour that can be seen."""
    seen: Mask = _looked_up(values[0], palette)[:, :, 3] > 0
    return seen


def black_indices(values: Values, palette: Palette) -> Mask:
    """Return where indices (1,h,w) stand for black that reaches in from the edges."""
    return black_edges(np.moveaxis(_looked_up(values[0], palette)[:, :, :3], 2, 0))


def with_own_mark(
    values: Values, valid: Mask, outside: Mask, known: float | None
) -> tuple[Values, float | None]:
    """Return indices (1,h,w) and the one that stands only where there is no data, None for none.

    QGIS shows such a one as clear; beside a mask it takes indices for brightness. What is outside
    of the raster may get another index for it; all else stays. known: the source's own.
    """
    if valid.all():
        return values, known
    used = np.unique(values[0, valid])
    inside = np.unique(values[0, ~valid & ~outside])
    free = np.setdiff1d(np.arange(_LEAST_ENTRIES), used)
    if len(inside) > 1 or len(free) == 0 or np.isin(inside, used).any():
        return values, None
    if known is not None and known in free:
        free = np.array([known])
    mark = inside[0] if len(inside) else free[0]
    return np.where(outside, mark, values).astype(values.dtype), float(mark)


def _looked_up(indices: NDArray[Any], palette: Palette) -> NDArray[np.uint8]:
    """Return red, green, blue, alpha (h,w,4); what the table lacks is transparent."""
    count = max(_LEAST_ENTRIES, max(palette, default=0) + 2)
    table = np.zeros((count, 4), np.uint8)
    for index, color in palette.items():
        if index >= 0:
            table[index] = color
    found: NDArray[np.uint8] = table[indices.astype(np.intp).clip(0, count - 1)]
    return found
