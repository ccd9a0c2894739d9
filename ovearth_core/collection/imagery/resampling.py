"""A block of source pixels carried onto an output grid, by a kernel that is named.

Downsampling widens the kernel, so that nothing is skipped; otherwise it is one source pixel wide.
Pixels without data have no weight; a pixel of the output has data where the source pixel under
its centre has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels import compiled_body, same_kind
from .source import RESAMPLINGS, Mask, Values

Floats = NDArray[np.float64]

# Pixels of the output that NumPy works on at once, to bound memory.
_STRIP = 1 << 17
# As in the compiled body.
_MOST_TILT = 0.2
# A source that is hardly finer than the output is not smoothed.
_SAME_SCALE = 1.05


@dataclass(frozen=True)
class Nodes:
    """Block positions x, y (rows, columns), every step_x, step_y pixels of an output's extent."""

    x: Floats
    y: Floats
    step_x: float
    step_y: float


def resample(
    values: Values,
    valid: Mask | None,
    nodes: Nodes,
    shape: tuple[int, int],
    resampling: str,
    scale: tuple[float, float],
) -> tuple[Values, Mask]:
    """Return values (B,*shape) and where they are valid, from a block (B,H,W).

    valid: (H,W), None where all is. scale: source pixels an output pixel, in x and y.
    """
    code = RESAMPLINGS.index(resampling)
    widths = [max(1.0, s) if s > _SAME_SCALE else 1.0 for s in scale]
    out = np.zeros((len(values), *shape), values.dtype)
    out_valid = np.zeros(shape, np.bool_)
    is_whole = values.dtype.kind in "iu"
    limits = _limits(values.dtype)
    if (body := compiled_body("resample_rows")) is not None:
        mask = np.zeros((0, 0), np.bool_) if valid is None else valid
        body(
            same_kind(values), same_kind(mask), same_kind(nodes.x), same_kind(nodes.y),
            nodes.step_x, nodes.step_y, code, *widths, is_whole, *limits, out, out_valid,
        )  # fmt: skip
        return out, out_valid
    rows = max(1, _STRIP // shape[1])
    for top in range(0, shape[0], rows):
        strip = slice(top, min(top + rows, shape[0]))
        x, y = _positions(nodes, strip, shape[1])
        _resample_strip(values, valid, x, y, code, widths, out[:, strip], out_valid[strip])
    return out, out_valid


def _positions(nodes: Nodes, rows: slice, width: int) -> tuple[Floats, Floats]:
    """Return block positions (rows, width) of the centres of output pixels."""
    gy = (np.arange(rows.start, rows.stop) + 0.5) / nodes.step_y
    gx = (np.arange(width) + 0.5) / nodes.step_x
    j = np.minimum(gy.astype(np.int64), nodes.x.shape[0] - 2)
    i = np.minimum(gx.astype(np.int64), nodes.x.shape[1] - 2)
    v, u = (gy - j)[:, None], (gx - i)[None]

    def between(node: Floats) -> Floats:
        left = node[j][:, i] * (1.0 - v) + node[j + 1][:, i] * v
        right = node[j][:, i + 1] * (1.0 - v) + node[j + 1][:, i + 1] * v
        return np.asarray(left * (1.0 - u) + right * u)

    return between(nodes.x), between(nodes.y)


def _resample_strip(
    values: Values,
    valid: Mask | None,
    x: Floats,
    y: Floats,
    code: int,
    widths: list[float],
    out: Values,
    out_valid: Mask,
) -> None:
    height, width = values.shape[1:]
    near_x, near_y = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    inside = (near_x >= 0) & (near_y >= 0) & (near_x < width) & (near_y < height)
    near_x, near_y = near_x.clip(0, width - 1), near_y.clip(0, height - 1)
    out_valid[...] = inside if valid is None else inside & valid[near_y, near_x]
    if code == 0:
        out[...] = np.where(out_valid, values[:, near_y, near_x], 0)
        return
    taps_x, weights_x = _taps(x, code, widths[0], width)
    taps_y, weights_y = _taps(y, code, widths[1], height)
    result = np.zeros(out.shape)
    total = np.zeros(x.shape)
    for tap_y, weight_y in zip(taps_y, weights_y, strict=True):
        for tap_x, weight_x in zip(taps_x, weights_x, strict=True):
            weight = weight_y * weight_x
            if valid is not None:
                seen = valid[tap_y, tap_x]
                weight = weight * seen
                result += np.where(seen, values[:, tap_y, tap_x], 0) * weight
            else:
                result += values[:, tap_y, tap_x] * weight
            total += weight
    with np.errstate(divide="ignore", invalid="ignore"):
        result /= total
    if out.dtype.kind in "iu":
        result = np.floor(result + 0.5).clip(*_limits(out.dtype))
    out[...] = np.where(out_valid, result, 0)


def _limits(kind: np.dtype[Any]) -> tuple[float, float]:
    """Return the least and the greatest of a type of whole numbers."""
    if kind.kind not in "iu":
        return -np.inf, np.inf
    return float(np.iinfo(kind).min), float(np.iinfo(kind).max)


def _taps(at: Floats, code: int, scale: float, size: int) -> tuple[list[Any], list[Floats]]:
    """Return, tap by tap, source indices (cut to the block) and weights (0 outside of it)."""
    reach = code * scale
    first = np.ceil(at - 0.5 - reach).astype(np.int64)
    indices = [first + tap for tap in range(int(2.0 * reach) + 2)]
    distances = [index + 0.5 - at for index in indices]
    seen = [
        (index >= 0) & (index < size) & (index <= np.floor(at - 0.5 + reach)) for index in indices
    ]
    weights = [
        np.where(there, _kernel(code, np.abs(distance) / scale), 0.0)
        for there, distance in zip(seen, distances, strict=True)
    ]
    if scale > 1.0:
        weights = _tilted(weights, distances, seen)
    return [index.clip(0, size - 1) for index in indices], weights


def _tilted(weights: list[Floats], distances: list[Floats], seen: list[Mask]) -> list[Floats]:
    """Return weights whose mean distance is zero, so that a ramp comes out exact.

    A widened kernel that is only looked at where pixels are has its middle a little beside the
    position. One cut off at an edge has it farther away, and stays as it is.
    """
    total: Floats = np.sum(weights, axis=0)
    moment: Floats = np.sum([w * d for w, d in zip(weights, distances, strict=True)], axis=0)
    count: Floats = np.sum(seen, axis=0, dtype=np.float64)
    middle = np.sum(np.where(seen, distances, 0.0), axis=0) / np.maximum(count, 1.0)
    is_tilted = (count > 1.0) & (np.abs(moment) < _MOST_TILT * total)
    taps = np.maximum(count * (count * count - 1.0), 1.0)
    slope = np.where(is_tilted, moment * 12.0 / taps, 0.0)
    return [
        w - np.where(there, slope * (d - middle), 0.0)
        for w, d, there in zip(weights, distances, seen, strict=True)
    ]


def _kernel(code: int, t: Floats) -> Floats:
    if code == 1:
        return np.asarray(np.maximum(1.0 - t, 0.0))
    near = (1.5 * t - 2.5) * t * t + 1.0
    far = ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    return np.asarray(np.where(t < 1.0, near, np.where(t < 2.0, far, 0.0)))
