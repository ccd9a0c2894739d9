"""Black that no tag calls nodata: the corners of a picture that was turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from .source import Mask, Values


def black_edges(values: Values, colors: Any = ()) -> Mask:
    """Return where pixels (B,h,w) are black all the way to an edge, along their row or column.

    A dark roof in the middle stays. colors: of the bands; alpha has no say.
    """
    names = [getattr(color, "name", color) for color in colors] or [""] * len(values)
    shown = [band for band, name in zip(values, names, strict=False) if name != "alpha"]
    black: Mask = np.logical_and.reduce([band == 0 for band in shown])
    reached = np.zeros_like(black)
    for axis in (0, 1):
        reached |= np.logical_and.accumulate(black, axis=axis)
        backwards = np.flip(black, axis)
        reached |= np.flip(np.logical_and.accumulate(backwards, axis=axis), axis)
    return reached


def transparent_where_empty(values: Values, valid: Mask, colors: Any) -> Values:
    """Return pixels (B,h,w) whose alpha says too where there is no data."""
    names = [getattr(color, "name", color) for color in colors]
    if "alpha" not in names or valid.all():
        return values
    shown: Values = values.copy()
    shown[names.index("alpha"), ~valid] = 0
    return shown
