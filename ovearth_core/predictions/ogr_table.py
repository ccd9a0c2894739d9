"""The same tables as `gdal_table`, read by osgeo.ogr in a QGIS without fiona."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InputError
from .features import Geometry

_UNKNOWN = "Unknown"


class OgrLayer:
    """One layer of an open file; raises InputError, with GDAL's words, where it is damaged."""

    def __init__(
        self, path: str, driver: str, layer: str | None, options: Sequence[str], mend: str
    ) -> None:
        from osgeo import gdal

        self._path = path
        self._mend = mend
        with self._heard():
            flags = gdal.OF_VECTOR | gdal.OF_READONLY
            self._file = gdal.OpenEx(path, flags, [driver], list(options))
            if self._file is None:
                raise InputError(self._said("no driver reads it"), path, mend)
            self._layer = self._file.GetLayer(0) if layer is None else self._file.GetLayer(layer)
            if self._layer is None:
                raise InputError(f"no layer {layer!r} in it", path, mend)
            definition = self._layer.GetLayerDefn()
            fields = range(definition.GetFieldCount())
            self.columns = [str(definition.GetFieldDefn(at).GetName()) for at in fields]
            reference = self._layer.GetSpatialRef()
            self.crs_wkt = "" if reference is None else str(reference.ExportToWkt())
            self.has_geometry = bool(definition.GetGeomFieldCount())
            self.count = int(self._layer.GetFeatureCount())

    def rows(
        self, columns: Sequence[str], with_geometry: bool
    ) -> Iterator[tuple[list[Any], Geometry | None]]:
        """Yield the values of columns, and the geometry if asked for, exact to the bit."""
        places = [self.columns.index(column) for column in columns]
        self._layer.ResetReading()
        while True:
            with self._heard():
                feature = self._layer.GetNextFeature()
            if feature is None:
                return
            values = [
                feature.GetField(at) if feature.IsFieldSetAndNotNull(at) else None for at in places
            ]
            yield values, _geometry(feature.GetGeometryRef()) if with_geometry else None

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Turn what GDAL says into InputError, whether or not its exceptions are on."""
        from osgeo import gdal

        gdal.PushErrorHandler("CPLQuietErrorHandler")
        gdal.ErrorReset()
        try:
            yield
            failed = gdal.GetLastErrorType() >= gdal.CE_Failure
            said = gdal.GetLastErrorMsg()
        except RuntimeError as fault:
            raise InputError(f"can't be read ({fault})", self._path, self._mend) from None
        finally:
            gdal.PopErrorHandler()
        if failed:
            raise InputError(f"can't be read ({said})", self._path, self._mend)

    def _said(self, otherwise: str) -> str:
        from osgeo import gdal

        return f"can't be read ({gdal.GetLastErrorMsg() or otherwise})"


def ogr_is_installed() -> bool:
    """Whether osgeo is there."""
    try:
        from osgeo import ogr  # noqa: F401
    except ImportError:
        return False
    return True


def open_layer(
    path: Path, whole: str, driver: str, layer: str | None, options: dict[str, str], mend: str
) -> OgrLayer:
    """Open one layer of a local file by one driver only."""
    listed = [f"{key}={value}" for key, value in options.items()]
    try:
        return OgrLayer(whole, driver, layer, listed, mend)
    except InputError as fault:
        raise InputError(fault.what, str(path), fault.mend) from None


def _geometry(geometry: Any) -> Geometry | None:
    """Return a GeoJSON-like mapping; ExportToJson would round."""
    if geometry is None:
        return None
    from osgeo import ogr

    names = {
        ogr.wkbPoint: "Point",
        ogr.wkbLineString: "LineString",
        ogr.wkbPolygon: "Polygon",
        ogr.wkbMultiPoint: "MultiPoint",
        ogr.wkbMultiLineString: "MultiLineString",
        ogr.wkbMultiPolygon: "MultiPolygon",
        ogr.wkbGeometryCollection: "GeometryCollection",
    }
    name = names.get(ogr.GT_Flatten(geometry.GetGeometryType()), _UNKNOWN)
    parts = [geometry.GetGeometryRef(at) for at in range(geometry.GetGeometryCount())]
    if name == "GeometryCollection":
        return {"type": name, "geometries": [_geometry(part) for part in parts]}
    if name == "Polygon":
        return {"type": name, "coordinates": [part.GetPoints() or [] for part in parts]}
    if name == "MultiPolygon":
        found = (_geometry(part) for part in parts)
        return {"type": name, "coordinates": [part["coordinates"] for part in found if part]}
    if name == _UNKNOWN:
        name = str(geometry.GetGeometryName())
    return {"type": name, "coordinates": []}
