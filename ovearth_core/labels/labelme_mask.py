"""The masks in LabelMe files: a PNG, as base64, of the rectangle between two corners."""

from __future__ import annotations

import base64
import binascii
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from ..geometry import Runs

_MOST_BYTES = 1 << 28


def mask_rle(text: str, corners: NDArray[np.float64], height: int, width: int) -> dict[str, Any]:
    """Return a mask as the RLE of its image of `height` and `width` in pixels.

    corners: its first and last pixel, both within it, as LabelMe counts. InputError for what is no
    image or doesn't fit, MissingPackageError without rasterio.
    """
    patch = _decoded(text)
    column, row = np.rint(corners.min(axis=0)).astype(int).tolist()
    high, wide = patch.shape
    if column < 0 or row < 0 or column + wide > width or row + high > height:
        what = f"a mask of {wide} by {high} pixels at {column}, {row} in {width} by {height}"
        raise InputError(what, mend="use the image that it was drawn on")
    whole = np.zeros((height, width), np.uint8)
    whole[row : row + high, column : column + wide] = patch != 0
    return Runs.from_array(whole).to_rle()


def _decoded(text: str) -> NDArray[np.uint8]:
    try:
        import rasterio
        from rasterio.errors import NotGeoreferencedWarning, RasterioError
    except ImportError:
        raise MissingPackageError("masks need rasterio", mend="pip install rasterio") from None
    try:
        packed = base64.b64decode(text, validate=True)
        if len(packed) > _MOST_BYTES:
            raise ValueError("too large")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.MemoryFile(packed) as file, file.open(driver="PNG") as image:
                found: NDArray[np.uint8] = image.read(1)
                return found
    except (binascii.Error, ValueError, RasterioError) as fault:
        said = " ".join(str(fault).split())
        raise InputError(f"a mask that is no PNG ({said})", mend="draw it again") from None
