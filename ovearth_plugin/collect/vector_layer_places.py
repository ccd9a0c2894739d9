"""Any vector layer of the project as a source of places: read in the background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from qgis.core import NULL, QgsGeometry, QgsVectorLayer, QgsVectorLayerFeatureSource
from qgis.PyQt.QtCore import QCoreApplication

from ...ovearth_core.collection.pois.area import Area
from ...ovearth_core.collection.pois.category_mapping import FeatureCategories
from ...ovearth_core.collection.pois.feature_poi import (
    feature_pois,
    lonlat_of,
    reference_of,
    shapes_of_geometry,
)
from ...ovearth_core.collection.pois.poi import Dropped, Poi
from ...ovearth_core.collection.pois.source import NO_COORDINATES, Progress
from ...ovearth_core.errors import InputError
from ..crs_text import crs_text

if TYPE_CHECKING:
    from ...ovearth_core.taxonomy import Category

_TELL_EVERY = 200
_KINDS = ("Point", "LineString", "Polygon")


class VectorLayerPlaces:
    """A vector layer as it is when this is made, on the main thread; searched in another one.

    What is being edited and not saved counts too. Raises InputError without a CRS.
    """

    def __init__(self, layer: QgsVectorLayer) -> None:
        self.name = layer.name()
        crs = crs_text(layer.crs())
        if crs is None:
            raise InputError(
                _tr("the layer has no CRS"), self.name, _tr("set it in the layer's properties")
            )
        self._crs = crs
        self._source = QgsVectorLayerFeatureSource(layer)
        self._columns = layer.fields().names()
        kind = int(layer.geometryType())
        self._shapes = shapes_of_geometry(_KINDS[kind] if 0 <= kind < len(_KINDS) else "")

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what the layer has; see PoiSource and FeatureCategories."""
        deciding = FeatureCategories(self._columns, categories, None, self.name)
        looked_at = found = 0
        for feature in self._source.getFeatures():
            looked_at += 1
            if looked_at % _TELL_EVERY == 0:
                progress(looked_at, found)
            values = (None if value == NULL else value for value in feature.attributes())
            properties = dict(zip(self._columns, values, strict=False))
            wanted = deciding.of(properties, self._shapes)
            if not wanted:
                continue
            lonlat = lonlat_of(_vertices(feature.geometry()), self._crs, area)
            reference = reference_of(properties, None, self.name, feature.id())
            pois = feature_pois(wanted, reference, properties, lonlat, None, self.name)
            for poi in pois:
                if area.contains(poi.lon, poi.lat):
                    found += 1
                    yield poi
            if not pois:
                for category in wanted:
                    yield Dropped(reference, category.id, NO_COORDINATES)
        progress(looked_at, found)


def _vertices(geometry: QgsGeometry) -> np.ndarray:
    """Return all vertices (N,2) of a geometry, in its CRS."""
    if geometry.isNull():
        return np.empty((0, 2))
    points = [(point.x(), point.y()) for point in geometry.vertices()]
    return np.array(points, np.float64).reshape(-1, 2)


def _tr(text: str) -> str:
    return QCoreApplication.translate("VectorLayerPlaces", text)
