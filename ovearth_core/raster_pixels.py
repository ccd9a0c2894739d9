"""Pixels of raster files, read by rasterio or, in a QGIS without it, by osgeo.gdal."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import MissingPackageError


class UnreadableError(Exception):
    """A file is no raster that can be read; in GDAL's words."""


@dataclass(frozen=True)
class RasterSize:
    """Bands, rows and columns of a file, looked at before its pixels are read."""

    count: int
    height: int
    width: int


class RasterFile:
    """A raster file that is open for the length of a block.

    driver: the only one that may read it, any of GDAL's where None. Raises UnreadableError;
    MissingPackageError, for `what`, where neither rasterio nor osgeo is installed.
    """

    def __init__(self, path: Path, what: str, driver: str | None = None) -> None:
        self._path = path
        self._what = what
        self._driver = driver

    def __enter__(self) -> OpenRaster:
        try:
            import rasterio  # noqa: F401 - missed here, in one place
        except ImportError:
            self._open: OpenRaster = _GdalRaster(self._path, self._driver, self._what)
        else:
            self._open = _RasterioRaster(self._path, self._driver)
        return self._open

    def __exit__(self, *_: object) -> None:
        self._open.close()


class OpenRaster:
    """What both readers do."""

    size: RasterSize
    nodata: float | None

    def read(
        self,
        bands: int,
        shape: tuple[int, int] | None = None,
        window: tuple[int, int, int, int] | None = None,
    ) -> NDArray[Any]:
        """Return the first bands, (bands, height, width), averaged to another shape if given.

        window: left, top, width and height in pixels of the part to read, all of it where None.
        """
        raise NotImplementedError

    def window(self, rows: tuple[int, int], columns: tuple[int, int]) -> NDArray[Any]:
        """Return the part of the first band from the first to before the last of each, (h, w)."""
        raise NotImplementedError

    def close(self) -> None:
        """Close it."""
        raise NotImplementedError


class _RasterioRaster(OpenRaster):
    def __init__(self, path: Path, driver: str | None) -> None:
        import rasterio
        from rasterio.errors import NotGeoreferencedWarning, RasterioError

        self._errors = RasterioError
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NotGeoreferencedWarning)
                self._file = rasterio.open(path, driver=driver)
        except RasterioError as fault:
            raise UnreadableError(str(fault.__cause__ or fault)) from None
        self.size = RasterSize(self._file.count, self._file.height, self._file.width)
        self.nodata = self._file.nodata

    def read(
        self,
        bands: int,
        shape: tuple[int, int] | None = None,
        window: tuple[int, int, int, int] | None = None,
    ) -> NDArray[Any]:
        from rasterio.enums import Resampling
        from rasterio.windows import Window

        options: dict[str, Any] = {}
        if shape is not None:
            options = {"out_shape": (bands, *shape), "resampling": Resampling.average}
        if window is not None:
            options["window"] = Window(*window)
        try:
            return np.asarray(self._file.read(list(range(1, bands + 1)), **options))
        except self._errors as fault:
            raise UnreadableError(str(fault.__cause__ or fault)) from None

    def window(self, rows: tuple[int, int], columns: tuple[int, int]) -> NDArray[Any]:
        from rasterio.windows import Window

        part = Window.from_slices(rows, columns)
        try:
            return np.asarray(self._file.read(1, window=part))
        except self._errors as fault:
            raise UnreadableError(str(fault.__cause__ or fault)) from None

    def close(self) -> None:
        self._file.close()


class _GdalRaster(OpenRaster):
    def __init__(self, path: Path, driver: str | None, what: str) -> None:
        try:
            from osgeo import gdal
        except ImportError:
            raise MissingPackageError(
                f"{what} need rasterio", mend="pip install rasterio"
            ) from None
        self._gdal = gdal
        drivers = [] if driver is None else [driver]
        flags = gdal.OF_RASTER | gdal.OF_READONLY
        self._file = self._quietly(lambda: gdal.OpenEx(str(path), flags, drivers))
        self.size = RasterSize(
            self._file.RasterCount, self._file.RasterYSize, self._file.RasterXSize
        )
        self.nodata = self._file.GetRasterBand(1).GetNoDataValue() if self.size.count else None

    def read(
        self,
        bands: int,
        shape: tuple[int, int] | None = None,
        window: tuple[int, int, int, int] | None = None,
    ) -> NDArray[Any]:
        left, top, across, down = window or (0, 0, self.size.width, self.size.height)
        height, width = shape or (down, across)
        options: dict[str, Any] = {}
        if shape is not None:
            options = {"resample_alg": self._gdal.GRIORA_Average}

        def band(number: int) -> Any:
            found = self._file.GetRasterBand(number)
            return found.ReadAsArray(
                left, top, across, down, buf_xsize=width, buf_ysize=height, **options
            )

        return np.stack(
            [self._quietly(lambda: band(number)) for number in range(1, bands + 1)]  # noqa: B023
        )

    def window(self, rows: tuple[int, int], columns: tuple[int, int]) -> NDArray[Any]:
        (top, bottom), (left, right) = rows, columns
        band = self._file.GetRasterBand(1)
        part = (left, top, right - left, bottom - top)
        return np.asarray(self._quietly(lambda: band.ReadAsArray(*part)))

    def close(self) -> None:
        self._file = None

    def _quietly(self, action: Any) -> Any:
        """Return what `action` gives; what GDAL says of it is an error, not a line on a screen."""
        gdal = self._gdal
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        gdal.ErrorReset()
        try:
            found = action()
            failed = gdal.GetLastErrorType() >= gdal.CE_Failure
            said = gdal.GetLastErrorMsg()
        except RuntimeError as fault:
            # Another plugin may have turned GDAL's exceptions on.
            raise UnreadableError(str(fault)) from None
        finally:
            gdal.PopErrorHandler()
        if found is None or failed:
            raise UnreadableError(said or "no driver reads it")
        return found
