"""A map tool for one click on a place."""

from __future__ import annotations

from qgis.core import QgsPointXY
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool
from qgis.PyQt.QtCore import Qt, pyqtSignal


class PlaceTool(QgsMapTool):
    """Tells of the place, in the map's CRS, when the button is let go.

    Not before, as QGIS's own such tool does: whoever then takes another tool in hand would give
    that one the rest of the click, and a tool that draws makes a corner of it.
    """

    placed = pyqtSignal(QgsPointXY)

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._is_pressed = False
        self.setCursor(Qt.CursorShape.CrossCursor)

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Begin a click."""
        self._is_pressed = event.button() == Qt.MouseButton.LeftButton

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Tell of a click that began here too."""
        if self._is_pressed and event.button() == Qt.MouseButton.LeftButton:
            self._is_pressed = False
            self.placed.emit(event.mapPoint())
