"""A mask in a raster file beside the run: PNG or GeoTIFF, one band, the image's size."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..geometry import Runs
from ..paths import inside
from ..raster_pixels import RasterFile, UnreadableError

_PNG = b"\x89PNG"
_JPEG = b"\xff\xd8\xff"
_MOST_PIXELS = 1 << 28
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_raster_mask(folder: Path, name: str, height: int, width: int) -> Runs:
    """Read the mask `name` in `folder`: foreground is not zero and not nodata.

    Raises InputError where the path leaves the folder, the file can't be read, has several
    bands, or another size than `height` by `width`; MissingPackageError without rasterio and osgeo.
    """
    pixels, nodata = read_band(folder, name, (height, width))
    return Runs.from_array(foreground_of(name, pixels, nodata))


def read_band(
    folder: Path, name: str, wanted: tuple[int, int] | None = None, lossy: bool = False
) -> tuple[NDArray[Any], float | None]:
    """Return the one band (height, width) of a PNG or TIFF file in `folder`, and its nodata.

    wanted: the height and width that it must have. lossy: JPEG files are read too, whose values
    are near those that were written. Raises as read_raster_mask does.
    """
    path = inside(folder, name)
    if not path.is_file():
        raise InputError(f"no such mask file {name!r}", mend="check the path")
    driver = "JPEG" if lossy and is_jpeg(path) else _driver(path)
    if driver == "PNG":
        _check_png(name, path.read_bytes())
    try:
        with RasterFile(path, "masks in files", driver) as source:
            found = source.size
            _check_shape(name, found.count, (found.height, found.width), wanted)
            pixels = source.read(1)[0]
            nodata = source.nodata
    except UnreadableError as fault:
        raise InputError(
            f"mask file {name!r} can't be read ({fault})",
            mend="write it again, as PNG or TIFF",
        ) from None
    if pixels.dtype.kind not in "biuf":
        raise InputError(f"mask file {name!r} holds {pixels.dtype}", mend="write whole numbers")
    return pixels, nodata


def foreground_of(name: str, pixels: NDArray[Any], nodata: float | None) -> NDArray[np.bool_]:
    """Return what is not zero and not nodata; InputError for NaN that is not nodata."""
    foreground: NDArray[np.bool_] = pixels != 0
    if nodata is not None:
        foreground &= ~np.isnan(pixels) if np.isnan(nodata) else pixels != nodata
    if pixels.dtype.kind == "f" and np.isnan(pixels[foreground]).any():
        raise InputError(f"mask file {name!r} has NaN in it", mend="write 0, or say it is nodata")
    return foreground


def is_jpeg(path: Path) -> bool:
    """Whether a file is a JPEG by its content."""
    with path.open("rb") as file:
        return file.read(len(_JPEG)) == _JPEG


def _driver(path: Path) -> str:
    # Only these: a driver for remote or nested sources must not be chosen by a file's content.
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


def _check_shape(
    name: str, bands: int, size: tuple[int, int], wanted: tuple[int, int] | None
) -> None:
    if size[0] * size[1] > _MOST_PIXELS:
        what = f"mask file {name!r} has {size[0] * size[1]} pixels"
        raise InputError(what, mend="write it at the image's size")
    if wanted is not None and size != wanted:
        raise InputError(
            f"mask file {name!r} has size {list(size)}, its image {list(wanted)} (height, width)",
            mend="write the mask at the image's size",
        )
    if bands != 1:
        raise InputError(f"mask file {name!r} has {bands} bands", mend="write one band")
