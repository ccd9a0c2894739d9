"""Windows of an open raster: only the bytes that are wanted, and which of them hold data."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from .one_band import OneBand
from .raster_nodata import read_valid
from .source import Mask, Values

# Rows of the source that are in memory at once while blocks of pixels are averaged.
_STRIP_PIXELS = 1 << 24
_WHOLE = 1e-3


@dataclass(frozen=True)
class Level:
    """A raster at one of its sizes: itself, or an overview.

    factor_x, factor_y: pixels of the raster itself for one of these.
    """

    dataset: Any
    factor_x: float
    factor_y: float


@dataclass(frozen=True)
class Block:
    """Pixels read for an output, and how they lie in the raster.

    values (B,h,w); valid (h,w), None where all is. left, top: its corner, and factor_x, factor_y:
    the size of its pixels, in the raster's own pixels.
    """

    values: Values
    valid: Mask | None
    left: float
    top: float
    factor_x: float
    factor_y: float


@dataclass(frozen=True)
class Extent:
    """A window in the pixels of a level: whole numbers, which may lie outside of the raster."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Height and width."""
        return self.bottom - self.top, self.right - self.left

    def outside(self, width: int, height: int) -> Mask:
        """Return which of its pixels lie outside of a raster of a size, that doesn't close."""
        rows = np.arange(self.top, self.bottom)
        columns = np.arange(self.left, self.right)
        is_off = (columns < 0) | (columns >= width)
        found: Mask = ((rows < 0) | (rows >= height))[:, None] | is_off[None]
        return found


def wanted_extent(
    bounds: tuple[float, float, float, float], level: Level, margin: float, shrink: int
) -> Extent:
    """Return the window for bounds in the raster's pixels, its size a multiple of `shrink`.

    margin: pixels, after shrinking, that the kernel needs around it.
    """
    left, top, right, bottom = bounds
    x, y = level.factor_x * shrink, level.factor_y * shrink
    return Extent(
        floor(left / x - margin) * shrink,
        floor(top / y - margin) * shrink,
        ceil(right / x + margin) * shrink,
        ceil(bottom / y + margin) * shrink,
    )


def clipped(extent: Extent, level: Level, turn: int | None, shrink: int = 1) -> Extent | None:
    """Return what of a window can hold pixels, None where nothing does.

    turn: columns after which the raster begins again, None where the world doesn't close. Edges
    stay multiples of `shrink`.
    """
    height, width = level.dataset.height, level.dataset.width
    left, right = extent.left, extent.right
    if turn is None or (left >= 0 and right <= width):
        left, right = max(left, 0), min(right, ceil(width / shrink) * shrink)
    top, bottom = max(extent.top, 0), min(extent.bottom, ceil(height / shrink) * shrink)
    return Extent(left, top, right, bottom) if left < right and top < bottom else None


def read_block(level: Level, extent: Extent, shrink: int, turn: int | None) -> Block:
    """Return the pixels of a window, `shrink`×`shrink` of them averaged into one."""
    width = extent.size[1]
    rows = max(1, _STRIP_PIXELS // max(width * shrink, 1)) * shrink
    parts = []
    for top in range(extent.top, extent.bottom, rows):
        part = Extent(extent.left, top, extent.right, min(top + rows, extent.bottom))
        parts.append(averaged(*read_extent(level.dataset, part, turn), shrink))
    values = parts[0][0] if len(parts) == 1 else np.concatenate([v for v, _ in parts], axis=1)
    masks = [np.ones(v.shape[1:], np.bool_) if m is None else m for v, m in parts]
    has_mask = any(mask is not None for _, mask in parts)
    factors = level.factor_x * shrink, level.factor_y * shrink
    return Block(
        values,
        np.concatenate(masks) if has_mask else None,
        extent.left * level.factor_x,
        extent.top * level.factor_y,
        *factors,
    )


def read_extent(dataset: Any, extent: Extent, turn: int | None) -> tuple[Values, Mask | None]:
    """Return the pixels (B,h,w) of a window, and where they are valid, None where all are.

    What lies outside of the raster is 0 and not valid.
    """
    pieces = list(_pieces(dataset, extent, turn))
    if pieces == [(0, extent.left, extent.right)] and _rows_inside(dataset, extent):
        window = (extent.top, extent.bottom), (extent.left, extent.right)
        values = read_values(dataset, window)
        return values, read_valid(dataset, window, values)
    valid = np.zeros(extent.size, np.bool_)
    whole: Values | None = None
    top, bottom = max(extent.top, 0), min(extent.bottom, dataset.height)
    for column, left, right in pieces:
        if top >= bottom:
            break
        window = (top, bottom), (left, right)
        values = read_values(dataset, window)
        if whole is None:
            whole = np.zeros((len(values), *extent.size), values.dtype)
        rows = slice(top - extent.top, bottom - extent.top)
        columns = slice(column, column + right - left)
        whole[:, rows, columns] = values
        mask = read_valid(dataset, window, values)
        valid[rows, columns] = True if mask is None else mask
    if whole is None:
        whole = np.zeros((dataset.count, *extent.size), np.result_type(*dataset.dtypes))
    return whole, valid


def read_values(dataset: Any, window: Any) -> Values:
    """Return the pixels (B,h,w) of a window that lies inside: first and last row, and column.

    Where bands are of several types, in one that holds them all.
    """
    kinds = dict.fromkeys(dataset.dtypes)
    if len(kinds) == 1:
        whole: Values = dataset.read(window=window)
        return whole
    bands = [OneBand(dataset, number).read(window)[0] for number in dataset.indexes]
    return np.stack(bands).astype(np.result_type(*kinds), copy=False)


def _rows_inside(dataset: Any, extent: Extent) -> bool:
    return bool(extent.top >= 0 and extent.bottom <= dataset.height)


def _pieces(dataset: Any, extent: Extent, turn: int | None) -> Any:
    """Yield (column of the window, left, right in the raster) of what a window meets."""
    turns = [0] if turn is None else range(extent.left // turn, -(-extent.right // turn))
    for number in turns:
        shift = 0 if turn is None else number * turn
        left, right = max(extent.left - shift, 0), min(extent.right - shift, dataset.width)
        if left < right:
            yield left + shift - extent.left, left, right


def averaged(values: Values, valid: Mask | None, shrink: int) -> tuple[Values, Mask | None]:
    """Return the means of shrink×shrink pixels, of those with data.

    Valid is where half of them are.
    """
    if shrink == 1:
        return values, valid
    bands, height, width = values.shape
    shape = (bands, height // shrink, shrink, width // shrink, shrink)
    blocks = values.reshape(shape)
    if valid is None:
        means = blocks.mean(axis=(2, 4), dtype=np.float64)
        return _as_type(means, values.dtype), None
    weights = valid.reshape(shape[1:])
    counts = weights.sum(axis=(1, 3))
    sums = np.where(weights, blocks, 0).sum(axis=(2, 4), dtype=np.float64)
    means = sums / np.maximum(counts, 1)
    return _as_type(means, values.dtype), 2 * counts >= shrink * shrink


def _as_type(means: Any, dtype: Any) -> Values:
    if dtype.kind in "iu":
        means = np.floor(means + 0.5)
    return np.asarray(means.astype(dtype))


def whole_turn(turn: Any, level: Level) -> int | None:
    """Return one turn of the world in columns of a level, None unless it is a whole number."""
    if turn is None or abs(turn[1]) > _WHOLE:
        return None
    columns = abs(float(turn[0])) / level.factor_x
    return round(columns) if abs(columns - round(columns)) < _WHOLE else None
