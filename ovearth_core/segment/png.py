"""An image as PNG, written with the standard library: a QGIS need not have more."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _RGB = 8, 2
_QUICK = 3


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """Return the PNG of an image (H, W, 3), every row unfiltered."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + width * 3), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _RGB, 0, 0, 0)
    packed = zlib.compress(rows.tobytes(), _QUICK)
    parts = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
