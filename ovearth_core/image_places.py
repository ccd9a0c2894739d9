"""Which images a shape on the map lies in, and its pixels there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import FrameError, GeometryError, MissingPackageError
from .frame import ImageFrame
from .geometry import Polygon
from .operation import seam

Floats = NDArray[np.float64]
Polygons = tuple[tuple[Floats, ...], ...]

# As importing asks of all labels; a vertex on the edge comes back from the map this near to it.
EDGE_TOLERANCE_PX = 1e-3
_SEGMENTS = 8
# Envelopes only choose whom to ask exactly: edges bulge a little between the points taken.
_MARGIN = 0.01


class Frames(Protocol):
    """The images among which places are looked up, by their names."""

    def frame(self, file_name: str) -> ImageFrame:
        """Return the frame of an image; FrameError for one without CRS and transform."""

    def names(self) -> tuple[str, ...]:
        """Return every image's name, as `frame` takes it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape in pixels of one image; is_whole: whether nothing of it lies beyond the edge."""

    name: str
    frame: ImageFrame
    polygons: Polygons
    is_whole: bool

    def clipped(self) -> Polygons:
        """Return what lies within the image, perhaps nothing.

        GeometryError where a ring crosses itself; MissingPackageError without shapely.
        """
        if self.is_whole:
            return self.polygons
        return _clipped(self.polygons, self.frame.width, self.frame.height)


class ImagePlaces:
    """All images of a lookup, as shapes of one CRS are looked for in them.

    unplaced: how many have no CRS or transform, so that nothing can be found in them.
    """

    def __init__(self, images: Frames, crs: str) -> None:
        self._images = images
        self._crs = crs
        turn = seam(crs)
        self.period = None if turn is None else turn.period
        self._names: list[str] = []
        boxes = []
        self.unplaced = 0
        for name in images.names():
            try:
                frame = images.frame(name)
            except FrameError:
                self.unplaced += 1
                continue
            if (box := _envelope(frame, crs)) is not None:
                self._names.append(name)
                boxes.append(box)
        self._boxes = np.array(boxes, np.float64).reshape(-1, 4)

    def in_image(self, name: str, polygons: Sequence[Polygon]) -> Placed:
        """Return map polygons in pixels of the image named; FrameError where it doesn't reach."""
        frame = self._images.frame(name)
        carried = tuple(tuple(_closed(self._carried(frame, ring)) for ring in p) for p in polygons)
        points = np.vstack([ring for polygon in carried for ring in polygon])
        size = np.array([frame.width, frame.height])
        beyond = np.maximum(-points, points - size).max()
        return Placed(name, frame, carried, bool(beyond <= EDGE_TOLERANCE_PX))

    def holding(self, polygons: Sequence[Polygon]) -> list[Placed]:
        """Return map polygons in pixels of every image that shows some of them."""
        found = []
        for name in self._near(np.vstack([ring for polygon in polygons for ring in polygon])):
            try:
                placed = self.in_image(name, polygons)
            except FrameError:
                continue  # where an image's CRS doesn't reach, the image isn't either
            if placed.is_whole or placed.clipped():
                found.append(placed)
        return found

    def _carried(self, frame: ImageFrame, ring: Floats) -> Floats:
        return frame.map_to_pixel(ring, self._crs)

    def _near(self, points: Floats) -> Iterator[str]:
        low, high = points.min(axis=0), points.max(axis=0)
        turns = [0.0] if self.period is None else [0.0, self.period, -self.period]
        near = np.zeros(len(self._boxes), np.bool_)
        for turn in turns:
            near |= (
                (self._boxes[:, 0] <= high[0] + turn)
                & (self._boxes[:, 2] >= low[0] + turn)
                & (self._boxes[:, 1] <= high[1])
                & (self._boxes[:, 3] >= low[1])
            )
        return (self._names[at] for at in np.flatnonzero(near))


def _envelope(frame: ImageFrame, crs: str) -> Floats | None:
    """Return the image's box (4,) in the CRS, a little larger; None where there is none."""
    across = np.linspace(0.0, frame.width, _SEGMENTS + 1)
    down = np.linspace(0.0, frame.height, _SEGMENTS + 1)
    grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    try:
        points = frame.pixel_to_crs(grid, crs)
    except FrameError:
        return None
    low, high = points.min(axis=0), points.max(axis=0)
    margin = _MARGIN * (high - low)
    return np.concatenate([low - margin, high + margin])


def _closed(ring: Floats) -> Floats:
    return ring if np.array_equal(ring[0], ring[-1]) else np.vstack([ring, ring[:1]])


def _clipped(polygons: Polygons, width: int, height: int) -> Polygons:
    try:
        import shapely
    except ImportError:
        raise MissingPackageError(
            "shapes at an image's edge need shapely", mend="pip install shapely"
        ) from None
    window = shapely.box(0.0, 0.0, width, height)
    parts = []
    for outer, *holes in polygons:
        try:
            whole = shapely.Polygon(outer, holes)
            parts.append(shapely.intersection(whole, window))
        except shapely.errors.GEOSException as fault:
            what = f"a polygon that can't be cut at the image's edge ({fault})"
            raise GeometryError(what, mend="mend it (QGIS: Fix geometries)") from None
    flat = shapely.get_parts(np.array(parts))
    kept = [part for part in flat if part.geom_type == "Polygon" and part.area > 0.0]
    return tuple(
        tuple(np.array(ring.coords, np.float64) for ring in (part.exterior, *part.interiors))
        for part in kept
    )
