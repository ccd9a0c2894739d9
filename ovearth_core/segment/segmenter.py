"""The one interface of promptable segmentation: an image once, then prompts about it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError

Pixels = NDArray[np.uint8]
Masks = NDArray[np.bool_]
Scores = NDArray[np.float64]


class Segmenter(Protocol):
    """A model that answers what is pointed at with masks.

    name: of the model, as it is told to people and kept as a polygon's origin. One thread at a
    time: what `predict` answers is about the last image set.
    """

    name: str

    def set_image(self, pixels: Pixels) -> None:
        """Take the image (H, W, 3), red, green and blue."""

    def predict(
        self, points: ArrayLike, labels: ArrayLike, box: ArrayLike | None = None
    ) -> tuple[Masks, Scores]:
        """Return masks (K, H, W) and their scores (K,), the best first, K at least 1.

        points (N, 2): x, y in continuous pixels, (0.5, 0.5) is the centre of the first pixel.
        labels (N,): 1 inside, 0 outside. box (4,): xmin, ymin, xmax, ymax. scores: the model's
        own guess of the IoU. Raises UsageError for what is no prompt or before any image.
        """


def checked_pixels(pixels: Pixels) -> Pixels:
    """Return the image (H, W, 3) as it was given; UsageError where it is something else."""
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or not pixels.size:
        raise UsageError(
            f"an image of shape {pixels.shape} and type {pixels.dtype}",
            "set_image",
            "give (height, width, 3) of uint8",
        )
    return np.ascontiguousarray(pixels)


def no_image() -> UsageError:
    """Return what to raise where something is asked before there is an image."""
    return UsageError("no image is set", "predict", "call set_image first")
