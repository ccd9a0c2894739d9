"""The person's language, where the plugin brings it."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QLocale, QTranslator

# Files such as ovearth_de.qm, made by Qt Linguist's lrelease from ovearth.ts.
FOLDER = Path(__file__).parents[1] / "resources" / "i18n"


class Translation:
    """Makes the plugin speak QGIS's language; without a file for it, it speaks English."""

    def __init__(self) -> None:
        self._translator: QTranslator | None = None

    def load(self) -> None:
        """Take the file of QGIS's language, or of the wider one (de for de_AT)."""
        translator = QTranslator()
        if self._translator is None and translator.load(_locale(), "ovearth", "_", str(FOLDER)):
            QCoreApplication.installTranslator(translator)
            self._translator = translator

    def unload(self) -> None:
        """Take it away again."""
        if self._translator is not None:
            QCoreApplication.removeTranslator(self._translator)
            self._translator = None


def _locale() -> QLocale:
    name, own = QgsApplication.locale(), QLocale()
    # Unless a person chose a language, QGIS names the system's without its country: zh, pt.
    return own if own.name().split("_")[0] == name else QLocale(name)
