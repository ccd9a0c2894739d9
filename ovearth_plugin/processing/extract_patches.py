"""`ovearth:extractpatches`: georeferenced patches about places, into a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from qgis.core import (
    NULL,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from ..crs_text import LONLAT, crs_text
from ..network import hand_over_network
from ..settings import person
from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, unless_canceled

if TYPE_CHECKING:
    from ...ovearth_core.collection.patches import Place


class ExtractPatchesAlgorithm(OVEarthAlgorithm):
    """Cuts patches about the features of a layer out of a raster layer of any kind."""

    NAME = "extractpatches"
    POIS = "POIS"
    IMAGERY = "IMAGERY"
    SIZE = "SIZE"
    GSD = "GSD"
    LICENSE = "LICENSE"
    ATTRIBUTION = "ATTRIBUTION"
    DATE = "DATE"
    FOLDER = "FOLDER"
    PATCHES = "PATCHES"
    REFUSED = "REFUSED"
    FAILED = "FAILED"

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Extract patches")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Cuts georeferenced patches about places out of any raster layer, and takes them into "
            "the dataset of a folder, which is made where there is none. Running it again goes on "
            "where it stopped. What is refused stands with its reason in patches-report.json."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                self.POIS, self.tr("Places"), [QgsProcessing.SourceType.TypeVectorAnyGeometry]
            )
        )
        self.addParameter(QgsProcessingParameterRasterLayer(self.IMAGERY, self.tr("Imagery")))
        self.addParameter(
            QgsProcessingParameterNumber(
                self.SIZE,
                self.tr("Pixels a side"),
                QgsProcessingParameterNumber.Type.Integer,
                1024,
                minValue=1,
                maxValue=20_000,
            )
        )
        self.addParameter(
            QgsProcessingParameterNumber(
                self.GSD,
                self.tr("Metres of true ground a pixel (empty: the imagery's own)"),
                QgsProcessingParameterNumber.Type.Double,
                None,
                optional=True,
                minValue=0.001,
            )
        )
        for name, title in (
            (self.LICENSE, self.tr("Licence of the imagery")),
            (self.ATTRIBUTION, self.tr("Attribution")),
            (self.DATE, self.tr("Date of the imagery")),
        ):
            self.add_advanced(QgsProcessingParameterString(name, title, optional=True))
        self.addParameter(
            QgsProcessingParameterFolderDestination(self.FOLDER, self.tr("Folder of the dataset"))
        )
        self.addOutput(QgsProcessingOutputNumber(self.PATCHES, self.tr("Patches made")))
        self.addOutput(QgsProcessingOutputNumber(self.REFUSED, self.tr("Patches refused")))
        self.addOutput(QgsProcessingOutputNumber(self.FAILED, self.tr("Patches that failed")))

    def prepareAlgorithm(self, parameters, context, feedback) -> bool:  # noqa: N802
        """Make the layer ready, on the thread that it belongs to."""
        from ...ovearth_core.collection.imagery import ImagerySpec
        from ...ovearth_core.errors import OVEarthError
        from ..collect.layer_imagery import LayerImagery

        hand_over_network()
        layer = self.parameterAsRasterLayer(parameters, self.IMAGERY, context)
        if layer is None:
            raise QgsProcessingException(self.invalidRasterError(parameters, self.IMAGERY))
        said = [
            self.parameterAsString(parameters, name, context).strip() or None
            for name in (self.LICENSE, self.ATTRIBUTION, self.DATE)
        ]
        try:
            self._imagery = LayerImagery(layer, ImagerySpec("", *said))
        except OVEarthError as fault:
            raise QgsProcessingException(str(fault)) from fault
        return True

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Cut the patches; canceled, those that were made are kept."""
        source = self.parameterAsSource(parameters, self.POIS, context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, self.POIS))
        size = self.parameterAsInt(parameters, self.SIZE, context)
        gsd = None
        if parameters.get(self.GSD) is not None:
            gsd = self.parameterAsDouble(parameters, self.GSD, context)
        folder = Path(self.parameterAsString(parameters, self.FOLDER, context))
        feedback.canceled.connect(self._imagery.cancel)

        def work(report: Reporter) -> dict[str, object]:
            from ...ovearth_core.collection.patches import PatchJob, PatchShape

            job = PatchJob(self._imagery.with_gsd(gsd), PatchShape(size, None, gsd))
            done = _cut(folder, list(_places(source)), job, report, feedback)
            feedback.pushInfo(done.line())
            return {
                self.FOLDER: str(folder), self.PATCHES: len(done.fetched) + done.already,
                self.REFUSED: len(done.refused), self.FAILED: len(done.failed),
            }  # fmt: skip

        try:
            return unless_canceled(work, feedback)
        finally:
            self._imagery.release()


def _cut(folder: Path, places: list[Place], job, report: Reporter, feedback):
    """Make the patches, and return the core's report; what failed is in it."""
    from ...ovearth_core.collection.patches import extract_patches, plan_patches
    from ...ovearth_core.engine_daemons import DaemonThreads
    from ...ovearth_core.errors import InputError
    from ..collect.patch_run import leaving

    dataset = _dataset(folder)
    check = leaving(job, report)
    plan = plan_patches(dataset, places, job, check=check)
    feedback.pushInfo(plan.estimate.line())
    for warning in plan.report.warnings:
        feedback.pushWarning(warning)
    try:
        extract_patches(
            dataset, plan, job, who=person(), engine=DaemonThreads(check),
            progress=lambda done, count, _: report(done, count),
        )  # fmt: skip
    except InputError as fault:
        if not plan.report.failed:
            raise
        feedback.pushWarning(str(fault))
    return plan.report


def _dataset(folder: Path):
    """Return the folder's dataset, a new one where there is none."""
    from ...ovearth_core.dataset import FILE_NAME, Dataset
    from ...ovearth_core.dataset.categories import init_dataset
    from ...ovearth_core.taxonomy import load

    if (folder / FILE_NAME).is_file():
        return Dataset.open(folder)
    return init_dataset(folder, load())


def _places(source: QgsProcessingFeatureSource) -> Iterator[Place]:
    """Yield the features as places: the middle of the bounds where they aren't points."""
    from ...ovearth_core.collection.patches.poi_file import place_of
    from ...ovearth_core.errors import InputError
    from ...ovearth_core.operation import choose_operation

    crs = crs_text(source.sourceCrs())
    if crs is None:
        raise InputError("the layer has no CRS", source.sourceName(), "set it in its properties")
    way = choose_operation(crs, LONLAT)
    names = source.fields().names()
    for feature in source.getFeatures():
        where = f"{source.sourceName()}, feature {feature.id()}"
        if feature.geometry().isEmpty():
            raise InputError("has no geometry", where, "remove it, or mend it")
        middle = feature.geometry().boundingBox().center()
        lon, lat = way.forward(np.array([[middle.x(), middle.y()]]))[0]
        if not np.isfinite((lon, lat)).all() or abs(lat) > 90.0:
            raise InputError("no place on Earth", where, "check the layer's CRS")
        values = (None if value == NULL else value for value in feature.attributes())
        yield place_of(float(lon), float(lat), dict(zip(names, values, strict=False)), where)
