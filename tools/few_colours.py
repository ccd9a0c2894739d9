"""A picture of a window in few colours, with those of small things: marks, lines, legends.

By the number of pixels alone, an image on the map would take the whole palette, and move theirs.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

# Colours that lie together count as one.
_STEP = 8
# Of a colour: how far its channels lie apart, and in how many pixels, to be kept as it is.
_STRONG, _FEW = 100, 12
_ROUNDS = 8


def in_few_colours(whole: Image.Image, colours: int) -> Image.Image:
    """Return an RGB image with a palette of so many colours."""
    pixels = np.asarray(whole, np.int64).reshape(-1, 3)
    means, count = _kinds(pixels)
    order = np.argsort(-count)
    is_strong = (np.ptp(means, axis=1) > _STRONG) & (count >= _FEW)
    flat, strong = order[: colours // 8], order[is_strong[order]][: colours // 8]
    kept = means[np.union1d(flat, strong)]
    start = means[order[:: max(1, len(order) // (colours - len(kept)))]][: colours - len(kept)]
    found = np.rint(np.vstack([kept, _settled(means, np.sqrt(count), kept, start)]))
    palette = Image.new("P", (1, 1))
    palette.putpalette(found.astype(int).ravel().tolist())
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


def _kinds(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean (K,3) and the number of pixels of each kind of colour."""
    kinds, place, count = np.unique(
        pixels // _STEP, axis=0, return_inverse=True, return_counts=True
    )
    sums = np.zeros((len(kinds), 3))
    np.add.at(sums, place.ravel(), pixels)
    return sums / count[:, None], count


def _settled(
    means: np.ndarray, weights: np.ndarray, kept: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """Move colours (N,3) to the middle of the kinds that are nearest to them (Lloyd)."""
    found = start.copy()
    for _ in range(_ROUNDS):
        both = np.vstack([kept, found])
        far = ((means[:, None] - both[None]) ** 2).sum(axis=2)
        nearest = far.argmin(axis=1) - len(kept)
        for number in range(len(found)):
            is_its = nearest == number
            if is_its.any():
                found[number] = np.average(means[is_its], axis=0, weights=weights[is_its])
    return found
