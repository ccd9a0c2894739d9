"""U: takes back what this person drew last, as a new step in the log."""

from __future__ import annotations

from qgis.core import QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.dataset.review import Drawing, review_session, undo_drawing
from ..messages import Messages
from ..tasks import Failure
from .state import ReviewState


class UndoRecord(QObject):
    """The actions that were saved, the last on top. QGIS forgets its own with every save."""

    changed = pyqtSignal()
    # An action is about to be taken back.
    began = pyqtSignal()

    def __init__(self, state: ReviewState, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._messages = messages
        self._drawings: list[Drawing] = []
        self._is_busy = False
        state.shared.closed.connect(self.forget)
        state.person_changed.connect(self.forget)

    @property
    def depth(self) -> int:
        """How many actions can be taken back."""
        return len(self._drawings)

    def add(self, drawing: Drawing) -> None:
        """Remember an action that was saved."""
        if drawing.instance_ids:
            self._drawings.append(drawing)
            self.changed.emit()

    def forget(self) -> None:
        """Forget all: another dataset, or another person."""
        self._drawings = []
        self.changed.emit()

    def undo(self) -> None:
        """Take the last action back; one that isn't saved yet first, by QGIS itself."""
        layer = self._state.shared.layers.layer("instances")
        if layer is not None and not sip.isdeleted(layer) and layer.isModified():
            _undo_unsaved(layer)
            return
        if not self._drawings:
            self._messages.inform(self.tr("There is nothing of yours to undo."))
            return
        if self._is_busy:
            return
        self._is_busy = True
        drawing, person = self._drawings[-1], self._state.person
        self.began.emit()

        def write(dataset) -> None:
            with review_session(dataset, person) as session:
                undo_drawing(session, drawing)

        def done(_: None) -> None:
            self._take_off(drawing)
            self._state.refresh()
            sample = self._state.sample
            target = None if sample is None else sample.target
            if target is not None and target.id == drawing.new_target:
                self._state.go_to(target.image_id)
                return
            self._state.renew()

        def failed(failure: Failure) -> None:
            # It can never be undone any more: the ones below may be.
            self._take_off(drawing)
            self._messages.failure(failure)

        self._state.desk.do(
            self.tr("Undoing"), write, done, failed, wrote=("instances", "targets", "reviews")
        )

    def _take_off(self, drawing: Drawing) -> None:
        self._is_busy = False
        self._drawings = [one for one in self._drawings if one is not drawing]
        self.changed.emit()


def _undo_unsaved(layer: QgsVectorLayer) -> None:
    """Take back the last drawing action that is not saved, and what was only noted about it."""
    stack, before = layer.undoStack(), _drawn(layer)
    while stack.canUndo() and _drawn(layer) == before:
        stack.undo()
    layer.triggerRepaint()


def _drawn(layer: QgsVectorLayer) -> tuple:
    buffer = layer.editBuffer()
    changed = {key: bytes(shape.asWkb()) for key, shape in buffer.changedGeometries().items()}
    added = {key: bytes(f.geometry().asWkb()) for key, f in buffer.addedFeatures().items()}
    return changed, added, sorted(buffer.deletedFeatureIds())
