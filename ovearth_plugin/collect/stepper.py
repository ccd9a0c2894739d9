"""Steps through candidates: the map goes to each, a key decides, the dataset has it at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from qgis.gui import QgsMapCanvas, QgsMapTool
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ...ovearth_core.collection.patches.grid import outline
from ...ovearth_core.collection.pois.candidates import ACCEPTED, REJECTED, Candidates
from ...ovearth_core.dataset import PoiRow
from ...ovearth_core.errors import OVEarthError
from ..messages import Messages
from ..settings import person
from ..tasks import Failure, Tasks
from .frame_tool import FrameTool
from .state import CollectState

Step = Callable[[Candidates], PoiRow | None]
Found = tuple[PoiRow | None, dict[str, int]]


class Stepper(QWidget):
    """Four buttons with keys, and what is known of the place that is looked at.

    Steps are stored in the background, one after the other: the disk may be slow, and another
    program may hold the file. Keys that are pressed meanwhile are kept, and follow.
    """

    def __init__(
        self,
        state: CollectState,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._canvas = canvas
        self._tasks = tasks
        self._messages = messages
        self._candidates: Candidates | None = None
        self._counts: dict[str, int] = {}
        self._is_busy = False
        self._waiting: list[Callable[[], None]] = []
        self.tool = FrameTool(canvas)
        self.tool.dropped.connect(self._move)
        self.about = QLabel(self)
        self.about.setWordWrap(True)
        self.left = QLabel(self)
        self.left.setWordWrap(True)
        self.accept = self._button(self.tr("Accept"), lambda: self._decide(ACCEPTED))
        self.reject = self._button(self.tr("Reject"), lambda: self._decide(REJECTED))
        self.undo = self._button(self.tr("Undo"), self._undo)
        self.next = self._button(self.tr("Next"), self.go_on)
        self.next.setToolTip(self.tr("Go to the next undecided place"))
        self.change_keys = QPushButton(self.tr("Keys…"), self)
        self.change_keys.setToolTip(self.tr("Change the keys of these buttons"))
        row = QHBoxLayout()
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        below = QHBoxLayout()
        below.addWidget(self.left, 1)
        below.addWidget(self.change_keys)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addLayout(below)
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

        def go_on() -> None:
            after = self._poi_id() or 0
            self._do(lambda candidates: candidates.next(after), self._go_to)

        self._in_turn(go_on)

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
            self._candidates = Candidates(dataset, person())
            self._count()
        self._refresh()

    def _closed(self) -> None:
        self._candidates = None
        self._counts = {}
        self._waiting = []
        self._state.look_at(None)
        self.tool.hide_frame()
        self._canvas.unsetMapTool(self.tool)
        self._refresh()

    def _written(self, tables: list[str]) -> None:
        if "pois" in tables and not self._is_busy:
            self._count()

    def _count(self) -> None:
        """Count the places anew; nothing is gone to."""
        self._in_turn(lambda: self._do(lambda _: self._state.poi, lambda _: None))

    def _poi_id(self) -> int | None:
        return None if self._state.poi is None else self._state.poi.id

    def _decide(self, decision: str) -> None:
        def decide() -> None:
            poi_id = self._poi_id()
            if poi_id is not None:
                self._do(lambda candidates: _decided(candidates, poi_id, decision), self._go_to)

        self._in_turn(decide)

    def _move(self, lon: float, lat: float) -> None:
        def move() -> None:
            poi_id = self._poi_id()
            if poi_id is not None:
                self._do(lambda candidates: candidates.move(poi_id, lon, lat), self._moved)

        self._in_turn(move)

    def _moved(self, poi: PoiRow | None) -> None:
        self._state.look_at(poi)
        self._show_frame()

    def _undo(self) -> None:
        self._in_turn(lambda: self._do(Candidates.undo, self._undone))

    def _undone(self, poi: PoiRow | None) -> None:
        if poi is not None:
            self._go_to(poi)

    def _in_turn(self, act: Callable[[], None]) -> None:
        """Act now, or after the step that is being stored."""
        self._waiting.append(act)
        if not self._is_busy:
            self._next_act()
        self._refresh()

    def _next_act(self) -> None:
        while self._waiting and not self._is_busy:
            act = self._waiting.pop(0)
            if self._candidates is not None and self._state.open_dataset.is_there():
                act()

    def _do(self, step: Step, then: Callable[[PoiRow | None], None]) -> None:
        """Do a step in the background; then say `then` of the place that it leads to."""
        candidates = self._candidates
        if candidates is None:
            return
        self._is_busy = True
        state, shape, native_m = self._state, self._state.shape, self._state.native_m

        def work() -> Found:
            poi = step(candidates)
            if poi is not None:
                # Kept by the core: the main thread finds it there when it draws the frame.
                with suppress(OVEarthError):
                    outline(poi.lon, poi.lat, shape, native_m, state.usual_m(poi))
            return poi, candidates.counts()

        def done(found: Found) -> None:
            if self._candidates is candidates:
                self._counts = found[1]
                then(found[0])
                self._state.open_dataset.wrote("pois", is_larger=False)
                self._refresh()

        def failed(failure: Failure) -> None:
            if self._state.open_dataset.is_there():
                self._messages.failure(failure)
                self._show_frame()
            self._refresh()

        self._tasks.in_turn(work, self._then_next(done), self._then_next(failed))

    def _then_next(self, tell: Callable) -> Callable:
        """Return what tells of a step, and begins the one that was asked for meanwhile."""

        def told(found) -> None:
            # What follows a step of ours is no news to count.
            self._is_busy = True
            tell(found)
            self._is_busy = False
            self._next_act()
            self._refresh()

        return told

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
        # A step that is being stored can be taken back too.
        has_steps = self._is_busy or (candidates is not None and candidates.can_undo)
        self.undo.setEnabled(can_change and has_steps)
        self.next.setEnabled(can_change)
        self.about.setText("" if poi is None else self._words(poi))
        self.left.setText("")
        counts = self._counts
        if not counts:
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


def _decided(candidates: Candidates, poi_id: int, decision: str) -> PoiRow | None:
    """Decide over a place, and return the next undecided one."""
    candidates.decide(poi_id, decision)
    return candidates.next(poi_id)
