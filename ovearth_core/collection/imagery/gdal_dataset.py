"""A raster opened by `osgeo.gdal`, asked as one of rasterio's is: for a QGIS without rasterio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from .source import Mask, Palette, Values

Rows = tuple[int, int]
Window = tuple[Rows, Rows]

# By GDAL's own numbers, as rasterio calls them.
COLOR_NAMES = ("undefined", "gray", "palette", "red", "green", "blue", "alpha", "hue", "saturation",
               "lightness", "cyan", "magenta", "yellow", "black", "Y", "Cb", "Cr")  # fmt: skip
# Of GMF_ALL_VALID, GMF_PER_DATASET, GMF_ALPHA, GMF_NODATA.
_FLAGS = {1: "all_valid", 2: "per_dataset", 4: "alpha", 8: "nodata"}
_NAMES = {1: "uint8", 2: "uint16", 3: "int16", 4: "uint32", 5: "int32", 6: "float32", 7: "float64",
          8: "complex_int16", 9: "complex_int32", 10: "complex64", 11: "complex128",
          12: "uint64", 13: "int64", 14: "int8"}  # fmt: skip
_WHOLE = {kind for kind in _NAMES.values() if "int" in kind and "complex" not in kind}
# Of the whole process, which is not ours alone.
_OF_PROCESS = ("GDAL_CACHEMAX",)


class GdalError(Exception):
    """What GDAL says."""


@dataclass(frozen=True)
class GdalCrs:
    """A CRS as GDAL writes it."""

    wkt: str

    def to_wkt(self) -> str:
        """Return it as WKT."""
        return self.wkt


class GdalDataset:
    """A raster that is open, or one of its overviews. Raises GdalError for what can't be read."""

    def __init__(self, path: str, overview_level: int | None = None) -> None:
        from osgeo import gdal

        options = [] if overview_level is None else [f"OVERVIEW_LEVEL={overview_level}"]
        flags = gdal.OF_RASTER | gdal.OF_READONLY | gdal.OF_VERBOSE_ERROR
        self._opened: Any = _said(lambda: gdal.OpenEx(path, flags, open_options=options))
        first = self._opened.GetRasterBand(1)
        if first is None:
            parts = self.subdatasets
            raise GdalError(f"name one of its rasters: {parts[0]}" if parts else "it has no band")
        self.width, self.height = self._opened.RasterXSize, self._opened.RasterYSize
        self.count = self._opened.RasterCount
        self._bands = [self._opened.GetRasterBand(n + 1) for n in range(self.count)]
        wkt = self._opened.GetProjection()
        self.crs = GdalCrs(wkt) if wkt else None
        c, a, b, f, d, e = self._opened.GetGeoTransform()
        self.transform = (a, b, c, d, e, f)
        self.dtypes = tuple(map(_kind, self._bands))
        self.block_shapes = [tuple(band.GetBlockSize())[::-1] for band in self._bands]
        self.colorinterp = [SimpleNamespace(name=_color(band)) for band in self._bands]
        self.mask_flag_enums = [_flags(band.GetMaskFlags()) for band in self._bands]
        self.nodatavals = tuple(map(_mark, self._bands, self.dtypes))
        self.nodata = self.nodatavals[0]
        self.indexes = tuple(range(1, self.count + 1))
        structure = self._opened.GetMetadata("IMAGE_STRUCTURE") or {}
        self.profile = {"interleave": structure.get("INTERLEAVE", "").lower() or None}

    @property
    def gcps(self) -> tuple[list[Any], GdalCrs | None]:
        """Its ground control points, and their CRS."""
        points = list(self._opened.GetGCPs()) if self._opened.GetGCPCount() else []
        wkt = self._opened.GetGCPProjection() if points else ""
        return points, GdalCrs(wkt) if wkt else None

    @property
    def rpcs(self) -> Mapping[str, str] | None:
        """Its rational polynomials."""
        return self._opened.GetMetadata("RPC") or None

    @property
    def subdatasets(self) -> list[str]:
        """The names of the rasters that it only holds."""
        return [name for name, _ in self._opened.GetSubDatasets()]

    def overviews(self, band: int) -> list[float]:
        """Return by how much each overview of a band is smaller."""
        whole = self._bands[band - 1]
        found = (whole.GetOverview(n) for n in range(whole.GetOverviewCount()))
        return [float(round(self.width / small.XSize)) for small in found]

    def get_tag_item(self, name: str, ns: str, band: int, overview: int | None) -> str | None:
        """Return a tag of a band in a domain, or of one of its overviews; None where it lacks."""
        asked = self._bands[band - 1]
        if overview is not None:
            asked = asked.GetOverview(overview)
        found = asked.GetMetadataItem(name, ns)
        return None if found is None else str(found)

    def tags(self, ns: str = "") -> Mapping[str, str]:
        """Return its tags in a domain."""
        return self._opened.GetMetadata(ns) or {}

    def colormap(self, band: int) -> Palette:
        """Return the colours of a band of indices."""
        table = self._bands[band - 1].GetRasterColorTable()
        if table is None:
            raise ValueError("no palette")
        return {n: tuple(table.GetColorEntry(n)) for n in range(table.GetCount())}

    def read(self, numbers: Sequence[int] | None = None, *, window: Window) -> Values:
        """Return the pixels (B,h,w) of a window: its first and last row and column.

        numbers: of the bands, from 1 on; None for all.
        """
        wanted = self.indexes if numbers is None else tuple(numbers)
        kind = np.result_type(*(self.dtypes[number - 1] for number in wanted))
        (top, bottom), (left, right) = window
        out = np.empty((len(wanted), bottom - top, right - left), kind)
        for place, number in enumerate(wanted):
            out[place] = _read(self._bands[number - 1], self.dtypes[number - 1], window)
        return out

    def read_masks(self, band: int, window: Window) -> Mask:
        """Return where a band's mask says that there is data: 0 is none."""
        return np.asarray(_read(self._bands[band - 1].GetMaskBand(), "uint8", window))

    def close(self) -> None:
        """Let go of the file."""
        self._bands = []
        self._opened = None


