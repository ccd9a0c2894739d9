"""`ovearth:overlaypredictions`: a run on the map."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingOutputVectorLayer,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
)
from qgis.PyQt import sip

from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, core_then
from .dialect_parameters import add_dialect, chosen_dialect, left_out_lines


class _Styled(QgsProcessingLayerPostProcessorInterface):
    """Gives a loaded layer the style that the file brings: Processing loads it without.

    One for each layer: QGIS deletes it with the run's context. Python's half lives in `_kept`.
    """

    _kept: ClassVar[list[_Styled]] = []

    @classmethod
    def made(cls) -> _Styled:
        """Return one that lives until QGIS has no more need of it."""
        cls._kept[:] = [one for one in cls._kept if not sip.isdeleted(one)]
        cls._kept.append(cls())
        return cls._kept[-1]

    def postProcessLayer(self, layer, context, feedback) -> None:  # noqa: N802
        """Load the style."""
        layer.loadDefaultStyle()
        layer.triggerRepaint()


class OverlayPredictionsAlgorithm(OVEarthAlgorithm):
    """Writes what `ovearth overlay` writes, and shows it."""

    NAME = "overlaypredictions"
    BENCHMARK = "BENCHMARK"
    PREDICTIONS = "PREDICTIONS"
    THRESHOLD = "THRESHOLD"
    LOAD = "LOAD"
    OUTPUT = "OUTPUT"
    LAYERS = ("mask", "hbb", "obb")

    def __init__(self) -> None:
        super().__init__()
        self._out = ""
        self._model = ""

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Overlay predictions")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Draws what a run matched, missed and made up, in map coordinates (EPSG:4326), with "
            "the IoU and the score of each box: a GeoPackage with the layers mask, hbb and obb, "
            "those that the run has. Boxes match from the IoU threshold on. Predictions are "
            "OVEarth's own unless “Written in” names what a model's family gives."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.add_benchmark(self.BENCHMARK)
        self.addParameter(QgsProcessingParameterFile(self.PREDICTIONS, self.tr("Predictions")))
        add_dialect(self)
        self.addParameter(
            QgsProcessingParameterNumber(
                self.THRESHOLD,
                self.tr("IoU threshold"),
                QgsProcessingParameterNumber.Type.Double,
                0.5,
                minValue=0.01,
                maxValue=1.0,
            )
        )
        self.add_advanced(
            QgsProcessingParameterBoolean(
                self.LOAD, self.tr("Add the layers to the project"), defaultValue=True
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.OUTPUT, self.tr("Overlay"), self.tr("GeoPackage (*.gpkg)")
            )
        )
        for layer, title in zip(self.LAYERS, self._titles(), strict=True):
            self.addOutput(QgsProcessingOutputVectorLayer(layer.upper(), title))

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Score and draw; canceled, nothing is written."""
        benchmark = Path(self.parameterAsFile(parameters, self.BENCHMARK, context))
        predictions = Path(self.parameterAsFile(parameters, self.PREDICTIONS, context))
        threshold = self.parameterAsDouble(parameters, self.THRESHOLD, context)
        out = self.parameterAsFileOutput(parameters, self.OUTPUT, context)

        dialect, how = chosen_dialect(self, parameters, context)

        def work(report: Reporter):
            from ...ovearth_core.overlay import overlay_files
            from ...ovearth_core.predictions.dialects import DialectOptions

            report.check()
            told = DialectOptions(**how)
            return overlay_files(
                benchmark, predictions, threshold, Path(out), report, dialect, told
            )

        def then(counts) -> dict[str, object]:
            feedback.pushInfo(str(counts))
            for line in left_out_lines(predictions.name, counts.told):
                feedback.pushWarning(line)
            self._model = counts.model
            made = {layer.upper(): f"{out}|layername={layer}" for layer in counts.features}
            return {self.OUTPUT: out, **made}

        results = core_then(work, then, feedback)
        if results:
            self._out = out
            if self.parameterAsBoolean(parameters, self.LOAD, context):
                self._load(results, self._model, context)
        return results

    def postProcessAlgorithm(self, context, feedback) -> dict[str, object]:  # noqa: N802
        """Have layers that showed the file before show what is in it now."""
        project = context.project()
        if project is not None and self._out:
            for layer in project.mapLayers().values():
                if layer.source().split("|")[0] == self._out:
                    layer.reload()
                    layer.dataProvider().reloadData()
                    layer.dataProvider().updateExtents()
                    layer.updateExtents()
                    layer.triggerRepaint()
        return {}

    def _load(self, results: dict[str, object], name: str, context: QgsProcessingContext) -> None:
        """Have the layers added on the main thread once the algorithm is done."""
        project = context.project()
        if project is None:
            return
        for layer, title in zip(self.LAYERS, self._titles(), strict=True):
            source = results.get(layer.upper())
            if source is not None:
                details = QgsProcessingContext.LayerDetails(
                    f"{name}: {title}", project, layer.upper()
                )
                details.setPostProcessor(_Styled.made())
                context.addLayerToLoadOnCompletion(str(source), details)

    def _titles(self) -> tuple[str, str, str]:
        return self.tr("Masks"), self.tr("Horizontal boxes"), self.tr("Oriented boxes")
