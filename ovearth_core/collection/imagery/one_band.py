"""One band of an open raster, asked as a raster of its own is."""

from __future__ import annotations

from typing import Any

from .source import Mask, Values


class OneBand:
    """A band of a raster that is open, by its number from 1 on; the raster stays its owner's."""

    def __init__(self, dataset: Any, number: int) -> None:
        self._dataset = dataset
        self._number = number
        self.width, self.height = dataset.width, dataset.height
        self.count, self.indexes = 1, (1,)
        self.dtypes = (dataset.dtypes[number - 1],)
        self.colorinterp = [dataset.colorinterp[number - 1]]
        self.mask_flag_enums = [dataset.mask_flag_enums[number - 1]]
        self.nodatavals = (dataset.nodatavals[number - 1],)

    def read(self, window: Any) -> Values:
        """Return the pixels (1,h,w) of a window: its first and last row, and column."""
        found: Values = self._dataset.read([self._number], window=window)
        return found

    def read_masks(self, band: int, window: Any) -> Mask:
        """Return where the mask says that there is data: 0 is none."""
        found: Mask = self._dataset.read_masks(self._number, window=window)
        return found
