"""How large targets are on their images, and COCO's three sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .model import Benchmark
from .truth import Truth

Ints = NDArray[np.int64]
# Called with the share that is done, 0 to 1; it may raise to stop.
Progress = Callable[[float], None]

# COCO's sizes by the target's pixels.
SIZES = ("small", "medium", "large")
_SIZE_BOUNDS = np.array([32**2, 96**2])
_AT_ONCE = 256


def target_areas(benchmark: Benchmark, truth: Truth, progress: Progress | None = None) -> Ints:
    """Return the pixels (T,) of each target's mask, of its boxes where it has none, else 0.

    Raises TruthError where the truth can't be read.
    """
    ids = benchmark.columns.targets.ids.tolist()
    areas = np.zeros(len(ids), dtype=np.int64)
    for place, target_id in enumerate(ids):
        if progress is not None and place % _AT_ONCE == 0:
            progress(place / len(ids))
        areas[place] = truth.mask_area(target_id) or _box_area(truth, target_id)
    return areas


def size_places(areas: Ints) -> NDArray[np.int8]:
    """Return the place in SIZES of each area in pixels, (N,)."""
    return np.searchsorted(_SIZE_BOUNDS, areas, side="right").astype(np.int8)


def _box_area(truth: Truth, target_id: int) -> int:
    sides = [box[2:] - box[:2] for box in truth.hbb(target_id)]
    return round(sum(float(width * height) for width, height in sides))
