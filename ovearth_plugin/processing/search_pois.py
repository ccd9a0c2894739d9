"""`ovearth:searchpois`: places of interest from a server, a file or a layer."""

from __future__ import annotations

import json
from pathlib import Path

from qgis.core import (
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsPointXY,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingOutputNumber,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
)

from ..compat import WKB, text_field, whole_field
from ..crs_text import crs_text, lonlat_crs
from ..network import hand_over_network
from ..settings import person
from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, unless_canceled


class SearchPoisAlgorithm(OVEarthAlgorithm):
    """Finds places of categories, and chooses among them as the command line does."""

    NAME = "searchpois"
    CATEGORIES = "CATEGORIES"
    EXTENT = "EXTENT"
    SOURCE = "SOURCE"
    LAYER = "LAYER"
    URL = "URL"
    LIMIT = "LIMIT"
    MIN_SPACING = "MIN_SPACING"
    SEED = "SEED"
    DATASET = "DATASET"
    OUTPUT = "OUTPUT"
    FOUND = "FOUND"
    CHOSEN = "CHOSEN"
    FIELDS = ("reference", "category", "name", "continent", "source", "tags")

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Search places of interest")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Finds places of categories in an area: in an OpenStreetMap or vector file, on an "
            "Overpass or Nominatim server, or in a layer. The same seed chooses the same places. "
            "With a dataset they become its candidates, and what it has already isn't found again."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.addParameter(
            QgsProcessingParameterString(
                self.CATEGORIES, self.tr("Categories, separated by commas: fuel station, school")
            )
        )
        self.addParameter(QgsProcessingParameterExtent(self.EXTENT, self.tr("Area")))
        self.addParameter(
            QgsProcessingParameterString(
                self.SOURCE,
                self.tr("Source: overpass, nominatim, or the path of a file"),
                optional=True,
            )
        )
        self.addParameter(
            QgsProcessingParameterVectorLayer(
                self.LAYER,
                self.tr("Or a layer"),
                optional=True,
                types=[QgsProcessing.SourceType.TypeVectorAnyGeometry],
            )
        )
        self.add_advanced(
            QgsProcessingParameterString(self.URL, self.tr("Address of the server"), optional=True)
        )
        integer = QgsProcessingParameterNumber.Type.Integer
        self.addParameter(
            QgsProcessingParameterNumber(
                self.LIMIT,
                self.tr("Places of each category (empty: all)"),
                integer,
                None,
                optional=True,
                minValue=1,
            )
        )
        self.addParameter(
            QgsProcessingParameterNumber(
                self.MIN_SPACING,
                self.tr("Metres between any two places"),
                QgsProcessingParameterNumber.Type.Double,
                0.0,
                minValue=0.0,
            )
        )
        self.add_advanced(
            QgsProcessingParameterNumber(self.SEED, self.tr("Seed"), integer, 0, minValue=0)
        )
        self.add_advanced(
            QgsProcessingParameterFile(
                self.DATASET,
                self.tr("Dataset that they become candidates of"),
                QgsProcessingParameterFile.Behavior.Folder,
                optional=True,
            )
        )
        points = QgsProcessing.SourceType.TypeVectorPoint
        self.addParameter(QgsProcessingParameterFeatureSink(self.OUTPUT, self.tr("Places"), points))
        self.addOutput(QgsProcessingOutputNumber(self.FOUND, self.tr("Places found")))
        self.addOutput(QgsProcessingOutputNumber(self.CHOSEN, self.tr("Places chosen")))

    def prepareAlgorithm(self, parameters, context, feedback) -> bool:  # noqa: N802
        """Take what is needed of the layer, on the thread that it belongs to."""
        from ...ovearth_core.errors import OVEarthError
        from ..collect.vector_layer_places import VectorLayerPlaces

        hand_over_network()
        layer = self.parameterAsVectorLayer(parameters, self.LAYER, context)
        self._places = None
        if layer is not None:
            try:
                self._places = VectorLayerPlaces(layer)
            except OVEarthError as fault:
                raise QgsProcessingException(str(fault)) from fault
        return True

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Search, choose, and write; canceled, nothing is stored in the dataset."""
        extent = self.parameterAsExtent(parameters, self.EXTENT, context)
        crs = self.parameterAsExtentCrs(parameters, self.EXTENT, context)
        source = self.parameterAsString(parameters, self.SOURCE, context).strip()
        if bool(source) == (self._places is not None):
            raise QgsProcessingException(self.tr("Give either a source or a layer."))
        url = self.parameterAsString(parameters, self.URL, context).strip() or None
        folder = self.parameterAsString(parameters, self.DATASET, context)
        sides = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        wishes = self._wishes(parameters, context)
        names = self.parameterAsString(parameters, self.CATEGORIES, context)

        def work(report: Reporter) -> dict[str, object]:
            from ..collect.place_source import of_core

            places = self._places or of_core(source, url)
            result = _searched(names, sides, crs_text(crs), places, wishes, folder, report)
            for reason, count in result.choice.counts.items():
                feedback.pushInfo(f"{count} {reason}")
            return {
                self.OUTPUT: self._written(result, parameters, context),
                self.FOUND: sum(result.found.values()),
                self.CHOSEN: len(result.choice.chosen),
            }

        return unless_canceled(work, feedback)

    def _wishes(self, parameters, context):
        from ...ovearth_core.collection.pois.choosing import Wishes

        limit = None
        if parameters.get(self.LIMIT) is not None:
            limit = self.parameterAsInt(parameters, self.LIMIT, context)
        return Wishes(
            limit,
            self.parameterAsDouble(parameters, self.MIN_SPACING, context),
            self.parameterAsInt(parameters, self.SEED, context),
        )

    def _written(self, result, parameters, context) -> str:
        fields = QgsFields()
        for name in self.FIELDS:
            fields.append(text_field(name))
        fields.append(whole_field("category_number"))
        sink, identifier = self.parameterAsSink(
            parameters, self.OUTPUT, context, fields, WKB.Point, lonlat_crs()
        )
        if sink is None:
            raise QgsProcessingException(self.invalidSinkError(parameters, self.OUTPUT))
        for poi, continent in zip(result.choice.chosen, result.choice.continents, strict=True):
            feature = QgsFeature(fields)
            feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(poi.lon, poi.lat)))
            tags = json.dumps(dict(poi.tags or {}), ensure_ascii=False, default=str)
            feature.setAttributes(
                [poi.reference, poi.category, poi.name, continent, poi.source, tags,
                 poi.category_number]
            )  # fmt: skip
            sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)
        return identifier


def _searched(names, sides, crs, places, wishes, folder, report: Reporter):
    """Return what the core finds and chooses; with a folder, it is stored there too."""
    from ...ovearth_core.collection.pois.area import area_of
    from ...ovearth_core.collection.pois.into_dataset import search_into
    from ...ovearth_core.collection.pois.search import search
    from ...ovearth_core.dataset import Dataset
    from ...ovearth_core.errors import UsageError
    from ...ovearth_core.taxonomy import load

    if crs is None:
        raise UsageError("the area has no CRS", "EXTENT", "write W,E,S,N [EPSG:4326]")
    taxonomy = load()
    wanted = [taxonomy.find(name.strip()) for name in names.split(",") if name.strip()]
    area = area_of(*sides, crs)

    def check(*_: int) -> None:
        report.check()

    if not folder:
        return search(places, wanted, area, wishes, (), check)
    dataset = Dataset.open(Path(folder))
    return search_into(dataset, places, wanted, area, wishes, person(), check)
