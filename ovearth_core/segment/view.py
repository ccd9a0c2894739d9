"""The part of an image that a model is shown, and how coarsely; coordinates there and back."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from ..geometry import Runs
from ..geometry.rings import Polygon

MOST_PX = 2048

# Views begin at multiples of this, so that things near each other share one.
_RASTER = 8
# A thing pointed at has at least this part of the view around it on each side, image permitting.
_MARGIN = 0.125

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """Pixels left to left + width, top to top + height of an image, as `columns` x `rows`."""

    left: int
    top: int
    width: int
    height: int
    columns: int
    rows: int

    @classmethod
    def whole(cls, width: int, height: int, most: int = MOST_PX) -> View:
        """Return the view of a whole image, its longer side at most `most` pixels."""
        return cls._shrunk(0, 0, width, height, most)

    @classmethod
    def around(
        cls, extent: Floats, width: int, height: int, most: int = MOST_PX, least: int = 0
    ) -> View:
        """Return a view that holds an extent (4,) of an image of width x height pixels.

        The whole image where that has at most `most` pixels a side. Else a window of that size
        about the extent, or, where the extent with its margin or `least` is larger, a larger window
        shown coarser.
        """
        if max(width, height) <= most:
            return cls.whole(width, height, most)
        spans = extent[2:] - extent[:2]
        side = max(float(most), float(least), float(spans.max()) / (1.0 - 2.0 * _MARGIN))
        (left, across), (top, down) = (
            _placed(middle, side, size)
            for middle, size in zip((extent[:2] + extent[2:]) / 2.0, (width, height), strict=True)
        )
        return cls._shrunk(left, top, across, down, most)

    @classmethod
    def _shrunk(cls, left: int, top: int, width: int, height: int, most: int) -> View:
        step = max(1.0, max(width, height) / most)
        shown = [max(1, round(side / step)) for side in (width, height)]
        return cls(left, top, width, height, shown[0], shown[1])

    @property
    def step(self) -> Floats:
        """How many pixels of the image one of the view's is wide and high (2,)."""
        return np.array([self.width / self.columns, self.height / self.rows])

    def from_image(self, xy: Floats) -> Floats:
        """Return points (N, 2) of the image in pixels of the view."""
        return (xy - [self.left, self.top]) / self.step

    def to_image(self, xy: Floats) -> Floats:
        """Return points (N, 2) of the view in pixels of the image."""
        return xy * self.step + [self.left, self.top]

    def polygons_to_image(self, polygons: list[Polygon]) -> list[Polygon]:
        """Return polygons of the view in pixels of the image."""
        return [[self.to_image(ring) for ring in rings] for rings in polygons]

    def holds(self, extent: Floats, width: int, height: int) -> bool:
        """Whether an extent (4,) lies in the view with its margin, which an image's edge ends."""
        margin = _MARGIN / 2.0 * np.array([self.width, self.height])
        low = np.array([self.left, self.top], np.float64)
        high = low + np.array([self.width, self.height])
        low = np.where(low > 0, low + margin, -np.inf)
        high = np.where(high < [width, height], high - margin, np.inf)
        return bool((extent[:2] >= low).all() and (extent[2:] <= high).all())

    def cuts(self, mask: NDArray[np.bool_], width: int, height: int) -> bool:
        """Whether a mask (rows, columns) touches an edge of the view inside of the image."""
        edges = (
            (self.left > 0, mask[:, 0]),
            (self.top > 0, mask[0]),
            (self.left + self.width < width, mask[:, -1]),
            (self.top + self.height < height, mask[-1]),
        )
        return any(is_inside and bool(edge.any()) for is_inside, edge in edges)

    def runs_in_image(self, mask: NDArray[np.bool_], width: int, height: int) -> Runs:
        """Return a mask (rows, columns) of the view as runs of an image of width x height."""
        shown = mask
        if (self.rows, self.columns) != (self.height, self.width):
            rows, columns = (
                np.minimum(((np.arange(size) + 0.5) * count / size).astype(np.int64), count - 1)
                for size, count in ((self.height, self.rows), (self.width, self.columns))
            )
            shown = mask[rows][:, columns]
        # Whole columns only: their runs lie as far apart as the columns do.
        strip = np.zeros((height, self.width), np.bool_)
        strip[self.top : self.top + self.height] = shown
        bounds = Runs.from_array(strip).bounds + self.left * height
        return Runs(height, width, bounds)


def _placed(middle: float, side: float, size: int) -> tuple[int, int]:
    """Return where a window of `side` about `middle` begins within 0 to size, and its length."""
    length = min(size, ceil(side))
    first = floor((middle - length / 2.0) / _RASTER) * _RASTER
    return max(0, min(first, size - length)), length
