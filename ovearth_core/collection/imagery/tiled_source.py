"""Imagery that a server has cut into tiles, at several levels: what XYZ and WMTS share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import ceil, floor, log2, sqrt

import numpy as np

from ...crs import LONLAT
from ...errors import FrameError, InputError
from ...frame import ImageFrame
from .address import Address
from .fetcher import KEPT, Fetcher, Request
from .fetching import Politeness
from .looks import Looks
from .mapping import Mapping, mapping
from .mosaic import Mosaic, OtherSizeError, mosaic
from .resampling import resample
from .server_errors import ForbiddenError, NoPictureError, PoleError, TooCoarseError
from .source import FORBIDDEN_TILES, RESAMPLINGS, About, Cost, ImagerySpec, Pixels
from .tile_level import TileLevel
from .window import Extent

# A level may be this much coarser than what is asked for: a metre of Mercator is not the same
# length east and north.
_NEARLY = 1.005
_MOST_PIXELS = 150_000_000
_USUAL_BYTES_A_PIXEL = 0.5
_USUAL_PIXEL_BYTES = 3
_LARGEST_FACTOR = 8.0
COLORS = {1: ("gray",), 3: ("red", "green", "blue")}


@dataclass(frozen=True)
class Pyramid:
    """What a server has. levels: coarse to fine, in one CRS. address: of a level's column and row.

    published: its address as it may be handed on.
    """

    levels: tuple[TileLevel, ...]
    address: Callable[[TileLevel, int, int], Address]
    published: str


class TiledSource:
    """A pyramid of tiles that is open. See `Source` for what it can be asked."""

    def __init__(
        self, spec: ImagerySpec, about: About, pyramid: Pyramid, rules: Politeness, keep_blank: bool
    ) -> None:
        self.about = spec.told(about)
        self._spec = spec
        self._pyramid = pyramid
        self._fetcher = Fetcher(rules)
        self._looks = Looks(keep_blank)
        # How many times as many pixels a side tiles have as was said; None until one has come.
        self._sharper: float | None = None

    # Of a pixel as it travels, and of its values: what a first tile shows says it better.
    _sent_bytes = _USUAL_BYTES_A_PIXEL
    _pixel_bytes = _USUAL_PIXEL_BYTES
    _most_kept = KEPT

    @property
    def refusal(self) -> ForbiddenError | None:
        """That a tile is forbidden, as long as none has come."""
        return self._fetcher.refusal

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a pixel of the finest level, None outside of it.

        The first time, the tile of that place is fetched: only it shows how many pixels it has.
        """
        level = self._finest()
        try:
            x, y = level.placing.to_pixel(np.array([[lon, lat]]), LONLAT)[0]
            extent = level.clipped(Extent(floor(x), floor(y), floor(x) + 1, floor(y) + 1))
        except (FrameError, ValueError, OverflowError):
            return None
        if extent is None:
            return None
        if self._sharper is None:
            self._look_at(level, extent)
        return self._finest().placing.gsd_m(lon, lat)

    def own_frame(self, lon: float, lat: float, width: int, height: int) -> ImageFrame | None:
        """Return the window of the only level's grid about a place, None where there are more."""
        if len(self._pyramid.levels) > 1 or self.native_gsd_m(lon, lat) is None:
            return None
        placing = self._finest().placing
        x, y = placing.to_pixel(np.array([[lon, lat]]), LONLAT)[0]
        return placing.window(round(x - width / 2.0), round(y - height / 2.0), width, height)

    def cost(self, frame: ImageFrame) -> Cost:
        """Return what `read` would take, so far as that is known before tiles have come."""
        level, where = self._level_for(frame, is_refused=False)
        extent = level.clipped(extent_around(where, self._spec.resampling))
        tiles = 0 if extent is None else sum(1 for _ in level.pieces(extent))
        pixels = tiles * level.tile_width * level.tile_height
        part_px = level.tile_width / sqrt(where.scale[0] * where.scale[1])
        sent = int(pixels * self._sent_bytes)
        return Cost(pixels, sent, tiles, self._pixel_bytes, part_px, self._most_kept)

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame; the tiles' own where it lies on a level's grid."""
        try:
            self._look_beneath(frame)
            try:
                return self._read(frame)
            except OtherSizeError as found:
                self._sharper = _times(self._level_for(frame)[0], found)
                return self._read(frame)
        except OtherSizeError as found:
            width, height = found.size
            raise NoPictureError(
                f"a tile of {width} × {height} pixels came", found.shown, "check the address"
            ) from None

    def learn(self, placeholders: Iterable[str]) -> None:
        """Leave these pictures out from now on."""
        self._looks.learn(placeholders)

    def close(self) -> None:
        """Let go of threads; connections are kept for others."""
        self._fetcher.close()

    def _read(self, frame: ImageFrame) -> Pixels:
        level, where = self._level_for(frame)
        offset = level.placing.own_offset(frame)
        if offset is not None:
            left, top = offset
            found = self._mosaic(level, Extent(left, top, left + frame.width, top + frame.height))
            return self._pixels(frame, level, found, None)
        return self._pixels(
            frame, level, self._mosaic(level, extent_around(where, self._spec.resampling)), where
        )

    def _inside(self, level: TileLevel, extent: Extent) -> Extent:
        """Return what of a window the level can have; InputError for nothing, and for too much."""
        inside = level.clipped(extent)
        if inside is None:
            raise InputError(
                "the place is outside of the imagery", self._pyramid.published, "check its area"
            )
        rows, columns = extent.size
        if rows * columns > _MOST_PIXELS:
            raise InputError(
                f"{columns} × {rows} pixels at level {level.name} are too many for one patch",
                self._pyramid.published,
                "ask for a smaller patch",
            )
        return inside

    def _mosaic(self, level: TileLevel, extent: Extent) -> tuple[Mosaic, Extent]:
        inside = self._inside(level, extent)
        requests = [
            Request(piece, self._pyramid.address(level, piece.column, piece.row))
            for piece in level.pieces(inside)
        ]
        is_sure = self._sharper is not None
        found = mosaic(requests, extent, self._fetcher, self._looks, is_sure)
        if found.valid.any() and self._sharper is None:
            self._sharper = 1.0
        return found, extent

    def _pixels(
        self,
        frame: ImageFrame,
        level: TileLevel,
        found: tuple[Mosaic, Extent],
        where: Mapping | None,
    ) -> Pixels:
        drawn, extent = found
        counts = drawn.counts
        extra = {
            **self.about.extra,
            "level": level.name,
            "tiles": counts.tiles,
            "missing_tiles": counts.missing,
            FORBIDDEN_TILES: counts.forbidden,
            "placeholder_tiles": counts.placeholders,
        }
        about = replace(self.about, extra=extra)
        colors = COLORS[len(drawn.values)]
        if where is None:
            values = np.where(drawn.valid, drawn.values, 0)
            return Pixels(
                frame, values, drawn.valid, about, colors, is_exact=True, tiles=drawn.tiles,
                placeholder_share=drawn.placeholder_share,
            )  # fmt: skip
        nodes = where.in_block(extent.left, extent.top, 1.0, 1.0)
        mask = None if drawn.valid.all() else drawn.valid
        name, shape = self._spec.resampling, (frame.height, frame.width)
        values, valid = resample(drawn.values, mask, nodes, shape, name, where.scale)
        return Pixels(
            frame, values, valid, about, colors, resampling=name, tiles=drawn.tiles,
            placeholder_share=drawn.placeholder_share,
        )  # fmt: skip

    def _finest(self) -> TileLevel:
        return self._pyramid.levels[-1].sharper(self._sharper or 1.0)

    def _level_for(self, frame: ImageFrame, is_refused: bool = True) -> tuple[TileLevel, Mapping]:
        """Return the coarsest level that is as fine as a frame, and where it lies there.

        is_refused: raise TooCoarseError where there is none, instead of taking the finest.
        """
        finest = self._finest()
        where = self._mapped(finest, frame)
        scale = sqrt(where.scale[0] * where.scale[1])
        if is_refused and scale * _NEARLY < 1.0:
            raise TooCoarseError(
                f"the finest level, {finest.name}, is {1.0 / scale:.2f} times coarser than asked",
                self._pyramid.published,
                "ask for a coarser --gsd, or name a finer level with max_zoom if there is one",
            )
        for level in self._pyramid.levels[:-1]:
            sized = level.sharper(self._sharper or 1.0)
            if scale * _pixel(finest) / _pixel(sized) * _NEARLY >= 1.0:
                return sized, self._mapped(sized, frame)
        return finest, where

    def _mapped(self, level: TileLevel, frame: ImageFrame) -> Mapping:
        where = mapped(level, frame, self._pyramid.published)
        _, top, _, bottom = where.bounds()
        if bottom <= 0.0 or top >= level.frame.height:
            raise PoleError(
                f"it lies north or south of the tiles ({_latitudes(level)})",
                self._pyramid.published,
                "use other imagery there",
            )
        return where

    def _look_beneath(self, frame: ImageFrame) -> None:
        """Look at a tile where levels seem too coarse: tiles may be sharper than was said."""
        try:
            self._level_for(frame)
        except TooCoarseError:
            if self._sharper is None:
                lon, lat = frame.pixel_to_lonlat([[frame.width / 2.0, frame.height / 2.0]])[0]
                self.native_gsd_m(float(lon), float(lat))

    def _look_at(self, level: TileLevel, extent: Extent) -> None:
        piece = next(level.pieces(extent), None)
        if piece is None:
            return
        address = self._pyramid.address(level, piece.column, piece.row)
        fetched = self._fetcher.fetch(address)
        picture = fetched.picture
        if picture is not None:
            bands, height, width = picture.values.shape
            self._sent_bytes = fetched.size / (height * width)
            self._pixel_bytes = bands * picture.values.dtype.itemsize
            self._sharper = _times(level, OtherSizeError(picture.size, piece, address.shown))


def mapped(level: TileLevel, frame: ImageFrame, shown: str) -> Mapping:
    """Return where a frame lies in a level; PoleError where it reaches a pole."""
    mend = "use imagery in another projection"
    try:
        where = mapping(level.placing, frame)
    except FrameError as fault:
        raise PoleError(
            f"the patch lies nowhere in {level.frame.crs} ({fault})", shown, mend
        ) from None
    left, _, right, _ = where.bounds()
    turn = level.placing.turn
    if not np.isfinite((left, right)).all() or (
        turn is not None and right - left > abs(turn[0]) / 2.0 and frame.gsd() is not None
        and _reaches_pole(frame)
    ):  # fmt: skip
        raise PoleError(f"the patch reaches a pole, where {level.frame.crs} ends", shown, mend)
    return where


def _reaches_pole(frame: ImageFrame) -> bool:
    ring = frame.footprint(4)
    return bool((np.abs(ring[:, 1]) > 89.999).any())


def extent_around(where: Mapping, resampling: str) -> Extent:
    """Return the window of a level that a frame and the kernel around its pixels need."""
    margin = RESAMPLINGS.index(resampling) * max(*where.scale, 1.0) + 2.0
    left, top, right, bottom = where.bounds()
    return Extent(
        floor(left - margin), floor(top - margin), ceil(right + margin), ceil(bottom + margin)
    )


def _times(level: TileLevel, found: OtherSizeError) -> float:
    """Return how many times as many pixels a side a tile has; NoPictureError for odd sizes."""
    width, height = found.size
    times = width / found.piece.width
    is_even = times * found.piece.height == height and log2(times) == round(log2(times))
    if not is_even or not 1.0 / _LARGEST_FACTOR <= times <= _LARGEST_FACTOR:
        raise NoPictureError(
            f"a tile of {width} × {height} pixels came for level {level.name}", found.shown,
            f"tiles of {found.piece.width} × {found.piece.height} pixels were to be expected",
        )  # fmt: skip
    return times


def _pixel(level: TileLevel) -> float:
    a, b, _, d, e, _ = level.frame.transform or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    return sqrt(abs(a * e - b * d))


def _latitudes(level: TileLevel) -> str:
    frame = level.frame
    middle = frame.width / 2.0
    ends = frame.pixel_to_lonlat([[middle, 0.0], [middle, float(frame.height)]])[:, 1]
    return f"latitudes {ends.min():.2f} to {ends.max():.2f}"
