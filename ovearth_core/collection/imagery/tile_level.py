"""One level of detail that a server has: a grid of tiles over a part of the world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ...frame import ImageFrame
from .placing import AffinePlacing
from .window import Extent

_WHOLE = 1e-3


@dataclass(frozen=True)
class Piece:
    """A tile that is needed: which, and the corner and size of where it goes, in level pixels."""

    column: int
    row: int
    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class TileLevel:
    """A level. frame: all of its tiles as one image. tile_width, tile_height: pixels of a tile.

    limits: first column, first row, last column, last row that exist; None where all do.
    """

    name: str
    frame: ImageFrame
    tile_width: int
    tile_height: int
    limits: tuple[int, int, int, int] | None = None

    @cached_property
    def placing(self) -> AffinePlacing:
        """Where the level's pixels lie."""
        return AffinePlacing(self.frame)

    @cached_property
    def turn(self) -> int | None:
        """One turn of the world in columns of pixels, None where it is no whole number of them."""
        turn = self.placing.turn
        if turn is None or abs(turn[0] - round(turn[0])) > _WHOLE:
            return None
        return abs(round(float(turn[0])))

    def sharper(self, times: float) -> TileLevel:
        """Return the level for tiles that have `times` as many pixels a side as was thought."""
        if times == 1.0 or self.frame.transform is None:
            return self
        a, b, c, d, e, f = self.frame.transform
        frame = ImageFrame(
            self.frame.crs,
            (a / times, b / times, c, d / times, e / times, f),
            round(self.frame.width * times),
            round(self.frame.height * times),
        )
        return replace(
            self,
            frame=frame,
            tile_width=round(self.tile_width * times),
            tile_height=round(self.tile_height * times),
        )

    def clipped(self, extent: Extent) -> Extent | None:
        """Return what of a window of pixels the level can have, None where that is nothing."""
        left, right = extent.left, extent.right
        if self.turn is None:
            left, right = max(left, 0), min(right, self.frame.width)
        top, bottom = max(extent.top, 0), min(extent.bottom, self.frame.height)
        return Extent(left, top, right, bottom) if left < right and top < bottom else None

    def pieces(self, extent: Extent) -> Iterator[Piece]:
        """Yield the tiles that a window needs, row by row; columns begin again after a turn."""
        width = self.frame.width if self.turn is None else min(self.frame.width, self.turn)
        shifts = [0]
        if self.turn is not None:
            numbers = range(extent.left // self.turn, -(-extent.right // self.turn))
            shifts = [number * self.turn for number in numbers]
        for row in range(extent.top // self.tile_height, -(-extent.bottom // self.tile_height)):
            for shift in shifts:
                left, right = max(extent.left - shift, 0), min(extent.right - shift, width)
                for column in range(left // self.tile_width, -(-right // self.tile_width)):
                    if left < right and self._has(column, row):
                        yield self._piece(column, row, shift)

    def _has(self, column: int, row: int) -> bool:
        if self.limits is None:
            return True
        first_column, first_row, last_column, last_row = self.limits
        return first_column <= column <= last_column and first_row <= row <= last_row

    def _piece(self, column: int, row: int, shift: int) -> Piece:
        left, top = column * self.tile_width + shift, row * self.tile_height
        return Piece(column, row, left, top, self.tile_width, self.tile_height)
