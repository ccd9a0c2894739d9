"""The pixels that a model is shown: red, green and blue of 8 bits, from a file or an array."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..raster_pixels import OpenRaster, RasterFile, UnreadableError
from .segmenter import Pixels, checked_pixels
from .view import View

_WHAT = "images for click-to-mask"
_SAMPLE_PX = 512
# Of all values of a sample: what lies beyond is shown black or white.
_DARKEST, _BRIGHTEST = 2.0, 98.0


class ImagePixels(Protocol):
    """An image of width x height pixels, of which views can be read."""

    width: int
    height: int

    def read(self, view: View) -> Pixels:
        """Return the view's pixels (rows, columns, 3)."""


@dataclass(frozen=True, eq=False)
class ArrayPixels:
    """An image held in memory (H, W, 3)."""

    pixels: Pixels

    @property
    def width(self) -> int:
        """Pixels a row."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.pixels.shape[0])

    def read(self, view: View) -> Pixels:
        """Return the view's pixels, averaged where it is coarser."""
        from .resizing import resized

        part = checked_pixels(self.pixels)[
            view.top : view.top + view.height, view.left : view.left + view.width
        ]
        if part.shape[:2] == (view.rows, view.columns):
            return part
        return np.rint(resized(part, view.rows, view.columns)).astype(np.uint8)


class FilePixels:
    """An image file that GDAL reads, by its first three bands, or the first where there are fewer.

    8 bits are shown as they are; other numbers from the 2nd to the 98th percentile of a sample, all
    bands alike. Pixels without data are black. Raises InputError where it is no image.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with RasterFile(path, _WHAT) as file:
                size = file.size
                if not size.count:
                    raise InputError("no band in it", str(path), "name an image")
                self.width, self.height = size.width, size.height
                self._bands = 3 if size.count >= 3 else 1
                self._stretch = self._found_stretch(file)
        except UnreadableError as fault:
            raise self._unreadable(fault) from None

    def read(self, view: View) -> Pixels:
        """Return the view's pixels, averaged where it is coarser."""
        window = (view.left, view.top, view.width, view.height)
        shape = None
        if (view.rows, view.columns) != (view.height, view.width):
            shape = (view.rows, view.columns)
        try:
            with RasterFile(self._path, _WHAT) as file:
                values = file.read(self._bands, shape, window)
                nodata = file.nodata
        except UnreadableError as fault:
            raise self._unreadable(fault) from None
        shown = self._shown(values, nodata)
        three = np.repeat(shown, 3, axis=0) if self._bands == 1 else shown
        return np.ascontiguousarray(np.moveaxis(three, 0, 2))

    def _found_stretch(self, file: OpenRaster) -> tuple[float, float] | None:
        step = max(1.0, max(self.width, self.height) / _SAMPLE_PX)
        shape = (max(1, round(self.height / step)), max(1, round(self.width / step)))
        values = file.read(self._bands, shape)
        if values.dtype == np.uint8:
            return None
        valid = values[_has_data(values, file.nodata)]
        if not valid.size:
            return 0.0, 1.0
        low, high = np.percentile(valid.astype(np.float64), [_DARKEST, _BRIGHTEST])
        return float(low), float(high) if high > low else float(low) + 1.0

    def _shown(self, values: NDArray[np.generic], nodata: float | None) -> Pixels:
        has_data = _has_data(values, nodata)
        if self._stretch is None:
            return np.where(has_data, values, 0).astype(np.uint8)
        low, high = self._stretch
        scaled = (np.where(has_data, values, low).astype(np.float64) - low) / (high - low)
        return np.rint(np.clip(scaled, 0.0, 1.0) * 255.0).astype(np.uint8)

    def _unreadable(self, fault: UnreadableError) -> InputError:
        return InputError(f"not an image that can be read ({fault})", str(self._path), "mend it")


def _has_data(values: NDArray[np.generic], nodata: float | None) -> NDArray[np.bool_]:
    """Return which numbers (bands, h, w) are data: a pixel is none where all its bands are nodata.

    White is 255 in one band as in all: aerial images often call that nodata.
    """
    is_number = values.dtype.kind != "f" or np.isfinite(values.astype(np.float64))
    known = np.broadcast_to(is_number, values.shape)
    return known if nodata is None else known & (values != nodata).any(axis=0)
