"""Vector files in any CRS (GeoPackage, Shapefile, FlatGeobuf, GeoJSON, CSV), read as a stream."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...crs import LONLAT
from ...dataset import FILE_NAME
from ...errors import InputError, OVEarthError
from ...predictions.features import Table, feature_place
from ...predictions.gdal_table import gdal_tables
from ...predictions.geojson_table import GeoJsonTable
from .area import Area
from .category_mapping import CategoryMapping, FeatureCategories
from .feature_poi import feature_pois, lonlat_of, reference_of, shapes_of_geometry
from .lonlat_csv import LonLatCsv
from .poi import Dropped, Poi
from .source import NO_COORDINATES, Progress

if TYPE_CHECKING:
    from ...taxonomy import Category

GEOJSON_SUFFIXES = (".geojson", ".json")

_TELL_EVERY = 1_000
_LOG = logging.getLogger("ovearth")


class VectorFile:
    """A vector file. mapping: which categories its features are of, where its columns don't say.

    Raises InputError where it is missing or damaged, MissingPackageError without fiona.
    """

    def __init__(self, path: Path, mapping: CategoryMapping | None = None) -> None:
        if path.name == FILE_NAME:
            # Opening it here would drop the locks that other programs rely on.
            raise InputError("a dataset is no source", str(path), "export it as GeoJSON first")
        self.path = path
        self.name = path.name
        self._mapping = mapping
        self._tables = _tables(path)
        # WKT in a CSV is degrees, as lon and lat are, unless a .prj says otherwise.
        is_csv = path.suffix.lower() == ".csv"
        self._guessed = [table for table in self._tables if is_csv and table.crs is None]
        if self._guessed:
            _LOG.warning("note: %s says no CRS (.prj): longitude and latitude are taken", path)

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the file has; see PoiSource and FeatureCategories."""
        looked_at = found = 0
        for table in self._tables:
            deciding = FeatureCategories(table.columns, categories, self._mapping, str(self.path))
            for number, (properties, geometry) in enumerate(_features(table), 1):
                looked_at += 1
                if looked_at % _TELL_EVERY == 0:
                    progress(looked_at, found)
                kind = "" if geometry is None else str(geometry.get("type"))
                wanted = deciding.of(properties, shapes_of_geometry(kind))
                if wanted:
                    places = list(self._places(table, number, properties, geometry, wanted, area))
                    inside = [place for place in places if _is_in(place, area)]
                    found += len(inside)
                    yield from inside
        progress(looked_at, found)

    def _places(
        self,
        table: Table,
        number: int,
        properties: Mapping[str, Any],
        geometry: Mapping[str, Any] | None,
        wanted: list[Category],
        area: Area,
    ) -> Iterator[Poi | Dropped]:
        stem = self.path.stem if table.layer is None else f"{self.path.stem}/{table.layer}"
        reference = reference_of(properties, self._mapping, stem, number)
        where = f"{self.path} {feature_place(table.layer, number)}"
        try:
            crs = LONLAT if table in self._guessed else _crs_of(table)
            lonlat = lonlat_of(_vertices(geometry), crs, area)
            if table in self._guessed and not _are_degrees(lonlat):
                raise InputError("the CRS is missing", mend=table.how_to_give_a_crs)
        except OVEarthError as fault:
            raise fault.at(where) from None
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as fault:
            what = f"a geometry that is none ({fault})"
            raise InputError(what, where, "mend or leave out that feature") from None
        pois = feature_pois(wanted, reference, properties, lonlat, self._mapping, self.name)
        if pois:
            yield from pois
            return
        for category in wanted:
            yield Dropped(reference, category.id, NO_COORDINATES)


def _tables(path: Path) -> Sequence[Table]:
    ending = path.suffix.lower()
    if ending in GEOJSON_SUFFIXES:
        return [GeoJsonTable(path)]
    if ending == ".csv" and (table := LonLatCsv(path)).has_places:
        return [table]
    return gdal_tables(path)


def _features(table: Table) -> Iterator[tuple[dict[str, Any], Mapping[str, Any] | None]]:
    """Yield each feature's properties and its geometry."""
    columns = list(table.columns)
    for values, geometry in table.rows(columns, with_geometry=True):
        yield dict(zip(columns, values, strict=True)), geometry


def _vertices(geometry: Mapping[str, Any] | None) -> NDArray[np.float64]:
    """Return the vertices (N,2) in the table's CRS; none for a null geometry."""
    if geometry is None:
        return np.empty((0, 2))
    import shapely
    from shapely.geometry import shape

    return np.asarray(shapely.get_coordinates(shape(geometry)), dtype=np.float64)


def _are_degrees(xy: NDArray[np.float64]) -> bool:
    return bool((np.abs(xy) <= (180.0, 90.0)).all())


def _crs_of(table: Table) -> str:
    if table.crs is None:
        raise InputError("the CRS is missing", mend=table.how_to_give_a_crs)
    return table.crs


def _is_in(place: Poi | Dropped, area: Area) -> bool:
    return isinstance(place, Dropped) or area.contains(place.lon, place.lat)
