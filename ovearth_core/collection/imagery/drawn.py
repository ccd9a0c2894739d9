"""Imagery that another program draws: asked by its own levels, or at any scale.

The program gives pictures of boxes; which boxes, and what is made of them, is decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...crs import LONLAT
from ...errors import FrameError, UsageError
from ...frame import ImageFrame
from ...operation import choose_operation
from .mosaic import Counts, Mosaic
from .server_errors import NoPictureError
from .source import About, ImagerySpec, Pixels, Source, Values
from .tile_level import Piece, TileLevel
from .tiled_source import Pyramid, TiledSource
from .window import Extent
from .wms import Drawing, WmsSource, parts
from .wms_service import WmsService

# West, south, east, north in the layer's CRS.
Box = tuple[float, float, float, float]
# Of a box, its width and height in pixels: red, green, blue, alpha (height, width, 4), 8 bits.
Draw = Callable[[Box, int, int], Values]

_MOST_TILED_PX = 2048
_MOST_DRAWN_PX = 1000
_OVERSAMPLE = 2


@dataclass(frozen=True)
class DrawnLayer:
    """A layer of another program's.

    title: what the dataset keeps as its source. box: where the layer is, in its CRS. levels: coarse
    to fine, where it has any; gsd_m: metres of true ground of its pixels, as a person said, where
    it has none. draw: gives a picture; raises InputError. close: lets go of it.
    """

    title: str
    crs: str
    box: Box
    draw: Draw
    close: Callable[[], None]
    levels: tuple[TileLevel, ...] = ()
    gsd_m: float | None = None
    attribution: str | None = None


def drawn_source(spec: ImagerySpec, layer: DrawnLayer) -> Source:
    """Return the layer as imagery; UsageError where nothing says how fine it is."""
    if layer.levels:
        return DrawnTiles(spec, layer)
    if layer.gsd_m is None or not 0.0 < layer.gsd_m < 1e6:
        raise UsageError(
            "the layer doesn't say how fine its imagery is", layer.title,
            "say how many metres a pixel shall have",
        )  # fmt: skip
    return DrawnMap(spec, layer, layer.gsd_m)


class DrawnTiles(TiledSource):
    """A layer with levels: drawn on the grid of the coarsest that is as fine as asked."""

    def __init__(self, spec: ImagerySpec, layer: DrawnLayer) -> None:
        self.about = spec.told(About(layer.title, attribution=layer.attribution))
        self._spec = spec
        self._layer = layer
        self._pyramid = Pyramid(layer.levels, _no_address, layer.title)
        self._sharper = 1.0

    @property
    def refusal(self) -> None:
        """Nothing: what a server answers is known to those who draw the layer."""

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a pixel of the finest level, None outside of it."""
        if not _is_inside(self._layer, lon, lat):
            return None
        return super().native_gsd_m(lon, lat)

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame; NoPictureError where a part of it came transparent."""
        return _whole(super().read(frame), self._layer)

    def close(self) -> None:
        """Let go of the layer."""
        self._layer.close()

    def _mosaic(self, level: TileLevel, extent: Extent) -> tuple[Mosaic, Extent]:
        inside = self._inside(level, extent)
        pieces = list(_pieces(inside, (_MOST_TILED_PX, _MOST_TILED_PX), level.turn))
        return _drawn(self._layer, level, extent, pieces), extent


class DrawnMap(WmsSource):
    """A layer that is drawn at any scale."""

    def __init__(self, spec: ImagerySpec, layer: DrawnLayer, gsd_m: float) -> None:
        self.about = spec.told(About(layer.title, attribution=layer.attribution))
        self._spec = spec
        self._layer = layer
        self._service = WmsService(
            layer.title, "", gsd_m, _WORLD, {layer.crs: layer.crs}, {},
            (_MOST_DRAWN_PX, _MOST_DRAWN_PX), layer.attribution, None, False, _OVERSAMPLE,
        )  # fmt: skip

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a pixel, as it was told, None outside of it."""
        return self._service.gsd_m if _is_inside(self._layer, lon, lat) else None

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame; NoPictureError where a part of it came transparent."""
        return _whole(super().read(frame), self._layer)

    def close(self) -> None:
        """Let go of the layer."""
        self._layer.close()

    def _drawn(self, drawing: Drawing) -> Mosaic:
        return _drawn(self._layer, drawing.level, drawing.extent, list(self._pieces(drawing)))


_WORLD = (-180.0, -90.0, 180.0, 90.0)


def _drawn(layer: DrawnLayer, level: TileLevel, extent: Extent, pieces: list[Piece]) -> Mosaic:
    """Return a window of a level put together from pictures of pieces of it."""
    values = np.zeros((3, *extent.size), np.uint8)
    valid = np.zeros(extent.size, np.bool_)
    for piece in pieces:
        picture = layer.draw(_box(level, piece), piece.width, piece.height)
        rows = slice(piece.top - extent.top, piece.top - extent.top + piece.height)
        columns = slice(piece.left - extent.left, piece.left - extent.left + piece.width)
        values[:, rows, columns] = np.moveaxis(picture[:, :, :3], 2, 0)
        valid[rows, columns] = picture[:, :, 3] > 0
    return Mosaic(values, valid, Counts(len(pieces), bytes=values.nbytes))


def _box(level: TileLevel, piece: Piece) -> Box:
    """Return the box of a piece, within one turn of the world."""
    a, _, c, _, e, f = level.frame.transform or (1.0, 0.0, 0.0, 0.0, -1.0, 0.0)
    left = piece.left if level.turn is None else piece.left % level.turn
    west, north = c + a * left, f + e * piece.top
    return west, north + e * piece.height, west + a * piece.width, north


def _pieces(extent: Extent, most: tuple[int, int], turn: int | None) -> list[Piece]:
    return [
        Piece(left, top, left, top, right - left, bottom - top)
        for top, bottom in parts(extent.top, extent.bottom, most[1], None)
        for left, right in parts(extent.left, extent.right, most[0], turn)
    ]


def _whole(pixels: Pixels, layer: DrawnLayer) -> Pixels:
    """Return pixels that are all there: a server that failed leaves its tiles transparent."""
    if pixels.valid.all():
        return replace(pixels, about=_without_counts(pixels.about))
    share = 1.0 - float(np.count_nonzero(pixels.valid)) / pixels.valid.size
    raise NoPictureError(
        f"{share:.1%} of it came transparent: the server failed, or has nothing there",
        layer.title, "try again later, or use other imagery there",
    )  # fmt: skip


def _without_counts(about: About) -> About:
    # How many tiles there were is the other program's business.
    kept: dict[str, Any] = {
        key: value for key, value in about.extra.items() if key in ("level", "crs")
    }
    return replace(about, extra=kept)


def _is_inside(layer: DrawnLayer, lon: float, lat: float) -> bool:
    """Whether a place, in degrees, is within the layer's box."""
    try:
        found = choose_operation(LONLAT, layer.crs).forward(np.array([[lon, lat]]))
    except FrameError:
        return False
    x, y = found[0]
    west, south, east, north = layer.box
    return bool(west <= x <= east and south <= y <= north)


def _no_address(level: TileLevel, column: int, row: int) -> Any:
    raise NotImplementedError
