"""Resampling of a block of pixels onto another grid: collection.imagery.resampling."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiling import inlined, kernel

Floats = NDArray[np.float64]

# Few pixels with data, all on a kernel's edge, would be magnified: the nearest is taken instead.
_LEAST_SEEN = 0.25


@kernel
def _row_positions(
    x_nodes: Floats, y_nodes: Floats, step_x: float, place: float, x: Floats, y: Floats
) -> None:
    """Fill the block positions of a row's pixels; place: the row, in rows of nodes."""
    top = min(int(place), x_nodes.shape[0] - 2)
    v = place - top
    for column in range(len(x)):
        across = (column + 0.5) / step_x
        left = min(int(across), x_nodes.shape[1] - 2)
        u = across - left
        before = x_nodes[top, left] * (1.0 - v) + x_nodes[top + 1, left] * v
        after = x_nodes[top, left + 1] * (1.0 - v) + x_nodes[top + 1, left + 1] * v
        x[column] = before * (1.0 - u) + after * u
        before = y_nodes[top, left] * (1.0 - v) + y_nodes[top + 1, left] * v
        after = y_nodes[top, left + 1] * (1.0 - v) + y_nodes[top + 1, left + 1] * v
        y[column] = before * (1.0 - u) + after * u


@inlined
def _blend(
    values: Any, band: int, across: Floats, down: Floats, i: int, j: int, x: int, y: int
) -> float:
    """Return the sum of pixels by their weights: rows i, j of the tables, from pixel x, y on."""
    result = 0.0
    for t in range(down.shape[1]):
        part = 0.0
        for s in range(across.shape[1]):
            part += across[i, s] * values[band, y + t, x + s]
        result += down[j, t] * part
    return result


@inlined
def _blend_three(
    values: Any, across: Floats, down: Floats, i: int, j: int, x: int, y: int
) -> tuple[float, float, float]:
    """Return `_blend` of three bands: three sums that don't wait for one another."""
    red, green, blue = 0.0, 0.0, 0.0
    for t in range(down.shape[1]):
        r, g, b = 0.0, 0.0, 0.0
        for s in range(across.shape[1]):
            weight = across[i, s]
            r += weight * values[0, y + t, x + s]
            g += weight * values[1, y + t, x + s]
            b += weight * values[2, y + t, x + s]
        weight = down[j, t]
        red += weight * r
        green += weight * g
        blue += weight * b
    return red, green, blue


@kernel
def _blend_seen(
    values: NDArray[Any],
    valid: NDArray[np.bool_],
    across: Floats,
    down: Floats,
    i: int,
    j: int,
    x: int,
    y: int,
    near_x: int,
    near_y: int,
    sums: Floats,
) -> None:
    """Fill sums, of each band, with the mean by weights of the pixels with data in the block."""
    has_mask = valid.size > 0
    total = 0.0
    sums[:] = 0.0
    for t in range(max(0, -y), min(down.shape[1], values.shape[1] - y)):
        for s in range(max(0, -x), min(across.shape[1], values.shape[2] - x)):
            if not has_mask or valid[y + t, x + s]:
                weight = down[j, t] * across[i, s]
                total += weight
                for band in range(len(sums)):
                    sums[band] += weight * values[band, y + t, x + s]
    for band in range(len(sums)):
        if total < _LEAST_SEEN:
            sums[band] = values[band, near_y, near_x]
        else:
            sums[band] /= total


@inlined
def _is_full(valid: NDArray[np.bool_], x: int, y: int, columns: int, rows: int) -> bool:
    """Whether all pixels of a window have data."""
    full = True
    for t in range(rows):
        for s in range(columns):
            full = full and valid[y + t, x + s]
    return full


@kernel
def _cover(xs: Floats, ys: Floats, valid: NDArray[np.bool_], shape: Any, row: Any) -> None:
    """Mark the pixels of a row under whose centre the block has data."""
    has_mask = valid.size > 0
    for column in range(len(xs)):
        x, y = int(np.floor(xs[column])), int(np.floor(ys[column]))
        inside = x >= 0 and y >= 0 and x < shape[2] and y < shape[1]
        row[column] = inside and (not has_mask or valid[y, x])


@kernel
def _nearest_row(
    values: NDArray[Any], xs: Floats, ys: Floats, row: int, out: Any, seen: Any
) -> None:
    for column in range(len(xs)):
        if seen[row, column]:
            x, y = int(np.floor(xs[column])), int(np.floor(ys[column]))
            for band in range(len(values)):
                out[band, row, column] = values[band, y, x]


@kernel
def resample_rows(
    values: NDArray[Any],
    valid: NDArray[np.bool_],
    x_nodes: Floats,
    y_nodes: Floats,
    step_x: float,
    step_y: float,
    across: Floats,
    down: Floats,
    is_whole: bool,
    low: float,
    high: float,
    out: NDArray[Any],
    out_valid: NDArray[np.bool_],
) -> None:
    """Fill out (B,h,w) and out_valid (h,w) from values (B,H,W) and valid (H,W), (0,0) for all.

    Nodes: block positions every step_x, step_y output pixels. across, down (phases + 1, taps):
    weights, no taps for the nearest pixel. low, high: what whole numbers are cut to.
    """
    bands, height, width = values.shape
    _, rows, columns = out.shape
    phases_x, taps_x = across.shape[0] - 1, across.shape[1]
    phases_y, taps_y = down.shape[0] - 1, down.shape[1]
    looked_at = taps_y if valid.size > 0 else 0
    xs, ys, sums = np.empty(columns), np.empty(columns), np.empty(bands)
    for row in range(rows):
        _row_positions(x_nodes, y_nodes, step_x, (row + 0.5) / step_y, xs, ys)
        _cover(xs, ys, valid, values.shape, out_valid[row])
        if taps_x == 0:
            _nearest_row(values, xs, ys, row, out, out_valid)
            continue
        for column in range(columns):
            if not out_valid[row, column]:
                continue
            left, top = np.floor(xs[column] - 0.5), np.floor(ys[column] - 0.5)
            i = int((xs[column] - 0.5 - left) * phases_x + 0.5)
            j = int((ys[column] - 0.5 - top) * phases_y + 0.5)
            x, y = int(left) + 1 - taps_x // 2, int(top) + 1 - taps_y // 2
            is_full = x >= 0 and y >= 0 and x + taps_x <= width and y + taps_y <= height
            is_full = is_full and _is_full(valid, x, y, taps_x, looked_at)
            if not is_full:
                near_x, near_y = int(np.floor(xs[column])), int(np.floor(ys[column]))
                _blend_seen(values, valid, across, down, i, j, x, y, near_x, near_y, sums)
            elif bands == 3:
                sums[0], sums[1], sums[2] = _blend_three(values, across, down, i, j, x, y)
            else:
                for band in range(bands):
                    sums[band] = _blend(values, band, across, down, i, j, x, y)
            for band in range(bands):
                result = sums[band]
                if is_whole:
                    result = min(max(np.floor(result + 0.5), low), high)
                out[band, row, column] = result
