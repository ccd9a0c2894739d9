"""Polygons of any CRS in degrees of EPSG:4326, across the antimeridian and around a pole too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..carrying import closed_around_pole, double_at_poles
from ..crs import LONLAT, read_crs, same_crs
from ..errors import InputError

if TYPE_CHECKING:
    from pyproj import Transformer
    from shapely.geometry.base import BaseGeometry

Floats = NDArray[np.float64]

# Edges are followed in so many steps, since a straight one is none in another CRS.
_STEPS = 64
_SAME_DEG = 1.0
# A world that goes round is looked at from each side.
TURNS = np.array([[-360.0, 0.0], [0.0, 0.0], [360.0, 0.0]])


def lonlat_polygon(geometry: Mapping[str, Any], crs: str) -> BaseGeometry:
    """Return a GeoJSON-like polygon or multipolygon of a CRS (x first) in EPSG:4326.

    Longitudes are continuous, past ±180 where need be. Raises InputError where it has no place
    there.
    """
    import shapely
    from shapely.geometry import shape

    whole = shape(geometry)
    if not same_crs(crs, LONLAT):
        whole = _carried(whole, crs)
    points = shapely.get_coordinates(whole)
    if not len(points) or not np.isfinite(points).all() or np.abs(points[:, 1]).max() > 90:
        raise InputError("it can't be carried to EPSG:4326", mend="check the CRS and the polygon")
    return shapely.make_valid(whole)


def _carried(whole: BaseGeometry, crs: str) -> BaseGeometry:
    import shapely
    from pyproj import Transformer

    to_lonlat = Transformer.from_crs(read_crs(crs), read_crs(LONLAT), always_xy=True)
    bounds = np.array(whole.bounds)
    step = max(float(np.max(bounds[2:] - bounds[:2])) / _STEPS, 1e-9)
    parts = shapely.get_parts(shapely.segmentize(whole, step))
    return shapely.union_all([_part(part, to_lonlat) for part in parts])


def _part(polygon: Any, to_lonlat: Transformer) -> BaseGeometry:
    import shapely

    made = shapely.make_valid(shapely.polygons(_ring(polygon.exterior, to_lonlat)))
    for ring in polygon.interiors:
        hole = _ring(ring, to_lonlat)
        # Each ring begins in a turn of the world of its own.
        for shift in TURNS:
            made = shapely.difference(made, shapely.make_valid(shapely.polygons(hole + shift)))
    return made


def _ring(ring: Any, to_lonlat: Transformer) -> Floats:
    """Return a closed ring (N, 2) in degrees, continuous, closed over the pole that it is about."""
    import shapely

    lon, lat = to_lonlat.transform(*shapely.get_coordinates(ring).T)
    carried = np.column_stack([lon, lat])
    if not np.isfinite(carried).all():
        raise InputError("it can't be carried to EPSG:4326", mend="check the CRS and the polygon")
    carried = double_at_poles(carried)
    carried[:, 0] = np.unwrap(carried[:, 0], period=360.0)
    turned = carried[-1, 0] - carried[0, 0]
    if abs(turned) < _SAME_DEG:
        carried[-1] = carried[0]
        return carried
    x, y = to_lonlat.transform([0.0, 0.0], [90.0, -90.0], direction="INVERSE")
    inside = shapely.contains_xy(shapely.polygons(ring), x, y)
    north = bool(inside[0]) if inside[0] != inside[1] else bool(carried[:, 1].mean() > 0)
    return closed_around_pole(carried[:-1], round(turned / 360.0), 90.0 if north else -90.0)
