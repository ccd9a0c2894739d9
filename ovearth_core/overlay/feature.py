"""One thing that an overlay shows: an area or a box, and how it came out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..dataset.blob import Polygons
from ..dataset.shapes import to_lonlat
from ..frame import ImageFrame

OUTCOMES = ("matched", "spurious", "missed")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OverlayFeature:
    """Pixels of a mask, or one box, of one query.

    polygons: closed rings (N, 2) in pixels of the image, the outer one first. iou: of a mask the
    query's; of a matched box that with its match; of others the best with any box of the other
    side, 0 where none overlaps or the query is negative. score: None where the run gives none.
    """

    query_id: str
    image_id: int
    category: str
    modality: str
    outcome: str
    iou: float
    score: float | None
    polygons: Polygons

    def in_lonlat(self, frame: ImageFrame) -> Polygons:
        """Return the polygons in EPSG:4326, in one piece across the antimeridian.

        Raises FrameError where the image lies nowhere.
        """
        return to_lonlat(frame, self.polygons)

    def in_map(self, frame: ImageFrame) -> Polygons:
        """Return the polygons in the image's own CRS; FrameError without a transform."""
        return tuple(tuple(frame.pixel_to_map(ring) for ring in rings) for rings in self.polygons)


def quad_polygons(corners: Floats) -> Polygons:
    """Return the polygon of four corners (4, 2)."""
    return ((np.vstack([corners, corners[:1]]),),)
