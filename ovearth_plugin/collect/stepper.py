"""Steps through candidates: the map goes to each, a key decides, the dataset has it at once."""

from __future__ import annotations

from collections.abc import Callable

from qgis.gui import QgsMapCanvas, QgsMapTool
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ...ovearth_core.collection.pois.candidates import ACCEPTED, REJECTED, Candidates
from ...ovearth_core.dataset import Dataset, PoiRow
from ...ovearth_core.errors import OutputError, OVEarthError
from ..messages import Messages
from ..settings import person
from ..tasks import failure_of
from .frame_tool import FrameTool
from .state import CollectState

# Somebody else may hold the file: the window never waits, it comes back.
_PATIENCE_S = 0.03
_PAUSE_MS = 100
_MOST_TRIES = 50


class Stepper(QWidget):
    """Four buttons with keys, and what is known of the place that is looked at."""

    def __init__(
        self,
        state: CollectState,
        canvas: QgsMapCanvas,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._canvas = canvas
        self._messages = messages
        self._candidates: Candidates | None = None
        self._is_waiting = False
        self.tool = FrameTool(canvas)
        self.tool.dropped.connect(self._move)
        self.about = QLabel(self)
        self.about.setWordWrap(True)
        self.left = QLabel(self)
        self.accept = self._button(self.tr("Accept"), lambda: self._decide(ACCEPTED))
        self.reject = self._button(self.tr("Reject"), lambda: self._decide(REJECTED))
        self.undo = self._button(self.tr("Undo"), self._undo)
        self.next = self._button(self.tr("Next"), self.go_on)
        self.next.setToolTip(self.tr("Go to the next undecided place"))
        row = QHBoxLayout()
        for button in self.buttons:
            row.addWidget(button)
        row.addWidget(self.left, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.about)
        state.open_dataset.opened.connect(self._opened)
        state.open_dataset.closed.connect(self._closed)
        state.open_dataset.changed.connect(self._written)
        state.shape_changed.connect(self._show_frame)
        self._closed()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The buttons, in the order of a step."""
        return self.accept, self.reject, self.undo, self.next

    def counts(self, tool: QgsMapTool | None) -> bool:
        """Whether a map tool is the stepper's: its keys work on the map while it is active."""
        return tool is self.tool

    def go_on(self) -> None:
        """Go to the next undecided place."""
        candidates = self._ready()
        if candidates is None:
            return
        after = self._state.poi.id if self._state.poi is not None else 0
        self._do(lambda: candidates.next(int(after or 0)), self._go_to)

    def stop(self) -> None:
        """Take the frame off the map: the plugin is being unloaded."""
        self._candidates = None
        self.tool.stop()

    def _button(self, text: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(lambda _: pressed())
        return button

    def _opened(self) -> None:
        dataset = self._state.open_dataset.dataset
        if dataset is not None:
            self._candidates = Candidates(Dataset(dataset.folder, _PATIENCE_S), person())
        self._refresh()

    def _closed(self) -> None:
        self._candidates = None
        self._is_waiting = False
        self._state.look_at(None)
        self.tool.hide_frame()
        self._canvas.unsetMapTool(self.tool)
        self._refresh()

    def _written(self, tables: list[str]) -> None:
        if "pois" in tables:
            self._refresh()

    def _ready(self) -> Candidates | None:
        """Return the candidates to be changed, None where they can't be, or a step is waiting."""
        if self._is_waiting or self._state.open_dataset.ready() is None:
            return None
        return self._candidates

    def _decide(self, decision: str) -> None:
        candidates, poi = self._ready(), self._state.poi
        if candidates is None or poi is None:
            return
        poi_id = int(poi.id or 0)

        def decided(_: PoiRow) -> None:
            self._state.open_dataset.wrote("pois")
            self.go_on()

        self._do(lambda: candidates.decide(poi_id, decision), decided)

    def _move(self, lon: float, lat: float) -> None:
        candidates, poi = self._ready(), self._state.poi
        if candidates is None or poi is None:
            self._show_frame()
            return
        poi_id = int(poi.id or 0)

        def moved(row: PoiRow) -> None:
            self._state.look_at(row)
            self._state.open_dataset.wrote("pois")
            self._show_frame()

        self._do(lambda: candidates.move(poi_id, lon, lat), moved)

    def _undo(self) -> None:
        candidates = self._ready()
        if candidates is None:
            return

        def undone(row: PoiRow | None) -> None:
            if row is not None:
                self._state.open_dataset.wrote("pois")
                self._go_to(row)

        self._do(candidates.undo, undone)

    def _do(self, step: Callable[[], object], then: Callable[..., None], tries: int = 1) -> None:
        """Do a step, at once or as soon as nobody else holds the file; then say `then` of it."""
        candidates = self._candidates
        self._is_waiting = False
        try:
            found = step()
        except OutputError as fault:
            if tries < _MOST_TRIES:
                self._is_waiting = True
                QTimer.singleShot(_PAUSE_MS, lambda: self._again(candidates, step, then, tries))
                return
            self._messages.failure(failure_of(fault))
            self._refresh()
            return
        except OVEarthError as fault:
            if self._state.open_dataset.is_there():
                self._messages.failure(failure_of(fault))
            self._refresh()
            return
        then(found)
        self._refresh()

    def _again(self, candidates, step, then, tries: int) -> None:
        # Not after the dataset was closed meanwhile.
        if self._candidates is candidates and candidates is not None:
            self._do(step, then, tries + 1)

    def _go_to(self, poi: PoiRow | None) -> None:
        self._state.look_at(poi)
        if poi is None:
            self.tool.hide_frame()
            return
        if not self._show_frame():
            self._messages.warn(
                self.tr("The project's CRS doesn't reach this place: choose another one.")
            )
            return
        self.tool.go_to()
        if self._canvas.mapTool() is not self.tool:
            self._canvas.setMapTool(self.tool)

    def _show_frame(self) -> bool:
        poi, state = self._state.poi, self._state
        if poi is None:
            return False
        return self.tool.show_frame(
            poi.lon, poi.lat, state.shape, state.native_m, state.usual_m(poi)
        )

    def _refresh(self) -> None:
        candidates, poi = self._candidates, self._state.poi
        can_change = candidates is not None and not self._state.open_dataset.is_read_only
        self.accept.setEnabled(can_change and poi is not None)
        self.reject.setEnabled(can_change and poi is not None)
        self.undo.setEnabled(can_change and candidates is not None and candidates.can_undo)
        self.next.setEnabled(can_change)
        self.about.setText("" if poi is None else self._words(poi))
        self.left.setText("")
        if candidates is None:
            return
        try:
            counts = candidates.counts()
        except OVEarthError:
            # Whoever presses a button next is told.
            return
        self.left.setText(
            self.tr("{candidate} undecided, {accepted} accepted, {rejected} rejected").format(
                **counts
            )
        )
        if poi is None and not counts["candidate"]:
            self.about.setText(self.tr("No undecided place is left: search for some above."))

    def _words(self, poi: PoiRow) -> str:
        category = self._state.category_of(poi)
        parts = [
            poi.name or poi.source_id or str(poi.id),
            "" if category is None else category.name,
            self._state_words().get(poi.state, poi.state),
            f"{poi.lat:.5f}, {poi.lon:.5f}",
            poi.source or "",
        ]
        return " · ".join(part for part in parts if part)

    def _state_words(self) -> dict[str, str]:
        return {
            "candidate": self.tr("undecided"),
            "accepted": self.tr("accepted"),
            "rejected": self.tr("rejected"),
        }
