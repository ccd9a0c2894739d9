"""Run B on a map of its own, which moves with the window's."""

from __future__ import annotations

from collections.abc import Callable

from qgis.core import QgsMapLayer
from qgis.gui import QgsMapCanvas, QgsMapToolPan
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QLabel, QVBoxLayout, QWidget

# Less shows no more than a stripe of an image.
LEAST_HEIGHT = 240


class SecondMap(QWidget):
    """A canvas linked with another: same centre, scale, rotation and CRS, whichever is moved."""

    def __init__(self, main: QgsMapCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._main = main
        self._is_following = False
        self._size = QSize()
        self.title = QLabel(self)
        self.canvas = QgsMapCanvas(self)
        self.canvas.setObjectName("ovearth_second_canvas")
        self.canvas.setCanvasColor(QColor("white"))
        self.canvas.setMinimumHeight(LEAST_HEIGHT)
        self._layers: Callable[[], list[QgsMapLayer]] = list
        self._pan = QgsMapToolPan(self.canvas)
        self.canvas.setMapTool(self._pan)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.title)
        layout.addWidget(self.canvas, 1)
        main.layersChanged.connect(self._layers_changed)
        main.extentsChanged.connect(self.follow_main)
        main.rotationChanged.connect(self.follow_main)
        main.destinationCrsChanged.connect(self.follow_main)
        self.canvas.extentsChanged.connect(self._lead_main)
        self.hide()

    def show_layers(self, title: str, layers: Callable[[], list[QgsMapLayer]]) -> None:
        """Show layers, the uppermost first; asked for anew when the window's change."""
        self.title.setText(title)
        self._layers = layers
        self.canvas.setLayers(layers())
        self.show()
        self.follow_main()

    def put_away(self) -> None:
        """Show nothing."""
        self._layers = list
        self.canvas.setLayers([])
        self.hide()

    def follow_main(self) -> None:
        """Look where the window's map looks."""
        if self.isHidden() or self._is_following:
            return
        if self._main.extent().isEmpty():
            return
        self._is_following = True
        self.canvas.setDestinationCrs(self._main.mapSettings().destinationCrs())
        self.canvas.setRotation(self._main.rotation())
        _look(self.canvas, self._main)
        self._is_following = False

    def showEvent(self, event) -> None:  # noqa: N802
        """Look at the same place once there is a size to do it in."""
        super().showEvent(event)
        self.follow_main()

    def stop(self) -> None:
        """Follow no more."""
        self._layers = list
        self._main.layersChanged.disconnect(self._layers_changed)
        self._main.extentsChanged.disconnect(self.follow_main)
        self._main.rotationChanged.disconnect(self.follow_main)
        self._main.destinationCrsChanged.disconnect(self.follow_main)
        self.canvas.setLayers([])

    def _layers_changed(self) -> None:
        if not self.isHidden():
            self.canvas.setLayers(self._layers())

    def _lead_main(self) -> None:
        if self.isHidden() or self._is_following:
            return
        # A canvas that is made, shown or resized tells of a new extent too, and nobody moved it:
        # following it would take the window's map to nowhere.
        if self.canvas.size() != self._size or self.canvas.extent().isEmpty():
            self._size = self.canvas.size()
            self.follow_main()
            return
        self._is_following = True
        _look(self._main, self.canvas)
        self._is_following = False


def _look(canvas: QgsMapCanvas, at: QgsMapCanvas) -> None:
    # By centre and scale: handing extents back and forth between two shapes would zoom out.
    if canvas.extent().isEmpty():
        canvas.setExtent(at.extent())
    canvas.setCenter(at.center())
    canvas.zoomScale(at.scale())
    canvas.refresh()
