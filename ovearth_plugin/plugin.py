"""What QGIS starts and stops."""

from __future__ import annotations

from qgis.core import QgsApplication

from .processing.provider import OVEarthProvider


class OVEarthPlugin:
    """Registers the Processing provider, and takes it away again.

    QGIS calls initGui in its window and initProcessing in qgis_process.
    """

    def __init__(self, iface) -> None:
        self.iface = iface
        self.provider: OVEarthProvider | None = None

    def initProcessing(self) -> None:  # noqa: N802
        """Register the provider."""
        self.provider = OVEarthProvider()
        # The registry owns it from here on, and deletes it on removal.
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802
        """Register all that the window needs: for now the provider alone."""
        self.initProcessing()

    def unload(self) -> None:
        """Remove the provider."""
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
