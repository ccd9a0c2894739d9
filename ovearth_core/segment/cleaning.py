"""A model's mask as polygons fit to be edited: no hairs, no specks, few vertices.

In this order:

1. Hairs, foreground that no square of 2 x 2 foreground pixels holds, are dropped, unless more than
   half of the mask would go: a thing one pixel wide stays.
2. Parts (pixels that hang together by their sides) of fewer than 4 pixels, or of less than a
   hundredth of the largest part, are dropped, unless someone clicked inside of them; the largest
   part always stays.
3. Holes of fewer than 4 pixels are filled. All others are kept.
4. What is left is drawn by `geometry.outline`: the same pixels exactly, with few vertices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..geometry import Runs
from ..geometry.outline import pixel_outlines, ring_area, simplified
from ..geometry.rings import Polygon

LEAST_PX = 4
LEAST_PART = 0.01
_LEAST_LEFT = 0.5

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def mask_polygons(mask: Mask, clicks: Floats | None = None) -> list[Polygon]:
    """Return the polygons of a mask (H, W) in its continuous pixels, the largest first.

    Closed rings (N, 2), the outer one first. clicks (N, 2): points someone said are inside. Valid,
    apart from each other; none where the mask is empty.
    """
    outlines = pixel_outlines(Runs.from_array(without_hairs(mask)))
    areas = [ring_area(rings[0]) - sum(map(ring_area, rings[1:])) for rings in outlines]
    order = sorted(range(len(outlines)), key=lambda place: -areas[place])
    kept = [
        outlines[place]
        for rank, place in enumerate(order)
        if rank == 0
        or areas[place] >= max(LEAST_PX, LEAST_PART * areas[order[0]])
        or _is_clicked(outlines[place], mask.shape, clicks)
    ]
    return [
        [
            simplified(ring)
            for nth, ring in enumerate(rings)
            if not nth or ring_area(ring) >= LEAST_PX
        ]
        for rings in kept
    ]


def without_hairs(mask: Mask) -> Mask:
    """Return the foreground in 2 x 2 squares of foreground, or the mask where that is thin."""
    squares = mask[:-1, :-1] & mask[1:, :-1] & mask[:-1, 1:] & mask[1:, 1:]
    left = np.zeros_like(mask)
    for down in (0, 1):
        for right in (0, 1):
            height, width = squares.shape
            left[down : down + height, right : right + width] |= squares
    is_enough = np.count_nonzero(left) >= _LEAST_LEFT * np.count_nonzero(mask)
    return left if is_enough else mask


def _is_clicked(rings: Polygon, shape: tuple[int, ...], clicks: Floats | None) -> bool:
    if clicks is None or not len(clicks):
        return False
    low, high = rings[0].min(axis=0), rings[0].max(axis=0)
    near = clicks[((clicks >= low) & (clicks < high)).all(axis=1)]
    if not len(near):
        return False
    part = Runs.from_rings([rings], shape[0], shape[1]).to_array()
    columns, rows = np.floor(near).astype(np.int64).T
    return bool(part[rows, columns].any())
