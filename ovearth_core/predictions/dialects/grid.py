"""The grids of numbers in which models write positions, and the way from them to pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

Floats = NDArray[np.float64]
Size = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """Numbers from 0 to `highest` that stand for (number + shift) / per of the width or height.

    None for `highest` and `per`: pixels of the image as the model saw it. y_first: positions are
    written y, x.
    """

    highest: float | None = None
    per: float | None = None
    shift: float = 0.0
    y_first: bool = False

    @property
    def needs_input_size(self) -> bool:
        """Whether numbers are pixels of the image as the model saw it."""
        return self.per is None

    def positions(self, numbers: Sequence[float], size: Size, seen: Size | None) -> Floats:
        """Return positions (N, 2), x and y in pixels, of numbers as they are written.

        size: width and height of the image; seen: as the model saw it. InputError, without a place,
        for a number that is not on the grid.
        """
        pairs = np.array(numbers, np.float64).reshape(-1, 2)
        if self.y_first:
            pairs = pairs[:, ::-1]
        per = np.array([self.per, self.per] if seen is None else seen, np.float64)
        highest = per if self.highest is None else np.full(2, self.highest)
        wrong = ~((pairs >= 0) & (pairs <= highest))
        if wrong.any():
            row, axis = np.argwhere(wrong)[0].tolist()
            what = f"{pairs[row, axis]:g} is not between 0 and {highest[axis]:g}"
            mend = "name the dialect that the model speaks"
            if self.needs_input_size:
                mend = "say the size of the image as the model saw it: input_size"
            raise InputError(what, mend=mend)
        return np.asarray((pairs + self.shift) / per * np.array(size, np.float64))

    def box(self, numbers: Sequence[float], size: Size, seen: Size | None) -> Floats:
        """Return the box (4,) in pixels; InputError for reversed corners too."""
        corners = self.positions(numbers, size, seen)
        if (corners[1] < corners[0]).any():
            listed = ", ".join(f"{number:g}" for number in numbers)
            order = "y0, x0, y1, x1" if self.y_first else "x0, y0, x1, y1"
            raise InputError(f"a reversed box {listed}", mend=f"the dialect has {order}")
        return corners.reshape(4)

    def boxes(self, numbers: Sequence[Sequence[float]], size: Size, seen: Size | None) -> Floats:
        """Return boxes (N, 4) in pixels, all looked at together; raises as `box` does."""
        if not numbers:
            return np.empty((0, 4))
        flat = [number for box in numbers for number in box]
        boxes = self.positions(flat, size, seen).reshape(-1, 4)
        reversed_ = (boxes[:, 2:] < boxes[:, :2]).any(axis=1)
        if reversed_.any():
            self.box(numbers[int(np.argmax(reversed_))], size, seen)
        return boxes


# Pixels of the image itself, or of what the model saw.
PIXELS = Grid()
