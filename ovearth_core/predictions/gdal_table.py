"""Layers of GeoPackage, Shapefile, FlatGeobuf and CSV files, read by GDAL (fiona or osgeo)."""

from __future__ import annotations

import logging
import re
import sqlite3
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingPackageError, OVEarthError
from .features import Geometry, Row, column_named, feature_place
from .ogr_table import OgrLayer, ogr_is_installed, open_layer

# Only these: a driver for remote or nested sources must not be chosen by a file's content.
DRIVERS = {
    ".gpkg": "GPKG",
    ".shp": "ESRI Shapefile",
    ".fgb": "FlatGeobuf",
    ".csv": "CSV",
}
_WKT_COLUMNS = ("wkt", "geometry", "geom", "the_geom", "wkt_geom")
_OPEN_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "CSV": {"GEOM_POSSIBLE_NAMES": ",".join(_WKT_COLUMNS), "KEEP_GEOM_COLUMNS": "YES"}
}
_EMPTY_POINT = re.compile(r"\bPOINT\s*[ZM]{0,2}\s*EMPTY", re.IGNORECASE)
_UNDEFINED = re.compile(r'\w+\["Undefined ')
_ASSIGN_CRS = "assign the one that its coordinates are in: ogr2ogr -a_srs EPSG:code out.gpkg FILE"
_HOW_TO_GIVE_A_CRS = {
    "CSV": "write the WKT of the one that its coordinates are in beside it, into the same name"
    " with .prj, or write a GeoPackage"
}
_Read = tuple[list[Any], Geometry | None]
_WRITE_AGAIN = "write or copy it again, whole"


class GdalTable:
    """One layer of a file; `layer` is its name where the format holds several, else None.

    Raises InputError, with GDAL's own words, where the file is damaged, also while its rows are
    read; MissingPackageError without fiona and osgeo. Memory: one feature at a time.
    """

    def __init__(self, path: Path, layer: str | None) -> None:
        self.path = path
        self.layer = layer
        self._driver = DRIVERS[path.suffix.lower()]
        self.how_to_give_a_crs = _HOW_TO_GIVE_A_CRS.get(self._driver, _ASSIGN_CRS)
        self.crs: str | None = None
        if not _has_fiona():
            self._describe_by_ogr()
            return
        with _said_by_gdal(path) as errors, self._open() as source:
            self.columns: Sequence[str] = list(source.schema["properties"])
            self.crs = _known(source.crs_wkt)
            self._has_geometry = source.schema["geometry"] != "None"
            self._count = len(source)
            errors.check()

    def rows(self, columns: Sequence[str], with_geometry: bool) -> Iterator[Row]:
        """Yield the features' values and geometries."""
        if not self._has_geometry:
            wanted = f" (a column {' or '.join(_WKT_COLUMNS[:3])})" if self._driver == "CSV" else ""
            raise InputError(f"no geometry in it{wanted}", str(self.path), "write polygons")
        wkt = self.geometry_column if with_geometry else None
        included = [*columns, *([] if wkt is None else [wkt])]
        number = 0
        found = self._fiona_rows if _has_fiona() else self._ogr_rows
        for number, (values, geometry) in enumerate(found(included, with_geometry), 1):
            place = geometry if wkt is None else self._of_wkt(values[-1], geometry, number)
            yield values[: len(columns)], place
        if number != self._count:
            what = f"cut off: {number} of its {self._count} features can be read"
            raise InputError(what, str(self.path), _WRITE_AGAIN)

    def _of_wkt(self, text: Any, geometry: Geometry | None, number: int) -> Geometry | None:
        """Return what a CSV's text means; InputError where it means nothing."""
        mend = "mend or leave out that line"
        if _EMPTY_POINT.search(str(text)) is None:
            if geometry is None and text:
                raise InputError("a geometry that is no WKT", self._place(number), mend)
            return geometry
        # The reader makes (0, 0) of an empty point.
        if geometry is not None and geometry["type"] != "Point":
            raise InputError("an empty point within a geometry", self._place(number), mend)
        return None

    def _fiona_rows(self, included: Sequence[str], with_geometry: bool) -> Iterator[_Read]:
        options = {"ignore_geometry": not with_geometry, "include_fields": included}
        number = 0
        # Entered, not only opened: else GDAL prints its errors instead of reporting them.
        with _said_by_gdal(self.path) as errors, self._open(**options) as source:
            for number, feature in enumerate(source, 1):
                errors.check(self._place(number))
                geometry = _mapping(feature.geometry) if with_geometry else None
                yield [feature.properties[column] for column in included], geometry
            errors.check(self._place(number + 1))

    def _ogr_rows(self, included: Sequence[str], with_geometry: bool) -> Iterator[_Read]:
        yield from self._ogr_layer().rows(included, with_geometry)

    def _describe_by_ogr(self) -> None:
        layer = self._ogr_layer()
        self.columns = layer.columns
        self.crs = _known(layer.crs_wkt)
        self._has_geometry = layer.has_geometry
        self._count = layer.count

    def _ogr_layer(self) -> OgrLayer:
        if not ogr_is_installed():
            raise _no_reader(self.path)
        options = dict(_OPEN_OPTIONS.get(self._driver, {}))
        return open_layer(
            self.path, _local(self.path), self._driver, self.layer, options, _WRITE_AGAIN
        )

    def _open(self, **options: Any) -> Any:
        import fiona

        # As a whole path from the root, that no scheme or virtual file system can begin.
        options |= _OPEN_OPTIONS.get(self._driver, {})
        if self.layer is not None:
            options["layer"] = self.layer
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fiona.open(_local(self.path), enabled_drivers=[self._driver], **options)

    def _place(self, number: int) -> str:
        return f"{self.path} {feature_place(self.layer, number)}"

    @property
    def geometry_column(self) -> str | None:
        """Return the column of a CSV that geometries came from: GDAL takes a bad one for null."""
        if self._driver != "CSV":
            return None
        found = (column_named(self.columns, name) for name in _WKT_COLUMNS)
        return next((column for column in found if column is not None), None)


