"""An area of interest: the polygons of a file in any CRS, and which images touch it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..benchmark import Image
from ..errors import FrameError, InputError, MissingPackageError, OVEarthError
from ..predictions.features import Table, feature_place
from ..predictions.sources import VECTOR_ENDINGS, vector_tables
from .lonlat_polygon import TURNS, lonlat_polygon

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_POLYGONS = ("Polygon", "MultiPolygon")
_DATASET = "dataset.gpkg"
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
        turns = [shapely.make_valid(shapely.polygons(ring + shift)) for shift in TURNS]
        return bool(self._tree.query(turns, predicate="intersects").size)


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
            yield lonlat_polygon(geometry, table.crs)
        except OVEarthError as fault:
            raise fault.at(where) from None
        except (TypeError, ValueError, KeyError, IndexError) as fault:
            what = f"a geometry that is none ({fault})"
            raise InputError(what, where, "mend or leave out that feature") from None
