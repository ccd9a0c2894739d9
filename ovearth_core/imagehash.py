"""The difference hash of an image file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .dhash import COLUMNS, ROWS, dhash
from .errors import InputError
from .raster_pixels import RasterFile, UnreadableError

# Read at so many pixels a cell at most: a large image is never held whole.
_CELL = 16
_MOST_BANDS = 3


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
    return dhash(np.moveaxis(read, 0, 2))
