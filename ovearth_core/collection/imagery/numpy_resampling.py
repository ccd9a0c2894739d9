"""The NumPy body of resampling, for where there is no compiler.

Pixels are gathered as wholes: a pixel's bands and whether it holds data lie side by side as one
item of a fixed size, so that a tap is one look-up for all of them, and weights are kept repeated
as often. The output is made in tiles whose part of the source stays in the processor's caches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .source import Mask, Values

Floats = NDArray[np.float64]
# Single precision for 8-bit values, which it holds a thousand times finer than they are.
Numbers = NDArray[Any]
Ids = NDArray[np.int64]

# Sides of a tile of the output.
_TILE = 128
# As in the compiled body.
_LEAST_SEEN = 0.25
# How far the sum of weights may be from 1 by rounding.
_ROUNDING = 1e-6
# Rows and columns this near to the block's own, in its pixels, are taken to be them.
_UPRIGHT = 1e-6
# Items of these many numbers are looked up by a quick way of NumPy's (8, 16, 32 bytes).
_LANES = (2, 4)


def resample_tiles(
    values: Values,
    valid: Mask | None,
    nodes: Any,
    weights: tuple[Floats, Floats],
    limits: tuple[float, float],
    out: Values,
    out_valid: Mask,
) -> None:
    """Fill out (B,h,w) and out_valid (h,w) from a block (B,H,W), as the compiled body does.

    weights: the tables across and down; see `kernel_table`. limits: what whole numbers are cut to.
    """
    kind = np.float32 if values.dtype.itemsize == 1 else np.float64
    tables = [_Table(table.astype(kind)) for table in weights]
    for rows, columns in _tiles(*out_valid.shape):
        x, y = _positions(nodes, rows, columns)
        tile, seen = out[:, rows, columns], out_valid[rows, columns]
        near = _nearest(values.shape, x, y, seen)
        if valid is not None:
            seen &= valid[near]
        if not seen.any():
            continue
        if not weights[0].size:
            tile[...] = values[:, near[0], near[1]]
        else:
            result = _blended(values, valid, x, y, tables, near)
            if out.dtype.kind in "iu":
                result += 0.5
                np.floor(result, out=result)
                result.clip(*limits, out=result)
            tile[...] = result
        if not seen.all():
            tile[:, ~seen] = 0


def _tiles(height: int, width: int) -> Iterator[tuple[slice, slice]]:
    for top in range(0, height, _TILE):
        for left in range(0, width, _TILE):
            yield (
                slice(top, min(top + _TILE, height)),
                slice(left, min(left + _TILE, width)),
            )


def _positions(nodes: Any, rows: slice, columns: slice) -> tuple[Floats, Floats]:
    """Return block positions (rows, columns) of the centres of output pixels."""
    gy = (np.arange(rows.start, rows.stop) + 0.5) / nodes.step_y
    gx = (np.arange(columns.start, columns.stop) + 0.5) / nodes.step_x
    j = np.minimum(gy.astype(np.int64), nodes.x.shape[0] - 2)
    i = np.minimum(gx.astype(np.int64), nodes.x.shape[1] - 2)
    v, u = (gy - j)[:, None], (gx - i)[None]

    def between(node: Floats) -> Floats:
        lines = node[j] * (1.0 - v) + node[j + 1] * v
        left = lines.take(i, axis=1)
        left += (lines.take(i + 1, axis=1) - left) * u
        return np.asarray(left)

    return between(nodes.x), between(nodes.y)


def _nearest(shape: tuple[int, ...], x: Floats, y: Floats, seen: Mask) -> tuple[Ids, Ids]:
    """Return rows and columns of the pixels under positions, and fill in where there are any."""
    height, width = shape[1:]
    near_x, near_y = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    seen[...] = (near_x >= 0) & (near_y >= 0) & (near_x < width) & (near_y < height)
    if not seen.all():
        near_x, near_y = near_x.clip(0, width - 1), near_y.clip(0, height - 1)
    return near_y, near_x


class _Table:
    """Weights of a kernel by phase, each repeated as often as there are numbers in an item."""

    def __init__(self, table: Numbers) -> None:
        self.kind = table.dtype
        self.phases, self.taps = table.shape[0] - 1, table.shape[1]
        self._table = table
        self._columns: dict[int, list[Any]] = {}

    def at(self, position: Floats, lanes: int) -> tuple[Ids, list[Numbers]]:
        """Return the first pixel that each position's kernel reaches, and the weights by tap."""
        if lanes not in self._columns:
            wide = np.repeat(self._table.T[:, :, None], lanes, axis=2)
            self._columns[lanes] = [_as_items(np.ascontiguousarray(tap)) for tap in wide]
        left = np.floor(position - 0.5)
        phase = ((position - 0.5 - left) * self.phases + 0.5).astype(np.int64).ravel()
        first = left.astype(np.int64).ravel() + 1 - self.taps // 2
        items = self._columns[lanes]
        return first, [item.take(phase, mode="clip").view(self.kind) for item in items]


