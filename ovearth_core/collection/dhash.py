"""A 64-bit difference hash: pictures that look alike have hashes that differ in few bits.

The picture is shrunk to nine columns and eight rows of grey; each bit says whether a cell is
brighter than its left neighbour. Turning the light up or adding noise changes few of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# At most this many of 64 bits differ between two pictures of the same.
ALIKE_BITS = 5
_ROWS, _COLUMNS = 8, 9
_LOOKED_AT = 256
_RED_GREEN_BLUE = (0.299, 0.587, 0.114)


def dhash(pixels: NDArray[Any]) -> int:
    """Return the hash of a picture (H,W) or (H,W,3 or more bands), of any type and size."""
    whole = np.asarray(pixels)
    # A cell's mean hardly changes when every nth pixel is looked at.
    down, across = (max(1, side // _LOOKED_AT) for side in whole.shape[:2])
    return _bits(_shrunk(_grey(whole[::down, ::across])))


def differing_bits(first: int, second: int) -> int:
    """Return in how many bits two hashes differ."""
    return (first ^ second).bit_count()


def _grey(pixels: NDArray[Any]) -> NDArray[Any]:
    if pixels.ndim == 2:
        return pixels
    if pixels.shape[2] < 3:
        return np.asarray(pixels[:, :, 0])
    # Only the means of large cells matter: they are taken of the bands one by one.
    cells = [_shrunk(pixels[:, :, band]) for band in range(3)]
    return np.asarray(
        sum(weight * cell for weight, cell in zip(_RED_GREEN_BLUE, cells, strict=True))
    )


def _shrunk(grey: NDArray[Any]) -> NDArray[np.float64]:
    """Return the means of 8×9 cells, edges between pixels; small pictures are repeated."""
    height, width = grey.shape
    if (height, width) == (_ROWS, _COLUMNS):
        return np.asarray(grey, np.float64)
    rows = np.linspace(0, height, _ROWS + 1).astype(np.intp)
    columns = np.linspace(0, width, _COLUMNS + 1).astype(np.intp)
    if height < _ROWS or width < _COLUMNS:
        picked = grey[np.ix_(rows[:-1].clip(0, height - 1), columns[:-1].clip(0, width - 1))]
        return np.asarray(picked, np.float64)
    summed = np.add.reduceat(grey, rows[:-1], axis=0, dtype=np.float64)
    sums = np.add.reduceat(summed, columns[:-1], axis=1)
    return np.asarray(sums / np.outer(np.diff(rows), np.diff(columns)))


def _bits(cells: NDArray[np.float64]) -> int:
    brighter = np.nan_to_num(cells[:, 1:]) > np.nan_to_num(cells[:, :-1])
    return int.from_bytes(np.packbits(brighter).tobytes(), "big")
