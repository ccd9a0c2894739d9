"""Brings masks and maps of another size to their image's: a pixel takes what its centre lies in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError
from ...geometry import Runs
from .reading import Reading

_RESIZED = "masks of another size than their image, brought to it by nearest"


def nearest_array(values: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """Return an array (h, w) as (height, width): of each new pixel the old one at its centre.

    As OpenCV's INTER_NEAREST_EXACT and PIL's NEAREST do, in whole numbers.
    """
    return values[_places(values.shape[0], height)][:, _places(values.shape[1], width)]


def fitted(values: NDArray[Any], image: Image, reading: Reading, what: str) -> NDArray[Any]:
    """Return an array at its image's size; InputError where it isn't, unless it may be resized."""
    if values.shape == (image.height, image.width):
        return values
    _check_may_be_resized(list(values.shape), image, reading, what)
    return nearest_array(values, image.height, image.width)


def fitted_runs(mask: Runs, image: Image, reading: Reading, what: str = "mask") -> Runs:
    """Return a mask at its image's size; InputError where it isn't, unless it may be resized."""
    if (mask.height, mask.width) == (image.height, image.width):
        return mask
    _check_may_be_resized([mask.height, mask.width], image, reading, what)
    return Runs.from_array(nearest_array(mask.to_array(), image.height, image.width))


def _places(count: int, wanted: int) -> NDArray[np.int64]:
    """Return which of `count` cells the centre of each of `wanted` cells lies in."""
    return (2 * np.arange(wanted, dtype=np.int64) + 1) * count // (2 * wanted)


def _check_may_be_resized(size: list[int], image: Image, reading: Reading, what: str) -> None:
    if reading.options.resize is None:
        raise InputError(
            f"{what} has size {size}, image {image.id} has {[image.height, image.width]}"
            " (height, width)",
            mend="write it at the image's size, or bring it there: --resize nearest",
        )
    if len(size) != 2 or not all(size):
        raise InputError(f"{what} of shape {size}", mend="write (height, width)")
    reading.warnings[_RESIZED] += 1
