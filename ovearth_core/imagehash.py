"""The difference hash of an image file."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from .dhash import COLUMNS, ROWS, dhash
from .errors import InputError, MissingPackageError

# Read at so many pixels a cell at most: a large image is never held whole.
_CELL = 16
_MOST_BANDS = 3


def image_hash(path: Path) -> int:
    """Return the hash of an image file, by its first three bands; InputError if it's unreadable."""
    try:
        import rasterio
        from rasterio.enums import Resampling
        from rasterio.errors import NotGeoreferencedWarning, RasterioError
    except ImportError:
        raise MissingPackageError(
            "comparing images needs rasterio", mend="pip install rasterio"
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as image:
                bands = list(range(1, min(image.count, _MOST_BANDS) + 1))
                size = (
                    max(ROWS, min(image.height, ROWS * _CELL)),
                    max(COLUMNS, min(image.width, COLUMNS * _CELL)),
                )
                shape = (len(bands), *size)
                read = image.read(bands, out_shape=shape, resampling=Resampling.average)
    except RasterioError as fault:
        mend = "check the file"
        raise InputError(f"is no image that can be read ({fault})", str(path), mend) from None
    return dhash(np.moveaxis(read, 0, 2))
