"""What an image file says of itself: size, CRS, transform and checksum."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..crs import LONLAT, shortest_name
from ..errors import FrameError, InputError, MissingPackageError, OVEarthError
from ..frame import ImageFrame, Transform

_HOW_TO_GEOREFERENCE = "georeference it first (gdal_edit.py, or QGIS's Georeferencer)"
_HOW_TO_WARP = "warp it to a CRS first (gdalwarp, or QGIS's Warp)"
_UNPLACED = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_CHUNK = 1 << 20


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
