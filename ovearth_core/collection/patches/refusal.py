"""Why a patch is not kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spelling import counted
from ..imagery import Pixels
from ..imagery.source import FORBIDDEN_TILES, Values

OUTSIDE = "outside"
NODATA = "nodata"
# Not lasting: some hosts forbid what they don't have, others what a key no longer opens.
FORBIDDEN = "forbidden"
COARSE = "coarse"
BLANK = "blank"
PLACEHOLDER = "placeholder"
DUPLICATE = "duplicate"
# So many faults in a row are the source's, not the places'.
MOST_FAULTS_IN_A_ROW = 5
FAILED = "failed"

# What looking again with the same settings would only find again.
LASTING = frozenset({OUTSIDE, NODATA, COARSE, BLANK, PLACEHOLDER})

# The source may be this much coarser than what was asked for.
_AS_FINE = 1.01
# Of values between these parts of all, a blank picture has no more than this many levels.
_MIDDLE = (0.5, 99.5)
_BLANK_LEVELS = 2
# So many pixels that are so many levels off it are something, however small.
_STANDS_OUT = 24
_LEAST_SHOWN = 12
# A placeholder: one colour on most of it, and few others. Those of letters come again and again,
# where a ship has nearly as many as pixels: so many of what stands out from the ground.
_ONE_COLOUR = {1: 0.9, 3: 0.6}
_FEW_COLOURS = 512
_COLOURS_A_PIXEL = 1 / 3
# JPEG makes many colours of few: as many as it likes where nearly all is the ground, and that is
# flat: of what is as good as its colour so much is its colour.
_NEARLY_ALL = 0.9
_AS_GOOD_AS = 8
_FLAT = 0.93
_MOST_LOOKED_AT = 1 << 16


@dataclass(frozen=True)
class Refusal:
    """A reason, one of the names above, and what was found."""

    reason: str
    detail: str


def too_coarse(native_m: float, wanted_m: float | None) -> Refusal | None:
    """Return a refusal where the source's pixels are larger than those that were asked for."""
    if wanted_m is None or native_m <= wanted_m * _AS_FINE:
        return None
    return Refusal(COARSE, f"the source has {native_m:.3g} m there, {wanted_m:.3g} m are wanted")


def unfit(pixels: Pixels, most_nodata: float) -> Refusal | None:
    """Return why pixels are not fit to be kept, None where they are."""
    share = 1.0 - float(np.count_nonzero(pixels.valid)) / pixels.valid.size
    if share > most_nodata and pixels.placeholder_share > most_nodata:
        return placeholder(min(share, pixels.placeholder_share))
    if share > most_nodata or share >= 1.0:
        return _without_data(share, most_nodata, pixels.about.extra.get(FORBIDDEN_TILES, 0))
    shown = _sample(pixels)
    if _is_blank(shown) and not _shows_something(pixels, shown):
        return Refusal(BLANK, "it is of one colour")
    if _is_placeholder(shown):
        return Refusal(PLACEHOLDER, "it looks like a 'no data here' tile")
    return None


def _without_data(share: float, most_nodata: float, forbidden: int) -> Refusal:
    """Return the refusal of a patch without data on so much of it; forbidden: so many tiles are."""
    if forbidden:
        tiles = counted(forbidden, "tile", "tiles")
        return Refusal(FORBIDDEN, f"{share:.1%} without data, where the server forbids {tiles}")
    if share >= 1.0:
        return Refusal(NODATA, "there is no data at all")
    return Refusal(NODATA, f"{share:.1%} without data, at most {most_nodata:.1%} are allowed")


def placeholder(share: float) -> Refusal:
    """Return the refusal of a patch of which so much shows tiles that stand in for others."""
    return Refusal(PLACEHOLDER, f"{share:.1%} is tiles that say 'no data here'")


def _sample(pixels: Pixels) -> Values:
    """Return values (N, bands) with data, at most some 65,000, alpha left out."""
    stride = max(1, int(np.sqrt(pixels.valid.size / _MOST_LOOKED_AT)))
    thinned = pixels.values[_shown_bands(pixels), ::stride, ::stride]
    return np.asarray(thinned[:, pixels.valid[::stride, ::stride]].T)


def _shown_bands(pixels: Pixels) -> list[int]:
    names = pixels.colors or ("",) * len(pixels.values)
    return [number for number, name in enumerate(names) if name != "alpha"] or [0]


def _is_blank(values: Values) -> bool:
    if len(values) < 2:
        return True
    low, high = np.percentile(values, _MIDDLE, axis=0)
    few = _BLANK_LEVELS if values.dtype.kind in "iu" else 0.0
    return bool((high - low <= few).all())


def _shows_something(pixels: Pixels, shown: Values) -> bool:
    """Whether a few pixels of what seems blank stand out: a ship on a calm sea is no sea alone."""
    if not len(shown):
        return False
    usual = np.median(shown, axis=0)
    apart = _STANDS_OUT if pixels.values.dtype.kind in "iu" else 0.0
    found = np.zeros(pixels.valid.shape, np.bool_)
    for number, value in zip(_shown_bands(pixels), usual, strict=True):
        found |= np.abs(pixels.values[number] - float(value)) > apart
    return int(np.count_nonzero(found & pixels.valid)) >= _LEAST_SHOWN


def _is_placeholder(values: Values) -> bool:
    """Whether 8-bit values are a drawing on a plain ground: pictures have noise everywhere."""
    if values.dtype != np.uint8:
        return False
    bands = 3 if values.shape[1] >= 3 else 1
    # What fills more than half of it is the median of every band: most pictures end here.
    usual = np.median(values[:, :bands], axis=0)
    if np.count_nonzero((values[:, :bands] == usual).all(axis=1)) < _ONE_COLOUR[bands] * len(
        values
    ):
        return False
    code = np.zeros(len(values), np.int64)
    for band in range(bands):
        code = code << 8 | values[:, band]
    _, counts = np.unique(code, return_counts=True)
    ground = int(counts.max())
    if ground < _ONE_COLOUR[bands] * len(values):
        return False
    # One band has 256 levels at most, which tells nothing: the ground is nearly all of it.
    return bands == 1 or _is_drawn(values[:, :bands], code, usual, counts)


def _is_drawn(values: Values, code: Any, usual: Any, counts: Any) -> bool:
    """Whether what isn't the ground is letters. code: of each pixel's colour; counts: of each."""
    ground = counts.max()
    off = np.abs(values.astype(np.int16) - usual).max(axis=1)
    if len(counts) > _FEW_COLOURS and (
        ground < _NEARLY_ALL * len(values) or ground < _FLAT * np.count_nonzero(off <= _AS_GOOD_AS)
    ):
        return False
    letters = code[off > _STANDS_OUT]
    return len(letters) < _LEAST_SHOWN or len(np.unique(letters)) <= _COLOURS_A_PIXEL * len(letters)
