"""A window that pictures are put on."""

from __future__ import annotations

import numpy as np

from .fetcher import Request
from .picture import Picture
from .server_errors import NoPictureError
from .source import Mask, Values
from .tile_level import Piece
from .window import Extent


class Canvas:
    """A window in memory; its bands and type are those of the first."""

    def __init__(self, extent: Extent) -> None:
        self._extent = extent
        self._values: Values | None = None
        self._valid: Mask = np.zeros(extent.size, np.bool_)

    def paste(self, picture: Picture, request: Request) -> None:
        """Put a picture where its request says. Raises NoPictureError for one of another type."""
        rows, columns, inner_rows, inner_columns = self._overlap(request.piece)
        values = picture.values[:, inner_rows, inner_columns]
        if self._values is None:
            self._values = np.zeros((len(values), *self._extent.size), values.dtype)
        if values.dtype != self._values.dtype:
            raise NoPictureError(
                f"{values.dtype} came among {self._values.dtype}", request.address.shown,
                "a server must send one type",
            )  # fmt: skip
        if len(values) > len(self._values):
            self._values = np.repeat(self._values, len(values), axis=0)
        self._values[:, rows, columns] = values
        valid = True if picture.valid is None else picture.valid[inner_rows, inner_columns]
        self._valid[rows, columns] = valid

    def erase(self, piece: Piece) -> None:
        """Make a piece one without data."""
        rows, columns, _, _ = self._overlap(piece)
        self._valid[rows, columns] = False

    def share(self, piece: Piece) -> float:
        """Return the part of the window that a piece fills."""
        rows, columns, _, _ = self._overlap(piece)
        height, width = self._extent.size
        inside = max(rows.stop - rows.start, 0) * max(columns.stop - columns.start, 0)
        return float(inside / (height * width))

    def result(self) -> tuple[Values, Mask]:
        """Return the values (B,h,w), and where they hold data (h,w)."""
        values = self._values
        return np.zeros(
            (3, *self._extent.size), np.uint8
        ) if values is None else values, self._valid

    def _overlap(self, piece: Piece) -> tuple[slice, slice, slice, slice]:
        rows, inner_rows = _shared(piece.top, piece.height, self._extent.top, self._extent.bottom)
        columns, inner_columns = _shared(
            piece.left, piece.width, self._extent.left, self._extent.right
        )
        return rows, columns, inner_rows, inner_columns


def _shared(start: int, length: int, first: int, last: int) -> tuple[slice, slice]:
    """Return what of a piece lies in a window: in the window's indices, and in its own."""
    low, high = max(start, first), min(start + length, last)
    return slice(low - first, high - first), slice(low - start, high - start)
