"""`ovearth:score`: score prediction files against a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import (
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMultipleLayers,
)
from qgis.PyQt.QtCore import QCoreApplication


class _CanceledError(Exception):
    """Raised in the core's progress callback when the person cancels."""


def _write_scores(benchmark: Path, predictions: Sequence[Path], scores: Path, feedback) -> None:
    """Score and write the JSON: the one place where this algorithm meets the core.

    The core is imported here, not at top: a package that is missing costs this algorithm alone.
    """
    from ...ovearth_core.atomic import AtomicFiles
    from ...ovearth_core.scoreboard import score_files

    def progress(run: int, records: int) -> None:
        if feedback.isCanceled():
            raise _CanceledError
        # How many records a run has is known at its end only: the bar moves run by run.
        feedback.setProgress(100 * run / len(predictions))

    scoreboard = score_files(benchmark, predictions, progress=progress)
    with AtomicFiles() as files:
        scoreboard.write(files, scores)
    feedback.setProgress(100)


class ScoreAlgorithm(QgsProcessingAlgorithm):
    """Scores any number of runs; the numbers are those of `ovearth score --json`."""

    BENCHMARK = "BENCHMARK"
    PREDICTIONS = "PREDICTIONS"
    SCORES = "SCORES"

    def tr(self, text: str) -> str:
        """Translate a text."""
        return QCoreApplication.translate("ScoreAlgorithm", text)

    def name(self) -> str:
        """Return the id after `ovearth:`."""
        return "score"

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Score predictions")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Scores one or more prediction files against a benchmark: segmentation, horizontal "
            "and oriented boxes, and presence. The scores are written as JSON, the same as "
            "those of the command ovearth score."
        )

    def createInstance(self) -> ScoreAlgorithm:  # noqa: N802
        """Return a new one: Processing runs a copy."""
        return ScoreAlgorithm()

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.addParameter(
            QgsProcessingParameterFile(
                self.BENCHMARK,
                self.tr("Benchmark"),
                fileFilter=self.tr("Benchmark (*.json *.json.gz);;All files (*)"),
            )
        )
        self.addParameter(
            QgsProcessingParameterMultipleLayers(
                self.PREDICTIONS, self.tr("Predictions"), QgsProcessing.SourceType.TypeFile
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.SCORES, self.tr("Scores"), self.tr("JSON (*.json)")
            )
        )

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, str]:  # noqa: N802
        """Score; runs in a background thread. Canceled, it writes nothing and returns nothing."""
        from ...ovearth_core.errors import OVEarthError

        benchmark = self.parameterAsFile(parameters, self.BENCHMARK, context)
        predictions = self.parameterAsFileList(parameters, self.PREDICTIONS, context)
        scores = self.parameterAsFileOutput(parameters, self.SCORES, context)
        try:
            _write_scores(Path(benchmark), [Path(p) for p in predictions], Path(scores), feedback)
        except _CanceledError:
            return {}
        except (OVEarthError, ImportError) as error:
            raise QgsProcessingException(str(error)) from error
        return {self.SCORES: scores}
