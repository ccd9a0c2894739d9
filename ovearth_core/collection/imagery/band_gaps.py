"""Gaps of single bands: their marks are not to be blended with values.

A pixel holds data where any of its bands does. Where the mark of the others is a brightness too
(black, in a picture), it is one there; below 0, or not a number, it can be none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .raster_nodata import MARK, has_data, told_by
from .window import Block

# Beyond this a number in floating point stands for something else than a brightness.
_ENDLESS = 1e9


def may_have_gaps(dataset: Any, black_is_nodata: bool) -> bool:
    """Whether single bands of an open raster may hold marks that are no brightness."""
    if black_is_nodata or dataset.count < 2 or told_by(dataset) not in (MARK, None):
        return False
    return any(mark is not None and _is_no_brightness(mark) for mark in band_marks(dataset))


def band_marks(dataset: Any) -> list[float | None]:
    """Return each band's mark; in floating point what is no number is one where none is named."""
    return [
        np.nan if mark is None and np.dtype(kind).kind == "f" else mark
        for mark, kind in zip(dataset.nodatavals, dataset.dtypes, strict=True)
    ]


def has_gaps(block: Block, dataset: Any) -> bool:
    """Whether a band of a block, which is not averaged, has gaps where another has data."""
    valid = True if block.valid is None else block.valid
    return any(
        bool((has_data(band[None], [mark]) != valid).any())
        for band, mark in zip(block.values, band_marks(dataset), strict=True)
        if mark is not None
    )


def _is_no_brightness(mark: float) -> bool:
    return bool(np.isnan(mark)) or mark < 0.0 or mark >= _ENDLESS
