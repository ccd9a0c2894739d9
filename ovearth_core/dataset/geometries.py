"""Geometries of many shapes of one image, carried to EPSG:4326 in one go, ready to be stored."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import OVEarthError
from ..frame import ImageFrame
from .blob import Polygons, polygons_blob
from .shapes import many_to_lonlat


def geometries(
    frame: ImageFrame, shapes: Sequence[Polygons], *, as_multi: bool = True
) -> list[bytes]:
    """Return the GeoPackage blobs of shapes in pixels, each as `Edit.add` would make it alone.

    Raises FrameError where one of them can't be carried.
    """
    carried = many_to_lonlat(frame, shapes)
    return [polygons_blob(polygons, as_multi=as_multi) for polygons in carried]


def geometries_or_none(frame: ImageFrame, shapes: Sequence[Polygons | None]) -> list[bytes | None]:
    """Return `geometries` of the shapes that there are; all None where one can't be carried.

    `Edit.add` then says which one that is.
    """
    try:
        made = iter(geometries(frame, [shape for shape in shapes if shape is not None]))
    except OVEarthError:
        return [None] * len(shapes)
    return [None if shape is None else next(made) for shape in shapes]
