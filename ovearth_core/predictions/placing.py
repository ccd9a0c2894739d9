"""Takes a run's answers into the pixel frame of their image."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark, Image
from ..crs import geographic_period
from ..entry import describe
from ..errors import GeometryError, InputError, OVEarthError
from ..frame import ImageFrame
from ..geometry import Runs, check_quads, polygons_from_geojson
from .header import Header
from .raster_mask import read_raster_mask

_REMEMBERED = 512
_BEYOND_POLE = 1e-6
_MASK_KINDS = ("counts", "polygons", "file")

Floats = NDArray[np.float64]


class Placing:
    """Knows where a run's coordinates lie on each image of a benchmark.

    `folder`: where {"file"} masks are looked for, None where there can be none.
    """

    def __init__(self, benchmark: Benchmark, header: Header, folder: Path | None) -> None:
        self.benchmark = benchmark
        self.header = header
        self.folder = folder
        self.operations: dict[str, set[str]] = {}
        self._frame = lru_cache(maxsize=_REMEMBERED)(self._framed)

    def box_crs(self, image: Image) -> str | None:
        """Return the CRS in which horizontal boxes are compared; None for pixels."""
        if not self.header.in_map:
            return None
        return self.header.crs or self._frame(image.id).crs

    def points(self, image: Image, points: Floats) -> Floats:
        """Return (N, 2) x, y in pixels of points as the run gives them."""
        if not self.header.in_map or not len(points):
            return points
        return self._frame(image.id).map_to_pixel(points, self.header.crs)

    def quads(self, image: Image, quads: Floats) -> Floats:
        """Return (N, 4, 2) corners in pixels of oriented boxes as the run gives them.

        Raises GeometryError where sides cross there: on the map, around a pole, they may seem to.
        """
        return check_quads(self.points(image, quads.reshape(-1, 2)).reshape(quads.shape))

    def envelopes(self, image: Image, quads: Floats) -> Floats:
        """Return (N, 4) envelopes of oriented boxes, in the CRS that boxes are compared in."""
        if self.header.in_map and len(quads):
            frame = self._frame(image.id)
            quads = frame.points_near(quads.reshape(-1, 2), self.header.crs).reshape(quads.shape)
        return np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)

    def boxes(self, image: Image, boxes: Floats) -> Floats:
        """Return (N, 4) boxes in the CRS they are compared in, turned to the image's longitudes.

        In degrees, a box written one turn of the globe away is the same box.
        """
        if not self.header.in_map or not len(boxes):
            return boxes
        frame = self._frame(image.id)
        crs = self.header.crs or str(frame.crs)
        turn = geographic_period(crs)
        if turn is not None and np.abs(boxes[:, [1, 3]]).max() > turn / 4 + _BEYOND_POLE:
            raise InputError(
                f"a box with a latitude beyond what {crs} has",
                mend="x is longitude and y latitude, whatever the CRS's axis order; pixels need"
                ' "coordinates": "pixel"',
            )
        return frame.boxes_near(boxes, crs)

    def mask(self, image: Image, mask: Any) -> Runs:
        """Return the mask of a record as runs; several are unioned, None is empty.

        Raises InputError or GeometryError without a place: the caller knows the record.
        """
        if mask is None:
            return Runs.empty(image.height, image.width)
        if isinstance(mask, list):
            parts = [self._one_mask(image, part) for part in mask]
            return Runs.union(parts) if parts else Runs.empty(image.height, image.width)
        return self._one_mask(image, mask)

    def _one_mask(self, image: Image, mask: Any) -> Runs:
        if not isinstance(mask, dict):
            raise InputError(f"a mask is {describe(mask)}", mend="write RLEs in the list")
        if sum(kind in mask for kind in _MASK_KINDS) > 1:
            raise InputError("a mask is given in two ways", mend="keep one of them")
        if "counts" in mask:
            return _sized_rle(image, mask)
        if "polygons" in mask:
            return self._polygon_mask(image, mask["polygons"])
        if "file" in mask:
            return self._file_mask(image, mask["file"])
        raise InputError(
            "a mask has none of 'counts', 'polygons' and 'file'", mend="write one of them"
        )

    def _polygon_mask(self, image: Image, geojson: Any) -> Runs:
        polygons = polygons_from_geojson(geojson)
        placed = [[self.points(image, ring) for ring in rings] for rings in polygons]
        return Runs.from_rings(placed, image.height, image.width)

    def _file_mask(self, image: Image, name: Any) -> Runs:
        if not isinstance(name, str):
            raise InputError(f"a mask's 'file' is {describe(name)}", mend="write a path")
        if self.folder is None:
            raise InputError("a mask names a file, but the run has no folder", mend="use an RLE")
        return read_raster_mask(self.folder, name, image.height, image.width)

    def _framed(self, image_id: int) -> ImageFrame:
        image = self.benchmark.image_by_id[image_id]
        try:
            frame = image.frame()
            crs = self.header.crs or frame.crs
            if crs is None or frame.transform is None:
                lacking = "CRS" if image.crs is None else "transform"
                raise InputError(
                    f"map coordinates on an image without a {lacking}",
                    f"image {image.id}",
                    "give the image one, or predict in pixels",
                )
            source = str(frame.crs)
            # Images far apart may need different operations between the same two CRSs.
            names = self.operations.setdefault(f"{source} to {crs}", set())
            names.add(frame.operation_to(crs).name)
        except OVEarthError as fault:
            raise fault.at(self.benchmark.source) from None
        return frame


def _sized_rle(image: Image, rle: Mapping[str, Any]) -> Runs:
    wanted = [image.height, image.width]
    if "size" in rle and rle["size"] != wanted:
        raise GeometryError(
            f"mask has size {describe_size(rle['size'])}, image {image.id} has {wanted}"
            " (height, width)",
            mend="write the mask at the image's size",
        )
    return Runs.from_rle(rle)


def describe_size(size: Any) -> str:
    """Return a mask's size as it was given, cut short where it is something else."""
    return str(size)[:60]
