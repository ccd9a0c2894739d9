"""Click-to-mask: what is clicked becomes a mask that a person takes as a polygon, or clicks on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.core import QgsCoordinateTransform, QgsCsException, QgsGeometry, QgsPointXY, QgsProject
from qgis.gui import QgsMapCanvas, QgsRubberBand, QgsVertexMarker
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QPushButton

from ...ovearth_core.dataset.review import ANNOTATOR, Drawing, draw, review_session
from ..compat import POLYGON_GEOMETRY
from ..crs_text import crs_text
from ..messages import Messages
from ..tasks import Failure
from .click_model import ClickModel
from .click_tool import ClickTool
from .coordinates import crs_of
from .desk import Desk
from .state import ReviewState

if TYPE_CHECKING:
    from ...ovearth_core.segment import Clicks, ClickSession, Proposal

_MASK = QColor(0, 158, 115)
_INSIDE, _OUTSIDE = QColor(0, 158, 115), QColor(213, 94, 0)
ORIGIN = "click-to-mask"


class ClickToMask(QObject):
    """The tool behind its button. stored: a mask was taken, as a core `Drawing`.

    changed: other clicks or another proposal. category_wanted: a mask waits for a category.
    """

    stored = pyqtSignal(object)
    changed = pyqtSignal()
    category_wanted = pyqtSignal()

    def __init__(
        self,
        button: QPushButton,
        state: ReviewState,
        desk: Desk,
        canvas: QgsMapCanvas,
        messages: Messages,
    ) -> None:
        super().__init__(button)
        self._button = button
        self._state = state
        self._desk = desk
        self._canvas = canvas
        self._messages = messages
        self.model = ClickModel(desk, messages)
        self.tool = ClickTool(canvas)
        self._session: ClickSession | None = None
        self.clicks: Clicks | None = None
        self.proposal: Proposal | None = None
        self._band: QgsRubberBand | None = None
        self._marks: list[QgsVertexMarker] = []
        button.setCheckable(True)
        button.toggled.connect(self._toggled)
        self.tool.deactivated.connect(lambda: button.setChecked(False))
        self.tool.pointed.connect(self._pointed)
        self.tool.boxed.connect(self._boxed)
        self.tool.taken.connect(self.take)
        self.tool.undone.connect(self.undo)
        self.tool.cleared.connect(self.clear)
        self.model.changed.connect(self._forget_session)
        state.sample_changed.connect(self._forget_session)
        state.person_changed.connect(self._person_changed)
        self.model.opened.connect(self._model_opened)
        canvas.destinationCrsChanged.connect(self._show)

    @property
    def has_clicks(self) -> bool:
        """Whether there is anything to take back."""
        return self.clicks is not None and self.clicks.before is not None

    def take(self) -> None:
        """Store the proposal as a polygon of the target."""
        sample, proposal = self._state.sample, self.proposal
        if sample is None or proposal is None:
            return
        category = sample.category or self._state.category
        if category is None:
            self.category_wanted.emit()
            self._messages.inform(self.tr("What is it? Type its category, then take the mask."))
            return
        person, image_id = self._state.person, sample.image.id or 0
        target_id = None if sample.target is None else sample.target.id
        shape = tuple(tuple(rings) for rings in proposal.pixels)
        # Taken twice in a row, it would be stored twice.
        clicks = self.clicks
        self.clear()

        def write(dataset) -> Drawing:
            with review_session(dataset, person) as session:
                return draw(session, image_id, category.id, shape, target_id=target_id,
                            origin=ORIGIN, origin_note=proposal.origin)[1]  # fmt: skip

        def done(drawing: Drawing) -> None:
            self.stored.emit(drawing)
            if target_id is None:
                self._state.refresh()
                self._state.go_to(image_id, drawing.target_ids[0])
            else:
                self._state.renew()

        def failed(failure: Failure) -> None:
            if self.clicks is None and self._state.sample is not None:
                self.clicks, self.proposal = clicks, proposal
                self._show()
            self._messages.failure(failure)

        self._state.desk.do(
            self.tr("Saving the mask"), write, done, failed,
            wrote=("instances", "targets", "reviews"),
        )  # fmt: skip

    def undo(self) -> None:
        """Take the last click back."""
        if self.has_clicks:
            self._set(self.clicks.undone())

    def clear(self) -> None:
        """Forget all clicks."""
        self.clicks, self.proposal = None, None
        self._show()

    def stop(self) -> None:
        """Leave the canvas as it was."""
        self._canvas.destinationCrsChanged.disconnect(self._show)
        self.clear()
        self._canvas.unsetMapTool(self.tool)

    def _toggled(self, is_on: bool) -> None:
        if is_on and self._canvas.mapTool() is not self.tool:
            self._canvas.setMapTool(self.tool)
            self._open_session()
        elif not is_on and self._canvas.mapTool() is self.tool:
            self._canvas.unsetMapTool(self.tool)
        if not is_on:
            self.clear()

    def _forget_session(self) -> None:
        self._session = None
        self.clear()
        if self._button.isChecked():
            self._open_session()

    def _person_changed(self) -> None:
        # A manager doesn't draw: clicks left on the map would be nobody's.
        if self._state.person.role != ANNOTATOR:
            self._button.setChecked(False)
            self.clear()

    def _model_opened(self) -> None:
        if self._button.isChecked():
            self._open_session()

    def _open_session(self) -> None:
        sample = self._state.sample
        if sample is None or self._session is not None:
            return

        def take(session: ClickSession) -> None:
            if self._state.sample is not None and self._state.sample.image == sample.image:
                self._session = session

        self.model.session(sample.image, take)

    def _pointed(self, point: QgsPointXY, is_inside: bool) -> None:
        session = self._ready()
        if session is not None:
            clicks = self._clicks()
            here = (point.x(), point.y())
            self._place(lambda: session.clicked(clicks, here, is_inside, self._crs()))

    def _boxed(self, one: QgsPointXY, other: QgsPointXY) -> None:
        session = self._ready()
        if session is not None:
            clicks = self._clicks()
            corners = (one.x(), one.y()), (other.x(), other.y())
            self._place(lambda: session.boxed(clicks, *corners, self._crs()))

    def _place(self, make) -> None:
        from ...ovearth_core.errors import OVEarthError

        try:
            self._set(make())
        except OVEarthError:
            self._messages.warn(self.tr("This place can't be found on the image."))

    def _clicks(self) -> Clicks:
        from ...ovearth_core.segment import Clicks

        return self.clicks or Clicks()

    def _ready(self) -> ClickSession | None:
        if self._session is None:
            if self.model.spec and self._state.sample is not None:
                self._messages.inform(self.tr("The model is still being opened."))
            self._open_session()
        return self._session

    def _crs(self) -> str:
        return crs_text(self._canvas.mapSettings().destinationCrs()) or ""

    def _set(self, clicks: Clicks) -> None:
        self.clicks, self.proposal = clicks, None
        self._show()
        session = self._session
        if session is None or not clicks.are_enough:
            return

        def done(proposals: list[Proposal]) -> None:
            if self.clicks is not clicks:
                return
            self.proposal = proposals[0] if proposals else None
            if not proposals:
                self._messages.inform(self.tr("The model finds nothing there."))
            self._show()

        self._desk.do(
            self.tr("Asking the model"),
            lambda _: session.propose(clicks),
            done,
            newest_of="proposal",
        )

    def _show(self) -> None:
        for item in self._marks:
            self._canvas.scene().removeItem(item)
        self._marks = []
        if self._band is not None:
            self._canvas.scene().removeItem(self._band)
            self._band = None
        self._show_clicks()
        self._show_mask()
        self.changed.emit()

    def _show_clicks(self) -> None:
        sample = self._state.sample
        if self.clicks is None or sample is None:
            return
        frame = sample.image.frame()
        for point, is_inside in zip(self.clicks.points, self.clicks.are_inside, strict=True):
            x, y = frame.pixel_to_map([point])[0]
            shape = self._on_map(QgsGeometry.fromPointXY(QgsPointXY(x, y)))
            if shape is None:
                continue
            mark = QgsVertexMarker(self._canvas)
            mark.setIconType(
                QgsVertexMarker.IconType.ICON_CIRCLE
                if is_inside
                else QgsVertexMarker.IconType.ICON_X
            )
            mark.setColor(_INSIDE if is_inside else _OUTSIDE)
            mark.setPenWidth(3)
            mark.setIconSize(9)
            mark.setCenter(shape.asPoint())
            self._marks.append(mark)

    def _show_mask(self) -> None:
        if self.proposal is None:
            return
        parts = [
            [[QgsPointXY(x, y) for x, y in ring.tolist()] for ring in rings]
            for rings in self.proposal.polygons
        ]
        shape = self._on_map(QgsGeometry.fromMultiPolygonXY(parts))
        if shape is None:
            return
        self._band = QgsRubberBand(self._canvas, POLYGON_GEOMETRY)
        fill = QColor(_MASK)
        fill.setAlpha(90)
        self._band.setFillColor(fill)
        self._band.setStrokeColor(_MASK)
        self._band.setWidth(2)
        self._band.setToGeometry(shape, None)

    def _on_map(self, shape: QgsGeometry) -> QgsGeometry | None:
        """Carry a shape of the image's CRS to the map; None where it doesn't reach there."""
        sample = self._state.sample
        if sample is None:
            return None
        source, target = crs_of(sample.image.crs), self._canvas.mapSettings().destinationCrs()
        if source.isValid() and target.isValid() and source != target:
            try:
                shape.transform(QgsCoordinateTransform(source, target, QgsProject.instance()))
            except QgsCsException:
                return None
        return shape
