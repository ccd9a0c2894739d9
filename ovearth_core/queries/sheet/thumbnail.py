"""Pictures of a sheet as files, small enough that a sheet can be sent by mail."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from ...errors import MissingPackageError
from ..depiction import Picture

_QUALITY = 80


def picture_bytes(picture: Picture, side: int) -> tuple[bytes, int, int]:
    """Return a picture as JPEG, its longer side `side` pixels at most; its width and height.

    MissingPackageError without Pillow.
    """
    try:
        from PIL import Image
    except ImportError:
        raise MissingPackageError(
            "pictures in a review sheet need Pillow", mend="pip install pillow, or --no-pictures"
        ) from None
    pixels: NDArray[np.uint8] = np.ascontiguousarray(picture.pixels)
    image = Image.fromarray(pixels)
    # Averaged, so that the outline stays.
    image.thumbnail((side, side), Image.Resampling.BOX)
    out = io.BytesIO()
    # Colours in full: red lines on grey fade otherwise.
    image.save(out, "JPEG", quality=_QUALITY, subsampling=0)
    return out.getvalue(), image.width, image.height
