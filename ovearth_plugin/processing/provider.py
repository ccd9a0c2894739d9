"""The Processing provider `ovearth`."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .score import ScoreAlgorithm

# By path: compiled resources would be built for one Qt only.
ICON = Path(__file__).parents[2] / "resources" / "icons" / "ovearth.svg"


class OVEarthProvider(QgsProcessingProvider):
    """Lists OVEarth's algorithms."""

    def id(self) -> str:
        """Return the prefix of every algorithm's id."""
        return "ovearth"

    def name(self) -> str:
        """Return the name shown in the toolbox."""
        return "OVEarth"

    def icon(self) -> QIcon:
        """Return the icon shown in the toolbox."""
        return QIcon(str(ICON))

    def loadAlgorithms(self) -> None:  # noqa: N802
        """Add one of each algorithm."""
        self.addAlgorithm(ScoreAlgorithm())
