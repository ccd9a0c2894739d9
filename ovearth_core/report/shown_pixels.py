"""An image's pixels for a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image
from ..errors import InputError
from ..raster_pixels import RasterFile, UnreadableError

# Of pixels: the left column, the upper row, width and height.
Window = tuple[int, int, int, int]


def shown_pixels(
    file: Path, image: Image, longest_side: int, window: Window | None = None
) -> NDArray[np.uint8]:
    """Return (height, width, 3) of an image's file, averaged down to `longest_side` if larger.

    window: of it only. Values that are no bytes are stretched. Raises InputError for a file that
    is no image of the size that the benchmark says.
    """
    _, _, width, height = window or (0, 0, image.width, image.height)
    shrink = max(1.0, max(width, height) / longest_side)
    shape = (max(1, round(height / shrink)), max(1, round(width / shrink)))
    try:
        with RasterFile(file, "pictures") as raster:
            if (raster.size.width, raster.size.height) != (image.width, image.height):
                raise InputError(
                    f"{raster.size.width} by {raster.size.height} pixels where the benchmark says"
                    f" {image.width} by {image.height}",
                    str(file),
                    "name the folder with the benchmark's own images",
                )
            count = 3 if raster.size.count >= 3 else 1
            bands = raster.read(count, shape if shrink > 1 else None, window)
    except UnreadableError as fault:
        raise InputError(f"no image that can be read ({fault})", str(file), "mend it") from None
    shown = bands if bands.dtype == np.uint8 else _stretched(bands)
    return np.moveaxis(np.broadcast_to(shown, (3, *shown.shape[1:])), 0, -1)


def _stretched(bands: NDArray[Any]) -> NDArray[np.uint8]:
    """Return values as bytes, the darkest and brightest two in a hundred cut off."""
    values = np.where(np.isfinite(bands), bands, 0).astype(np.float64)
    low, high = np.percentile(values, [2, 98])
    shown = np.clip(255 * (values - low) / max(float(high - low), 1e-12), 0, 255)
    return np.asarray(shown, dtype=np.uint8)
