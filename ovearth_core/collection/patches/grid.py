"""The frame of a patch: how large, how fine, on which grid, and where about its place."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...errors import FrameError, UsageError
from ...frame import ImageFrame, Transform
from ...operation import choose_operation
from ...spelling import nearest
from ..imagery import Source
from .place import Place

GRIDS = ("auto", "own", "metric")
# Patches in the paper have these many pixels a side.
LEAST_PIXELS, MOST_PIXELS = 692, 4713
# Of each edge of an outline.
_EDGE_PARTS = 4
_DEFAULT_PIXELS = 1024
# A side of this many pixels would not fit into memory.
_TOO_MANY_PIXELS = 32_768
# How many times the largest usual size of its category a patch spans.
_SURROUNDINGS = 3.0
# In the source's own grid: pixels may be this far from square and upright.
_NEARLY = 0.01
_UTM_SOUTH, _UTM_NORTH = -80.0, 84.0


@dataclass(frozen=True)
class PatchShape:
    """What is wanted of every patch.

    size_px: width and height, extent_m: the same in metres of true ground; neither: by the
    category. gsd_m: metres of true ground a pixel, None for the source's own. grid: see GRIDS;
    `auto` is the source's own where that needs no resampling to be upright and square. jitter: the
    greatest distance from the place, as a part of the half side, drawn from `seed`.
    """

    size_px: int | None = None
    extent_m: float | None = None
    gsd_m: float | None = None
    grid: str = "auto"
    jitter: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size_px is not None and self.extent_m is not None:
            raise UsageError("two sizes", "--size and --extent", "give one of them")
        if self.size_px is not None and not 1 <= self.size_px <= _TOO_MANY_PIXELS:
            raise UsageError(
                f"{self.size_px} pixels a side", "--size", f"give 1 to {_TOO_MANY_PIXELS}"
            )
        for name, value in (("--extent", self.extent_m), ("--gsd", self.gsd_m)):
            if value is not None and not 0.0 < value < 1e8:
                raise UsageError(f"{value} metres", name, "give a positive number of metres")
        if self.grid not in GRIDS:
            raise UsageError(f"unknown grid {self.grid!r}", "--grid", nearest(self.grid, GRIDS))
        if self.grid == "own" and self.gsd_m is not None:
            raise UsageError(
                "the source's own grid has its own pixel size", "--grid own", "leave out --gsd"
            )
        if not 0.0 <= self.jitter <= 1.0:
            raise UsageError(f"jitter {self.jitter}", "--jitter", "give a number from 0 to 1")


def patch_frame(
    place: Place,
    source: Source,
    shape: PatchShape,
    usual_m: float | None = None,
    native_m: float | None = None,
) -> ImageFrame | None:
    """Return the frame of a place's patch, None where the place is outside of the imagery.

    usual_m: the largest usual size of what is there. native_m: the size of the source's pixels
    there, where it was asked for already. Raises UsageError for a patch that would be too large, or
    the own grid of a source that has none.
    """
    if native_m is None:
        native_m = source.native_gsd_m(place.lon, place.lat)
    if native_m is None:
        return None
    gsd_m = shape.gsd_m or native_m
    side = _side(shape, gsd_m, usual_m)
    lon, lat = _shaken(place, shape, side * gsd_m)
    if shape.grid != "metric" and shape.gsd_m is None:
        own = source.own_frame(lon, lat, side, side)
        if own is not None and (shape.grid == "own" or _is_upright_and_square(own)):
            return own
        if own is None and shape.grid == "own":
            raise UsageError(
                "the imagery has no grid of its own", "--grid own", "use --grid metric"
            )
    return metric_frame(lon, lat, side, side, gsd_m)


# A person steps to and fro between the same places.
@lru_cache(maxsize=256)
def outline(
    lon: float,
    lat: float,
    shape: PatchShape,
    native_m: float | None = None,
    usual_m: float | None = None,
) -> NDArray[np.float64]:
    """Return the ring (N,2) in degrees of the ground that a patch about a place will cover.

    Not to be written into. A place that is new takes some 20 ms, most of them for its operation.

    Of a patch without jitter, in `metric_crs`. native_m: of the imagery, where it is known; without
    it and without `gsd_m` a pixel is taken for a metre.
    """
    gsd_m = shape.gsd_m or native_m or 1.0
    side = _side(shape, gsd_m, usual_m)
    ring = metric_frame(lon, lat, side, side, gsd_m).footprint(_EDGE_PARTS)
    ring.flags.writeable = False
    return ring


def proposed_pixels(usual_m: float | None, gsd_m: float) -> int:
    """Return a patch's side for what is usually `usual_m` long, within what the paper has."""
    if usual_m is None:
        return _DEFAULT_PIXELS
    return int(np.clip(round(_SURROUNDINGS * usual_m / gsd_m), LEAST_PIXELS, MOST_PIXELS))


