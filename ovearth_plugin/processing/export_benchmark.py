"""`ovearth:exportbenchmark`: a dataset's approved targets as a benchmark file."""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
)

from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, core_then


class ExportBenchmarkAlgorithm(OVEarthAlgorithm):
    """Writes what `ovearth export --format benchmark` writes."""

    NAME = "exportbenchmark"
    DATASET = "DATASET"
    STATES = "STATES"
    RELEASE = "RELEASE"
    BENCHMARK = "BENCHMARK"
    WORDS = ("draft", "submitted", "returned", "approved", "rejected")

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Export benchmark")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Writes the approved targets of a dataset (its dataset.gpkg, or its folder) as one "
            "benchmark file, against which predictions are scored. With a version it is frozen as "
            "a release: a new folder beside, named as the file without its ending, that holds "
            "benchmark.json, the images and their checksums. The output is that benchmark.json."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.addParameter(
            QgsProcessingParameterFile(
                self.DATASET,
                self.tr("Dataset (dataset.gpkg)"),
                # Without the last, QGIS would refuse the dataset's folder.
                fileFilter=self.tr("Dataset (*.gpkg);;All files (*)"),
            )
        )
        states = [
            self.tr("Draft"),
            self.tr("Submitted"),
            self.tr("Returned"),
            self.tr("Approved"),
            self.tr("Rejected"),
        ]
        self.add_advanced(
            QgsProcessingParameterEnum(
                self.STATES,
                self.tr("Targets in these states"),
                states,
                allowMultiple=True,
                defaultValue=[self.WORDS.index("approved")],
            )
        )
        self.add_advanced(
            QgsProcessingParameterString(self.RELEASE, self.tr("Version to release"), optional=True)
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.BENCHMARK, self.tr("Benchmark"), self.tr("Benchmark (*.json)")
            )
        )

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Export; says what stayed behind."""
        place = Path(self.parameterAsFile(parameters, self.DATASET, context))
        out = self.parameterAsFileOutput(parameters, self.BENCHMARK, context)
        chosen = self.parameterAsEnums(parameters, self.STATES, context)
        states = [self.WORDS[state] for state in chosen]
        release = self.parameterAsString(parameters, self.RELEASE, context) or None
        place_out = Path(out) if release is None else release_folder(Path(out))

        def work(report: Reporter) -> list[str]:
            from ...ovearth_core.dataset import Dataset
            from ...ovearth_core.dataset.exchange.exporting import export_dataset

            report.check()
            dataset = Dataset.open(place)
            return export_dataset(dataset, place_out, "benchmark", states, release, report).lines()

        def then(lines: list[str]) -> dict[str, object]:
            for line in lines:
                feedback.pushInfo(line)
            if release is None:
                return {self.BENCHMARK: out}
            feedback.pushInfo(self.tr("The release is the folder {}").format(place_out))
            return {self.BENCHMARK: str(place_out / "benchmark.json")}

        return core_then(work, then, feedback)


def release_folder(file: Path) -> Path:
    """Return the folder of a release that is asked for as a file: its name without the ending."""
    name = file.name
    for ending in (".gz", ".json"):
        name = name.removesuffix(ending)
    return file.with_name(name or file.name)
