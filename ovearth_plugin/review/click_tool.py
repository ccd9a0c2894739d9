"""The map tool of click-to-mask: points in, points out, a box."""

from __future__ import annotations

from qgis.core import QgsPointXY
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import QPoint, QRect, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QKeyEvent
from qgis.PyQt.QtWidgets import QApplication

from ..compat import POLYGON_GEOMETRY

_BOX = QColor(0, 114, 178)
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ClickTool(QgsMapTool):
    """A left click is inside the thing, a right one or one with Shift outside; dragging is a box.

    pointed: a place on the map, and whether it is inside. boxed: two opposite corners on the map.
    taken: Return. undone: Backspace. cleared: Escape.
    """

    pointed = pyqtSignal(QgsPointXY, bool)
    boxed = pyqtSignal(QgsPointXY, QgsPointXY)
    taken = pyqtSignal()
    undone = pyqtSignal()
    cleared = pyqtSignal()

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._pressed: QPoint | None = None
        self._is_dragging = False
        self._band: QgsRubberBand | None = None

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Remember where a click or a box begins."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._is_dragging = event.pos(), False

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Show the box that is being dragged."""
        if self._pressed is None:
            return
        if not self._is_far(event):
            return
        if self._band is None:
            self._band = QgsRubberBand(self.canvas(), POLYGON_GEOMETRY)
            self._band.setStrokeColor(_BOX)
            self._band.setFillColor(QColor(0, 0, 0, 0))
            self._band.setWidth(2)
        self._band.setToCanvasRectangle(QRect(self._pressed, event.pos()).normalized())

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """End a click or a box."""
        if event.button() == Qt.MouseButton.RightButton:
            self.pointed.emit(event.mapPoint(), False)
        elif event.button() == Qt.MouseButton.LeftButton and self._pressed is not None:
            start, is_box = self._pressed, self._is_far(event)
            self._forget_box()
            if is_box:
                self.boxed.emit(self.toMapCoordinates(start), event.mapPoint())
            else:
                is_outside = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.pointed.emit(event.mapPoint(), not is_outside)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Return takes the mask, Backspace the last click back, Escape all of them."""
        signal = {Qt.Key.Key_Backspace: self.undone, Qt.Key.Key_Escape: self.cleared}
        signal |= dict.fromkeys(_TAKES, self.taken)
        if event.key() in signal:
            # Else the canvas would go back a view, or the window delete what is selected.
            event.accept()
            signal[event.key()].emit()
        else:
            super().keyPressEvent(event)

    def deactivate(self) -> None:
        """Another tool is taken."""
        self._forget_box()
        super().deactivate()

    def _is_far(self, event: QgsMapMouseEvent) -> bool:
        """Whether the mouse has gone so far that it drags a box; a hand shakes at a click."""
        far = (event.pos() - self._pressed).manhattanLength()
        self._is_dragging |= far >= QApplication.startDragDistance()
        return self._is_dragging

    def _forget_box(self) -> None:
        self._pressed, self._is_dragging = None, False
        if self._band is not None:
            self.canvas().scene().removeItem(self._band)
            self._band = None
