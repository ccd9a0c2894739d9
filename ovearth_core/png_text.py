"""Pictures as text: a PNG in base64, as label files and models' answers carry masks.

Source of the header: https://www.w3.org/TR/png-3/#11IHDR.
"""

from __future__ import annotations

import base64
import binascii
import re
import uuid
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, MissingPackageError

# Of one picture, packed and unpacked: masks are seldom larger than what a model sees.
MOST_BYTES = 1 << 28
MOST_PIXELS = 1 << 28
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ADDRESS = re.compile(r"data:image/png;base64,")
# The last chunk, its checksum too: what is cut off has none, and GDAL reads on in silence.
_END = b"IEND\xaeB`\x82"
_COLOUR, _PALETTE = 2, 3
# Parts in 65536 of red, green and blue in grey: ITU-R BT.601, as Pillow's convert("L").
_GREY_OF_COLOUR = np.array([19595, 38470, 7471], np.uint32)


def grey_of(text: str) -> NDArray[np.uint8]:
    """Return the picture (height, width) that a text is, black 0 and white 255.

    text: base64 of a PNG, perhaps as a data address; transparency is not looked at. InputError,
    without a place, for anything else, for a palette, and for what is too large;
    MissingPackageError where neither rasterio nor osgeo is installed.
    """
    start = _ADDRESS.match(text)
    packed = packed_png(text[start.end() :] if start else text)
    depth, kind = packed[24], packed[25]
    if kind == _PALETTE:
        raise InputError("a picture whose colours are a palette", mend="write it in grey")
    bands = bands_of(packed)
    if kind & _COLOUR:
        weighed = np.tensordot(_GREY_OF_COLOUR, _eight_bits(bands[:3], depth).astype(np.uint32), 1)
        return ((weighed + 0x8000) >> 16).astype(np.uint8)
    return _eight_bits(bands[0], depth)


def packed_png(text: str) -> bytes:
    """Return the bytes of a PNG in base64; InputError for what is none, or is too large."""
    if len(text) > MOST_BYTES:
        raise InputError(f"a picture of {len(text):,} characters", mend="write a smaller one")
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InputError("no PNG in base64", mend="write it whole") from None
    if len(packed) < 33 or packed[:8] != _SIGNATURE or packed[12:16] != b"IHDR":
        raise InputError("no PNG in base64", mend="write it whole")
    if _END not in packed:
        raise InputError("a PNG that is cut off", mend="write it whole")
    width, height = (int.from_bytes(packed[at : at + 4], "big") for at in (16, 20))
    # Before anything is unpacked: a small text can say a large picture.
    if not 0 < width * height <= MOST_PIXELS:
        what = f"a picture of {width} by {height} pixels"
        raise InputError(what, mend="write one of the size of its box")
    return packed


def bands_of(packed: bytes) -> NDArray[Any]:
    """Return the bands (bands, height, width) of a PNG; InputError where it can't be read."""
    try:
        import rasterio  # noqa: F401 - missed here, in one place
    except ImportError:
        return _by_gdal(packed)
    return _by_rasterio(packed)


def _by_rasterio(packed: bytes) -> NDArray[Any]:
    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.MemoryFile(packed) as file, file.open(driver="PNG") as image:
                return np.asarray(image.read())
    except (RasterioError, ValueError) as fault:
        raise _unreadable(fault.__cause__ or fault) from None


def _by_gdal(packed: bytes) -> NDArray[Any]:
    try:
        from osgeo import gdal
    except ImportError:
        raise MissingPackageError("masks need rasterio", mend="pip install rasterio") from None
    name = f"/vsimem/ovearth-{uuid.uuid4().hex}.png"
    gdal.FileFromMemBuffer(name, packed)
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.ErrorReset()
    try:
        file = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_READONLY, ["PNG"])
        found = None if file is None else file.ReadAsArray()
        if found is None or gdal.GetLastErrorType() >= gdal.CE_Failure:
            raise _unreadable(gdal.GetLastErrorMsg())
    except RuntimeError as fault:
        # Another plugin may have turned GDAL's exceptions on.
        raise _unreadable(fault) from None
    finally:
        gdal.PopErrorHandler()
        gdal.Unlink(name)
    bands: NDArray[Any] = found if found.ndim == 3 else found[None]
    return bands


def _eight_bits(values: NDArray[Any], depth: int) -> NDArray[np.uint8]:
    if depth > 8:
        return (values >> (depth - 8)).astype(np.uint8)
    return (values.astype(np.uint16) * 255 // ((1 << depth) - 1)).astype(np.uint8)


def _unreadable(fault: object) -> InputError:
    said = " ".join(str(fault).split())[:120]
    return InputError(f"a PNG that can't be read ({said})", mend="write it whole")
