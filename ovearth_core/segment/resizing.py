"""Images made larger or smaller by a triangle filter, as the SAM family's own code does it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def resized(pixels: NDArray[np.uint8], height: int, width: int) -> Floats:
    """Return the image (H, W, C) as (height, width, C), values 0 to 255.

    Bilinear when it grows; when it shrinks the triangle is as wide as the step, so that nothing is
    skipped (Pillow's BILINEAR, torchvision's antialias, both without rounding in between).
    """
    values = pixels.astype(np.float32)
    # The cheaper axis first.
    if height * pixels.shape[1] <= width * pixels.shape[0]:
        return _along(_along(values, height, 0), width, 1)
    return _along(_along(values, width, 1), height, 0)


def _along(values: Floats, size: int, axis: int) -> Floats:
    before = values.shape[axis]
    if before == size:
        return values
    first, weights = _taps(before, size)
    moved = np.moveaxis(values, axis, 0)
    shape = (size,) + (1,) * (values.ndim - 1)
    total = np.zeros((size, *moved.shape[1:]), np.float32)
    for tap in range(weights.shape[1]):
        place = np.minimum(first + tap, before - 1)
        total += weights[:, tap].reshape(shape) * moved[place]
    return np.moveaxis(total, 0, axis)


def _taps(before: int, after: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the first pixel (after,) and the weights (after, T) of the pixels from it on."""
    step = before / after
    reach = max(step, 1.0)
    centre = (np.arange(after) + 0.5) * step
    first = np.maximum(np.floor(centre - reach).astype(np.int64), 0)
    count = int(np.ceil(2.0 * reach)) + 2
    places = first[:, None] + np.arange(count)
    weights = np.maximum(1.0 - np.abs(places + 0.5 - centre[:, None]) / reach, 0.0)
    weights[places >= before] = 0.0
    weights /= weights.sum(axis=1, keepdims=True)
    return first, weights.astype(np.float32)
