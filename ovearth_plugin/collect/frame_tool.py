"""The patch's frame on the map: true to the ground in any CRS, and dragged by mouse."""

from __future__ import annotations

import numpy as np
from qgis.core import (
    Qgis,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QApplication

from ...ovearth_core.collection.patches.grid import PatchShape, outline
from ...ovearth_core.errors import OVEarthError
from ..compat import POLYGON_GEOMETRY
from ..crs_text import lonlat_crs

_AROUND = 1.5


class FrameTool(QgsMapTool):
    """Shows the frame of one place. `dropped`: it was dragged to a longitude and latitude."""

    dropped = pyqtSignal(float, float)

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._place: tuple[float, float] | None = None
        self._shape = PatchShape()
        self._native_m: float | None = None
        self._usual_m: float | None = None
        # From the frame's middle to the mouse, in the map's units, while it is dragged.
        self._grip: tuple[float, float] | None = None
        self._was_in_hand = False
        # Where the mouse was pressed, in pixels of the screen, until it has moved far enough.
        self._pressed_at: QPoint | None = None
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.bands = [
            _band(canvas, QColor(0, 0, 0, 190), 5),
            _band(canvas, QColor(255, 255, 255, 235), 2),
        ]
        canvas.destinationCrsChanged.connect(self._draw)

    def show_frame(
        self,
        lon: float,
        lat: float,
        shape: PatchShape,
        native_m: float | None,
        usual_m: float | None,
    ) -> bool:
        """Draw the frame about a place, in degrees; whether the map's CRS reaches there."""
        self._place = (lon, lat)
        self._shape, self._native_m, self._usual_m = shape, native_m, usual_m
        return self._draw()

    def hide_frame(self) -> None:
        """Show none."""
        self._place = None
        self._grip = None
        for band in self.bands:
            band.reset(POLYGON_GEOMETRY)

    def go_to(self) -> None:
        """Show the frame in the middle of the map, with some of what is around."""
        if self._place is None or self.bands[0].numberOfVertices() == 0:
            return
        extent = QgsRectangle(self.bands[0].asGeometry().boundingBox())
        extent.scale(_AROUND)
        self._canvas.setExtent(extent)
        self._canvas.refresh()

    def ring(self) -> np.ndarray | None:
        """Return the frame's corners and edge points (N,2) in degrees, None where none is shown."""
        if self._place is None:
            return None
        try:
            return outline(*self._place, self._shape, self._native_m, self._usual_m)
        except OVEarthError:
            return None

    def rest(self) -> None:
        """Leave the map while another tab is at work; wake() takes it up again."""
        self._was_in_hand = self._canvas.mapTool() is self
        self._canvas.unsetMapTool(self)
        for band in self.bands:
            band.hide()

    def wake(self) -> None:
        """Show the frame again, and be in hand if it was."""
        if self._place is None:
            return
        self._draw()
        if self._was_in_hand:
            self._canvas.setMapTool(self)

    def stop(self) -> None:
        """Take the frame off the map: the plugin is being unloaded."""
        self._canvas.destinationCrsChanged.disconnect(self._draw)
        self._canvas.unsetMapTool(self)
        for band in self.bands:
            self._canvas.scene().removeItem(band)
        self.bands = []

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Take hold of the frame, where the mouse is on it."""
        if self._place is None or event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.mapPoint()
        middle = self._to_map(*self._place)
        if middle is None:
            return
        if self.bands[0].asGeometry().contains(QgsGeometry.fromPointXY(point)):
            self._grip = (point.x() - middle.x(), point.y() - middle.y())
            self._pressed_at = event.pos()

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Drag the frame: it is drawn anew, for its shape on the map changes with the place."""
        if self._grip is None or self._is_click(event.pos()):
            return
        place = self._dragged(event.mapPoint())
        if place is not None:
            self._place = place
            self._draw()

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """Let go of the frame."""
        if self._grip is None or event.button() != Qt.MouseButton.LeftButton:
            return
        place = None if self._is_click(event.pos()) else self._dragged(event.mapPoint())
        self._grip, self._pressed_at = None, None
        if place is not None:
            self.dropped.emit(*place)

    def _is_click(self, pixel: QPoint) -> bool:
        """Whether the mouse has hardly moved since it was pressed: no hand is quite still."""
        if self._pressed_at is not None:
            way = (pixel - self._pressed_at).manhattanLength()
            if way >= QApplication.startDragDistance():
                self._pressed_at = None
        return self._pressed_at is not None

    def _dragged(self, point: QgsPointXY) -> tuple[float, float] | None:
        grip_x, grip_y = self._grip or (0.0, 0.0)
        target = QgsPointXY(point.x() - grip_x, point.y() - grip_y)
        try:
            place = self._transform().transform(target, _REVERSE)
        except QgsCsException:
            return None
        is_there = np.isfinite((place.x(), place.y())).all() and abs(place.y()) <= 90.0
        return (place.x(), place.y()) if is_there else None

    def _draw(self) -> bool:
        ring = self.ring()
        if ring is None:
            return False
        carry = self._transform()
        corners = [_carried(carry, lon, lat) for lon, lat in _near(ring, self._place)]
        if None in corners:
            for band in self.bands:
                band.reset(POLYGON_GEOMETRY)
            return False
        geometry = QgsGeometry.fromPolygonXY([corners])
        for band in self.bands:
            band.setToGeometry(geometry, None)
            band.show()
        return True

    def _to_map(self, lon: float, lat: float) -> QgsPointXY | None:
        return _carried(self._transform(), lon, lat)

    def _transform(self) -> QgsCoordinateTransform:
        crs = self._canvas.mapSettings().destinationCrs()
        return QgsCoordinateTransform(lonlat_crs(), crs, QgsProject.instance())


_REVERSE = Qgis.TransformDirection.Reverse


def _carried(carry: QgsCoordinateTransform, lon: float, lat: float) -> QgsPointXY | None:
    try:
        found = carry.transform(QgsPointXY(lon, lat))
    except QgsCsException:
        return None
    return found if np.isfinite((found.x(), found.y())).all() else None


def _band(canvas: QgsMapCanvas, colour: QColor, width: int) -> QgsRubberBand:
    band = QgsRubberBand(canvas, POLYGON_GEOMETRY)
    band.setStrokeColor(colour)
    band.setFillColor(QColor(0, 0, 0, 0))
    band.setWidth(width)
    return band


def _near(ring: np.ndarray, place: tuple[float, float] | None) -> np.ndarray:
    """Return a ring whose longitudes run past ±180 rather than around the world."""
    lon = ring[:, 0] if place is None else place[0] + (ring[:, 0] - place[0] + 180.0) % 360.0 - 180
    return np.column_stack([lon, ring[:, 1]])
