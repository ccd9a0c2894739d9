"""The raster layer of a benchmark's image, lying where the benchmark says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer

# As QGIS shows an image that lies nowhere: x to the right, y upwards from minus its height.
_IN_PIXELS = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)


@dataclass(frozen=True)
class ImageSource:
    """A file and its image in the benchmark; whether that, rather than the file, places it."""

    path: Path
    image: object
    is_placed_by_benchmark: bool


def crs_of(image) -> QgsCoordinateReferenceSystem:
    """Return the CRS in which a core Image is drawn; an invalid one where it is in pixels."""
    crs = QgsCoordinateReferenceSystem()
    if image.crs is not None and image.transform is not None:
        crs.createFromUserInput(image.crs)
    return crs


def image_layer(source: ImageSource) -> QgsRasterLayer | None:
    """Return a layer that is in no project yet; None where QGIS can't read the file."""
    where = str(source.path)
    if source.is_placed_by_benchmark:
        where = _placed_anew(source) or where
    layer = QgsRasterLayer(where, source.path.name)
    return layer if layer.isValid() else None


def _placed_anew(source: ImageSource) -> str | None:
    """Return the file as a virtual one with the benchmark's CRS and transform, None if unreadable.

    The layer's source is GDAL's XML itself: no other file is written, and a saved project finds it.
    """
    from osgeo import gdal

    try:
        file = gdal.Open(str(source.path))
        virtual = file and gdal.Translate("", file, options=["-of", "VRT", "-nogcp"])
    except RuntimeError:
        # Where another plugin has told GDAL to raise; otherwise it returns None.
        return None
    if not virtual:
        return None
    transform = source.image.transform
    if transform is None:
        virtual.SetGeoTransform(_IN_PIXELS)
    else:
        a, b, c, d, e, f = transform
        virtual.SetGeoTransform((c, a, b, f, d, e))
    crs = crs_of(source.image)
    virtual.SetProjection(crs.toWkt() if crs.isValid() else "")
    virtual.SetMetadata({}, "RPC")
    return virtual.GetMetadata("xml:VRT")[0]
