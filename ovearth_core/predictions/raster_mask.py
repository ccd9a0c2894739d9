"""A mask in a raster file beside the run: PNG or GeoTIFF, one band, the image's size."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..geometry import Runs
from ..paths import inside
from ..raster_pixels import RasterFile, UnreadableError

_PNG = b"\x89PNG"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_raster_mask(folder: Path, name: str, height: int, width: int) -> Runs:
    """Read the mask `name` in `folder`: foreground is not zero and not nodata.

    Raises InputError where the path leaves the folder, the file can't be read, has several
    bands, or another size than `height` by `width`; MissingPackageError without rasterio and osgeo.
    """
    path = inside(folder, name)
    if not path.is_file():
        raise InputError(f"no such mask file {name!r}", mend="check the path")
    if _driver(path) == "PNG":
        _check_png(name, path.read_bytes())
    try:
        with RasterFile(path, "masks in files", _driver(path)) as source:
            found = source.size
            _check_shape(name, found.count, (found.height, found.width), (height, width))
            pixels = source.read(1)[0]
            nodata = source.nodata
    except UnreadableError as fault:
        raise InputError(
            f"mask file {name!r} can't be read ({fault})",
            mend="write it again, as PNG or TIFF",
        ) from None
    if pixels.dtype.kind not in "biuf":
        raise InputError(f"mask file {name!r} holds {pixels.dtype}", mend="write whole numbers")
    foreground = pixels != 0
    if nodata is not None:
        foreground &= ~np.isnan(pixels) if np.isnan(nodata) else pixels != nodata
    if pixels.dtype.kind == "f" and np.isnan(pixels[foreground]).any():
        raise InputError(f"mask file {name!r} has NaN in it", mend="write 0, or say it is nodata")
    return Runs.from_array(foreground)


def _driver(path: Path) -> str:
    # Only these two: a driver for remote or nested sources must not be chosen by a file's content.
    with path.open("rb") as file:
        return "PNG" if file.read(len(_PNG)) == _PNG else "GTiff"


def _check_png(name: str, data: bytes) -> None:
    """Walk the chunks to the last: GDAL gives chance pixels for a file that is cut off."""
    place, kind = len(_PNG_SIGNATURE), b""
    while kind != b"IEND":
        length = int.from_bytes(data[place : place + 4], "big")
        kind = data[place + 4 : place + 8]
        body = data[place + 4 : place + 8 + length]
        checksum = data[place + 8 + length : place + 12 + length]
        if len(checksum) < 4 or zlib.crc32(body) != int.from_bytes(checksum, "big"):
            raise InputError(f"mask file {name!r} is cut off or damaged", mend="write it again")
        place += 12 + length


def _check_shape(name: str, bands: int, size: tuple[int, int], wanted: tuple[int, int]) -> None:
    if size != wanted:
        raise InputError(
            f"mask file {name!r} has size {list(size)}, its image {list(wanted)} (height, width)",
            mend="write the mask at the image's size",
        )
    if bands != 1:
        raise InputError(f"mask file {name!r} has {bands} bands", mend="write one band")
