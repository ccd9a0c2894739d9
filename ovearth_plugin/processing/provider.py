"""The Processing provider `ovearth`."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .check_dataset import CheckDatasetAlgorithm
from .derive_boxes import DeriveBoxesAlgorithm
from .export_benchmark import ExportBenchmarkAlgorithm
from .extract_patches import ExtractPatchesAlgorithm
from .overlay_predictions import OverlayPredictionsAlgorithm
from .score import ScoreAlgorithm
from .search_pois import SearchPoisAlgorithm

# By path: compiled resources would be built for one Qt only.
ICON = Path(__file__).parents[2] / "resources" / "icons" / "ovearth.svg"

ALGORITHMS = (
    SearchPoisAlgorithm,
    ExtractPatchesAlgorithm,
    DeriveBoxesAlgorithm,
    CheckDatasetAlgorithm,
    ExportBenchmarkAlgorithm,
    ScoreAlgorithm,
    OverlayPredictionsAlgorithm,
)


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
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm())
