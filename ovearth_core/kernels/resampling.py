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


@kernel
def _fill(weights: Floats, first: int, last: int, at: float, code: int, scale: float) -> float:
    """Fill weights of the taps [first, last) for a position, and return their sum.

    A widened kernel that is only looked at where pixels are has its middle a little beside the
    position; it is tilted, so that a ramp comes out exact.
    """
    total, moment, spread = 0.0, 0.0, 0.0
    for tap in range(first, last):
        distance = tap + 0.5 - at
        weight = _weight(code, abs(distance) / scale)
        weights[tap - first] = weight
        total += weight
        moment += weight * distance
        spread += weight * distance * distance
    if scale > 1.0:
        mean = moment / total
        variance = spread / total - mean * mean
        if variance > 0.0 and abs(mean) < _MOST_TILT:
            for tap in range(first, last):
                weights[tap - first] *= 1.0 - mean / variance * (tap + 0.5 - at - mean)
    return total


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

    Nodes: block positions every step_x, step_y output pixels. scale: source pixels a unit of the kernel.
    low, high: what whole numbers are cut to.
    """
    bands, height, width = values.shape
    _, rows, columns = out.shape
    has_mask = valid.size > 0
    reach_x, reach_y = code * scale_x, code * scale_y
    wx = np.empty(int(2.0 * reach_x) + 3)
    wy = np.empty(int(2.0 * reach_y) + 3)
    for row in range(rows):
        gy = (row + 0.5) / step_y
        node_row = min(int(gy), x_nodes.shape[0] - 2)
        v = gy - node_row
        for column in range(columns):
            gx = (column + 0.5) / step_x
            node = min(int(gx), x_nodes.shape[1] - 2)
            u = gx - node
            left = x_nodes[node_row, node] * (1.0 - v) + x_nodes[node_row + 1, node] * v
            right = x_nodes[node_row, node + 1] * (1.0 - v) + x_nodes[node_row + 1, node + 1] * v
            sx = left * (1.0 - u) + right * u
            left = y_nodes[node_row, node] * (1.0 - v) + y_nodes[node_row + 1, node] * v
            right = y_nodes[node_row, node + 1] * (1.0 - v) + y_nodes[node_row + 1, node + 1] * v
            sy = left * (1.0 - u) + right * u
            near_x, near_y = int(np.floor(sx)), int(np.floor(sy))
            if near_x < 0 or near_y < 0 or near_x >= width or near_y >= height:
                continue
            if has_mask and not valid[near_y, near_x]:
                continue
            out_valid[row, column] = True
            if code == 0:
                for band in range(bands):
                    out[band, row, column] = values[band, near_y, near_x]
                continue
            x0 = max(int(np.ceil(sx - 0.5 - reach_x)), 0)
            x1 = min(int(np.floor(sx - 0.5 + reach_x)) + 1, width)
            y0 = max(int(np.ceil(sy - 0.5 - reach_y)), 0)
            y1 = min(int(np.floor(sy - 0.5 + reach_y)) + 1, height)
            total = _fill(wx, x0, x1, sx, code, scale_x) * _fill(wy, y0, y1, sy, code, scale_y)
            is_full = True
            if has_mask:
                masked = 0.0
                for y in range(y0, y1):
                    for x in range(x0, x1):
                        if valid[y, x]:
                            masked += wy[y - y0] * wx[x - x0]
                        else:
                            is_full = False
                if not is_full:
                    total = masked
            for band in range(bands):
                result = 0.0
                for y in range(y0, y1):
                    part = 0.0
                    if is_full:
                        for x in range(x0, x1):
                            part += wx[x - x0] * values[band, y, x]
                    else:
                        for x in range(x0, x1):
                            if valid[y, x]:
                                part += wx[x - x0] * values[band, y, x]
                    result += wy[y - y0] * part
                result /= total
                if is_whole:
                    result = min(max(np.floor(result + 0.5), low), high)
                out[band, row, column] = result
