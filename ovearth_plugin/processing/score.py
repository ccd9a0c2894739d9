"""`ovearth:score`: score prediction files against a benchmark."""

from __future__ import annotations

from pathlib import Path

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
)

from ..tasks import Reporter
from .algorithm import OVEarthAlgorithm, core_then
from .dialect_parameters import add_dialect, chosen_dialect, left_out_lines


class ScoreAlgorithm(OVEarthAlgorithm):
    """Scores any number of runs; the numbers are those of `ovearth score --json`."""

    NAME = "score"
    BENCHMARK = "BENCHMARK"
    PREDICTIONS = "PREDICTIONS"
    MODALITIES = "MODALITIES"
    MIN_SCORE = "MIN_SCORE"
    SCORES = "SCORES"
    CSV = "CSV"
    # The core's words, in its order; the core is not imported before work begins.
    WORDS = ("mask", "hbb", "obb")

    def displayName(self) -> str:  # noqa: N802
        """Return the name shown in the toolbox."""
        return self.tr("Score predictions")

    def shortHelpString(self) -> str:  # noqa: N802
        """Return the help shown beside the parameters."""
        return self.tr(
            "Scores one or more prediction files against a benchmark: segmentation, horizontal "
            "and oriented boxes, and presence. The scores are written as JSON, the same as "
            "those of the command ovearth score. Predictions are OVEarth's own unless “Written in” "
            "names what a model's family gives."
        )

    def initAlgorithm(self, configuration=None) -> None:  # noqa: N802
        """Declare the parameters."""
        self.add_benchmark(self.BENCHMARK)
        self.addParameter(
            QgsProcessingParameterMultipleLayers(
                self.PREDICTIONS, self.tr("Predictions"), QgsProcessing.SourceType.TypeFile
            )
        )
        add_dialect(self)
        self.add_advanced(
            QgsProcessingParameterEnum(
                self.MODALITIES,
                self.tr("Score only (all that the runs attempt unless chosen)"),
                [self.tr("Masks"), self.tr("Horizontal boxes"), self.tr("Oriented boxes")],
                allowMultiple=True,
                optional=True,
            )
        )
        self.add_advanced(
            QgsProcessingParameterNumber(
                self.MIN_SCORE,
                self.tr("Drop boxes with a lower score than"),
                QgsProcessingParameterNumber.Type.Double,
                optional=True,
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.SCORES, self.tr("Scores"), self.tr("JSON (*.json)")
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                self.CSV,
                self.tr("Scores as a table"),
                self.tr("CSV (*.csv)"),
                optional=True,
                createByDefault=False,
            )
        )

    def processAlgorithm(self, parameters, context, feedback) -> dict[str, object]:  # noqa: N802
        """Score; runs in a background thread. Canceled, it writes nothing and returns nothing."""
        benchmark = Path(self.parameterAsFile(parameters, self.BENCHMARK, context))
        listed = self.parameterAsFileList(parameters, self.PREDICTIONS, context)
        predictions = [Path(path) for path in listed]
        scores = self.parameterAsFileOutput(parameters, self.SCORES, context)
        table = self.parameterAsFileOutput(parameters, self.CSV, context)
        # Asked for a choice that isn't made, QGIS gives the first of them.
        is_chosen = parameters.get(self.MODALITIES) not in (None, "", [])
        chosen = self.parameterAsEnums(parameters, self.MODALITIES, context) if is_chosen else []
        min_score = None
        if parameters.get(self.MIN_SCORE) not in (None, ""):
            min_score = self.parameterAsDouble(parameters, self.MIN_SCORE, context)

        dialect, how = chosen_dialect(self, parameters, context)

        def work(report: Reporter):
            from ...ovearth_core.atomic import AtomicFiles
            from ...ovearth_core.predictions.dialects import DialectOptions
            from ...ovearth_core.report.score_csv import scores_csv
            from ...ovearth_core.scoreboard import score_files
            from ...ovearth_core.scoring import Options

            def progress(run: int, records: int) -> None:
                # How many records a run has is known at its end only: the bar moves run by run.
                report(run, len(predictions))

            modalities = [self.WORDS[place] for place in chosen] or None
            options = Options(modalities, min_score=min_score, keep_pairs=False)
            if len(chosen) == 1:
                how.setdefault("modality", self.WORDS[chosen[0]])
            scoreboard = score_files(
                benchmark, predictions, options, progress, None, dialect, DialectOptions(**how)
            )
            read = [file for run in scoreboard.runs for file in run.predictions.files]
            with AtomicFiles([benchmark, *predictions, *read]) as files:
                scoreboard.write(files, Path(scores))
                if table:
                    files.write(Path(table), scores_csv(scoreboard.to_dict()))
            report(1, 1)
            return scoreboard

        def then(scoreboard) -> dict[str, object]:
            for run in scoreboard.runs:
                name = Path(run.predictions.source).name
                for line in left_out_lines(name, run.predictions.told):
                    feedback.pushWarning(line)
            return {self.SCORES: scores, **({self.CSV: table} if table else {})}

        return core_then(work, then, feedback)
