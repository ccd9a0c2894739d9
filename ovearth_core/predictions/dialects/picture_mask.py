"""Masks that are pictures within a box: Gemini's PNG of probabilities, brought to its pixels.

Source: Google's guide to Gemini's segmentation, ai.google.dev/gemini-api/docs/image-understanding:
the box is cut to whole pixels, the picture resized to it, and what is above 127 of 255 is inside.
Its examples resize by Pillow's bilinear filter, and so does this.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...geometry import Runs
from ...png_text import grey_of
from .grid import Floats, Size

_MIDDLE = 127
_ROWS = 512
_Weights = list[tuple[NDArray[np.int64], NDArray[np.float32]]]


def mask_in_box(text: str, box: Floats, size: Size) -> Runs | None:
    """Return the mask (of an image of width and height `size`) that a picture is within a box.

    box: xmin, ymin, xmax, ymax in pixels, within the image. None where no whole pixel is in it.
    Raises as `grey_of` does.
    """
    picture = grey_of(text)
    left, top, right, bottom = np.trunc(box).astype(int).tolist()
    if right <= left or bottom <= top:
        return None
    width, height = size
    whole = np.zeros((height, width), np.bool_)
    across = _blended(picture, right - left, 1)
    weights = _weights(picture.shape[0], bottom - top)
    for start in range(0, bottom - top, _ROWS):
        rows = slice(start, min(start + _ROWS, bottom - top))
        part = [(places[rows], shares[rows]) for places, shares in weights]
        inside = _rounded(sum(across[at] * of[:, None] for at, of in part)) > _MIDDLE
        whole[top + rows.start : top + rows.stop, left:right] = inside
    return Runs.from_array(whole)


def _blended(values: NDArray[np.uint8], count: int, axis: int) -> NDArray[np.uint8]:
    """Return a picture with `count` pixels along an axis."""
    turned = np.moveaxis(values, axis, 0)
    parts = (turned[at] * of[:, None] for at, of in _weights(len(turned), count))
    return np.moveaxis(_rounded(sum(parts)), 0, axis)


def _weights(count: int, wanted: int) -> _Weights:
    """Return, tap by tap, which of `count` pixels each of `wanted` new ones takes, and how much.

    A triangle around the new pixel's centre, one old pixel wide to each side, or one new one where
    the picture shrinks; cut at the edges, and of the whole 1: Pillow's BILINEAR.
    """
    scale = count / wanted
    support = max(scale, 1.0)
    centres = (np.arange(wanted) + 0.5) * scale
    first = np.maximum((centres - support + 0.5).astype(np.int64), 0)
    last = np.minimum((centres + support + 0.5).astype(np.int64), count)
    taps = range(math.ceil(support) * 2 + 1)
    shares = np.stack(
        [
            np.where(
                first + tap < last,
                np.maximum(1 - np.abs((first + tap - centres + 0.5) / support), 0),
                0,
            )
            for tap in taps
        ]
    )
    shares /= shares.sum(axis=0)
    return [(np.minimum(first + tap, count - 1), shares[tap].astype(np.float32)) for tap in taps]


def _rounded(values: NDArray[np.float32] | float) -> NDArray[np.uint8]:
    return np.clip(np.asarray(values) + 0.5, 0, 255).astype(np.uint8)
