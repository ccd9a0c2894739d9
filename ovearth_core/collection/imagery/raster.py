"""Any raster that GDAL reads, here or over HTTP, as a source of imagery."""

from __future__ import annotations

import re
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from ...errors import FrameError, InputError
from ...frame import ImageFrame
from .address import hidden
from .band_gaps import band_marks, has_gaps, may_have_gaps
from .blackness import black_edges, transparent_where_empty
from .blocks import BlockSpan
from .broken_parts import forget_broken
from .gdal_reading import GdalReading
from .gdal_settings import path_and_options
from .georeference import placing_of
from .mapping import Mapping, mapping
from .one_band import OneBand
from .palette import black_indices, colored, shows, with_own_mark
from .placing import AffinePlacing
from .raster_levels import RasterLevels
from .raster_nodata import common_mark, with_mark
from .raster_tags import about_raster, palette_of
from .resampling import resample
from .server_options import raster_options
from .source import RESAMPLINGS, About, Cost, ImagerySpec, Mask, Palette, Pixels, Source, Values
from .window import (
    Block,
    Extent,
    Level,
    clipped,
    read_block,
    read_extent,
    wanted_extent,
    whole_turn,
)

# An overview may be this much coarser than what is wanted: sizes are rounded to whole pixels.
_NEARLY = 1.001
# The dataset's own file, also as `GPKG:…:table`: GDAL must not touch it.
_DATASET = re.compile(r"(?:^|[/\\:])dataset\.gpkg(?:[/:]|$)")
# About what GDAL keeps blocks in.
_CACHE_BYTES = 128 << 20
# An option of the spec: the CRS of a raster that names none.
CRS_IF_NONE = "crs_if_none"


def open_(spec: ImagerySpec) -> Source:
    """Open a raster; InputError, FrameError where it is none, or lies nowhere."""
    return RasterSource(spec)


def begin_search() -> None:
    """Have parts of rasters that could not be read tried again."""
    forget_broken()


