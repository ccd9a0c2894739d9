"""Where the pixels of a raster lie: what all ways to say so have in common, and the affine one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...crs import same_crs
from ...errors import FrameError
from ...frame import ImageFrame
from ...operation import Points, seam

# So many times longer than wide, a pixel is the work of a projection near its end.
_SLIVER = 16.0


class Placing(Protocol):
    """The way from a CRS to a raster's pixels."""

    @property
    def turn(self) -> NDArray[np.float64] | None:
        """One turn of the world in pixels (x, y), None where the x axis doesn't close."""

    def to_pixel(self, xy: Points, crs: str) -> Points:
        """Return pixel positions (N,2) of map points of a CRS; FrameError where there are none."""

    def gsd_m(self, lon: float, lat: float) -> float:
        """Return the metres of true ground of a pixel at a place (root of its area)."""


@dataclass(frozen=True)
class AffinePlacing:
    """A raster with a CRS and a transform."""

    frame: ImageFrame

    def to_pixel(self, xy: Points, crs: str) -> Points:
        """Return pixel positions (N,2) of map points of a CRS; FrameError where there are none."""
        return self.frame.map_to_pixel(xy, crs=crs)

    def gsd_m(self, lon: float, lat: float) -> float:
        """Return the metres of true ground of the pixel at a place."""
        x, y = self.frame.lonlat_to_pixel(np.array([[lon, lat]]))[0]
        # A place on the lower or right edge belongs to the last pixel.
        column = min(int(np.floor(x)), self.frame.width - 1)
        pixel = self.window(column, min(int(np.floor(y)), self.frame.height - 1), 1, 1)
        return max(float(pixel.gsd() or np.nan), _least_real_m(pixel))

    def window(self, left: int, top: int, width: int, height: int) -> ImageFrame:
        """Return the frame of a window of the raster's own grid."""
        if self.frame.transform is None:
            raise FrameError("the raster has no transform")
        a, b, c, d, e, f = self.frame.transform
        moved = (a, b, a * left + b * top + c, d, e, d * left + e * top + f)
        return ImageFrame(self.frame.crs, moved, width, height)

    def own_offset(self, frame: ImageFrame) -> tuple[int, int] | None:
        """Return the left and top pixel of a frame on this very grid, None for any other."""
        mine, its = self.frame.transform, frame.transform
        if mine is None or its is None or frame.crs is None or self.frame.crs is None:
            return None
        a, b, c, d, e, f = mine
        if (a, b, d, e) != (its[0], its[1], its[3], its[4]):
            return None
        if not same_crs(frame.crs, self.frame.crs):
            return None
        u, v, det = its[2] - c, its[5] - f, a * e - b * d
        left, top = (e * u - b * v) / det, (a * v - d * u) / det
        if max(abs(left - round(left)), abs(top - round(top))) > 1e-4:
            return None
        return round(left), round(top)

    @cached_property
    def turn(self) -> NDArray[np.float64] | None:
        """One turn of the world in pixels (x, y), None where the x axis doesn't close."""
        closing = seam(self.frame.crs) if self.frame.crs else None
        if closing is None or not closing.linear or self.frame.transform is None:
            return None
        a, b, _, d, e, _ = self.frame.transform
        det = a * e - b * d
        return np.array([e * closing.period / det, -d * closing.period / det])


def _least_real_m(pixel: ImageFrame) -> float:
    """Return the longer side of a pixel that is a mere sliver, 0 for any other.

    Next to a pole of a grid in degrees, pixels are some metres wide and kilometres long: the root
    of their area is no size of what can be seen there.
    """
    half = np.array([[0.0, 0.5], [1.0, 0.5], [0.5, 0.0], [0.5, 1.0]])
    try:
        west, east, north, south = pixel.pixel_to_ground(half)
    except FrameError:
        return 0.0
    sides = np.hypot(*(east - west)), np.hypot(*(south - north))
    return float(max(sides)) if max(sides) > _SLIVER * min(sides) else 0.0
