"""Shows polygons beyond 180 degrees, where QGIS shows none on a map in another CRS than theirs.

Longitudes of an image across the antimeridian run on past 180. QGIS asks a layer only for what
lies within 180, so that a polygon wholly beyond is left out: it is drawn on the map by itself.
"""

from __future__ import annotations

from qgis.core import QgsGeometry, QgsPointXY
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtGui import QColor

from ...ovearth_core.dataset import InstanceRow
from ..compat import POLYGON_GEOMETRY
from .map_sample import MapSample
from .state import ReviewState

_COLOUR = QColor(230, 159, 0)
_FARTHEST = 180.0


class SplitPolygons(QObject):
    """Follows the sample; most samples have none of these."""

    def __init__(self, state: ReviewState, scene: MapSample, canvas: QgsMapCanvas) -> None:
        super().__init__()
        self._state = state
        self._scene = scene
        self._canvas = canvas
        self._band: QgsRubberBand | None = None
        scene.shown.connect(self._look)
        state.sample_changed.connect(self.clear)
        state.sample_renewed.connect(self._look)

    def clear(self) -> None:
        """Take them off the map."""
        if self._band is not None:
            self._canvas.scene().removeItem(self._band)
            self._band = None

    def _look(self) -> None:
        sample, place = self._state.sample, self._scene.place
        if sample is None or place is None or not place.is_split:
            self.clear()
            return
        image_id = sample.image.id

        def read(dataset) -> list[InstanceRow]:
            with dataset.reading() as view:
                return list(view.instances(image_id=image_id, faults=[]))

        self._state.desk.do(
            self.tr("Reading the polygons"), read, self._show, newest_of="split polygons"
        )

    def _show(self, rows: list[InstanceRow]) -> None:
        self.clear()
        sample = self._state.sample
        if sample is None:
            return
        frame = sample.image.frame()
        beyond = [
            rings
            for row in rows
            for rings in row.polygons or ()
            if (abs(frame.pixel_to_lonlat(rings[0])[:, 0]) > _FARTHEST).all()
        ]
        parts = [
            [[QgsPointXY(x, y) for x, y in frame.pixel_to_map(ring).tolist()] for ring in rings]
            for rings in beyond
        ]
        if not parts:
            return
        self._band = QgsRubberBand(self._canvas, POLYGON_GEOMETRY)
        fill = QColor(_COLOUR)
        fill.setAlpha(45)
        self._band.setFillColor(fill)
        self._band.setStrokeColor(_COLOUR)
        self._band.setWidth(2)
        # Such an image is always shown in its own CRS.
        self._band.setToGeometry(QgsGeometry.fromMultiPolygonXY(parts), None)
