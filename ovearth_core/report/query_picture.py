"""A query's image with the outline of what is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..benchmark import Image, Truth
from .drawing import figure_bytes, label
from .shown_pixels import shown_pixels

_LONGEST_SIDE = 1000
_SIDE_INCHES = 5.0
# Light within dark, to be seen on any ground.
_LINES = (("black", 3.0), ("#F0E442", 1.4))
_LONGEST_TITLE = 70


def query_picture(
    truth: Truth, target_id: int | None, image: Image, file: Path, title: str, name: str
) -> bytes:
    """Return a PNG of an image file, the target's mask (its boxes without one) outlined.

    target_id: None to outline nothing. name: of the picture. Raises InputError for a file that is
    no image of the size that the benchmark says, TruthError for truth that can't be read.
    """
    pixels = shown_pixels(file, image, _LONGEST_SIDE)
    longest = max(image.width, image.height)
    size = (_SIDE_INCHES * image.width / longest, _SIDE_INCHES * image.height / longest + 0.5)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        axes.imshow(pixels, extent=(0, image.width, image.height, 0))
        axes.set_axis_off()
        axes.set_title(label(title, _LONGEST_TITLE), wrap=True)
        if target_id is not None:
            _outline(axes, truth, target_id)

    return figure_bytes(draw, "png", name, size)


def _outline(axes: Any, truth: Truth, target_id: int) -> None:
    mask = truth.mask(target_id)
    if mask is None or mask.is_empty:
        for x0, y0, x1, y1 in truth.hbb(target_id):
            for colour, width in _LINES:
                axes.plot([x0, x1, x1, x0, x0], [y0, y0, y1, y1, y0], color=colour, linewidth=width)
        return
    # A rim of nothing closes outlines at the image's edge.
    inside = np.pad(mask.to_array().astype(np.float64), 1)
    y, x = (np.arange(length) - 0.5 for length in inside.shape)
    for colour, width in _LINES:
        axes.contour(x, y, inside, [0.5], colors=colour, linewidths=width)
    axes.set(xlim=(0, inside.shape[1] - 2), ylim=(inside.shape[0] - 2, 0))
