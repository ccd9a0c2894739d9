"""Resampling of a block of pixels onto another grid: collection.imagery.resampling."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiling import inlined, kernel

Floats = NDArray[np.float64]

# A kernel cut off at an edge has its middle farther from the position: it stays as it is.
_MOST_TILT = 0.2


@inlined
def _weight(code: int, t: float) -> float:
    """Return the weight of a tap at distance t ≥ 0: a triangle (1), or Keys' cubic (2)."""
    if code == 1:
        return 1.0 - t if t < 1.0 else 0.0
    if t < 1.0:
        return (1.5 * t - 2.5) * t * t + 1.0
    if t < 2.0:
        return ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    return 0.0


@inlined
def _fill(weights: Floats, first: int, last: int, at: float, code: int, scale: float) -> float:
    """Fill weights of the taps [first, last) for a position, and return their sum.

    A widened kernel that is only looked at where pixels are has its middle a little beside the
    position; its weights are tilted a little, so that a ramp comes out exact.
    """
    total, moment = 0.0, 0.0
    for tap in range(first, last):
        distance = tap + 0.5 - at
        weight = _weight(code, abs(distance) / scale)
        weights[tap - first] = weight
        total += weight
        moment += weight * distance
    if scale > 1.0 and last - first > 1 and abs(moment) < _MOST_TILT * total:
        middle = 0.5 * (first + last) - at
        count = float(last - first)
        slope = moment * 12.0 / (count * (count * count - 1.0))
        for tap in range(first, last):
            weights[tap - first] -= slope * (tap + 0.5 - at - middle)
    return total


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
def _seen(
    valid: NDArray[np.bool_], wx: Floats, wy: Floats, x0: int, x1: int, y0: int, y1: int
) -> float:
    """Return the sum of the weights of pixels with data, -1e300 where all have some."""
    total = 0.0
    is_full = True
    for y in range(y0, y1):
        for x in range(x0, x1):
            if valid[y, x]:
                total += wy[y - y0] * wx[x - x0]
            else:
                is_full = False
    return -1e300 if is_full else total


@inlined
def _blend(
    values: NDArray[Any], band: int, wx: Floats, wy: Floats, x0: int, x1: int, y0: int, y1: int
) -> float:
    result = 0.0
    for y in range(y0, y1):
        part = 0.0
        for x in range(x0, x1):
            part += wx[x - x0] * values[band, y, x]
        result += wy[y - y0] * part
    return result


@inlined
def _blend_seen(
    values: NDArray[Any],
    valid: NDArray[np.bool_],
    band: int,
    wx: Floats,
    wy: Floats,
    x0: int,
    x1: int,
    y0: int,
    y1: int,
) -> float:
    result = 0.0
    for y in range(y0, y1):
        for x in range(x0, x1):
            if valid[y, x]:
                result += wy[y - y0] * wx[x - x0] * values[band, y, x]
    return result


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
    code: int,
    scale_x: float,
    scale_y: float,
    is_whole: bool,
    low: float,
    high: float,
    out: NDArray[Any],
    out_valid: NDArray[np.bool_],
) -> None:
    """Fill out (B,h,w) and out_valid (h,w) from values (B,H,W) and valid (H,W), (0,0) for all.

    Nodes: block positions every step_x, step_y output pixels. scale: source pixels a unit of
    the kernel. low, high: what whole numbers are cut to.
    """
    bands, height, width = values.shape
    _, rows, columns = out.shape
    reach_x, reach_y = code * scale_x, code * scale_y
    wx, wy = np.empty(int(2.0 * reach_x) + 3), np.empty(int(2.0 * reach_y) + 3)
    xs, ys = np.empty(columns), np.empty(columns)
    for row in range(rows):
        _row_positions(x_nodes, y_nodes, step_x, (row + 0.5) / step_y, xs, ys)
        _cover(xs, ys, valid, values.shape, out_valid[row])
        if code == 0:
            _nearest_row(values, xs, ys, row, out, out_valid)
            continue
        for column in range(columns):
            if not out_valid[row, column]:
                continue
            sx, sy = xs[column], ys[column]
            x0 = max(int(np.ceil(sx - 0.5 - reach_x)), 0)
            x1 = min(int(np.floor(sx - 0.5 + reach_x)) + 1, width)
            y0 = max(int(np.ceil(sy - 0.5 - reach_y)), 0)
            y1 = min(int(np.floor(sy - 0.5 + reach_y)) + 1, height)
            total = _fill(wx, x0, x1, sx, code, scale_x) * _fill(wy, y0, y1, sy, code, scale_y)
            seen = _seen(valid, wx, wy, x0, x1, y0, y1) if valid.size > 0 else -1e300
            for band in range(bands):
                if seen == -1e300:
                    result = _blend(values, band, wx, wy, x0, x1, y0, y1) / total
                else:
                    result = _blend_seen(values, valid, band, wx, wy, x0, x1, y0, y1) / seen
                if is_whole:
                    result = min(max(np.floor(result + 0.5), low), high)
                out[band, row, column] = result
