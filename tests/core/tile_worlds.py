"""Tiles of a world whose pixels say where they lie, and frames to look at it through."""

import re

import numpy as np
from pyproj import Transformer

from .framing import WORLD_MERCATOR
from .loopback import Answer, png

# Parts of a pixel that values can tell apart.
FINE = 8
_REACH_PX = 12
_TILE = re.compile(r"/(\d+)/(\d+)/(\d+)[^/]*$")


def tile(z, x, y, size=256):
    """Values (3,size,size) of 16 bits: eight times the pixel's column and row in its level, 0."""
    row, column = np.mgrid[0:size, 0:size]
    values = np.stack([column + x * size, row + y * size, 0 * row])
    return (values * FINE % 65536).astype(np.uint16)


def numbers(path):
    """Return z, x, y of a path."""
    return tuple(int(text) for text in _TILE.search(path.partition("?")[0]).groups())


def world(size=256, flipped=False):
    """Answer with tiles of `size` pixels."""

    def answer(path, _):
        z, x, y = numbers(path)
        return Answer(png(tile(z, x, 2**z - 1 - y if flipped else y, size)))

    return answer


def positions(frame, level, size=256):
    """Return columns and rows (h,w) in a level of the centres of a frame's pixels, by pyproj."""
    column, row = np.meshgrid(np.arange(frame.width) + 0.5, np.arange(frame.height) + 0.5)
    a, b, c, d, e, f = frame.transform
    x, y = a * column + b * row + c, d * column + e * row + f
    x, y = Transformer.from_crs(frame.crs, "EPSG:3857", always_xy=True).transform(x, y)
    pixel = 2 * WORLD_MERCATOR / size / 2**level
    return (x + WORLD_MERCATOR) / pixel, (WORLD_MERCATOR - y) / pixel


def offsets_px(pixels, size=256):
    """Return how far contents are from where they should be, in the level's pixels, (2,N).

    Left out is where values begin again, so that those of neighbours can't be mixed.
    """
    level = int(pixels.about.extra["level"])
    x, y = positions(pixels.frame, level, size)
    found = pixels.values / FINE + 0.5
    half = 32768 / FINE  # values begin again after 65536
    off = np.stack([(found[n] - want + half) % (2 * half) - half for n, want in enumerate((x, y))])
    ends = np.stack([(want % (2 * half) - half) for want in (x, y)])
    is_smooth = (np.abs(ends) < half - _REACH_PX).all(axis=0)
    assert is_smooth.mean() > 0.5
    return off[:, is_smooth]
