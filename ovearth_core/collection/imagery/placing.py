"""Where the pixels of a raster lie: by an affine transform, by control points, or by RPCs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...crs import LONLAT, ellipsoid_axes, same_crs
from ...errors import FrameError, MissingPackageError
from ...frame import ImageFrame
from ...ground import GroundFrame
from ...operation import Points, choose_operation, seam
from .raster_library import faults

# Metres about a place over which control points and RPCs are taken to be linear.
_REACH_M = 5.0
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


@dataclass(frozen=True)
class FittedPlacing:
    """A raster placed by control points or RPCs: `fitted` takes x, y of `crs` to pixels.

    GDAL's own polynomials, so that it lies where every program that uses GDAL puts it.
    """

    crs: str
    fitted: Callable[[Points], Points]
    turn: NDArray[np.float64] | None = None

    def to_pixel(self, xy: Points, crs: str) -> Points:
        """Return pixel positions (N,2) of map points of a CRS; FrameError where there are none."""
        there = xy if same_crs(crs, self.crs) else choose_operation(crs, self.crs).forward(xy)
        found = self.fitted(there)
        if not np.isfinite(found).all():
            raise FrameError("a point lies nowhere in the raster", mend="look at its extent")
        return found

    def gsd_m(self, lon: float, lat: float) -> float:
        """Return the metres of true ground of a pixel at a place (root of its area)."""
        ground = GroundFrame(lon, lat, *ellipsoid_axes(LONLAT))
        r = _REACH_M
        around = ground.to_lonlat(np.array([[-r, 0.0], [r, 0.0], [0.0, -r], [0.0, r]]))
        west, east, south, north = self.to_pixel(around, LONLAT)
        (a, d), (b, e) = (east - west) / (2.0 * r), (north - south) / (2.0 * r)
        return float(1.0 / np.sqrt(abs(a * e - b * d)))


def placed_by_points(gcps: Any, crs: str) -> FittedPlacing:
    """Return the placing by ground control points, a polynomial of the order that fits them."""
    _need_rasterio("ground control points")
    from rasterio.transform import GCPTransformer

    with _said_of("ground control points"):
        fit = GCPTransformer(gcps)

    def to_pixel(xy: Points) -> Points:
        with _said_of("ground control points"):
            # An identity instead of the floor that rasterio takes by default.
            rows, columns = fit.rowcol(xy[:, 0], xy[:, 1], op=np.positive)
        return np.column_stack([columns, rows])

    return FittedPlacing(crs, to_pixel)


def placed_by_rpcs(rpcs: Any) -> FittedPlacing:
    """Return the placing by RPCs, the ground taken to be flat at their own mean height."""
    _need_rasterio("rational polynomials (RPC)")
    from rasterio.transform import RPCTransformer

    with _said_of("rational polynomials (RPC)"):
        fit = RPCTransformer(rpcs)
    height_m = float(rpcs.height_off)

    def to_pixel(xy: Points) -> Points:
        heights = np.full(len(xy), height_m)
        with _said_of("rational polynomials (RPC)"):
            rows, columns = fit.rowcol(xy[:, 0], xy[:, 1], heights, op=np.positive)
        return np.column_stack([columns, rows])

    return FittedPlacing(LONLAT, to_pixel)


@contextmanager
def _said_of(what: str) -> Iterator[None]:
    """Turn what GDAL says of a fit into a FrameError: points too few, or on one line."""
    try:
        yield
    except faults() as fault:
        raise FrameError(f"its {what} place it nowhere ({fault})", "", "look at them") from None


def _need_rasterio(what: str) -> None:
    if find_spec("rasterio") is None:
        raise MissingPackageError(
            f"a raster with only {what} needs rasterio",
            mend="pip install rasterio, or warp it first",
        )
