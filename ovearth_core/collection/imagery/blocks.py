"""The blocks of a raster that a window takes: a server sends whole ones, compressed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from .window import Level

# Blocks whose size is asked for; the others are taken to be like them.
_LOOKED_AT = 4


@dataclass(frozen=True)
class BlockSpan:
    """Columns and rows of blocks: the first ones, and how many."""

    left: int
    top: int
    columns: int
    rows: int

    @classmethod
    def of(cls, level: Level, bounds: tuple[float, float, float, float]) -> BlockSpan:
        """Return the blocks of a level that bounds touch, which are in the raster's own pixels."""
        height, width = level.dataset.block_shapes[0]
        x, y = level.factor_x * width, level.factor_y * height
        left, top, right, bottom = bounds
        column, row = floor(left / x), floor(top / y)
        return cls(column, row, max(1, ceil(right / x) - column), max(1, ceil(bottom / y) - row))

    def bytes(self, main: Any, level: Level, overview: int | None) -> int:
        """Return about how many bytes they are in the file, raw where it doesn't say.

        overview: which one of the raster `main` the level is, None for itself.
        """
        is_pixelwise = main.profile.get("interleave") == "pixel"
        bands = [1] if is_pixelwise else list(main.indexes)
        height, width = level.dataset.block_shapes[0]
        kinds = main.dtypes if is_pixelwise else main.dtypes[:1]
        raw = height * width * sum(np.dtype(kind).itemsize for kind in kinds)
        columns = np.linspace(self.left, self.left + self.columns - 1, _LOOKED_AT // 2)
        rows = np.linspace(self.top, self.top + self.rows - 1, _LOOKED_AT // 2)
        found = [
            int(size)
            for row in sorted(set(rows.astype(int)))
            for column in sorted(set(columns.astype(int)))
            if (size := main.get_tag_item(f"BLOCK_SIZE_{column}_{row}", "TIFF", 1, overview))
        ]
        each = sum(found) / len(found) if found else raw
        return round(each * self.columns * self.rows * len(bands))
