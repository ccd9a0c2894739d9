"""Where the pixels of a raster lie that polynomials place: control points, or RPCs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...crs import LONLAT, ellipsoid_axes, same_crs
from ...errors import FrameError, MissingPackageError
from ...ground import GroundFrame
from ...operation import Points, choose_operation, seam
from .raster_library import faults

# Metres about a place over which control points and RPCs are taken to be linear.
_REACH_M = 5.0


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
    """Return the placing by ground control points, a polynomial of the order that fits them.

    Points on both sides of ±180° are taken to lie beside each other, whichever way they are
    written, and so is what is asked about: to a polynomial 179.9 and -179.9 are far apart.
    """
    _need_rasterio("ground control points")
    from rasterio.control import GroundControlPoint
    from rasterio.transform import GCPTransformer

    closing = seam(crs)
    x = np.array([point.x for point in gcps], np.float64)
    if closing is not None:
        x = _in_one_piece(x, abs(closing.period))
    middle = float(x.min() + x.max()) / 2.0
    beside = [
        GroundControlPoint(point.row, point.col, float(at), point.y, point.z)
        for point, at in zip(gcps, x, strict=True)
    ]
    with _said_of("ground control points"):
        fit = GCPTransformer(beside)

    def to_pixel(xy: Points) -> Points:
        x = xy[:, 0]
        if closing is not None:
            x = x - np.round((x - middle) / closing.period) * closing.period
        with _said_of("ground control points"):
            # An identity instead of the floor that rasterio takes by default.
            rows, columns = fit.rowcol(x, xy[:, 1], op=np.positive)
        return np.column_stack([columns, rows])

    return FittedPlacing(crs, to_pixel)


def _in_one_piece(x: NDArray[np.float64], period: float) -> NDArray[np.float64]:
    """Return positions on a circle with its widest gap outside, where that leaves half of it.

    As they are where they don't reach so far, and where they go around the world.
    """
    if np.ptp(x) < period / 2.0:
        return x
    around = np.sort(x % period)
    gaps = np.diff(around, append=around[0] + period)
    start = around[(np.argmax(gaps) + 1) % len(around)]
    joined = start + (x - start) % period
    return joined if np.ptp(joined) < period / 2.0 else x


def placed_by_rpcs(rpcs: Any) -> FittedPlacing:
    """Return the placing by RPCs, the ground taken to be flat at their own mean height.

    On both sides of ±180° alike: GDAL looks for the nearest turn of a longitude itself.
    """
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
