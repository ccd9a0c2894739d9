"""How an image lies in the square that a model sees, and the way back for what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The decoders add half a pixel to every coordinate: theirs count from a pixel's centre.
_CENTRE = 0.5


@dataclass(frozen=True)
class Fit:
    """An image of `height` x `width` as `inner_height` x `inner_width`, upper left in a frame.

    The frame is what the model sees; beyond the inner part it is padding.
    """

    height: int
    width: int
    inner_height: int
    inner_width: int
    frame_height: int
    frame_width: int

    @classmethod
    def padded(cls, size: tuple[int, int], frame: tuple[int, int]) -> Fit:
        """Return the fit of SAM: as large as fits, sides in proportion, the rest padded."""
        scale = min(frame[0] / size[0], frame[1] / size[1])
        rows, columns = (max(1, floor(side * scale + 0.5)) for side in size)
        return cls(*size, rows, columns, *frame)

    @classmethod
    def stretched(cls, size: tuple[int, int], frame: tuple[int, int]) -> Fit:
        """Return the fit of SAM 2: each side as long as the frame's."""
        return cls(*size, *frame, *frame)

    def to_model(self, xy: Floats) -> Floats:
        """Return points (N, 2), continuous pixels of the image, as the decoders want them."""
        scale = np.array([self.inner_width / self.width, self.inner_height / self.height])
        moved: Floats = xy * scale - _CENTRE
        return moved

    def foreground(self, logits: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return the mask (height, width) of logits (h, w) over the whole frame.

        Bilinear between the logits, at each pixel's centre; above zero is foreground.
        """
        rows, columns = logits.shape
        along = _interpolated(
            logits, _places(self.height, self.inner_height, self.frame_height, rows)
        )
        across = _places(self.width, self.inner_width, self.frame_width, columns)
        found: NDArray[np.bool_] = _interpolated(along.T, across).T > 0.0
        return np.ascontiguousarray(found)


def _places(size: int, inner: int, frame: int, cells: int) -> Floats:
    """Return where the centres of an image's pixels lie among the centres of the logits."""
    places = (np.arange(size) + 0.5) * (inner / size) * (cells / frame) - 0.5
    return np.clip(places, 0.0, cells - 1.0)


def _interpolated(values: NDArray[np.float32], places: Floats) -> NDArray[np.float32]:
    before = np.minimum(places.astype(np.int64), max(len(values) - 2, 0))
    after = np.minimum(before + 1, len(values) - 1)
    weight = (places - before).astype(np.float32)[:, None]
    mixed: NDArray[np.float32] = values[before] * (1.0 - weight) + values[after] * weight
    return mixed
