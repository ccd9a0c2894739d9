"""What is wrong with the polygons of the image, marked where it is as soon as it arises."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas, QgsVertexMarker
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy

from ...ovearth_core.checking.drawing import drawing_findings
from ...ovearth_core.checking.finding import Finding
from ..core_words import in_qgis
from .map_sample import MapSample
from .state import ReviewState

_RED, _WHITE = QColor(213, 94, 0), QColor(255, 255, 255)
_SIZE, _WIDTH = 16, 3
_MOST_MARKS = 200
# Of the list, at least: two problems, whose words run over two lines each.
_LINES = 5


class ProblemMarks(QObject):
    """Asks the core after each change, and puts a mark at each place. changed: other findings."""

    changed = pyqtSignal()

    def __init__(self, state: ReviewState, scene: MapSample, canvas: QgsMapCanvas) -> None:
        super().__init__()
        self._state = state
        self._scene = scene
        self._canvas = canvas
        self._marks: list[QgsVertexMarker] = []
        self.findings: list[Finding] = []
        state.sample_changed.connect(self.look)
        state.sample_renewed.connect(self.look)
        state.person_changed.connect(self.forget)
        scene.shown.connect(self._draw)
        canvas.destinationCrsChanged.connect(self._draw)

    def look(self) -> None:
        """Look at the polygons of the sample's image anew."""
        sample = self._state.sample
        if sample is None:
            self._take([])
            return
        image_id = sample.image.id or 0

        def done(findings: list[Finding]) -> None:
            now = self._state.sample
            if now is not None and now.image.id == image_id:
                self._take(findings)

        self._state.desk.do(
            self.tr("Looking for problems"),
            lambda dataset: drawing_findings(dataset, image_id),
            done,
            newest_of="problems",
        )

    def forget(self) -> None:
        """Take all off at once: what they were about is being taken back, or looked at anew."""
        self._take([])

    def go_to(self, finding: Finding) -> None:
        """Put the place of a problem into the middle of the map."""
        if finding.lonlat is not None:
            place = self._scene.to_canvas(*finding.lonlat)
            if place is not None:
                self._canvas.setCenter(place)
                self._canvas.refresh()

    def stop(self) -> None:
        """Take the marks off the map."""
        self._canvas.destinationCrsChanged.disconnect(self._draw)
        self._clear()

    def _take(self, findings: list[Finding]) -> None:
        self.findings = findings
        self._draw()
        self.changed.emit()

    def _draw(self) -> None:
        self._clear()
        for finding in self.findings[:_MOST_MARKS]:
            if finding.lonlat is None:
                continue
            place = self._scene.to_canvas(*finding.lonlat)
            if place is None:
                continue
            # A white one under it sets it off from any image.
            for colour, width in ((_WHITE, _WIDTH + 2), (_RED, _WIDTH)):
                mark = QgsVertexMarker(self._canvas)
                mark.setIconType(QgsVertexMarker.IconType.ICON_X)
                mark.setIconSize(_SIZE)
                mark.setPenWidth(width)
                mark.setColor(colour)
                mark.setCenter(place)
                mark.setToolTip(finding.what)
                self._marks.append(mark)

    def _clear(self) -> None:
        for mark in self._marks:
            self._canvas.scene().removeItem(mark)
        self._marks = []


class ProblemList(QListWidget):
    """The problems in words; choosing one goes to its place."""

    def __init__(self, marks: ProblemMarks, parent=None) -> None:
        super().__init__(parent)
        self._marks = marks
        self.setObjectName("ovearth_problems")
        self.setWordWrap(True)
        # What is above needs its room first.
        self.setMinimumHeight(_LINES * self.fontMetrics().height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)
        marks.changed.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        self.clear()
        for finding in self._marks.findings:
            text = in_qgis(f"{finding.item} {finding.id} {finding.what}; {finding.mend}")
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, finding)
            item.setToolTip(text)
            self.addItem(item)
        self.setVisible(bool(self._marks.findings))

    def _go(self, item: QListWidgetItem) -> None:
        self._marks.go_to(item.data(Qt.ItemDataRole.UserRole))