def _blended(
    values: Values,
    valid: Mask | None,
    x: Floats,
    y: Floats,
    tables: list[_Table],
    near: tuple[Ids, Ids],
) -> Numbers:
    """Return the means by weights (B,h,w) of the pixels with data about positions.

    near: rows and columns of the pixels under them.
    """
    bands = len(values)
    result = np.empty((bands, *x.shape), tables[0].kind)
    step = _LANES[-1] - 1
    for band in range(0, bands, step):
        some = slice(band, min(band + step, bands))
        sums, total = _weighted(values[some], valid, x, y, tables)
        result[some] = sums
        least, most = float(total.min()), float(total.max())
        # Beside an edge what is missing may have had weights below 0.
        if not 1.0 - _ROUNDING < least <= most < 1.0 + _ROUNDING:
            with np.errstate(divide="ignore", invalid="ignore"):
                result[some] /= total
        if least < _LEAST_SEEN:
            # Few pixels with data, all on a kernel's edge, would be magnified.
            few = total < _LEAST_SEEN
            result[some, few] = values[some, near[0][few], near[1][few]]
    return result


def _weighted(
    values: Values, valid: Mask | None, x: Floats, y: Floats, tables: list[_Table]
) -> tuple[Numbers, Numbers]:
    """Return the weighted sums (B,h,w) and the sums (h,w) of the weights of pixels with data."""
    lanes = next(lanes for lanes in _LANES if lanes > len(values))
    is_upright = max(float(np.ptp(x, axis=0).max()), float(np.ptp(y, axis=1).max())) <= _UPRIGHT
    at_x, at_y = (x[0], y[:, 0]) if is_upright else (x, y)
    first_x, weights_x = tables[0].at(at_x, lanes)
    first_y, weights_y = tables[1].at(at_y, lanes)
    block, left, top = _items(values, valid, first_x, first_y, tables, lanes)
    summed = _summed_upright if is_upright else _summed
    sums = summed(block, first_x - left, first_y - top, weights_x, weights_y)
    found = np.moveaxis(sums.reshape(*x.shape, lanes), 2, 0)
    return found[: len(values)], found[-1]


def _summed(
    block: Any, x: Ids, y: Ids, weights_x: list[Numbers], weights_y: list[Numbers]
) -> Numbers:
    """Return the items' sums by weights, of each pixel (N,) by its own row y and column x."""
    width = block.shape[1]
    items, at = block.ravel(), y * width + x
    sums = np.zeros_like(weights_x[0])
    part, product = np.empty_like(sums), np.empty_like(sums)
    taken = product.view(block.dtype)
    for t, weight_y in enumerate(weights_y):
        part[...] = 0.0
        for s, weight_x in enumerate(weights_x):
            items[t * width + s :].take(at, out=taken, mode="clip")
            np.multiply(product, weight_x, out=product)
            part += product
        part *= weight_y
        sums += part
    return sums


def _summed_upright(
    block: Any, x: Ids, y: Ids, weights_x: list[Numbers], weights_y: list[Numbers]
) -> Numbers:
    """Return the same of a grid whose columns x (w,) and rows y (h,) are the block's own."""
    kind, lanes = weights_x[0].dtype, len(weights_x[0]) // len(x)
    lines = np.zeros((len(block), len(weights_x[0])), kind)
    for s, weight_x in enumerate(weights_x):
        lines += block.take(x + s, axis=1, mode="clip").view(kind) * weight_x
    sums = np.zeros((len(y), lines.shape[1]), kind)
    for t, weight_y in enumerate(weights_y):
        sums += lines[y + t] * weight_y[::lanes, None]
    return sums


def _items(
    values: Values,
    valid: Mask | None,
    first_x: Ids,
    first_y: Ids,
    tables: list[_Table],
    lanes: int,
) -> tuple[Any, int, int]:
    """Return what the kernels reach of a block as items (rows, columns), and its left and top.

    The last number of an item is 1 where the pixel holds data; what is 0 there is 0 all over.
    """
    height, width = values.shape[1:]
    left, right = int(first_x.min()), int(first_x.max()) + tables[0].taps
    top, bottom = int(first_y.min()), int(first_y.max()) + tables[1].taps
    numbers = np.zeros((bottom - top, right - left, lanes), tables[0].kind)
    rows, columns = slice(max(top, 0), min(bottom, height)), slice(max(left, 0), min(right, width))
    if rows.start < rows.stop and columns.start < columns.stop:
        inside = numbers[
            rows.start - top : rows.stop - top, columns.start - left : columns.stop - left
        ]
        inside[..., -1] = 1.0 if valid is None else valid[rows, columns]
        for band, plane in enumerate(values[:, rows, columns]):
            inside[..., band] = plane if valid is None else np.where(valid[rows, columns], plane, 0)
    items = _as_items(numbers.reshape(-1, lanes))
    return items.reshape(bottom - top, right - left), left, top


def _as_items(numbers: Numbers) -> Any:
    """Return rows of numbers (N, lanes) as N items."""
    return numbers.view(f"V{numbers.shape[1] * numbers.itemsize}").ravel()
