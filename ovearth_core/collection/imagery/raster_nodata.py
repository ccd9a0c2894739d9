"""Where an open raster holds data, and whether its mark alone says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .source import Mask, Values

# What says where a raster holds data, the surest first.
ALPHA, MASK, MARK = "alpha", "mask", "mark"


def told_by(dataset: Any) -> str | None:
    """Return which of ALPHA, MASK and MARK says where a raster holds data, None where none does."""
    if "alpha" in (color.name for color in dataset.colorinterp):
        return ALPHA
    if "per_dataset" in (flag.name for flag in dataset.mask_flag_enums[0]):
        return MASK
    return MARK if any(mark is not None for mark in dataset.nodatavals) else None


def read_valid(dataset: Any, window: Any, values: Values) -> Mask | None:
    """Return where a window holds data, None where it does all over.

    By an alpha band, a mask, the nodata value (of a band: any band with data will do) or, in
    floating point, NaN and infinity; never by colour.
    """
    told = told_by(dataset)
    valid: Mask | None = None
    if told == ALPHA:
        names = [color.name for color in dataset.colorinterp]
        valid = np.asarray(values[names.index("alpha")] > 0)
    elif told == MASK:
        valid = dataset.read_masks(1, window=window) > 0
    elif told == MARK:
        valid = has_data(values, dataset.nodatavals)
    if values.dtype.kind == "f":
        finite: Mask = np.asarray(np.isfinite(values).any(axis=0))
        valid = finite if valid is None else np.asarray(valid & finite)
    return None if valid is None or valid.all() else valid


def has_data(values: Values, marks: Sequence[float | None]) -> Mask:
    """Return where any band (B,h,w) holds something else than its mark."""
    found = np.zeros(values.shape[1:], np.bool_)
    for band, mark in zip(values, marks, strict=True):
        found |= np.isfinite(band) if mark is None or np.isnan(mark) else np.not_equal(band, mark)
    return found


def common_mark(marks: Sequence[float | None]) -> float | None:
    """Return the mark that all bands have, None where one has none or another."""
    told = [mark for mark in marks if mark is not None]
    if not told or len(told) < len(marks):
        return None
    is_same = np.isnan(told).all() or all(mark == told[0] for mark in told)
    return told[0] if is_same else None


def with_mark(dataset: Any, values: Values, valid: Mask) -> tuple[Values, float | None]:
    """Return pixels (B,h,w) and the mark that alone says where they hold data, None for none.

    What has no data and is 0, as outside of the raster, gets the mark. There is none to go by where
    a mask, alpha or NaN says more than it, or where bands have different ones.
    """
    mark = common_mark(dataset.nodatavals) if told_by(dataset) == MARK else None
    if mark is None or valid.all():
        return values, mark
    empty = ~valid & (values == 0).all(axis=0)
    marked = np.where(empty, np.asarray(mark).astype(values.dtype), values)
    # Whole numbers have nothing but their mark.
    if values.dtype.kind == "f" and (has_data(marked, dataset.nodatavals) != valid).any():
        return values, None
    return marked, mark
