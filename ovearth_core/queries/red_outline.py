"""The target's red outline, drawn beside its edge so that nothing of it is covered."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import Polygon, Runs
from ..segment.view import View

RED = (255, 0, 0)

_THICKNESS_PX = 3
# A target smaller than this on the picture gets a ring with some of its surroundings inside.
_SMALL_PX = 12
_ROOM_PX = 6

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def with_outline(pixels: Pixels, view: View, shapes: list[list[Polygon]]) -> Pixels:
    """Return a view's pixels (rows, columns, 3) with the shapes, in image pixels, outlined.

    Holes are outlined too. A shape that is small on the picture is ringed at some distance.
    """
    height, width = pixels.shape[:2]
    region = np.zeros((height, width), np.bool_)
    ringed = np.zeros_like(region)
    for shape in shapes:
        seen = [[view.from_image(ring) for ring in rings] for rings in shape]
        low, high = _extent(seen)
        if (high < 0).any() or (low >= [width, height]).any():
            continue
        mask = Runs.from_rings(seen, height, width).to_array().astype(np.bool_)
        if float((high - low).max()) < _SMALL_PX:
            ringed |= _grown(_marked(mask, low, high), _ROOM_PX)
        else:
            region |= mask
    whole = region | ringed
    line = _grown(whole, _THICKNESS_PX) & ~whole
    drawn: Pixels = pixels.copy()
    drawn[line | _at_border(whole)] = RED
    return drawn


def _extent(shape: list[Polygon]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.concatenate([rings[0] for rings in shape])
    return points.min(axis=0), points.max(axis=0)


def _marked(mask: Mask, low: NDArray[np.float64], high: NDArray[np.float64]) -> Mask:
    """Return a mask that has at least the pixels that a shape touches."""
    height, width = mask.shape
    left, top = (max(0, int(v)) for v in np.floor(low))
    right, bottom = (int(v) for v in np.ceil(high))
    marked: Mask = mask.copy()
    marked[top : max(bottom, top + 1), left : max(right, left + 1)] = True
    return marked if marked.any() else _nearest(marked, left, top, width, height)


def _nearest(marked: Mask, left: int, top: int, width: int, height: int) -> Mask:
    marked[min(top, height - 1), min(left, width - 1)] = True
    return marked


def _grown(mask: Mask, distance: int) -> Mask:
    """Return a mask and all within a distance of it, squares standing for discs."""
    grown: Mask = mask.copy()
    for axis in (0, 1):
        before = grown.copy()
        for step in range(1, distance + 1):
            ahead, behind = _shifted(before, step, axis)
            grown |= ahead | behind
    return grown


def _shifted(mask: Mask, step: int, axis: int) -> tuple[Mask, Mask]:
    ahead, behind = np.zeros_like(mask), np.zeros_like(mask)
    if step < mask.shape[axis]:
        if axis == 0:
            ahead[step:], behind[:-step] = mask[:-step], mask[step:]
        else:
            ahead[:, step:], behind[:, :-step] = mask[:, :-step], mask[:, step:]
    return ahead, behind


def _at_border(mask: Mask) -> Mask:
    """Return the target's pixels at the picture's own border, where nothing lies beside them.

    Only where it covers the border wholly: else the line beside it shows enough.
    """
    edges = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
    line = np.zeros_like(mask)
    if all(edge.all() for edge in edges):
        for step in range(_THICKNESS_PX):
            line[step] = line[-1 - step] = line[:, step] = line[:, -1 - step] = True
    return line
