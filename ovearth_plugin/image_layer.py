"""The raster layer of a benchmark's image, lying where the benchmark says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsRasterLayer,
    QgsSingleBandGrayRenderer,
)

# As QGIS shows an image that lies nowhere: x to the right, y upwards from minus its height.
_IN_PIXELS = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)
_GREY_AND_ALPHA = 2


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
    turned = _turned_upright(where)
    layer = QgsRasterLayer(turned or where, source.path.name)
    if not layer.isValid():
        return None
    if turned and layer.bandCount() == _GREY_AND_ALPHA:
        # Taken for red and green where QGIS is older than 3.34.
        grey = QgsSingleBandGrayRenderer(layer.dataProvider(), 1)
        grey.setAlphaBand(_GREY_AND_ALPHA)
        layer.setRenderer(grey)
        layer.setDefaultContrastEnhancement()
    return layer


def _placed_anew(source: ImageSource) -> str | None:
    """Return the file as a virtual one with the benchmark's CRS and transform, None if unreadable.

    The layer's source is GDAL's XML itself: no other file is written, and a saved project finds it.
    """
    from osgeo import gdal

    file = _opened(str(source.path))
    virtual = None if file is None else _made(gdal.Translate, file, ["-of", "VRT", "-nogcp"])
    if virtual is None:
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


def _turned_upright(where: str) -> str | None:
    """Return a turned image as a virtual one that lies north up and is clear beside it.

    None where it lies so already. QGIS turns it too, in the same way, but up to 3.22 with black
    corners, that hide what lies below. A table's colours are written out: none of them is clear.
    """
    from osgeo import gdal

    file = _opened(where)
    if file is None or file.RasterCount == 0:
        return None
    _, _, x_skew, _, y_skew, _ = file.GetGeoTransform()
    if not (x_skew or y_skew):
        return None
    if file.GetRasterBand(1).GetColorTable() is not None:
        file = _written_out(file)
        if file is None:
            return None
    upright = _made(gdal.Warp, file, ["-of", "VRT", "-dstalpha", "-r", "near"])
    return None if upright is None else upright.GetMetadata("xml:VRT")[0]


def _written_out(file):
    """Return a file of indices as a virtual one of colours and alpha, None where that can't be.

    An index that is a mark for no data is clear in GDAL's table; a mask beside it is lost.
    """
    from osgeo import gdal

    colours = _made(gdal.Translate, file, ["-of", "VRT", "-expand", "rgba"])
    return None if colours is None else _opened(colours.GetMetadata("xml:VRT")[0])


def _opened(where: str):
    """Return a file of GDAL's, None where it can't be read."""
    from osgeo import gdal

    try:
        return gdal.Open(where)
    except RuntimeError:
        # Where another plugin has told GDAL to raise; otherwise it returns None.
        return None


def _made(make: Callable, file, options: list[str]):
    """Return what GDAL makes of a file in memory, None where it can't."""
    try:
        return make("", file, options=options)
    except RuntimeError:
        return None
