"""What all of OVEarth's algorithms share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterFile,
)
from qgis.PyQt.QtCore import QCoreApplication, QLocale

from ..help import help_address
from ..python_thread import in_python_thread
from ..tasks import CanceledError, Reporter, failure_of, log_failure

ResultT = TypeVar("ResultT")


class OVEarthAlgorithm(QgsProcessingAlgorithm):
    """Declares nothing: subclasses say NAME, and give texts through `tr`."""

    NAME = ""

    def tr(self, text: str) -> str:
        """Translate a text."""
        return QCoreApplication.translate(type(self).__name__, text)

    def name(self) -> str:
        """Return the id after `ovearth:`."""
        return self.NAME

    def createInstance(self) -> OVEarthAlgorithm:  # noqa: N802
        """Return a new one: Processing runs a copy."""
        return type(self)()

    def helpUrl(self) -> str:  # noqa: N802
        """Return the address of the help page that came with the plugin."""
        return help_address(self.NAME)

    def checkParameterValues(self, parameters, context):  # noqa: N802
        """Refuse words where a number is asked for: QGIS would take them for 0."""
        for definition in self.parameterDefinitions():
            value = parameters.get(definition.name())
            is_number = definition.type() in ("number", "distance")
            if is_number and isinstance(value, str) and value and not _is_number(value):
                said = self.translated_here(
                    "{} must be a number, and is “{}”: give one such as 0.5"
                )
                return False, said.format(definition.name(), value)
        return super().checkParameterValues(parameters, context)

    def add_advanced(self, parameter: QgsProcessingParameterDefinition) -> None:
        """Add a parameter that is hidden until one asks for more."""
        flag = QgsProcessingParameterDefinition.Flag.FlagAdvanced
        parameter.setFlags(parameter.flags() | flag)
        self.addParameter(parameter)

    def add_benchmark(self, name: str) -> None:
        """Add the parameter for a benchmark file."""
        self.addParameter(
            QgsProcessingParameterFile(
                name,
                self.translated_here("Benchmark"),
                fileFilter=self.translated_here("Benchmark (*.json *.json.gz);;All files (*)"),
            )
        )

    @staticmethod
    def translated_here(text: str) -> str:
        """Translate a text of this class, whatever the subclass."""
        return QCoreApplication.translate("OVEarthAlgorithm", text)


def _is_number(text: str) -> bool:
    # As QGIS reads it: with a point, or as the person's language writes it.
    return QLocale.c().toDouble(text)[1] or QLocale().toDouble(text)[1]


@contextmanager
def core_work(feedback: QgsProcessingFeedback) -> Iterator[Reporter]:
    """Run core code: its faults leave as one sentence, with the rest in QGIS's log.

    The Reporter that comes moves the bar; it raises CanceledError when a person cancels, which
    ends the block.
    """
    try:
        yield Reporter(feedback.setProgress, feedback.isCanceled)
    except (CanceledError, QgsProcessingException):
        raise
    except Exception as fault:
        failure = failure_of(fault)
        if not failure.is_foreseen:
            feedback.pushDebugInfo(failure.details)
        elif has_window():
            # qgis_process prints that log too: there a sentence stays a sentence.
            log_failure(failure)
        raise QgsProcessingException(failure.sentence) from None


def unless_canceled(
    work: Callable[[Reporter], dict[str, object]], feedback: QgsProcessingFeedback
) -> dict[str, object]:
    """Return what `work` does, nothing if it is canceled."""
    try:
        with core_work(feedback) as report:
            return work(report)
    except CanceledError:
        return {}


def core_then(
    work: Callable[[Reporter], ResultT],
    then: Callable[[ResultT], dict[str, object]],
    feedback: QgsProcessingFeedback,
) -> dict[str, object]:
    """Return what `then` makes of the result of `work`, nothing if it is canceled.

    `work` is the core's part, in a thread of its own, and touches nothing of QGIS's.
    """

    def both(report: Reporter) -> dict[str, object]:
        return then(
            in_python_thread(lambda tell: work(Reporter(tell, feedback.isCanceled)), report.show)
        )

    return unless_canceled(both, feedback)


def has_window() -> bool:
    """Whether QGIS runs with its window, not as qgis_process."""
    from qgis.utils import iface

    return iface is not None


def is_dataset(place: str) -> bool:
    """Whether a path is meant as a dataset: a folder, or a GeoPackage."""
    path = Path(place)
    return path.is_dir() or path.suffix.lower() == ".gpkg"
