"""The whole log of the target, and where its comments are pinned."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas, QgsVertexMarker
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from ...ovearth_core.dataset.review import history_rows
from ...ovearth_core.dataset.rows import ReviewRow
from .map_sample import MapSample
from .state import ReviewState
from .words import shown

_PIN = QColor(0, 114, 178)


class HistoryView(QTreeWidget):
    """Oldest first; a double click on a line goes to its pin."""

    def __init__(
        self,
        state: ReviewState,
        scene: MapSample,
        canvas: QgsMapCanvas,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._scene = scene
        self._canvas = canvas
        self._pins: list[QgsVertexMarker] = []
        self.setObjectName("ovearth_history")
        self.setRootIsDecorated(False)
        self.setHeaderLabels(
            [self.tr("When"), self.tr("Who"), self.tr("As"), self.tr("What"), self.tr("Comment")]
        )
        self.itemActivated.connect(self._go)
        self.itemDoubleClicked.connect(self._go)
        state.sample_changed.connect(self._fill)
        state.sample_renewed.connect(self._fill)
        scene.shown.connect(self._pin)
        canvas.destinationCrsChanged.connect(self._pin)

    def stop(self) -> None:
        """Take the pins off the map."""
        self._canvas.destinationCrsChanged.disconnect(self._pin)
        self._clear_pins()

    def _fill(self) -> None:
        self.clear()
        lines = () if self._state.sample is None else self._state.sample.history
        for line, row in zip(lines, history_rows(lines), strict=True):
            at, _, who, role, what, comment, place = row
            texts = [at[:19].replace("T", " "), who, shown(role), what, comment]
            item = QTreeWidgetItem(texts)
            item.setData(0, Qt.ItemDataRole.UserRole, line)
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
            if place:
                item.setText(4, f"⚲ {comment}")
            self.addTopLevelItem(item)
        self.scrollToBottom()
        self._pin()

    def _pin(self) -> None:
        self._clear_pins()
        sample = self._state.sample
        for line in () if sample is None else sample.history:
            place = self._place(line)
            if place is None:
                continue
            mark = QgsVertexMarker(self._canvas)
            mark.setIconType(QgsVertexMarker.IconType.ICON_INVERTED_TRIANGLE)
            mark.setColor(QColor("white"))
            mark.setFillColor(_PIN)
            mark.setPenWidth(2)
            mark.setIconSize(14)
            mark.setCenter(place)
            mark.setToolTip(f"{line.who}: {line.comment or ''}")
            self._pins.append(mark)

    def _place(self, line: ReviewRow):
        if line.lon is None or line.lat is None:
            return None
        return self._scene.to_canvas(line.lon, line.lat)

    def _clear_pins(self) -> None:
        for mark in self._pins:
            self._canvas.scene().removeItem(mark)
        self._pins = []

    def _go(self, item: QTreeWidgetItem, _column: int) -> None:
        place = self._place(item.data(0, Qt.ItemDataRole.UserRole))
        if place is not None:
            self._canvas.setCenter(place)
            self._canvas.refresh()
