"""A 64-bit difference hash of an image: near-duplicates differ in a few bits.

Each bit says whether one of 8 x 9 averaged cells is brighter than its left neighbour.
Source: N. Krawetz, "Kind of like that", 2013 (dHash).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .raster_pixels import RasterFile, UnreadableError

ROWS, COLUMNS = 8, 9
# Read at so many pixels a cell at most: a large image is never held whole.
_CELL = 16
_MOST_BANDS = 3


def difference_hash(grey: NDArray[np.float64]) -> int:
    """Return the 64-bit hash of a grey image (height, width) of 8 x 9 pixels or more."""
    cells = _averaged(_averaged(grey, ROWS).T, COLUMNS).T
    bits = cells[:, 1:] > cells[:, :-1]
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def bits_apart(one: int, other: int) -> int:
    """Return how many of their bits differ."""
    return bin(one ^ other).count("1")


def image_hash(path: Path) -> int:
    """Return the hash of an image file, by its first three bands; InputError if it's unreadable."""
    try:
        with RasterFile(path, "comparisons of images") as image:
            found = image.size
            size = (
                max(ROWS, min(found.height, ROWS * _CELL)),
                max(COLUMNS, min(found.width, COLUMNS * _CELL)),
            )
            read = image.read(min(found.count, _MOST_BANDS), size)
    except UnreadableError as fault:
        mend = "check the file"
        raise InputError(f"is no image that can be read ({fault})", str(path), mend) from None
    return difference_hash(np.nan_to_num(read.astype(np.float64)).mean(axis=0))


def _averaged(values: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """Return means of (N, M) over `cells` equal spans of N, pixels on a border shared out."""
    count = len(values)
    edges = np.linspace(0.0, count, cells + 1)
    whole = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    below = np.minimum(np.floor(edges).astype(int), count - 1)
    sums = whole[below] + (edges - below)[:, None] * values[below]
    return np.asarray(np.diff(sums, axis=0) * (cells / count))
