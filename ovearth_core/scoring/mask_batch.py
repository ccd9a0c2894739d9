"""The masks of some answers, compared with their truth in one go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image
from ..errors import InputError
from ..geometry import Runs, intersection_area, rle_areas

Ints = NDArray[np.int64]

_NO_BOUNDS: Ints = np.zeros(0, dtype=np.int64)
_RLE_KEYS = {"size", "counts"}


def compressed_counts(mask: Any, image: Image) -> str | None:
    """Return the counts of a compressed RLE at the image's size; None for any other mask."""
    if type(mask) is not dict or mask.keys() != _RLE_KEYS:
        return None
    counts = mask["counts"]
    is_plain = type(counts) is str and mask["size"] == [image.height, image.width]
    return counts if is_plain else None


class MaskBatch:
    """Masks gathered for one comparison: compressed RLEs as they are, others as runs.

    `rows`: those of the batch that have a mask.
    """

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._plain: list[tuple[int, str, int, Ints]] = []
        self._areas: dict[int, tuple[int, int]] = {}

    def add_counts(self, row: int, counts: str, image: Image, true: Runs | None) -> None:
        """Add a compressed RLE of the image's size, to be read when it is compared."""
        self.rows.append(row)
        bounds = _NO_BOUNDS if true is None else true.bounds
        self._plain.append((row, counts, image.height * image.width, bounds))

    def add_runs(self, row: int, predicted: Runs, true: Runs | None) -> None:
        """Add a mask of any other kind."""
        self.rows.append(row)
        common = 0 if true is None else intersection_area(true, predicted)
        self._areas[row] = predicted.area, common

    def compare(self, rows: int) -> Ints:
        """Return (rows, 2) pixels predicted and common with the truth, 0 where there is no mask.

        Raises InputError, without a word of which, where an RLE is faulty.
        """
        areas = np.zeros((rows, 2), dtype=np.int64)
        for row, both in self._areas.items():
            areas[row] = both
        if self._plain:
            own, counts, sizes, truths = zip(*self._plain, strict=True)
            found = rle_areas(counts, np.array(sizes), truths)
            if (found < 0).any():
                raise InputError("a faulty RLE")
            areas[list(own)] = found
        return areas
