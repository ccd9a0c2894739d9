"""QGIS carries coordinates of an image as the dataset does: by the operation recorded for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsProject

from ...ovearth_core.dataset import ImageRow
from ...ovearth_core.dataset.blob import polygons_of_wkb, polygons_wkb
from ...ovearth_core.errors import OVEarthError
from ...ovearth_core.operation import choose_operation

LONLAT = "EPSG:4326"


@dataclass(frozen=True)
class ImagePlace:
    """Where an image lies. outline: x, y of its corners, closed, in `crs`.

    is_split: QGIS can't show it in a CRS of the whole world, as across the antimeridian, nor in a
    project without a CRS.
    operations: from, to, and the PROJ string to be put into the project for it. middle_lon: of the
    image, about which its polygons' longitudes lie, past 180 where they must.
    """

    crs: str
    outline: tuple[tuple[float, float], ...]
    is_split: bool
    operations: tuple[tuple[str, str, str], ...]
    middle_lon: float = 0.0


def place_of(image: ImageRow, canvas_crs: str) -> ImagePlace:
    """Return where an image lies, and how it is carried to EPSG:4326 and to the canvas's CRS.

    Takes a tenth of a second with a CRS that is new: not for the main thread. FrameError where the
    image's frame is broken.
    """
    frame = image.frame()
    corners = [[0.0, 0.0], [frame.width, 0.0], [frame.width, frame.height], [0.0, frame.height]]
    outline = frame.pixel_to_map([*corners, corners[0]])
    footprint = frame.footprint()
    is_beyond = (abs(footprint[:, 0]) > 180.0).any() or (abs(footprint[:, 1]) == 90.0).any()
    is_split = not canvas_crs or bool(is_beyond)
    operations = [(image.crs, LONLAT, frame.operation_to(LONLAT).proj)]
    if canvas_crs and canvas_crs != LONLAT and not is_split:
        west, south = footprint.min(axis=0).tolist()
        east, north = footprint.max(axis=0).tolist()
        try:
            # Polygons lie in EPSG:4326: they and the image must come to the map the same way.
            onward = choose_operation(LONLAT, canvas_crs, (west, south, east, north))
            direct = frame.operation_to(canvas_crs)
        except OVEarthError:
            is_split = True
        else:
            operations.append((LONLAT, canvas_crs, onward.proj))
            operations.append((image.crs, canvas_crs, direct.proj))
    points = tuple((float(x), float(y)) for x, y in outline)
    middle = float(footprint[:, 0].min() + footprint[:, 0].max()) / 2.0
    return ImagePlace(image.crs, points, is_split, tuple(operations), middle)


def crs_of(text: str) -> QgsCoordinateReferenceSystem:
    """Return QGIS's CRS of an EPSG code or WKT; an invalid one where QGIS doesn't know it."""
    crs = QgsCoordinateReferenceSystem()
    crs.createFromUserInput(text)
    return crs


def record_operations(operations: Iterable[tuple[str, str, str]]) -> None:
    """Put operations between CRSs into the project's transform context; others stay there."""
    project = QgsProject.instance()
    context = project.transformContext()
    is_changed = False
    for source_crs, target_crs, proj in operations:
        source, target = crs_of(source_crs), crs_of(target_crs)
        if not source.isValid() or not target.isValid() or source == target:
            continue
        if context.calculateCoordinateOperation(source, target) != proj:
            context.addCoordinateOperation(source, target, proj, True)
            is_changed = True
    if is_changed:
        project.setTransformContext(context)


def in_one_piece(geometry: QgsGeometry, middle_lon: float) -> QgsGeometry | None:
    """Return a polygon in EPSG:4326 with longitudes within 180 degrees of another one.

    None where they are so already. QGIS carries each vertex by itself, so that a polygon across
    the antimeridian comes out of it around the world.
    """
    polygons, is_multi = polygons_of_wkb(bytes(geometry.asWkb()))
    turned = tuple(
        tuple(ring + [360.0, 0.0] * np.round((middle_lon - ring[:, :1]) / 360.0) for ring in rings)
        for rings in polygons
    )
    pairs = zip(polygons, turned, strict=True)
    if all(np.array_equal(a, b) for one, two in pairs for a, b in zip(one, two, strict=True)):
        return None
    made = QgsGeometry()
    made.fromWkb(polygons_wkb(turned, as_multi=is_multi))
    return made
