"""Run B over the right part of the map, up to a line that can be dragged."""

from __future__ import annotations

from collections.abc import Callable

from qgis.core import QgsMapLayer, QgsMapRendererParallelJob, QgsMapSettings
from qgis.gui import QgsMapCanvas, QgsMapCanvasItem
from qgis.PyQt.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPen

_NEAR_PX = 7
_LINE_PX = 3


class SwipeItem(QgsMapCanvasItem):
    """Paints a picture of the map over the right part of the canvas."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.picture = QImage()
        self.share = 0.5
        self.setZValue(50)

    @property
    def line_x(self) -> int:
        """Where the line stands, in the canvas's pixels."""
        return int(self._canvas.viewport().width() * self.share)

    def boundingRect(self) -> QRectF:  # noqa: N802
        """Return the whole canvas."""
        # The viewport's: the canvas itself is larger by its frame, and the picture would be scaled.
        return QRectF(self._canvas.viewport().rect())

    def updatePosition(self) -> None:  # noqa: N802
        """Stay where the canvas is, whatever it shows."""
        self.prepareGeometryChange()
        self.setPos(QPointF(0, 0))

    def paint(self, painter, option=None, widget=None) -> None:
        """Paint the right part of the picture, and the line."""
        if self.picture.isNull():
            return
        whole = self.boundingRect()
        right = QRectF(self.line_x, 0, whole.width() - self.line_x, whole.height())
        painter.save()
        painter.setClipRect(right)
        painter.drawImage(QPointF(0, 0), self.picture)
        painter.restore()
        painter.setPen(QPen(QColor("black"), _LINE_PX + 2))
        painter.drawLine(self.line_x, 0, self.line_x, int(whole.height()))
        painter.setPen(QPen(QColor("white"), _LINE_PX))
        painter.drawLine(self.line_x, 0, self.line_x, int(whole.height()))


class Swipe(QObject):
    """Keeps the picture of run B as the map moves, and lets the line be dragged."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._layers: Callable[[], list[QgsMapLayer]] = list
        # Also those given up, until they have ended: one deleted while it works takes QGIS along.
        self._jobs: list[QgsMapRendererParallelJob] = []
        self._wanted: QgsMapRendererParallelJob | None = None
        self._is_dragging = False
        self.item: SwipeItem | None = None

    def show_layers(self, layers: Callable[[], list[QgsMapLayer]]) -> None:
        """Show layers right of the line, the uppermost first; asked for anew at each picture."""
        self._layers = layers
        if self.item is None:
            self.item = SwipeItem(self._canvas)
            self._canvas.mapCanvasRefreshed.connect(self.render)
            # The map turns its last picture, and is refreshed later or never.
            self._canvas.rotationChanged.connect(self.render)
            self._canvas.viewport().installEventFilter(self)
        self.render()

    def put_away(self) -> None:
        """Take the picture and the line off the map."""
        if self.item is None:
            return
        self._canvas.mapCanvasRefreshed.disconnect(self.render)
        self._canvas.rotationChanged.disconnect(self.render)
        self._canvas.viewport().removeEventFilter(self)
        self._canvas.viewport().unsetCursor()
        self._canvas.scene().removeItem(self.item)
        self.item = None
        self._give_up()
        self._layers = list

    def render(self, *_: object) -> None:
        """Make the picture anew, in the background."""
        self._give_up()
        settings = QgsMapSettings(self._canvas.mapSettings())
        settings.setLayers(self._layers())
        settings.setBackgroundColor(self._canvas.canvasColor())
        job = QgsMapRendererParallelJob(settings)
        job.finished.connect(self._ended)
        self._jobs.append(job)
        self._wanted = job
        job.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take the mouse where it is on the line; all else goes to the map's tool."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and self._is_near(event.pos().x()):
            self._is_dragging = event.button() == Qt.MouseButton.LeftButton
            return self._is_dragging
        if kind == QEvent.Type.MouseMove and self._is_dragging:
            self._drag(event.pos().x())
            return True
        if kind == QEvent.Type.MouseButtonRelease and self._is_dragging:
            self._drag(event.pos().x())
            self._is_dragging = False
            return True
        return super().eventFilter(watched, event)

    def _is_near(self, x: int) -> bool:
        return self.item is not None and abs(x - self.item.line_x) <= _NEAR_PX

    def _drag(self, x: int) -> None:
        self.item.share = min(0.98, max(0.02, x / max(1, self._canvas.viewport().width())))
        self.item.update()

    def _ended(self) -> None:
        ended = [job for job in self._jobs if not job.isActive()]
        for job in ended:
            if job is self._wanted and self.item is not None:
                self.item.picture = job.renderedImage()
                self.item.updatePosition()
                self.item.update()
            self._jobs.remove(job)
            job.deleteLater()

    def _give_up(self) -> None:
        self._wanted = None
        for job in self._jobs:
            job.cancelWithoutBlocking()
