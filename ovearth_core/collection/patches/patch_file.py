"""A patch as a file: a tiled GeoTIFF with overviews, lossless, that says where it is from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import OutputError, UsageError
from ...frame import ImageFrame
from ...spelling import nearest
from ..imagery import Pixels
from ..imagery.raster_library import has_rasterio
from .gdal_patch_file import patch_bytes_by_gdal

_BLOCK = 256
# Overviews are made as long as the longer side still fills a block.
_LEAST_OVERVIEW = 256
_FLOAT_PREDICTOR, _WHOLE_PREDICTOR = 3, 2

COMPRESSIONS: dict[str, dict[str, Any]] = {
    "zstd": {"compress": "ZSTD", "zstd_level": 1},
    "deflate": {"compress": "DEFLATE", "zlevel": 6},
}


def check_compression(name: str) -> None:
    """Raise UsageError for a compression that isn't known."""
    if name not in COMPRESSIONS:
        raise UsageError("unknown compression", "--compress", nearest(name, COMPRESSIONS))


def patch_bytes(pixels: Pixels, tags: Mapping[str, str], compression: str = "zstd") -> bytes:
    """Return the whole file: made in memory, so that a full disk can't leave half of it.

    Pixels without data have the source's nodata value where it has one, or an alpha band says so,
    else an internal mask. Raises OutputError where GDAL can't make it.
    """
    if not has_rasterio():
        return patch_bytes_by_gdal(
            pixels, tags, creation_options(pixels.values.dtype, compression),
            overview_factors(*pixels.values.shape[:0:-1]), needs_mask=_needs_mask(pixels),
        )  # fmt: skip
    import rasterio
    from rasterio.errors import RasterioError
    from rasterio.io import MemoryFile

    profile = _profile(pixels, compression)
    try:
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), MemoryFile() as memory:
            with memory.open(**profile) as file:
                _set_colors(file, pixels)
                file.update_tags(**tags)
                file.write(pixels.values)
                if _needs_mask(pixels):
                    file.write_mask(pixels.valid)
                _add_overviews(file, pixels)
            return bytes(memory.getbuffer())
    except RasterioError as fault:
        raise OutputError(
            f"the patch can't be made ({fault})", compression, "try --compress deflate"
        ) from None


def creation_options(dtype: Any, compression: str) -> dict[str, Any]:
    """Return GDAL's creation options for values of a type."""
    kind = np.dtype(dtype)
    predictor = _FLOAT_PREDICTOR if kind.kind == "f" else _WHOLE_PREDICTOR
    return {
        "tiled": True, "blockxsize": _BLOCK, "blockysize": _BLOCK, "predictor": predictor,
        "bigtiff": "IF_SAFER", **COMPRESSIONS[compression],
    }  # fmt: skip


def overview_factors(width: int, height: int) -> list[int]:
    """Return by how much each overview is smaller."""
    factors, factor = [], 2
    while max(width, height) // factor >= _LEAST_OVERVIEW:
        factors.append(factor)
        factor *= 2
    return factors


def _profile(pixels: Pixels, compression: str) -> dict[str, Any]:
    from affine import Affine

    frame: ImageFrame = pixels.frame
    bands, height, width = pixels.values.shape
    profile: dict[str, Any] = {
        "driver": "GTiff", "width": width, "height": height, "count": bands,
        "dtype": pixels.values.dtype, "crs": frame.crs, "nodata": pixels.nodata,
        **creation_options(pixels.values.dtype, compression),
    }  # fmt: skip
    if frame.transform is not None:
        profile["transform"] = Affine(*frame.transform)
    if pixels.colors[:3] == ("red", "green", "blue"):
        profile["photometric"] = "RGB"
    return profile


def _set_colors(file: Any, pixels: Pixels) -> None:
    from rasterio.enums import ColorInterp

    if pixels.palette is not None:
        file.write_colormap(1, pixels.palette)
    elif pixels.colors:
        file.colorinterp = [ColorInterp[name] for name in pixels.colors]


def _needs_mask(pixels: Pixels) -> bool:
    if pixels.nodata is not None or "alpha" in pixels.colors:
        return False
    return not bool(pixels.valid.all())


def _add_overviews(file: Any, pixels: Pixels) -> None:
    from rasterio.enums import Resampling

    _, height, width = pixels.values.shape
    factors = overview_factors(width, height)
    if factors:
        is_class = pixels.palette is not None
        file.build_overviews(factors, Resampling.nearest if is_class else Resampling.average)
