"""The same patch file written by `osgeo.gdal`, for a QGIS without rasterio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import numpy as np

from ...errors import OutputError
from ..imagery import Pixels
from ..imagery.gdal_dataset import COLOR_NAMES, gdal_environment


def patch_bytes_by_gdal(
    pixels: Pixels,
    tags: Mapping[str, str],
    options: Mapping[str, Any],
    factors: list[int],
    *,
    needs_mask: bool,
) -> bytes:
    """Return the whole file. options: of its creation; factors: of its overviews.

    Raises OutputError where GDAL can't make it.
    """
    from osgeo import gdal

    name = f"/vsimem/ovearth-{uuid4().hex}.tif"
    # GDAL's handler is this thread's alone.
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        with gdal_environment({"GDAL_TIFF_INTERNAL_MASK": "YES"}):
            file = _created(name, pixels, options)
            _fill(file, pixels, tags, needs_mask=needs_mask)
            if factors:
                file.BuildOverviews("NEAREST" if pixels.palette else "AVERAGE", factors)
            file.FlushCache()
            file = None
        return _content(name)
    except (RuntimeError, TypeError, AttributeError) as fault:
        said = gdal.GetLastErrorMsg() or fault
        raise OutputError(
            f"the patch can't be made ({said})", "osgeo.gdal", "try another compression"
        ) from None
    finally:
        gdal.PopErrorHandler()
        gdal.Unlink(name)


def _created(name: str, pixels: Pixels, options: Mapping[str, Any]) -> Any:
    from osgeo import gdal

    bands, height, width = pixels.values.shape
    kinds = {"uint8": 1, "uint16": 2, "int16": 3, "uint32": 4, "int32": 5, "float32": 6,
             "float64": 7, "uint64": 12, "int64": 13, "int8": 14}  # fmt: skip
    written = [f"{key.upper()}={value}" for key, value in options.items()]
    if pixels.colors[:3] == ("red", "green", "blue"):
        written.append("PHOTOMETRIC=RGB")
    kind = kinds[str(pixels.values.dtype)]
    if pixels.values.dtype == np.int8 and not hasattr(gdal, "GDT_Int8"):
        kind = kinds["uint8"]
        written.append("PIXELTYPE=SIGNEDBYTE")
    return gdal.GetDriverByName("GTiff").Create(name, width, height, bands, kind, written)


def _fill(file: Any, pixels: Pixels, tags: Mapping[str, str], *, needs_mask: bool) -> None:
    from osgeo import gdal

    frame = pixels.frame
    if frame.crs is not None:
        from ...crs import read_crs

        file.SetProjection(read_crs(frame.crs).to_wkt("WKT1_GDAL"))
    if frame.transform is not None:
        a, b, c, d, e, f = frame.transform
        file.SetGeoTransform((c, a, b, f, d, e))
    file.SetMetadata(dict(tags))
    _, height, width = pixels.values.shape
    for number, values in enumerate(pixels.values):
        band = file.GetRasterBand(number + 1)
        if pixels.nodata is not None:
            band.SetNoDataValue(float(pixels.nodata))
        if pixels.palette is not None:
            band.SetRasterColorTable(_table(pixels))
        elif number < len(pixels.colors):
            band.SetRasterColorInterpretation(COLOR_NAMES.index(pixels.colors[number]))
        band.WriteRaster(0, 0, width, height, np.ascontiguousarray(values).tobytes())
    if needs_mask:
        file.CreateMaskBand(gdal.GMF_PER_DATASET)
        mask = np.where(pixels.valid, 255, 0).astype(np.uint8)
        file.GetRasterBand(1).GetMaskBand().WriteRaster(0, 0, width, height, mask.tobytes())


def _table(pixels: Pixels) -> Any:
    from osgeo import gdal

    table = gdal.ColorTable()
    for index, color in (pixels.palette or {}).items():
        table.SetColorEntry(index, color)
    return table


def _content(name: str) -> bytes:
    """Return the bytes of a file in memory."""
    from osgeo import gdal

    size = gdal.VSIStatL(name).size
    file = gdal.VSIFOpenL(name, "rb")
    try:
        return bytes(gdal.VSIFReadL(1, size, file))
    finally:
        gdal.VSIFCloseL(file)
