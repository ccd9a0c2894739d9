"""The pixels of a view: the scene painted from the ground up, with grain, shadows and trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..geometry import Runs
from .paints import GROUND, PAINTS, TREE_COLOURS, Paint
from .scene import SUMMER, Thing, things
from .shapes import Ring, blob
from .views import View

Plane = NDArray[np.float32]
Window = tuple[slice, slice]

_FINENESS = 3  # sub-pixels along each side, so that edges are smooth
_SHADOW_PER_METRE = np.array(
    [0.62, 0.46]
)  # metres east and north: the sun stands in the south-west
_SHADOW = np.array([0.50, 0.53, 0.60], dtype=np.float32)
_SHADOW_STEP_M = 0.7
_LATTICE = 128
_HALF_PLACE_M = 260


def draw(view: View) -> NDArray[np.uint8]:
    """Return the view's picture, (height, width, 3) red, green, blue."""
    canvas = _Canvas(view)
    shown = [thing for thing in (*things(), *_trees()) if view.shows(thing, margin_m=15)]
    for thing, rings in zip(shown, view.outlines(shown), strict=True):
        canvas.paint(thing, rings)
    return canvas.picture()


class _Canvas:
    """A picture in the making, with the textures that every paint takes its grain from."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.is_summer = view.season == SUMMER
        width, height = view.size
        matrix, origin = view.metres_of_pixel
        column, row = np.arange(width) + 0.5, np.arange(height)[:, None] + 0.5
        self.east = matrix[0, 0] * column + matrix[0, 1] * row + origin[0]
        self.north = matrix[1, 0] * column + matrix[1, 1] * row + origin[1]
        self.patches = self._noise(17.0) * 0.6 + self._noise(6.0) * 0.4
        self.grain = self._noise(1.3) * 0.6 + self._white(view.id) * 0.4
        ground = GROUND[0 if self.is_summer else 1]
        share = np.clip(0.5 + 0.7 * self.patches + 0.25 * self.grain, 0, 1)[..., None]
        self.colours: Plane = (ground[0] * (1 - share) + ground[1] * share).astype(np.float32)

    def paint(self, thing: Thing, rings: Sequence[Ring]) -> None:
        """Put a thing with its rings in pixels over what is there, its shadow first."""
        paint = PAINTS[thing.kind]
        if paint.opacity == 0:
            return
        if thing.height_m:
            self._cast_shadow(thing.height_m, rings)
        found = self._coverage([rings])
        if found is None:
            return
        window, share = found
        share = share[..., None] * np.float32(paint.opacity)
        self.colours[window] += share * (self._colour(paint, thing, window) - self.colours[window])

    def picture(self) -> NDArray[np.uint8]:
        """Return what was painted, with a little noise of the sensor's."""
        noise = self._white(100 + self.view.id)[..., None] * 5
        return np.clip(np.round(self.colours + noise), 0, 255).astype(np.uint8)

    def _colour(self, paint: Paint, thing: Thing, window: Window) -> Plane:
        base = np.array(paint.rgb if self.is_summer else paint.winter, dtype=np.float32)
        light = self.grain[window] * paint.grain + self.patches[window] * paint.mottle
        if paint.furrow_m:
            across = self.east[window] * 0.31 + self.north[window] * 0.95
            light = light + np.sin(across * (2 * np.pi / paint.furrow_m)) * paint.furrow_depth
        light = light + (thing.tone - 0.5) * paint.spread
        return np.asarray(base + light[..., None], dtype=np.float32)

    def _cast_shadow(self, height_m: float, rings: Sequence[Ring]) -> None:
        steps = max(2, int(height_m / _SHADOW_STEP_M))
        shift = self.view.pixels_of_metre @ (_SHADOW_PER_METRE * height_m)
        copies = [[ring + shift * (k / steps) for ring in rings] for k in range(steps + 1)]
        found = self._coverage(copies)
        if found is not None:
            window, share = found
            self.colours[window] *= 1 - share[..., None] * (1 - _SHADOW)

    def _coverage(self, polygons: Sequence[Sequence[Ring]]) -> tuple[Window, Plane] | None:
        """Return the window that polygons (in pixels) touch, and their share of each pixel."""
        outlines = np.concatenate([rings[0] for rings in polygons])
        width, height = self.view.size
        left, top = np.maximum(np.floor(outlines.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(outlines.max(axis=0)), (width, height)).astype(int)
        if left >= right or top >= bottom:
            return None
        n = _FINENESS
        moved = [[(ring - (left, top)) * n for ring in rings] for rings in polygons]
        rows, columns = bottom - top, right - left
        fine = Runs.from_rings(moved, rows * n, columns * n).to_array()
        share = fine.reshape(rows, n, columns, n).mean(axis=(1, 3), dtype=np.float32)
        return (slice(top, bottom), slice(left, right)), share

    def _noise(self, scale_m: float) -> Plane:
        """Return smooth noise from -1 to 1 with bumps of that size, fixed to the ground."""
        lattice = _lattice()
        x, y = self.east / scale_m + 40.3, self.north / scale_m + 40.7
        column, row = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        u, v = (x - column).astype(np.float32), (y - row).astype(np.float32)
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        column, row = column % _LATTICE, row % _LATTICE
        after, below = (column + 1) % _LATTICE, (row + 1) % _LATTICE
        upper = lattice[row, column] * (1 - u) + lattice[row, after] * u
        lower = lattice[below, column] * (1 - u) + lattice[below, after] * u
        return np.asarray(upper * (1 - v) + lower * v, dtype=np.float32)

    def _white(self, seed: int) -> Plane:
        width, height = self.view.size
        noise = np.random.default_rng(seed).random((height, width)) * 2 - 1
        return noise.astype(np.float32)


@lru_cache(maxsize=1)
def _lattice() -> Plane:
    noise = np.random.default_rng(5).random((_LATTICE, _LATTICE)) * 2 - 1
    return noise.astype(np.float32)


@dataclass(frozen=True)
class _Spot:
    """Where a tree may stand, its radius in metres, and the radii of its outline over that."""

    x: float
    y: float
    radius: float
    wobble: NDArray[np.float64]
    tone: float


@lru_cache(maxsize=1)
def _trees() -> tuple[Thing, ...]:
    """Return trees for every free spot of the place that chance picks, their layers in order."""
    return tuple(layer for spot in _free(_candidates()) for layer in _tree(spot))


def _candidates() -> Iterator[_Spot]:
    generator = np.random.default_rng(11)
    steps = np.arange(-_HALF_PLACE_M + 6, _HALF_PLACE_M - 6, 8.5)
    for y in steps:
        for x in steps:
            chance, dx, dy, size, tone, *wobble = generator.random(5 + 9)
            if chance < _density(x, y):
                radius = 1.7 + 2.4 * size
                yield _Spot(x + 6 * dx, y + 6 * dy, radius, 0.8 + 0.4 * np.array(wobble), tone)


def _density(x: float, y: float) -> float:
    """Return the chance of a tree: gardens and waysides some, the rim many."""
    if max(abs(x), abs(y)) > 198:
        return 0.9
    return 0.5 if x < 0 and y < 0 else 0.28


def _free(spots: Iterable[_Spot]) -> Iterator[_Spot]:
    """Yield the spots whose crown touches nothing that stands there, and no crown before it."""
    n = 2 * _HALF_PLACE_M
    open_ground = {"lawn", "verge"}
    built = [
        [ring + _HALF_PLACE_M for ring in thing.rings]
        for thing in things()
        if thing.kind not in open_ground
    ]
    taken = Runs.from_rings(built, n, n).to_array()
    for spot in spots:
        reach = int(spot.radius * 1.2) + 2
        column, row = int(spot.x) + _HALF_PLACE_M, int(spot.y) + _HALF_PLACE_M
        left, top = max(column - reach, 0), max(row - reach, 0)
        if not taken[top : row + reach, left : column + reach].any():
            core = int(spot.radius)
            taken[row - core : row + core, column - core : column + core] = True
            yield spot


def _tree(spot: _Spot) -> Iterator[Thing]:
    """A crown in layers, each smaller, brighter and further towards the sun."""
    for name, scale, towards in TREE_COLOURS:
        radii = spot.radius * scale * spot.wobble
        ring = blob(spot.x - towards * spot.radius, spot.y - towards * spot.radius, radii.tolist())
        height = 1.6 * spot.radius if scale == 1 else 0.0
        yield Thing(name, (ring,), height_m=height, tone=spot.tone)
