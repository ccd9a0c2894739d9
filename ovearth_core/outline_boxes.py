"""Boxes of polygons that lie on a map rather than on an image of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .benchmark import Benchmark, Image, Instance, Truth
from .benchmark.box_table import FRAMES
from .benchmark.framed_boxes import FramedBoxes, ImageShapes, framed_boxes
from .errors import GeometryError, OVEarthError, TruthError, UsageError
from .frame import ImageFrame
from .geometry import Polygon
from .spelling import nearest

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OutlineBox:
    """One box: corners (4, 2) on the map, and its size on the ground, null where that is unknown.

    width_m, length_m, area_m2; azimuth_deg of the long side, clockwise from true north in [0, 180).
    """

    corners: Floats
    width_m: float | None
    length_m: float | None
    azimuth_deg: float | None
    area_m2: float | None


BoxPair = tuple[OutlineBox, OutlineBox]


class OutlineBoxes:
    """Derives boxes in one frame: "map" (axes of `crs`), "ground" (metres east and north of each
    object) or "pixel" (axes of `image`'s grid).

    crs: of the polygons, None for bare pixels. extent: xmin, ymin, xmax, ymax of them all.
    Raises UsageError where the frame needs a CRS or an image that isn't given.
    """

    def __init__(
        self,
        crs: str | None,
        frame: str,
        extent: Sequence[float],
        image: ImageFrame | None = None,
    ) -> None:
        if frame not in FRAMES:
            raise UsageError(f"unknown frame {frame!r}", "FRAME", nearest(frame, FRAMES))
        if crs is None and frame == "ground":
            raise UsageError("polygons without a CRS have no ground", mend="give the layer a CRS")
        if crs is not None and frame == "pixel" and image is None:
            raise UsageError(
                "boxes along pixels need the image", mend="choose it, or the frame map or ground"
            )
        self._crs = crs
        self._frame = frame
        self._grid = image if frame == "pixel" and image is not None else _plane(crs, extent)
        grid = self._grid
        self._image = Image(0, "layer", grid.width, grid.height, grid.crs, grid.transform)
        self._truth = Truth(Benchmark((), (), (), (), ()))

    def of(self, shapes: Sequence[Sequence[Polygon]]) -> list[BoxPair | None]:
        """Return the horizontal and the oriented box of each shape; None for what is no polygon.

        Many at once take little longer than one.
        """
        try:
            return list(self._of_sound(shapes))
        except OVEarthError:
            # One of them is at fault: alone, it is found.
            return [self._of_one(shape) for shape in shapes]

    def _of_one(self, shape: Sequence[Polygon]) -> BoxPair | None:
        try:
            return self._of_sound([shape])[0]
        except (GeometryError, TruthError):
            return None

    def _of_sound(self, shapes: Sequence[Sequence[Polygon]]) -> list[BoxPair]:
        instances = [Instance(0, 0, 0, 0, geometry=self._on_grid(shape)) for shape in shapes]
        # Pixels and axes of the map are the same in a plane of its own.
        frame = "ground" if self._frame == "ground" else "pixel"
        found = framed_boxes(ImageShapes(self._truth, instances, self._image), frame)
        pairs = zip(*(self._boxes(found, kind) for kind in ("hbb", "obb")), strict=True)
        return [(hbb, obb) for hbb, obb in pairs]

    def _boxes(self, found: FramedBoxes, kind: str) -> list[OutlineBox]:
        corners = found.corners_px(kind)
        whole = [box for box in corners if box is not None]
        if len(whole) < len(corners):
            raise GeometryError("a shape without a polygon", mend="draw one")
        sizes = found.sizes(corners)
        flat = np.concatenate(whole) if whole else np.zeros((0, 2))
        on_map = self._from_grid(flat).reshape(-1, 4, 2)
        return [OutlineBox(box, **size) for box, size in zip(on_map, sizes, strict=True)]

    def _on_grid(self, shape: Sequence[Polygon]) -> dict[str, object]:
        rings = [[self._to_grid(np.asarray(ring, np.float64)) for ring in rings] for rings in shape]
        return {"type": "MultiPolygon", "coordinates": rings}

    def _to_grid(self, xy: Floats) -> Floats:
        if self._grid.crs is None:
            return self._grid.map_to_pixel(xy)
        return self._grid.map_to_pixel(xy, self._crs)

    def _from_grid(self, xy: Floats) -> Floats:
        if self._grid.crs is None or self._crs is None:
            return self._grid.pixel_to_map(xy)
        return self._grid.pixel_to_crs(xy, self._crs)


def _plane(crs: str | None, extent: Sequence[float]) -> ImageFrame:
    """Return a grid of one map unit a pixel, rows along y, whose corner is the extent's."""
    xmin, ymin, xmax, ymax = extent
    width, height = (max(1, int(np.ceil(size))) for size in (xmax - xmin, ymax - ymin))
    if crs is None:
        return ImageFrame(None, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), width, height)
    return ImageFrame(crs, (1.0, 0.0, xmin, 0.0, -1.0, ymax), width, height)
