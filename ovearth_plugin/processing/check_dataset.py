"""`ovearth:checkdataset`: what would spoil a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsPointXY,
    QgsProcessing,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
)

from ..compat import WKB, text_field
from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, core_then, is_dataset


class CheckDatasetAlgorithm(OVEarthAlgorithm):
    """Lists the findings of `ovearth check` as JSON, and as points where they are."""

    NAME = "checkdataset"
    DATASET = "DATASET"
    FINDINGS = "FINDINGS"
    PLACES = "PLACES"
    COUNT = "COUNT"

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Check dataset")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Looks for everything that would spoil a benchmark: in a dataset (its dataset.gpkg, "
            "or its folder) or in a benchmark file. The findings are those of the command "
            "ovearth check; each says what is wrong, where, and how to mend it."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.addParameter(
            QgsProcessingParameterFile(
                self.DATASET,
                self.tr("Dataset (dataset.gpkg) or benchmark"),
                # Without the last, QGIS would refuse the dataset's folder.
                fileFilter=self.tr(
                    "Datasets and benchmarks (*.gpkg *.json *.json.gz);;All files (*)"
                ),
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.FINDINGS, self.tr("Findings"), self.tr("JSON (*.json)"), optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterFeatureSink(
                self.PLACES,
                self.tr("Places of the findings"),
                QgsProcessing.SourceType.TypeVectorPoint,
                optional=True,
                createByDefault=False,
            )
        )
        self.addOutput(QgsProcessingOutputNumber(self.COUNT, self.tr("Number of findings")))

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Check; what is found is said in the log too."""
        place = self.parameterAsFile(parameters, self.DATASET, context)
        out = self.parameterAsFileOutput(parameters, self.FINDINGS, context)

        def work(report: Reporter) -> list:
            findings = []
            for finding in _findings(place, report):
                findings.append(finding)
                report.check()
            if out:
                from ...ovearth_core.atomic import write_text
                from ...ovearth_core.checking.finding import findings_json

                write_text(Path(out), findings_json(findings), [_kept_safe(place)])
            report(1, 1)
            return findings

        def then(findings: list) -> dict[str, object]:
            for finding in findings:
                feedback.pushInfo(str(finding))
            results: dict[str, object] = {self.COUNT: len(findings)}
            if out:
                results[self.FINDINGS] = out
            return results | self._write_places(findings, parameters, context)

        return core_then(work, then, feedback)

    def _write_places(self, findings: list, parameters, context) -> dict[str, object]:
        fields = QgsFields()
        for name in ("kind", "severity", "place", "what", "mend"):
            fields.append(text_field(name))
        lonlat = QgsCoordinateReferenceSystem("EPSG:4326")
        sink, identifier = self.parameterAsSink(
            parameters, self.PLACES, context, fields, WKB.Point, lonlat
        )
        if sink is None:
            return {}
        for finding in findings:
            feature = QgsFeature(fields)
            feature.setAttributes(
                [finding.kind, finding.severity, finding.where, finding.what, finding.mend]
            )
            if finding.lonlat is not None:
                feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(*finding.lonlat)))
            sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)
        return {self.PLACES: identifier}


def _findings(place: str, report: Reporter) -> Iterator:
    if is_dataset(place):
        from ...ovearth_core.checking.dataset_rows import check_dataset
        from ...ovearth_core.dataset import Dataset

        dataset = Dataset.open(Path(place))
        with dataset.reading() as view:
            images = view.counts()["images"]
        done = iter(range(1, images + 1))
        return check_dataset(dataset, lambda: report(next(done, images), images))
    from ...ovearth_core.benchmark import read_benchmark
    from ...ovearth_core.checking.benchmark_file import check_benchmark

    return check_benchmark(read_benchmark(Path(place)), Path(place).parent)


def _kept_safe(place: str) -> Path:
    path = Path(place)
    return path / "dataset.gpkg" if path.is_dir() else path
