"""`ovearth:deriveboxes`: horizontal and oriented boxes of a polygon layer."""

from __future__ import annotations

from collections.abc import Iterator

from qgis.core import (
    QgsFeature,
    QgsFeatureRequest,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterRasterLayer,
    QgsProcessingUtils,
    QgsRasterLayer,
    QgsWkbTypes,
)

from ..compat import POLYGON_GEOMETRY, UNKNOWN_GEOMETRY, WKB, number_field, text_field
from ..crs_text import crs_text
from ..python_thread import python_thread
from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, unless_canceled
from .carried_fields import CarriedFields
from .grid import image_frame

# Also a polygon that crosses itself has boxes.
AS_IT_IS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks

# Boxes of so many are derived together.
AT_ONCE = 256

Sinks = dict[str, tuple[QgsFeatureSink, str]]


class DeriveBoxesAlgorithm(OVEarthAlgorithm):
    """Derives boxes by the rules of benchmarks; the layer itself stays as it is."""

    NAME = "deriveboxes"
    INPUT = "INPUT"
    FRAME = "FRAME"
    IMAGE = "IMAGE"
    HBB = "HBB"
    OBB = "OBB"
    # The core's words, in its order.
    FRAMES = ("pixel", "map", "ground")
    SIZES = ("width_m", "length_m", "azimuth_deg", "area_m2")

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Derive boxes")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Derives the horizontal box and the smallest oriented box of every polygon, with "
            "width, length, direction and area on the ground. Horizontal means along the axes of "
            "the frame: of the layer's CRS (map), of east and north on the ground at each object "
            "(ground), or of an image's pixels (pixel; choose the image)."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        polygons = QgsProcessing.SourceType.TypeVectorPolygon
        self.addParameter(
            QgsProcessingParameterFeatureSource(self.INPUT, self.tr("Polygons"), [polygons])
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                self.FRAME,
                self.tr("Frame"),
                [self.tr("Pixel"), self.tr("Map"), self.tr("Ground")],
                defaultValue=self.FRAMES.index("map"),
            )
        )
        self.add_advanced(
            QgsProcessingParameterRasterLayer(
                self.IMAGE, self.tr("Image (for the frame pixel)"), optional=True
            )
        )
        for name, title in (
            (self.HBB, self.tr("Horizontal boxes")),
            (self.OBB, self.tr("Oriented boxes")),
        ):
            self.addParameter(
                QgsProcessingParameterFeatureSink(name, title, polygons, optional=True)
            )

    def checkParameterValues(self, parameters, context):  # noqa: N802
        """Accept the frame by its name as well as by its number."""
        return super().checkParameterValues(self._numbered(parameters), context)

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Derive the boxes; polygons that are none are left out and counted."""
        parameters = self._numbered(parameters)
        source = self.parameterAsSource(parameters, self.INPUT, context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, self.INPUT))
        if QgsWkbTypes.geometryType(source.wkbType()) not in (POLYGON_GEOMETRY, UNKNOWN_GEOMETRY):
            raise QgsProcessingException(
                self.tr("{} has no polygons to derive boxes of: choose a layer of polygons").format(
                    source.sourceName()
                )
            )
        frame = self.FRAMES[self.parameterAsEnum(parameters, self.FRAME, context)]
        image = self.parameterAsRasterLayer(parameters, self.IMAGE, context)
        carried = CarriedFields(source.fields())
        fields = QgsProcessingUtils.combineFields(carried.fields, self._own_fields())

        def work(report: Reporter) -> dict[str, object]:
            left_out = 0
            # Features are read and written here, in QGIS's thread; in the other works the core.
            with python_thread() as core:
                boxes_of = _boxes_of(core, source, frame, image)
                # Only now: an input that is refused leaves no empty layer.
                sinks = self._sinks(parameters, context, fields, source.sourceCrs())
                for feature, boxes in _derived(core, boxes_of, source, report):
                    left_out += boxes is None
                    for name, box in zip((self.HBB, self.OBB), boxes or (), strict=False):
                        if name in sinks:
                            made = _box_feature(carried.values(feature), fields, frame, box)
                            sinks[name][0].addFeature(made, QgsFeatureSink.Flag.FastInsert)
            if left_out:
                feedback.pushWarning(
                    self.tr("{} feature(s) without a usable polygon were left out").format(left_out)
                )
            return {name: identifier for name, (_, identifier) in sinks.items()}

        return unless_canceled(work, feedback)

    def _own_fields(self) -> QgsFields:
        fields = QgsFields()
        fields.append(text_field("frame"))
        for name in self.SIZES:
            fields.append(number_field(name))
        return fields

    def _sinks(self, parameters, context, fields: QgsFields, crs) -> Sinks:
        sinks: Sinks = {}
        for name in (self.HBB, self.OBB):
            sink, identifier = self.parameterAsSink(
                parameters, name, context, fields, WKB.Polygon, crs
            )
            if sink is not None:
                sinks[name] = (sink, identifier)
        return sinks

    def _numbered(self, parameters: dict) -> dict:
        frame = parameters.get(self.FRAME)
        if isinstance(frame, str) and frame.strip().lower() in self.FRAMES:
            return {**parameters, self.FRAME: self.FRAMES.index(frame.strip().lower())}
        return parameters


def _boxes_of(core, source: QgsProcessingFeatureSource, frame: str, image: QgsRasterLayer | None):
    from ...ovearth_core.outline_boxes import OutlineBoxes

    extent = source.sourceExtent()
    corners = [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()]
    grid = None if image is None else core(image_frame, image)
    return core(OutlineBoxes, crs_text(source.sourceCrs()), frame, corners, grid)


def _derived(
    core, boxes_of, source: QgsProcessingFeatureSource, report: Reporter
) -> Iterator[tuple[QgsFeature, tuple | None]]:
    """Yield each feature with its two boxes, None for one that has no usable polygon."""
    count = source.featureCount()
    waiting: list[QgsFeature] = []
    for done, feature in enumerate(source.getFeatures(QgsFeatureRequest(), AS_IT_IS), 1):
        report(done, count)
        waiting.append(feature)
        if len(waiting) == AT_ONCE:
            yield from _paired(core, boxes_of, waiting)
            waiting = []
    yield from _paired(core, boxes_of, waiting)


def _paired(core, boxes, features: list[QgsFeature]) -> Iterator[tuple[QgsFeature, tuple | None]]:
    shapes = list(map(_polygons, features))
    yield from zip(features, core(boxes.of, shapes), strict=True)


def _polygons(feature: QgsFeature) -> tuple:
    """Return a feature's polygons for the core, exact; none where it has no geometry."""
    from ...ovearth_core.dataset.blob import polygons_of_wkb

    geometry = feature.geometry()
    if geometry.isEmpty():
        return ()
    return polygons_of_wkb(bytes(_straight(geometry).asWkb()))[0]


def _straight(geometry: QgsGeometry) -> QgsGeometry:
    """Return a geometry with its curves made of straight parts."""
    return QgsGeometry(geometry.constGet().segmentize())


def _box_feature(values: list, fields: QgsFields, frame: str, box) -> QgsFeature:
    from ...ovearth_core.dataset.blob import polygons_wkb
    from ...ovearth_core.overlay.feature import quad_polygons

    made = QgsFeature(fields)
    sizes = [box.width_m, box.length_m, box.azimuth_deg, box.area_m2]
    made.setAttributes([*values, frame, *sizes])
    geometry = QgsGeometry()
    geometry.fromWkb(polygons_wkb(quad_polygons(box.corners), as_multi=False))
    made.setGeometry(geometry)
    return made
