"""Pins a comment to the place on the map that one clicks."""

from __future__ import annotations

from qgis.core import QgsPointXY
from qgis.gui import QgsMapCanvas, QgsMapTool, QgsVertexMarker
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QPushButton

from ...ovearth_core.dataset.review import Pin
from ..messages import Messages
from ..place_tool import PlaceTool
from .map_sample import MapSample


class PinTool(QObject):
    """A map tool behind a button that stays down until one has clicked. pinned: there is a pin."""

    pinned = pyqtSignal()

    def __init__(
        self, button: QPushButton, scene: MapSample, canvas: QgsMapCanvas, messages: Messages
    ) -> None:
        super().__init__(button)
        self._button = button
        self._scene = scene
        self._canvas = canvas
        self._messages = messages
        self._before: QgsMapTool | None = None
        self._marker: QgsVertexMarker | None = None
        self.pin: Pin | None = None
        self.tool = PlaceTool(canvas)
        self.tool.placed.connect(self._clicked)
        self.tool.deactivated.connect(lambda: button.setChecked(False))
        button.setCheckable(True)
        button.toggled.connect(self._toggled)

    def clear(self) -> None:
        """Take the pin off."""
        self.pin = None
        self._button.setChecked(False)
        if self._marker is not None:
            self._canvas.scene().removeItem(self._marker)
            self._marker = None

    def stop(self) -> None:
        """Leave the canvas as it was."""
        self.clear()
        self._canvas.unsetMapTool(self.tool)

    def _toggled(self, is_on: bool) -> None:
        if is_on:
            self._before = self._canvas.mapTool()
            self._canvas.setMapTool(self.tool)
        elif self._canvas.mapTool() is self.tool:
            if self._before is None:
                self._canvas.unsetMapTool(self.tool)
            else:
                self._canvas.setMapTool(self._before)

    def _clicked(self, point: QgsPointXY) -> None:
        place = self._scene.to_lonlat(point)
        if place is None:
            self._messages.warn(self.tr("This place can't be found on the image."))
            return
        self.pin = Pin(place.x(), place.y(), in_degrees=True)
        if self._marker is None:
            self._marker = QgsVertexMarker(self._canvas)
            self._marker.setIconType(QgsVertexMarker.IconType.ICON_CROSS)
            self._marker.setColor(QColor("white"))
            self._marker.setPenWidth(3)
            self._marker.setIconSize(16)
        self._marker.setCenter(point)
        self._button.setChecked(False)
        self.pinned.emit()
