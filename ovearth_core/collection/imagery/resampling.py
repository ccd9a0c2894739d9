"""A block of source pixels carried onto an output grid, by a kernel that is named.

Downsampling widens the kernel, so that nothing is skipped; otherwise it is one source pixel wide.
Pixels without data have no weight; a pixel of the output has data where the source pixel under
its centre has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels import compiled_body, same_kind
from .source import RESAMPLINGS, Mask, Values

Floats = NDArray[np.float64]

# Pixels of the output that NumPy works on at once, to bound memory.
_STRIP = 1 << 17
# Weights are looked up: a position is rounded to so many parts of a source pixel.
_PHASES = 1024
# As in the compiled body.
_LEAST_SEEN = 0.25
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
    across, down = (kernel_table(code, width) for width in widths)
    if (body := compiled_body("resample_rows")) is not None:
        mask = np.zeros((0, 0), np.bool_) if valid is None else valid
        body(
            same_kind(values), same_kind(mask), same_kind(nodes.x), same_kind(nodes.y),
            nodes.step_x, nodes.step_y, across, down, is_whole, *limits, out, out_valid,
        )  # fmt: skip
        return out, out_valid
    rows = max(1, _STRIP // shape[1])
    for top in range(0, shape[0], rows):
        strip = slice(top, min(top + rows, shape[0]))
        x, y = _positions(nodes, strip, shape[1])
        _resample_strip(values, valid, x, y, across, down, out[:, strip], out_valid[strip])
    return out, out_valid


@lru_cache(maxsize=64)
def kernel_table(code: int, scale: float) -> Floats:
    """Return the weights (phases + 1, taps) of a kernel, each row's sum 1; no taps for nearest.

    A row's taps are the pixels from taps/2 - 1 before a position's left neighbour on. A widened
    kernel that is only looked at where pixels are has its middle a little beside the position; its
    weights are tilted a little, so that a ramp comes out exact.
    """
    if code == 0:
        return same_kind(np.zeros((_PHASES + 1, 0)))
    reach = code * scale
    half = int(np.ceil(reach))
    phase = np.arange(_PHASES + 1)[:, None] / _PHASES
    distance = np.arange(1 - half, half + 1)[None] - phase
    weights = _kernel(code, np.abs(distance) / scale)
    weights = weights / weights.sum(axis=1, keepdims=True)
    moment = (weights * distance).sum(axis=1, keepdims=True)
    spread = distance - distance.mean(axis=1, keepdims=True)
    weights = weights - moment * spread / (spread * spread).sum(axis=1, keepdims=True)
    return same_kind(np.ascontiguousarray(weights))


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
    across: Floats,
    down: Floats,
    out: Values,
    out_valid: Mask,
) -> None:
    height, width = values.shape[1:]
    near_x, near_y = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    inside = (near_x >= 0) & (near_y >= 0) & (near_x < width) & (near_y < height)
    near_x, near_y = near_x.clip(0, width - 1), near_y.clip(0, height - 1)
    out_valid[...] = inside if valid is None else inside & valid[near_y, near_x]
    if not across.size:
        out[...] = np.where(out_valid, values[:, near_y, near_x], 0)
        return
    result, total = np.zeros(out.shape), np.zeros(x.shape)
    columns = list(_taps(x, across, width))
    for tap_y, weight_y in _taps(y, down, height):
        for tap_x, weight_x in columns:
            weight = weight_y * weight_x
            if valid is None:
                result += values[:, tap_y, tap_x] * weight
            else:
                seen = valid[tap_y, tap_x]
                weight = weight * seen
                result += np.where(seen, values[:, tap_y, tap_x], 0) * weight
            total += weight
    with np.errstate(divide="ignore", invalid="ignore"):
        result /= total
    # Few pixels with data, all on a kernel's edge, would be magnified.
    result = np.where(total < _LEAST_SEEN, values[:, near_y, near_x], result)
    if out.dtype.kind in "iu":
        result = np.floor(result + 0.5).clip(*_limits(out.dtype))
    out[...] = np.where(out_valid, result, 0)


def _taps(at: Floats, table: Floats, size: int) -> Iterator[tuple[Any, Floats]]:
    """Yield, tap by tap, source indices (cut to the block) and weights (0 outside of it)."""
    left = np.floor(at - 0.5)
    phase = ((at - 0.5 - left) * _PHASES + 0.5).astype(np.int64)
    first = left.astype(np.int64) + 1 - table.shape[1] // 2
    for tap in range(table.shape[1]):
        index = first + tap
        weight = np.where((index >= 0) & (index < size), table[phase, tap], 0.0)
        yield index.clip(0, size - 1), weight


def _limits(kind: np.dtype[Any]) -> tuple[float, float]:
    """Return the least and the greatest of a type of whole numbers."""
    if kind.kind not in "iu":
        return -np.inf, np.inf
    return float(np.iinfo(kind).min), float(np.iinfo(kind).max)


def _kernel(code: int, t: Floats) -> Floats:
    if code == 1:
        return np.asarray(np.maximum(1.0 - t, 0.0))
    near = (1.5 * t - 2.5) * t * t + 1.0
    far = ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0
    return np.asarray(np.where(t < 1.0, near, np.where(t < 2.0, far, 0.0)))
