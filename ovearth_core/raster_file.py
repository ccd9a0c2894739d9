"""What an image file says of itself: size, CRS, transform and checksum."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np

from .crs import LONLAT, shortest_name
from .errors import FrameError, InputError, MissingPackageError, OVEarthError
from .frame import ImageFrame, Transform

_HOW_TO_GEOREFERENCE = "georeference it first (gdal_edit.py, or QGIS's Georeferencer)"
_HOW_TO_WARP = "warp it to a CRS first (gdalwarp, or QGIS's Warp)"
_UNPLACED = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_CHUNK = 1 << 20
_WINDOW_BYTES = 16 << 20
_MOST_BYTES = 16


@dataclass(frozen=True)
class RasterHeader:
    """Size in pixels; CRS as text; GDAL's six numbers; and what else could place the image."""

    width: int
    height: int
    crs: str | None
    geotransform: tuple[float, ...] | None
    has_gcps: bool
    has_rpcs: bool


def placed_frame(path: Path) -> ImageFrame:
    """Return an image file's frame, with the operation to EPSG:4326 by which it is to be kept.

    Raises FrameError, naming the file, without a CRS or an affine transform, also where ground
    control points or RPCs stand in for them; InputError for a file that is no image.
    """
    header = read_header(path)
    try:
        crs, transform = _crs_and_transform(header)
        bare = ImageFrame(shortest_name(crs), transform, header.width, header.height)
        operation = bare.operation_to(LONLAT).proj
        frame = ImageFrame(bare.crs, bare.transform, bare.width, bare.height, operation)
        # What can't be placed on the ground is better refused now than at the first polygon.
        frame.lonlat_to_pixel(frame.footprint(4))
        return frame
    except OVEarthError as fault:
        raise fault.at(str(path)) from None


def read_header(path: Path) -> RasterHeader:
    """Return a raster's header, read by rasterio or, in a QGIS without it, by osgeo.gdal."""
    if not path.is_file():
        raise InputError("there is no such file", str(path), "check the path")
    try:
        import rasterio
    except ImportError:
        return _header_by_gdal(path)
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as image:
                return RasterHeader(
                    image.width,
                    image.height,
                    image.crs.to_wkt() if image.crs else None,
                    image.transform.to_gdal(),
                    bool(image.gcps[0]),
                    bool(image.rpcs),
                )
    except RasterioError as fault:
        raise _unreadable(path, fault) from None


def check_pixels(path: Path) -> None:
    """Read every pixel of an image once, some megabytes at a time; InputError where one can't be.

    A file that was cut off or overwritten often still opens: its header comes first.
    """
    try:
        import rasterio
        from rasterio.windows import Window
    except ImportError:
        _check_pixels_by_gdal(path)
        return
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path) as image:
                bytes_a_pixel = sum(map(_bytes_of, image.dtypes))
                block = image.block_shapes[0][::-1]
                for window in _windows((image.width, image.height), block, bytes_a_pixel):
                    image.read(window=Window(*window))
    except RasterioError as fault:
        raise _unreadable(path, fault.__cause__ or fault) from None


def _bytes_of(dtype: str) -> int:
    # Complex integers have no name in NumPy, and are read as complex64.
    return 8 if dtype.startswith("complex_int") else np.dtype(dtype).itemsize


def _windows(
    size: tuple[int, int], block: tuple[int, int], bytes_a_pixel: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield x, y, width, height of windows of whole blocks that cover an image."""
    pixels = max(1, _WINDOW_BYTES // bytes_a_pixel)
    across = min(size[0], max(1, isqrt(pixels) // block[0]) * block[0])
    down = min(size[1], max(1, pixels // across // block[1]) * block[1])
    for y in range(0, size[1], down):
        for x in range(0, size[0], across):
            yield x, y, min(across, size[0] - x), min(down, size[1] - y)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    whole = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                whole.update(chunk)
    except OSError as fault:
        raise InputError(
            f"can't be read ({fault.strerror})", str(path), "check its rights"
        ) from None
    return whole.hexdigest()


def _header_by_gdal(path: Path) -> RasterHeader:
    try:
        from osgeo import gdal
    except ImportError:
        raise MissingPackageError(
            "reading images needs rasterio", mend="pip install rasterio"
        ) from None
    try:
        image: Any = gdal.Open(str(path))
    except RuntimeError as fault:
        raise _unreadable(path, fault) from None
    if image is None:
        raise _unreadable(path, gdal.GetLastErrorMsg())
    return RasterHeader(
        image.RasterXSize,
        image.RasterYSize,
        image.GetProjection() or None,
        image.GetGeoTransform(can_return_null=True),
        image.GetGCPCount() > 0,
        bool(image.GetMetadata("RPC")),
    )


def _check_pixels_by_gdal(path: Path) -> None:
    try:
        from osgeo import gdal
    except ImportError:
        raise MissingPackageError(
            "reading images needs rasterio", mend="pip install rasterio"
        ) from None
    try:
        image: Any = gdal.Open(str(path))
        for number in range(1, image.RasterCount + 1):
            band = image.GetRasterBand(number)
            size = image.RasterXSize, image.RasterYSize
            for window in _windows(size, tuple(band.GetBlockSize()), _MOST_BYTES):
                if band.ReadRaster(*window) is None:
                    raise _unreadable(path, gdal.GetLastErrorMsg())
    except (RuntimeError, AttributeError) as fault:
        raise _unreadable(path, fault) from None


def _crs_and_transform(header: RasterHeader) -> tuple[str, Transform]:
    is_placed = header.geotransform is not None and tuple(header.geotransform) != _UNPLACED
    if header.crs is not None and is_placed and header.geotransform is not None:
        c, a, b, f, d, e = header.geotransform
        return header.crs, (a, b, c, d, e, f)
    if header.has_gcps:
        raise FrameError("the image has only ground control points", mend=_HOW_TO_WARP)
    if header.has_rpcs:
        raise FrameError("the image has only rational polynomials (RPC)", mend=_HOW_TO_WARP)
    lacking = "CRS" if header.crs is None else "transform"
    raise FrameError(f"the image has no {lacking}", mend=_HOW_TO_GEOREFERENCE)


def _unreadable(path: Path, fault: object) -> InputError:
    return InputError(f"is no image that can be read ({fault})", str(path), "check the file")