def metric_crs(lon: float, lat: float) -> str:
    """Return the local UTM zone, or the universal polar stereographic projection near a pole."""
    if lat >= _UTM_NORTH:
        return "EPSG:5041"
    if lat < _UTM_SOUTH:
        return "EPSG:5042"
    zone = int((lon + 180.0) % 360.0 // 6.0) + 1
    return f"EPSG:{(32600 if lat >= 0.0 else 32700) + zone}"


def metric_frame(lon: float, lat: float, width: int, height: int, gsd_m: float) -> ImageFrame:
    """Return a north-up frame in `metric_crs` about a place, of pixels of true ground metres."""
    crs = metric_crs(lon, lat)
    x, y = choose_operation("EPSG:4326", crs).forward(np.array([[lon, lat]]))[0]
    pixel = gsd_m
    # A projection's scale at one place is all but the same for both sizes: twice is plenty.
    for _ in range(3):
        frame = ImageFrame(crs, _about(x, y, width, height, pixel), width, height)
        pixel *= gsd_m / (frame.gsd() or gsd_m)
    return ImageFrame(crs, _about(x, y, width, height, pixel), width, height)


def _about(x: float, y: float, width: int, height: int, pixel: float) -> Transform:
    return pixel, 0.0, x - width / 2.0 * pixel, 0.0, -pixel, y + height / 2.0 * pixel


def _side(shape: PatchShape, gsd_m: float, usual_m: float | None) -> int:
    if shape.size_px is not None:
        return shape.size_px
    if shape.extent_m is None:
        return proposed_pixels(usual_m, gsd_m)
    side = max(1, round(shape.extent_m / gsd_m))
    if side > _TOO_MANY_PIXELS:
        raise UsageError(
            f"{shape.extent_m:g} m at {gsd_m:.3g} m are {side} pixels a side",
            "--extent",
            f"give less, or a coarser --gsd ({_TOO_MANY_PIXELS} pixels at most)",
        )
    return side


def _shaken(place: Place, shape: PatchShape, extent_m: float) -> tuple[float, float]:
    """Return the middle of the patch: the place, moved by what its key and the seed draw."""
    if shape.jitter == 0.0:
        return place.lon, place.lat
    from ...ground import GroundFrame

    drawn = hashlib.sha256(f"{shape.seed} {place.key}".encode()).digest()
    draws = np.random.default_rng(int.from_bytes(drawn[:8], "big"))
    reach = shape.jitter * extent_m / 2.0
    ground = GroundFrame(place.lon, place.lat, 6378137.0, 6356752.314245)
    lon, lat = ground.to_lonlat(draws.uniform(-reach, reach, (1, 2)))[0]
    return float(lon), float(lat)


def _is_upright_and_square(frame: ImageFrame) -> bool:
    """Whether rows run east and pixels are square on the ground, about a patch's centre."""
    if frame.transform is None:
        return False
    a, b, _, d, e, _ = frame.transform
    if a <= 0.0 or e >= 0.0 or abs(b) > _NEARLY * a or abs(d) > _NEARLY * a:
        return False
    try:
        middle = np.array([[frame.width / 2.0, frame.height / 2.0]])
        half = np.array([[-0.5, 0.0], [0.5, 0.0], [0.0, -0.5], [0.0, 0.5]])
        west, east, north, south = frame.pixel_to_ground(middle + half)
    except FrameError:
        return False
    across, down = np.hypot(*(east - west)), np.hypot(*(south - north))
    return bool(abs(across / down - 1.0) <= _NEARLY)
