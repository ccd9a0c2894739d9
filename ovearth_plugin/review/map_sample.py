"""Brings the sample up on the map: its image, its polygons lit and others dimmed."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..crs_text import crs_text
from ..messages import Messages
from ..review_layers import LitPolygons, SampleImage
from .coordinates import LONLAT, ImagePlace, crs_of, place_of, record_operations
from .state import ReviewState

_ROOM = 1.08


class MapSample(QObject):
    """Follows the state's sample. shown: the map has it."""

    shown = pyqtSignal()

    def __init__(self, state: ReviewState, canvas: QgsMapCanvas, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._canvas = canvas
        self._messages = messages
        self.image = SampleImage()
        self.polygons = LitPolygons()
        self.place: ImagePlace | None = None
        self._image_id: int | None = None
        # The project's CRS while it is another one for the sake of an image that needs its own.
        self._crs_before: QgsCoordinateReferenceSystem | None = None
        state.sample_changed.connect(self._sample_changed)
        state.sample_renewed.connect(self._light)

    def zoom(self) -> None:
        """Go to the whole image."""
        outline = self._outline()
        if outline is None:
            return
        extent = outline.boundingBox()
        extent.scale(_ROOM)
        self._canvas.setExtent(extent)
        self._canvas.refresh()

    def to_canvas(self, lon: float, lat: float) -> QgsPointXY | None:
        """Return a place on the map, None where the map's CRS doesn't reach."""
        return self._carried(QgsPointXY(lon, lat), crs_of(LONLAT), self._canvas_crs())

    def to_lonlat(self, point: QgsPointXY) -> QgsPointXY | None:
        """Return longitude and latitude of a place on the map, None where there are none."""
        return self._carried(point, self._canvas_crs(), crs_of(LONLAT))

    def stop(self) -> None:
        """Leave the map as it was."""
        self.polygons.put_back()
        self.image.stop()
        self._give_crs_back()

    def _sample_changed(self) -> None:
        sample, dataset = self._state.sample, self._state.shared.dataset
        if sample is None or dataset is None:
            self.place, self._image_id = None, None
            self.image.clear()
            self.polygons.put_back()
            self._give_crs_back()
            return
        self._light()
        if sample.image.id == self._image_id:
            self.shown.emit()
            return
        crs = self._crs_before or self._canvas_crs()
        canvas_crs = crs_text(crs) or ""
        self._state.desk.do(
            self.tr("Placing the image"),
            lambda _: place_of(sample.image, canvas_crs),
            self._take_place,
            newest_of="place",
        )

    def _take_place(self, place: ImagePlace) -> None:
        sample, dataset = self._state.sample, self._state.shared.dataset
        if sample is None or dataset is None:
            return
        self.place, self._image_id = place, sample.image.id
        record_operations(place.operations)
        self._suit_crs(place)
        self._state.shared.layers.uncover()
        path = dataset.image_path(sample.image)
        below = self._state.shared.layers.layer("images")
        if not path.is_file():
            self.image.clear()
            self._messages.warn(
                self.tr("The image {} is not in the dataset's folder: put it back there.").format(
                    sample.image.file_name
                )
            )
        elif not self.image.show(path, below):
            self._messages.warn(self.tr("QGIS can't read the image {}.").format(path))
        self.zoom()
        self.shown.emit()

    def _light(self) -> None:
        sample = self._state.sample
        layer = self._state.shared.layers.layer("instances")
        if sample is None or layer is None:
            return
        chosen = None if sample.target is None else sample.target.id
        self.polygons.light(layer, chosen, [target.id or 0 for target in sample.targets])

    def _suit_crs(self, place: ImagePlace) -> None:
        """Show an image across the antimeridian in its own CRS, and others in the project's."""
        if not place.is_split:
            self._give_crs_back()
            return
        own, project = crs_of(place.crs), QgsProject.instance()
        if not own.isValid() or project.crs() == own:
            return
        if self._crs_before is None:
            self._crs_before = project.crs()
        self._set_crs(own)
        self._messages.inform(
            self.tr("This image can't be shown in the project's CRS; it is shown in its own.")
        )

    def _give_crs_back(self) -> None:
        if self._crs_before is not None:
            self._set_crs(self._crs_before)
            self._crs_before = None

    def _set_crs(self, crs: QgsCoordinateReferenceSystem) -> None:
        QgsProject.instance().setCrs(crs)
        # The window's canvas follows by itself; another one doesn't.
        if self._canvas.mapSettings().destinationCrs() != crs:
            self._canvas.setDestinationCrs(crs)

    def _canvas_crs(self) -> QgsCoordinateReferenceSystem:
        return self._canvas.mapSettings().destinationCrs()

    def _outline(self) -> QgsGeometry | None:
        if self.place is None:
            return None
        ring = [QgsPointXY(x, y) for x, y in self.place.outline]
        outline = QgsGeometry.fromPolygonXY([ring])
        crs, target = crs_of(self.place.crs), self._canvas_crs()
        if crs.isValid() and target.isValid() and crs != target:
            try:
                outline.transform(QgsCoordinateTransform(crs, target, QgsProject.instance()))
            except QgsCsException:
                self._messages.warn(
                    self.tr(
                        "The image can't be shown in the project's CRS: choose {} for the project."
                    ).format(crs.authid() or crs.description())
                )
                return None
        return outline

    def _carried(
        self,
        point: QgsPointXY,
        source: QgsCoordinateReferenceSystem,
        target: QgsCoordinateReferenceSystem,
    ) -> QgsPointXY | None:
        if not source.isValid() or not target.isValid():
            return QgsPointXY(point)
        try:
            carrier = QgsCoordinateTransform(source, target, QgsProject.instance())
            return carrier.transform(QgsPointXY(point))
        except QgsCsException:
            return None