class RasterSource:
    """A raster that is open. See `Source` for what it can be asked."""

    def __init__(self, spec: ImagerySpec) -> None:
        self._spec = spec
        # What errors say and the dataset keeps: a key is nobody else's business.
        self._shown = hidden(spec.place())
        path, said = path_and_options(spec)
        options = dict(spec.options)
        self._crs_if_none = options.pop(CRS_IF_NONE, None)
        rules = raster_options(replace(spec, options=tuple(options.items())), said)
        self._gdal = GdalReading(path, self._shown, rules)
        if _DATASET.search(path):
            raise InputError("is a dataset, not imagery", self._shown, "name a raster")
        self._levels = RasterLevels(self._gdal)
        with self._gdal.reading():
            main = self._levels.main
            self._placing = self._placed(main)
            self._factors = _overview_factors(main)
            self._check(main)
            self.about: About = spec.told(about_raster(main, self._shown))
            self._palette = palette_of(main)

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a pixel at a place, None outside of the raster."""
        try:
            x, y = self._place(lon, lat)
        except FrameError:
            return None
        main = self._levels.main
        if not (0.0 <= x < main.width and 0.0 <= y < main.height):
            return None
        try:
            gsd = self._placing.gsd_m(lon, lat)
        except FrameError:
            return None
        return gsd if np.isfinite(gsd) else None

    def own_frame(self, lon: float, lat: float, width: int, height: int) -> ImageFrame | None:
        """Return the window of the raster's grid about a place, None without a transform."""
        if not isinstance(self._placing, AffinePlacing):
            return None
        x, y = self._place(lon, lat)
        left, top = round(x - width / 2.0), round(y - height / 2.0)
        return self._placing.window(left, top, width, height)

    def cost(self, frame: ImageFrame) -> Cost:
        """Return what `read` would take."""
        # An overview is opened, and its blocks are asked for: by the same rules as pixels.
        with self._gdal.reading():
            return self._cost(frame)

    def _cost(self, frame: ImageFrame) -> Cost:
        main = self._levels.main
        where = mapping(self._placing, frame)
        level, _ = self._level_for(where)
        left, top, right, bottom = where.bounds()
        columns = (min(right, main.width) - max(left, 0.0)) / level.factor_x
        rows = (min(bottom, main.height) - max(top, 0.0)) / level.factor_y
        pixels = int(max(columns, 0.0) * max(rows, 0.0))
        a_pixel = sum(np.dtype(kind).itemsize for kind in main.dtypes)
        if not pixels:
            return Cost(0, 0, 0, a_pixel)
        overview = self._levels.number(level)
        bounds = (max(left, 0.0), max(top, 0.0), min(right, main.width), min(bottom, main.height))
        blocks = BlockSpan.of(level, bounds)
        bytes_ = blocks.bytes(main, level, overview)
        height, width = level.dataset.block_shapes[0]
        # Strips as wide as the raster are shared by patches beside each other, tiles by near ones.
        side = sqrt(
            min(height * level.factor_y, main.height) * min(width * level.factor_x, main.width)
        )
        part_px = side / sqrt(where.scale[0] * where.scale[1])
        kept = _CACHE_BYTES // (height * width * a_pixel)
        # Blocks beside each other come in one request.
        requests = blocks.rows if self._gdal.is_online else 0
        return Cost(pixels, bytes_, requests, a_pixel, part_px, kept, by_rows=True)

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame; the raster's own where it lies on the raster's grid."""
        with self._gdal.reading():
            if isinstance(self._placing, AffinePlacing):
                offset = self._placing.own_offset(frame)
                if offset is not None:
                    return self._read_own(frame, *offset)
            return self._read_resampled(frame)

    def close(self) -> None:
        """Close the raster."""
        self._levels.close()

    def _read_own(self, frame: ImageFrame, left: int, top: int) -> Pixels:
        level = self._levels.level(None)
        main = level.dataset
        extent = Extent(left, top, left + frame.width, top + frame.height)
        turn = whole_turn(self._placing.turn, level)
        values, valid = self._levels.read(lambda: read_extent(main, extent, turn), level, extent)
        mask = np.ones(extent.size, np.bool_) if valid is None else valid
        colors = tuple(color.name for color in main.colorinterp)
        if self._palette is not None:
            values, mark = self._indices(values, mask, extent, self._palette)
        else:
            if self._spec.black_is_nodata:
                mask &= ~black_edges(values, main.colorinterp)
                values = transparent_where_empty(values, mask, colors)
            values, mark = with_mark(main, values, mask)
        return Pixels(frame, values, mask, self.about, colors, mark, self._palette, is_exact=True)

    def _indices(
        self, values: Values, mask: Mask, extent: Extent, palette: Palette
    ) -> tuple[Values, float | None]:
        """Return indices of colours and the mark among them; takes what is clear off the mask."""
        main = self._levels.main
        mask &= shows(values, palette)
        if self._spec.black_is_nodata:
            mask &= ~black_indices(values, palette)
        outside = extent.outside(main.width, main.height) & ~mask
        return with_own_mark(values, mask, outside, main.nodatavals[0])

    def _read_resampled(self, frame: ImageFrame) -> Pixels:
        where = mapping(self._placing, frame)
        main = self._levels.main
        block = self._block(where)
        colors = tuple(color.name for color in main.colorinterp)
        mark = None
        values: Values
        if block is None:
            kind = np.result_type(*main.dtypes)
            values = np.zeros((len(colors), frame.height, frame.width), kind)
            valid = np.zeros(values.shape[1:], np.bool_)
        elif may_have_gaps(main, self._spec.black_is_nodata) and (
            self._level_for(where)[1] > 1 or has_gaps(block, main)
        ):
            values, valid, mark = self._band_by_band(frame, where)
        else:
            values, valid = self._resampled(block, where, frame)
        if self._palette is not None:
            colors = ("red", "green", "blue")
        elif self._spec.black_is_nodata:
            values = transparent_where_empty(values, valid, colors)
        name = self._spec.resampling
        return Pixels(frame, values, valid, self.about, colors, mark, resampling=name)

    def _resampled(self, block: Block, where: Mapping, frame: ImageFrame) -> tuple[Values, Mask]:
        nodes = where.in_block(block.left, block.top, block.factor_x, block.factor_y)
        scale = (where.scale[0] / block.factor_x, where.scale[1] / block.factor_y)
        shape = (frame.height, frame.width)
        return resample(block.values, block.valid, nodes, shape, self._spec.resampling, scale)

    def _band_by_band(self, frame: ImageFrame, where: Mapping) -> tuple[Values, Mask, float | None]:
        """Return values, where any band holds data, and the mark that stands where one doesn't."""
        main = self._levels.main
        marks = band_marks(main)
        bands, valid = [], np.zeros((frame.height, frame.width), np.bool_)
        for number, mark in zip(main.indexes, marks, strict=True):
            block = self._block(where, number)
            if block is None:
                raise ValueError("a band lies elsewhere than the others")
            values, seen = self._resampled(block, where, frame)
            if mark is not None:
                values[:, ~seen] = mark
            bands.append(values)
            valid |= seen
        return np.concatenate(bands), valid, common_mark(marks)

    def _block(self, where: Mapping, band: int | None = None) -> Block | None:
        """Return the pixels that a frame is made of, None where it lies outside of the raster.

        band: the only one to be read; None for all.
        """
        level, shrink = self._level_for(where)
        if band is not None:
            level = replace(level, dataset=OneBand(level.dataset, band))
        margin = _margin(where, level, shrink, self._spec.resampling)
        extent = wanted_extent(where.bounds(), level, margin, shrink)
        turn = whole_turn(self._placing.turn, level)
        inside = clipped(extent, level, turn, shrink)
        if inside is None:
            return None
        block = self._levels.read(lambda: read_block(level, inside, shrink, turn), level, inside)
        if self._palette is not None:
            block = colored(block, self._palette)
        if self._spec.black_is_nodata:
            # Indices have become colours meanwhile.
            names = () if self._palette is not None else level.dataset.colorinterp
            dark = black_edges(block.values, names)
            valid = ~dark if block.valid is None else block.valid & ~dark
            block = Block(
                block.values, valid, block.left, block.top, block.factor_x, block.factor_y
            )
        return block

    def _level_for(self, where: Mapping) -> tuple[Level, int]:
        """Return the nearest finer overview, and how many of its pixels to average each way."""
        if self._spec.resampling == "nearest":
            return self._levels.level(None), 1
        ratio = min(where.scale)
        level = self._levels.level(None)
        shrink = 1
        finer = [n for n, f in enumerate(self._factors) if f <= ratio * _NEARLY]
        if finer and self._palette is None:
            level = self._levels.level(max(finer, key=lambda n: self._factors[n]))
            if self._crosses(where, level):
                level = self._levels.level(None)
        shrink = max(1, int(ratio / max(level.factor_x, level.factor_y) * _NEARLY))
        return level, 1 if self._crosses(where, level) or self._palette is not None else shrink

    def _crosses(self, where: Mapping, level: Level) -> bool:
        """Whether a frame reaches over the seam of a raster that closes around the world."""
        if self._placing.turn is None:
            return False
        left, _, right, _ = where.bounds()
        is_inside = left >= 0.0 and right <= self._levels.main.width
        return not is_inside and whole_turn(self._placing.turn, level) is None

    def _place(self, lon: float, lat: float) -> tuple[float, float]:
        x, y = self._placing.to_pixel(np.array([[lon, lat]]), "EPSG:4326")[0]
        return float(x), float(y)

    def _placed(self, dataset: Any) -> Any:
        try:
            return placing_of(dataset, self._crs_if_none)
        except FrameError as fault:
            raise fault.at(self._shown) from None

    def _check(self, dataset: Any) -> None:
        if any("complex" in kind for kind in dataset.dtypes):
            raise InputError(
                "holds complex numbers, which are no picture", self._shown, "take their amplitude"
            )


def _overview_factors(dataset: Any) -> list[float]:
    return [float(factor) for factor in dataset.overviews(1)]


def _margin(where: Mapping, level: Level, shrink: int, resampling: str) -> float:
    """Return how many pixels of a shrunk level the kernel reaches around a position."""
    widest = max(
        where.scale[0] / (level.factor_x * shrink), where.scale[1] / (level.factor_y * shrink), 1.0
    )
    return RESAMPLINGS.index(resampling) * widest + 2.0
