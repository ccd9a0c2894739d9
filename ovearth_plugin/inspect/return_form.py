"""Returns the target of the selected query, with a comment pinned where one clicked."""

from __future__ import annotations

from qgis.core import QgsCoordinateTransform, QgsCsException, QgsPointXY, QgsProject
from qgis.gui import QgsMapCanvas, QgsMapTool, QgsMapToolEmitPoint, QgsVertexMarker
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from ...ovearth_core.inspection.returned import ReturnedTarget, now_text
from ...ovearth_core.inspection.scene import pixel_at
from ..layers import scene_crs
from ..messages import Messages
from .map_scene import MapScene
from .returned_list import ReturnedTargets
from .state import InspectState


class ReturnForm(QWidget):
    """A line for the comment, a button that pins it on the map, and one that returns."""

    def __init__(
        self,
        state: InspectState,
        scene: MapScene,
        returned: ReturnedTargets,
        canvas: QgsMapCanvas,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._scene = scene
        self._returned = returned
        self._canvas = canvas
        self._messages = messages
        self._pixel: tuple[float, float] | None = None
        self._marker: QgsVertexMarker | None = None
        self._tool_before: QgsMapTool | None = None
        self.tool = QgsMapToolEmitPoint(canvas)
        self.tool.canvasClicked.connect(self._clicked)
        self.tool.deactivated.connect(lambda: self.pin.setChecked(False))
        self.comment = QLineEdit(self)
        self.comment.setPlaceholderText(self.tr("What is wrong with the truth?"))
        self.comment.setToolTip(self.tr("What a reviewer is told; Enter returns the target"))
        self.comment.returnPressed.connect(self._return)
        self.pin = QPushButton(self.tr("Pin"), self)
        self.pin.setCheckable(True)
        self.pin.setToolTip(self.tr("Then click the place on the map that the comment is about"))
        self.pin.toggled.connect(self._pin_toggled)
        self.send = QPushButton(self.tr("Return the target"), self)
        self.send.setToolTip(
            self.tr("Put the query's target into the list of those whose truth is to be reviewed")
        )
        self.send.clicked.connect(self._return)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.comment, 1)
        layout.addWidget(self.pin)
        layout.addWidget(self.send)
        state.row_changed.connect(self._start_anew)
        self._start_anew()

    def stop(self) -> None:
        """Leave the canvas as it was."""
        self._start_anew()
        self._canvas.unsetMapTool(self.tool)

    def _pin_toggled(self, is_on: bool) -> None:
        if is_on:
            self._tool_before = self._canvas.mapTool()
            self._canvas.setMapTool(self.tool)
        elif self._canvas.mapTool() is self.tool:
            if self._tool_before is None:
                self._canvas.unsetMapTool(self.tool)
            else:
                self._canvas.setMapTool(self._tool_before)

    def _clicked(self, point: QgsPointXY, _button) -> None:
        scene = self._scene.scene
        if scene is None:
            return
        crs, shown_in = scene_crs(scene), self._canvas.mapSettings().destinationCrs()
        place = QgsPointXY(point)
        if crs.isValid() and shown_in.isValid():
            try:
                transform = QgsCoordinateTransform(shown_in, crs, QgsProject.instance())
                place = transform.transform(place)
            except QgsCsException:
                self._messages.warn(self.tr("This place can't be found on the image."))
                return
        self._pixel = pixel_at(scene.image.frame(), place.x(), place.y())
        self._mark(point)
        self.pin.setChecked(False)
        self.comment.setFocus()

    def _mark(self, point: QgsPointXY) -> None:
        if self._marker is None:
            self._marker = QgsVertexMarker(self._canvas)
            self._marker.setIconType(QgsVertexMarker.IconType.ICON_CROSS)
            self._marker.setColor(QColor("white"))
            self._marker.setPenWidth(3)
            self._marker.setIconSize(16)
        self._marker.setCenter(point)

    def _return(self) -> None:
        inspected, row = self._state.inspected, self._state.row
        if inspected is None or row is None:
            return
        benchmark = inspected.benchmark
        query = benchmark.queries[row]
        target = benchmark.target_by_id[query.target_id]
        x, y = self._pixel or (None, None)
        run = self._state.first
        entry = ReturnedTarget(
            target.id,
            query.id,
            benchmark.image_by_id[target.image_id].file_name,
            benchmark.category_by_id[target.category_id].name,
            self.comment.text().strip(),
            now_text(),
            x,
            y,
            None if run is None else run.name,
        )
        self._returned.add(entry)
        self._start_anew()

    def _start_anew(self) -> None:
        self._pixel = None
        self.comment.clear()
        self.pin.setChecked(False)
        if self._marker is not None:
            self._canvas.scene().removeItem(self._marker)
            self._marker = None
        is_on = self._state.row is not None
        for widget in (self.comment, self.pin, self.send):
            widget.setEnabled(is_on)
