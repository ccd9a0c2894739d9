"""A block of source pixels carried onto an output grid, by a kernel that is named.

Downsampling widens the kernel, so that nothing is skipped; otherwise it is one source pixel wide.
Pixels without data have no weight; a pixel of the output has data where the source pixel under
its centre has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels import compiled_body, same_kind
from .numpy_resampling import resample_tiles
from .source import RESAMPLINGS, Mask, Values

Floats = NDArray[np.float64]

# Weights are looked up: a position is rounded to so many parts of a source pixel.
_PHASES = 1024
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
    resample_tiles(values, valid, nodes, (across, down), limits, out, out_valid)
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
