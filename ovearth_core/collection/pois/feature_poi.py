"""Makes places of interest of features: rows with properties and a geometry in some CRS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...crs import LONLAT, same_crs
from ...operation import choose_operation
from ..identity import worldwide_reference
from .area import Area
from .category_mapping import CategoryMapping, tags_of, value_at
from .osm_bounds import bounds_of
from .poi import Poi, centre_of, name_in, wrapped_longitude

if TYPE_CHECKING:
    from ...taxonomy import Category

_SHAPES = {"Point": "node", "LineString": "line", "Polygon": "area"}
_OWN_REFERENCE = "reference"
# Across the antimeridian longitudes run on, but nowhere more than once around.
_MOST_LON = 540.0
_IDS = ("id", "fid", "gml_id", "uuid", "osm_id", "OBJECTID")


def shapes_of_geometry(kind: str) -> frozenset[str]:
    """Return what a feature with this kind of GeoJSON geometry can be, as selectors say it."""
    shape = _SHAPES.get(kind.removeprefix("Multi"))
    return frozenset({shape} if shape else ())


def lonlat_of(xy: NDArray[np.float64], crs: str, area: Area) -> NDArray[np.float64]:
    """Carry points (N,2) from a CRS, x first, to degrees of EPSG:4326; inf where they can't be.

    By the operation that suits the area searched, and that needs no grid, so that every machine
    finds the same. Raises FrameError for a CRS that is unknown or can't be carried over.
    """
    if same_crs(crs, LONLAT) or not len(xy):
        return xy
    return choose_operation(crs, LONLAT, area.bounds).forward(xy)


def reference_of(
    properties: Mapping[str, Any], mapping: CategoryMapping | None, stem: str, number: int
) -> str:
    """Return a name: OpenStreetMap's or Overture's, else one by the feature's id or number.

    Only the first say which object it is (see `identity`).
    """
    own = properties.get(_OWN_REFERENCE)
    if isinstance(own, str) and own:
        return own
    found = worldwide_reference(properties)
    if found is not None:
        return found
    columns = _IDS if mapping is None or mapping.id is None else (mapping.id, *_IDS)
    ids = (value_at(properties, column) for column in columns)
    id_ = next((id_ for id_ in ids if id_ is not None and id_ != ""), None)
    return f"{stem}:{number if id_ is None else id_}"


def feature_pois(
    categories: list[Category],
    reference: str,
    properties: Mapping[str, Any],
    lonlat: NDArray[np.float64],
    mapping: CategoryMapping | None,
    source: str,
) -> list[Poi]:
    """Return a feature as a POI for each category, none where it has no place on the globe.

    lonlat: all its vertices (N,2) in degrees; its centre is that of their bounds.
    """
    # Also NaN and infinite ones are not.
    on_globe = lonlat[(np.abs(lonlat) <= (_MOST_LON, 90.0)).all(axis=1)]
    bounds = bounds_of(on_globe)
    if bounds is None:
        return []
    lon, lat = centre_of(bounds)
    own = {_OWN_REFERENCE, "category", "tags"} <= set(properties)
    # A file of ours has the tags apart from what else it says.
    tags = tags_of({"tags": properties["tags"]} if own else properties)
    name_column = "name" if mapping is None or mapping.name is None else mapping.name
    given = value_at(properties, name_column)
    name = str(given).replace("\0", "") if given else name_in(tags)
    is_point = bounds[0] == bounds[2] and bounds[1] == bounds[3]
    return [
        Poi(
            reference, category.id, category.number, wrapped_longitude(lon), lat, source, name,
            None if is_point else bounds, tags,
        )
        for category in categories
    ]  # fmt: skip
