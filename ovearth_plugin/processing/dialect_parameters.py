"""The parameters by which algorithms are told what predictions are written in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
)

from ..dialect_words import ANGLE_UNITS, ANGLES, DIALECTS, option_title
from .algorithm import OVEarthAlgorithm

DIALECT = "DIALECT"
OURS = "ovearth"
INPUT_WIDTH, INPUT_HEIGHT = "INPUT_WIDTH", "INPUT_HEIGHT"
RESIZE, LENIENT = "RESIZE", "LENIENT"
MAPPING, CLASSES = "MAPPING", "CLASSES"
# THRESHOLD is the IoU's, where an algorithm has one.
MASK_THRESHOLD, DUPLICATES = "MASK_THRESHOLD", "DUPLICATES"
ANGLE, ANGLE_UNIT, SHAPES = "ANGLE", "ANGLE_UNIT", "SHAPES"
MODALITIES = ("mask", "hbb", "obb")
_WORDS = {ANGLE: ("angle", ANGLES), ANGLE_UNIT: ("angle_unit", ANGLE_UNITS),
          SHAPES: ("modality", MODALITIES)}  # fmt: skip
_FILES = {MAPPING: "mapping", CLASSES: "classes"}
_NUMBERS = {MASK_THRESHOLD: "threshold", DUPLICATES: "duplicates"}


def add_dialect(algorithm: OVEarthAlgorithm) -> None:
    """Add the choice of a dialect, and its options as advanced parameters."""
    algorithm.addParameter(
        _words(DIALECT, OVEarthAlgorithm.translated_here("Written in"), [OURS, *DIALECTS], OURS)
    )
    kind = QgsProcessingParameterNumber.Type
    for name, title in (
        (
            INPUT_WIDTH,
            OVEarthAlgorithm.translated_here("Width of the images as the model saw them"),
        ),
        (
            INPUT_HEIGHT,
            OVEarthAlgorithm.translated_here("Height of the images as the model saw them"),
        ),
    ):
        algorithm.add_advanced(
            QgsProcessingParameterNumber(name, title, kind.Integer, optional=True, minValue=1)
        )
    for name, option in _FILES.items():
        algorithm.add_advanced(
            QgsProcessingParameterFile(name, option_title(option), optional=True)
        )
    for name, option in _NUMBERS.items():
        algorithm.add_advanced(
            QgsProcessingParameterNumber(name, option_title(option), kind.Double, optional=True)
        )
    for name, (option, words) in _WORDS.items():
        algorithm.add_advanced(_words(name, option_title(option), list(words), None))
    for name, title in (
        (RESIZE, OVEarthAlgorithm.translated_here("Bring masks of another size to their image's")),
        (LENIENT, option_title("lenient")),
    ):
        algorithm.add_advanced(QgsProcessingParameterBoolean(name, title, defaultValue=False))


def chosen_dialect(
    algorithm: OVEarthAlgorithm, parameters: dict[str, Any], context: Any
) -> tuple[str | None, dict[str, Any]]:
    """Return the dialect, None for a run of ours, and what DialectOptions is to be made with."""
    readers = {
        **{name: (option, algorithm.parameterAsFile) for name, option in _FILES.items()},
        **{name: (option, algorithm.parameterAsDouble) for name, option in _NUMBERS.items()},
        **{name: (option, algorithm.parameterAsEnumString) for name, (option, _) in _WORDS.items()},
    }
    # Asked for what isn't given, QGIS gives 0 or the first of a list.
    given = {name for name, value in parameters.items() if value not in (None, "")}
    told: dict[str, Any] = {
        option: read(parameters, name, context)
        for name, (option, read) in readers.items()
        if name in given
    }
    told.update({option: Path(told[option]) for option in _FILES.values() if option in told})
    if given & {INPUT_WIDTH, INPUT_HEIGHT}:
        told["input_size"] = tuple(
            algorithm.parameterAsInt(parameters, name, context) if name in given else 0
            for name in (INPUT_WIDTH, INPUT_HEIGHT)
        )
    if algorithm.parameterAsBoolean(parameters, RESIZE, context):
        told["resize"] = "nearest"
    if algorithm.parameterAsBoolean(parameters, LENIENT, context):
        told["lenient"] = True
    dialect = algorithm.parameterAsEnumString(parameters, DIALECT, context)
    return (None if dialect in ("", OURS) else dialect), told


def left_out_lines(name: str, told: dict[str, Any]) -> list[str]:
    """Return lines for people on what a dialect left out of a file or warns of."""
    lines = [
        OVEarthAlgorithm.translated_here("{}: left out {} {}").format(name, count, why)
        for why, count in told.get("left_out", {}).items()
    ]
    return lines + [f"{name}: {count} {what}" for what, count in told.get("warnings", {}).items()]


def _words(name: str, title: str, words: list[str], default: str | None):
    """Return a parameter whose value is one of the core's words, in scripts and models too."""
    return QgsProcessingParameterEnum(
        name, title, words, defaultValue=default, optional=default is None, usesStaticStrings=True
    )