@contextmanager
def gdal_environment(options: Mapping[str, Any]) -> Iterator[None]:
    """Set GDAL up for the length of the block, in this thread alone."""
    from osgeo import gdal

    own = {key: str(value) for key, value in options.items() if key not in _OF_PROCESS}
    if not hasattr(gdal, "SetThreadLocalConfigOption"):
        yield
        return
    before = {key: gdal.GetThreadLocalConfigOption(key) for key in own}
    for key, value in own.items():
        gdal.SetThreadLocalConfigOption(key, value)
    try:
        yield
    finally:
        for key, old in before.items():
            gdal.SetThreadLocalConfigOption(key, old)


def _read(band: Any, dtype: str, window: Window) -> Any:
    # Not ReadAsArray: its NumPy binding is built for one of the two versions of NumPy.
    (top, bottom), (left, right) = window
    width, height = right - left, bottom - top
    raw = _said(lambda: band.ReadRaster(left, top, width, height))
    return np.frombuffer(raw, np.dtype(dtype)).reshape(height, width)


def _said(call: Any) -> Any:
    """Return what GDAL gives; GdalError with its own words where it gives nothing."""
    from osgeo import gdal

    gdal.ErrorReset()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        found = call()
        said = gdal.GetLastErrorMsg()
    except RuntimeError as fault:
        raise GdalError(str(fault)) from None
    finally:
        gdal.PopErrorHandler()
    if found is None:
        raise GdalError(said or "GDAL doesn't say why")
    return found


def _kind(band: Any) -> str:
    """Return the name of a band's type; GDAL below 3.7 takes 8 bits with a sign for others."""
    if band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE") == "SIGNEDBYTE":
        return "int8"
    return _NAMES.get(band.DataType, "unknown")


def _mark(band: Any, kind: str) -> float | None:
    """Return a band's mark, None where its type can't hold it, as rasterio does."""
    mark: float | None = band.GetNoDataValue()
    if mark is None or kind not in _WHOLE:
        return mark
    limits = np.iinfo(kind)
    return mark if limits.min <= mark <= limits.max else None


def _color(band: Any) -> str:
    number = band.GetColorInterpretation()
    return COLOR_NAMES[number] if number < len(COLOR_NAMES) else "undefined"


def _flags(flags: int) -> list[SimpleNamespace]:
    return [SimpleNamespace(name=name) for bit, name in _FLAGS.items() if flags & bit]
