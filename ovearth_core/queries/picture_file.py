"""A picture as bytes that a server takes: PNG where that is small, else JPEG."""

from __future__ import annotations

import warnings
from base64 import b64encode

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from ..segment.png import png_bytes

# Flat pictures are smaller, and exact, as PNG; photographs are ten times as large.
_LARGEST_PNG = 400_000
MOST_BYTES = 4_000_000
_QUALITIES = (90, 75, 50)


def packed(pixels: NDArray[np.uint8], most_bytes: int = MOST_BYTES) -> tuple[str, bytes]:
    """Return the media type and the bytes of a picture (rows, columns, 3).

    InputError where none of the ways makes it small enough, MissingPackageError without rasterio.
    """
    whole = png_bytes(pixels)
    if len(whole) <= min(_LARGEST_PNG, most_bytes):
        return "image/png", whole
    for quality in _QUALITIES:
        whole = _jpeg(pixels, quality)
        if len(whole) <= most_bytes:
            return "image/jpeg", whole
    raise InputError(
        f"a picture of {pixels.shape[1]} x {pixels.shape[0]} pixels takes more than"
        f" {most_bytes} bytes", mend="give a smaller --side",
    )  # fmt: skip


def data_url(kind: str, whole: bytes) -> str:
    """Return a picture as the address that requests have in them."""
    return f"data:{kind};base64,{b64encode(whole).decode('ascii')}"


def _jpeg(pixels: NDArray[np.uint8], quality: int) -> bytes:
    try:
        from rasterio.errors import NotGeoreferencedWarning
        from rasterio.io import MemoryFile
    except ImportError:
        raise MissingPackageError(
            "pictures for language models need rasterio", mend="pip install rasterio"
        ) from None
    height, width = pixels.shape[:2]
    with warnings.catch_warnings(), MemoryFile() as file:
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with file.open(
            driver="JPEG", width=width, height=height, count=3, dtype="uint8", quality=quality
        ) as out:
            out.write(np.moveaxis(pixels, 2, 0))
        return bytes(file.read())
