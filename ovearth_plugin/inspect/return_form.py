"""Returns the target of the selected query, with a comment pinned where one clicked.

Or takes what a run predicts, where one clicked, as a draft.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qgis.core import QgsCoordinateTransform, QgsCsException, QgsPointXY, QgsProject
from qgis.gui import QgsMapCanvas, QgsMapTool, QgsVertexMarker
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from ...ovearth_core.inspection.returned import ReturnedTarget, now_text
from ...ovearth_core.inspection.scene import pixel_at, place_of
from ..flow import Flow, together, with_room
from ..layers import scene_crs
from ..messages import Messages
from ..place_tool import PlaceTool
from .into_review import IntoReview
from .map_scene import MapScene
from .state import InspectState


@dataclass(frozen=True)
class _Draft:
    """What was typed and pinned (pixels) for a query, and is not sent yet."""

    comment: str = ""
    pixel: tuple[float, float] | None = None


_NOTHING = _Draft()


class ReturnForm(QWidget):
    """A line for the comment, a button that pins it on the map, and one that returns.

    What is not sent yet is kept with its query, and is there again when that is.
    """

    def __init__(
        self,
        state: InspectState,
        scene: MapScene,
        into_review: IntoReview,
        canvas: QgsMapCanvas,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._scene = scene
        self._into_review = into_review
        self._canvas = canvas
        self._messages = messages
        self._pixel: tuple[float, float] | None = None
        self._drafts: dict[tuple[Path, str], _Draft] = {}
        self._query: tuple[Path, str] | None = None
        self._marker: QgsVertexMarker | None = None
        self._tool_before: QgsMapTool | None = None
        self.tool = PlaceTool(canvas)
        self.tool.placed.connect(self._clicked)
        self.tool.deactivated.connect(self._tool_gone)
        self.comment = QLineEdit(self)
        self.comment.setPlaceholderText(self.tr("What is wrong with the truth?"))
        self.comment.setToolTip(
            self.tr("What a reviewer is told, kept until it is sent; Enter returns the target")
        )
        self.comment.returnPressed.connect(self._return_by_key)
        self.pin = QPushButton(self.tr("Pin"), self)
        self.pin.setCheckable(True)
        self.pin.setToolTip(self.tr("Then click the place on the map that the comment is about"))
        self.pin.toggled.connect(self._pin_toggled)
        self.send = QPushButton(self.tr("Return the target"), self)
        self.send.setToolTip(
            self.tr("Send the query's target back to review; without its dataset, into a list")
        )
        self.send.clicked.connect(self._return)
        self.take = QPushButton(self.tr("Take as draft"), self)
        self.take.setCheckable(True)
        self.take.setToolTip(
            self.tr("Then click a polygon of run A: it is drawn on the target, as a draft")
        )
        self.take.toggled.connect(self._take_toggled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        buttons = together((self.pin, self.send, self.take), self)
        layout.addWidget(Flow((with_room(self.comment), buttons), self))
        state.row_changed.connect(self._row_changed)
        scene.drawn.connect(self._show_pin)
        self._row_changed()

    def stop(self) -> None:
        """Leave the canvas as it was."""
        self._tool_gone()
        self._unmark()
        self._canvas.unsetMapTool(self.tool)

    def _pin_toggled(self, is_on: bool) -> None:
        self._hold_tool(is_on, self.take)

    def _take_toggled(self, is_on: bool) -> None:
        self._hold_tool(is_on, self.pin)

    def _tool_gone(self) -> None:
        self.pin.setChecked(False)
        self.take.setChecked(False)

    def _hold_tool(self, is_on: bool, other: QPushButton) -> None:
        """Let the next click on the map be for one of the two buttons."""
        if is_on and other.isChecked():
            # The tool stays in hand, for another purpose.
            other.blockSignals(True)
            other.setChecked(False)
            other.blockSignals(False)
        elif is_on:
            self._tool_before = self._canvas.mapTool()
            self._canvas.setMapTool(self.tool)
        elif self._canvas.mapTool() is self.tool:
            if self._tool_before is None:
                self._canvas.unsetMapTool(self.tool)
            else:
                self._canvas.setMapTool(self._tool_before)

    def _clicked(self, point: QgsPointXY) -> None:
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
        pixel = pixel_at(scene.image.frame(), place.x(), place.y())
        if self.take.isChecked():
            self.take.setChecked(False)
            self._into_review.take(*pixel)
            return
        width, height = scene.image.width, scene.image.height
        if not (0 <= pixel[0] <= width and 0 <= pixel[1] <= height):
            # The button stays down: the next click may be the right one.
            self._messages.warn(self.tr("That is outside the image: click a place on it."))
            return
        self._pixel = pixel
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

    def _show_pin(self) -> None:
        """Mark the place that is pinned for the shown query, nothing where there is none."""
        self._unmark()
        scene = self._scene.scene
        if scene is None or self._pixel is None or scene.row != self._state.row:
            return
        crs, shown_in = scene_crs(scene), self._canvas.mapSettings().destinationCrs()
        point = QgsPointXY(*place_of(scene.image.frame(), *self._pixel))
        if crs.isValid() and shown_in.isValid():
            try:
                point = QgsCoordinateTransform(crs, shown_in, QgsProject.instance()).transform(
                    point
                )
            except QgsCsException:
                # It is kept all the same, and sent.
                return
        self._mark(point)

    def _return_by_key(self) -> None:
        if self.comment.text().strip():
            self._return()
        else:
            self._ask_for_comment()

    def _ask_for_comment(self) -> None:
        self._messages.inform(self.tr("Write what is wrong with the truth first."))
        self.comment.setFocus()

    def _return(self) -> None:
        inspected, row = self._state.inspected, self._state.row
        if inspected is None or row is None:
            return
        if self._into_review.is_open and not self.comment.text().strip():
            # No target goes back to a person without a reason.
            self._ask_for_comment()
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
        self._into_review.send(entry)
        self._drafts.pop(self._query, None)
        self._show_draft()

    def _row_changed(self) -> None:
        if self._query is not None:
            draft = _Draft(self.comment.text(), self._pixel)
            if draft == _NOTHING:
                self._drafts.pop(self._query, None)
            else:
                self._drafts[self._query] = draft
        inspected, row = self._state.inspected, self._state.row
        before = self._query
        self._query = None
        if inspected is not None and row is not None:
            self._query = inspected.path, inspected.benchmark.queries[row].id
        is_on = self._query is not None
        for widget in (self.comment, self.pin, self.send, self.take):
            widget.setEnabled(is_on)
        if self._query != before:
            self._show_draft()

    def _show_draft(self) -> None:
        draft = self._drafts.get(self._query, _NOTHING)
        self._pixel = draft.pixel
        self.comment.setText(draft.comment)
        self._tool_gone()
        self._show_pin()

    def _unmark(self) -> None:
        if self._marker is not None:
            self._canvas.scene().removeItem(self._marker)
            self._marker = None
