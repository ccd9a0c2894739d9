"""Where to search: what the map shows, a layer's extent, or a rectangle drawn on the map."""

from __future__ import annotations

from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle
from qgis.gui import QgsMapCanvas, QgsMapLayerComboBox, QgsMapToolExtent
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QWidget

from ...ovearth_core.collection.pois.area import Area, area_on_map
from ...ovearth_core.errors import UsageError
from ..crs_text import crs_text

MAP, LAYER, DRAWN = "map", "layer", "drawn"


class AreaChoice(QWidget):
    """An extent, which always travels with its own CRS."""

    def __init__(self, canvas: QgsMapCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._drawn: tuple[QgsRectangle, QgsCoordinateReferenceSystem] | None = None
        self._tool_before = None
        self.kind = QComboBox(self)
        # A long entry must not widen the dock.
        self.kind.setMinimumContentsLength(8)
        self.kind.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kind.addItem(self.tr("What the map shows"), MAP)
        self.kind.addItem(self.tr("Extent of a layer"), LAYER)
        self.kind.addItem(self.tr("Drawn on the map"), DRAWN)
        self.layer = QgsMapLayerComboBox(self)
        self.draw = QPushButton(self.tr("Draw"), self)
        self.draw.setToolTip(self.tr("Drag a rectangle on the map"))
        self.draw.setCheckable(True)
        self.tool = QgsMapToolExtent(canvas)
        self.tool.extentChanged.connect(self._take)
        self.draw.toggled.connect(self._toggle)
        self.kind.currentIndexChanged.connect(self._show)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.kind, 1)
        row.addWidget(self.layer, 1)
        row.addWidget(self.draw)
        self._show()

    def area(self) -> Area:
        """Return the area; UsageError for one that is none, or has no CRS."""
        extent, crs = self._extent()
        text = crs_text(crs)
        if text is None:
            raise UsageError(
                self.tr("the area has no CRS"), self.kind.currentText(),
                self.tr("set the project's or the layer's CRS"),
            )  # fmt: skip
        # An empty project's map shows nothing, and a layer without features lies nowhere.
        if extent.isEmpty():
            raise UsageError(
                self.tr("the area is empty"), self.kind.currentText(),
                self.tr("zoom the map to a place, or choose another area"),
            )  # fmt: skip
        sides = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        return area_on_map(*sides, text)

    def stop(self) -> None:
        """Leave the canvas as it was."""
        self.draw.setChecked(False)
        self.tool.clearRubberBand()
        # Its band stays on the canvas as long as it lives.
        self.tool.deleteLater()

    def _extent(self) -> tuple[QgsRectangle, QgsCoordinateReferenceSystem]:
        kind = self.kind.currentData()
        if kind == LAYER:
            layer = self.layer.currentLayer()
            if layer is None:
                raise UsageError(
                    self.tr("no layer is chosen"), self.kind.currentText(), self.tr("choose one")
                )
            return layer.extent(), layer.crs()
        if kind == DRAWN:
            if self._drawn is None:
                raise UsageError(
                    self.tr("no area is drawn"), self.kind.currentText(),
                    self.tr("press Draw, and drag a rectangle on the map"),
                )  # fmt: skip
            return self._drawn
        return self._canvas.extent(), self._canvas.mapSettings().destinationCrs()

    def _show(self) -> None:
        self.layer.setVisible(self.kind.currentData() == LAYER)
        self.draw.setVisible(self.kind.currentData() == DRAWN)

    def _toggle(self, is_on: bool) -> None:
        if is_on:
            self._tool_before = self._canvas.mapTool()
            self._canvas.setMapTool(self.tool)
        elif self._canvas.mapTool() is self.tool:
            self._canvas.unsetMapTool(self.tool)
            if self._tool_before is not None:
                self._canvas.setMapTool(self._tool_before)

    def _take(self, extent: QgsRectangle) -> None:
        # Kept with the CRS in which it was drawn: the project's may change.
        self._drawn = (QgsRectangle(extent), self._canvas.mapSettings().destinationCrs())
        self.draw.setChecked(False)
