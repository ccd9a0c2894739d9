"""Whether an image file is the one that a row or a benchmark means: size, CRS and place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from .crs import same_crs
from .errors import OVEarthError
from .frame import ImageFrame, Transform
from .raster_file import RasterHeader

_NOWHERE = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_MOST_SHIFT_PX = 0.01
_SHOWN_OF_CRS = 40


class Fit(Enum):
    """What differs first. NO_* : one of the two doesn't say, so that the other holds."""

    SAME = "same"
    SIZE = "size"
    CRS = "crs"
    PLACE = "place"
    NO_FILE_CRS = "no file crs"
    NO_FILE_PLACE = "no file place"
    NO_ROW_PLACE = "no row place"

    @property
    def is_lacking(self) -> bool:
        """Whether one of the two only says less than the other."""
        return self in (Fit.NO_FILE_CRS, Fit.NO_FILE_PLACE, Fit.NO_ROW_PLACE)


class Row(Protocol):
    """An image as a dataset or a benchmark has it: pixels, CRS, [a, b, c, d, e, f] to it."""

    @property
    def width(self) -> int:
        """Columns."""

    @property
    def height(self) -> int:
        """Rows."""

    @property
    def crs(self) -> str | None:
        """As text."""

    @property
    def transform(self) -> Transform | None:
        """From pixels to `crs`."""

    def frame(self) -> ImageFrame:
        """Return its frame."""


@dataclass(frozen=True)
class Compared:
    """What came of comparing a file with its row, and a sentence's middle that says it."""

    fit: Fit
    what: str = ""


def compare(
    row: Row,
    header: RasterHeader,
    most_shift_px: float = _MOST_SHIFT_PX,
    row_name: str = "its row",
) -> Compared:
    """Compare an image file with its row; corners may differ by `most_shift_px` of its pixels.

    row_name: what the row is called in words.
    """
    if (header.width, header.height) != (row.width, row.height):
        return Compared(
            Fit.SIZE,
            f"its file has {header.width} x {header.height} pixels,"
            f" {row_name} {row.width} x {row.height}",
        )
    placed = header.geotransform
    if placed is not None and tuple(placed) == _NOWHERE:
        placed = None
    if row.crs is None and row.transform is None:
        if header.crs is None and placed is None:
            return Compared(Fit.SAME)
        place = "a place" if header.crs is None else f"the CRS {header.crs[:_SHOWN_OF_CRS]}"
        return Compared(Fit.NO_ROW_PLACE, f"its file has {place}, {row_name} none")
    return _compare_places(row, header.crs, placed, most_shift_px, row_name)


def _compare_places(
    row: Row,
    crs: str | None,
    geotransform: tuple[float, ...] | None,
    most_shift_px: float,
    row_name: str,
) -> Compared:
    named = f"where {row_name} has the CRS {(row.crs or 'none')[:_SHOWN_OF_CRS]}"
    if crs is not None and row.crs is not None and not _is_same_crs(crs, row.crs):
        return Compared(Fit.CRS, f"its file has another {named}")
    if geotransform is not None and _shift_px(row, geotransform) > most_shift_px:
        what = f"its file lies elsewhere than {row_name} says (another transform)"
        return Compared(Fit.PLACE, what)
    if crs is None and row.crs is not None:
        return Compared(Fit.NO_FILE_CRS, f"its file has none {named}")
    if geotransform is None:
        what = f"its file has no transform where {row_name} has one"
        return Compared(Fit.NO_FILE_PLACE, what)
    return Compared(Fit.SAME)


def _is_same_crs(one: str, other: str) -> bool:
    try:
        return same_crs(one, other)
    except OVEarthError:
        return False


def _shift_px(row: Row, geotransform: tuple[float, ...]) -> float:
    """Return how far the file's corners lie from the row's, in pixels of the row."""
    c, a, b, f, d, e = geotransform
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [row.width, row.height]
    x, y = corners.T
    there = np.column_stack([a * x + b * y + c, d * x + e * y + f])
    try:
        return float(np.abs(row.frame().map_to_pixel(there) - corners).max())
    except OVEarthError:
        return 0.0  # its row's own CRS or transform is at fault, and found as such