def _known(wkt: str | None) -> str | None:
    # What GDAL calls those that a GeoPackage says are not known.
    return None if not wkt or _UNDEFINED.match(wkt) else wkt


def _has_fiona() -> bool:
    try:
        import fiona  # noqa: F401
    except ImportError:
        return False
    return True


def _no_reader(path: Path) -> MissingPackageError:
    return MissingPackageError("vector files need fiona", str(path), "pip install fiona")


def gdal_tables(path: Path) -> list[GdalTable]:
    """Return the layers of the file; raises as GdalTable does, and for one without a layer."""
    if path.suffix.lower() != ".gpkg":
        return [GdalTable(path, None)]
    names = _geopackage_layers(path)
    if not names:
        raise InputError("no vector layer in it", str(path), "name a GeoPackage with polygons")
    return [GdalTable(path, name) for name in names]


def _geopackage_layers(path: Path) -> list[str]:
    # Fiona lists layers by whichever driver takes the file.
    uri = f"{Path(_local(path)).as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as database:
            found = database.execute(
                "SELECT table_name FROM gpkg_contents WHERE data_type = 'features'"
                " ORDER BY table_name"
            )
            return [str(name) for (name,) in found]
    except (sqlite3.Error, UnicodeError) as fault:
        raise InputError(f"not a whole GeoPackage ({fault})", str(path), _WRITE_AGAIN) from None


def _local(path: Path) -> str:
    if not path.is_file():
        mend = "name the file in it" if path.is_dir() else "check the path"
        raise InputError("no such file", str(path), mend)
    whole = str(path.resolve())
    if whole.startswith("/vsi"):
        raise InputError("GDAL would take it for no local file", whole, "move it elsewhere")
    return whole


def _mapping(geometry: Any) -> Geometry | None:
    return None if geometry is None else geometry.__geo_interface__


class _Errors(logging.Handler):
    """Collects what GDAL reports as an error while fiona goes on as if nothing had happened."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.ERROR)
        self.path = path
        self.first: str | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the first message."""
        self.first = self.first or record.getMessage()

    def check(self, where: str | None = None) -> None:
        """Raise InputError if there was any."""
        if self.first is not None:
            what = f"can't be read ({self.first})"
            raise InputError(what, where or str(self.path), _WRITE_AGAIN)


@contextmanager
def _said_by_gdal(path: Path) -> Iterator[_Errors]:
    """Turn what fiona raises into InputError, and collect what GDAL only logs."""
    errors = _Errors(path)
    logger = logging.getLogger("fiona")
    logger.addHandler(errors)
    try:
        yield errors
    except (OVEarthError, MemoryError):
        raise
    except Exception as fault:  # damaged files make fiona raise SystemError, NameError and others
        said = errors.first or str(_deepest(fault))
        raise InputError(f"can't be read ({said})", str(path), _WRITE_AGAIN) from None
    finally:
        logger.removeHandler(errors)


def _deepest(fault: BaseException) -> BaseException:
    """Return what was raised first: fiona wraps GDAL's own words."""
    while (cause := fault.__cause__ or fault.__context__) is not None:
        fault = cause
    return fault
