"""An area of interest: the polygons of a file in any CRS, and which images touch it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image
from ..crs import LONLAT, read_crs, same_crs
from ..errors import FrameError, InputError, MissingPackageError, OVEarthError
from ..predictions.features import Table, feature_place
from ..predictions.sources import VECTOR_ENDINGS, vector_tables

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Floats = NDArray[np.float64]

_POLYGONS = ("Polygon", "MultiPolygon")
_DATASET = "dataset.gpkg"
# Edges are followed in so many steps, since a straight one is none in another CRS.
_STEPS = 64
_MOST_FEATURES = 100_000


class Area:
    """Polygons in degrees of EPSG:4326, longitudes continuous, past ±180 where need be."""

    def __init__(self, polygons: Sequence[BaseGeometry]) -> None:
        from shapely import STRtree

        self._tree = STRtree(list(polygons))

    def touches(self, images: Sequence[Image]) -> list[bool | None]:
        """Return whether each image's footprint touches it, None for an image that lies nowhere."""
        return [self._touches(image) for image in images]

    def _touches(self, image: Image) -> bool | None:
        import shapely

        try:
            ring = image.frame().footprint()
        except FrameError:
            return None
        # A world that goes round is looked at from each side.
        turns = [shapely.make_valid(shapely.polygons(ring + shift)) for shift in _TURNS]
        return bool(self._tree.query(turns, predicate="intersects").size)


_TURNS = np.array([[-360.0, 0.0], [0.0, 0.0], [360.0, 0.0]])


def read_area(path: Path) -> Area:
    """Read the polygons of a vector file.

    Raises InputError where there is none, one is broken, or has no CRS; MissingPackageError
    without Shapely or the file's reader.
    """
    try:
        import shapely  # noqa: F401
    except ImportError:
        raise MissingPackageError(
            "areas need Shapely 2", "here", "pip install 'shapely>=2'"
        ) from None
    if path.name == _DATASET:
        # Opening it here would drop the locks that other programs rely on.
        raise InputError("a dataset is no area", str(path), "export it as GeoJSON first")
    tables = vector_tables(path)
    if tables is None:
        mend = f"name a file of polygons ({', '.join(VECTOR_ENDINGS)})"
        raise InputError("no vector file by its ending", str(path), mend)
    polygons = [polygon for table in tables for polygon in _polygons(path, table)]
    if not polygons:
        raise InputError("no polygon in it", str(path), "draw the area as a polygon")
    return Area(polygons)


def _polygons(path: Path, table: Table) -> Iterator[BaseGeometry]:
    for number, (_, geometry) in enumerate(table.rows([], with_geometry=True), 1):
        where = f"{path} {feature_place(table.layer, number)}"
        if number > _MOST_FEATURES:
            raise InputError(f"more than {_MOST_FEATURES:,} features", str(path), "dissolve them")
        if geometry is None or geometry.get("type") not in _POLYGONS:
            kind = "null" if geometry is None else str(geometry.get("type"))
            raise InputError(f"the geometry is {kind}, no polygon", where, "leave it out")
        if table.crs is None:
            raise InputError("the CRS is missing", str(path), table.how_to_give_a_crs)
        try:
            yield _in_lonlat(geometry, table.crs)
        except OVEarthError as fault:
            raise fault.at(where) from None
        except (TypeError, ValueError, KeyError, IndexError) as fault:
            what = f"a geometry that is none ({fault})"
            raise InputError(what, where, "mend or leave out that feature") from None


def _in_lonlat(geometry: Mapping[str, Any], crs: str) -> BaseGeometry:
    import shapely
    from shapely.geometry import shape

    whole = shape(geometry)
    if not same_crs(crs, LONLAT):
        bounds = np.array(whole.bounds)
        step = max(float(np.max(bounds[2:] - bounds[:2])) / _STEPS, 1e-9)
        try:
            whole = shapely.transform(shapely.segmentize(whole, step), _carried(crs))
        except shapely.errors.GEOSException:  # a ring that doesn't close
            what, mend = "the polygon goes around a pole", "draw it in EPSG:4326"
            raise InputError(what, mend=mend) from None
    points = shapely.get_coordinates(whole)
    if not len(points) or not np.isfinite(points).all() or np.abs(points[:, 1]).max() > 90:
        raise InputError("it can't be carried to EPSG:4326", mend="check the CRS and the polygon")
    return shapely.make_valid(whole)


def _carried(crs: str) -> Any:
    from pyproj import Transformer

    transformer = Transformer.from_crs(read_crs(crs), read_crs(LONLAT), always_xy=True)

    def carry(points: Floats) -> Floats:
        lon, lat = transformer.transform(points[:, 0], points[:, 1])
        finite = np.isfinite(lon)
        lon[finite] = np.unwrap(lon[finite], period=360.0)
        return np.column_stack([lon, lat])

    return carry
