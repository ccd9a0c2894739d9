"""The masks in LabelMe files: a PNG, as base64, of the rectangle between two corners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..geometry import Runs
from ..png_text import bands_of, packed_png


def mask_rle(text: str, corners: NDArray[np.float64], height: int, width: int) -> dict[str, Any]:
    """Return a mask as the RLE of its image of `height` and `width` in pixels.

    corners: its first and last pixel, both within it, as LabelMe counts. InputError for what is no
    image or doesn't fit, MissingPackageError without rasterio.
    """
    try:
        patch = bands_of(packed_png(text))[0]
    except InputError as fault:
        raise InputError(f"a mask that is no PNG ({fault.what})", mend="draw it again") from None
    column, row = np.rint(corners.min(axis=0)).astype(int).tolist()
    high, wide = patch.shape
    if column < 0 or row < 0 or column + wide > width or row + high > height:
        what = f"a mask of {wide} by {high} pixels at {column}, {row} in {width} by {height}"
        raise InputError(what, mend="use the image that it was drawn on")
    whole = np.zeros((height, width), np.uint8)
    whole[row : row + high, column : column + wide] = patch != 0
    return Runs.from_array(whole).to_rle()
