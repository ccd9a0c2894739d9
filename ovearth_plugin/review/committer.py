"""Saves each finished drawing action at once, without ever waiting for whoever else writes.

QGIS's own undo stack is empty after each save: undoing is `UndoRecord`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.core import QgsFeature, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...ovearth_core.dataset.review import (
    Drawing,
    check_may_draw,
    draw,
    drawn_since,
    log_drawing,
    review_session,
)
from ...ovearth_core.errors import OVEarthError
from ..messages import Messages
from ..tasks import Failure, failure_of
from .edit_buffer import (
    drop,
    give_target,
    join_across_antimeridian,
    origin_of,
    polygons_of,
    sign,
    targets_of_new,
    touched,
    without_target,
)
from .map_sample import MapSample
from .state import ReviewState
from .unsaved import Unsaved, unsaved_of

if TYPE_CHECKING:
    from ...ovearth_core.dataset import Dataset
    from ...ovearth_core.dataset.instance_state import InstanceState

_FIRST_PAUSE_MS, _LONGEST_PAUSE_MS = 25, 400
# So many pauses in a row, and a person wants to know.
_TELL_AFTER = 12
_BUSY = ("locked", "busy")


class Committer(QObject):
    """Watches the layer of instances while it is edited.

    committed: an action was saved, as a core `Drawing`. waiting_changed: whether something drawn
    is not saved yet. category_wanted: a polygon waits for a category.
    """

    committed = pyqtSignal(object)
    waiting_changed = pyqtSignal(bool)
    category_wanted = pyqtSignal()

    def __init__(self, state: ReviewState, scene: MapSample, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._scene = scene
        self._messages = messages
        self._layer: QgsVectorLayer | None = None
        self._added: list[int] = []
        self._tries = 0
        # While the core stores a polygon that is still in the buffer too.
        self._is_handing_over = False
        self.is_waiting = False
        # What was not saved when its layer went away.
        self.unsaved: Unsaved | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._commit)
        state.category_changed.connect(self._soon)
        state.sample_changed.connect(self._soon)
        state.sample_renewed.connect(self._soon)
        QgsProject.instance().layersWillBeRemoved.connect(self._layers_go)

    def watch(self, layer: QgsVectorLayer | None) -> None:
        """Watch this layer from now on, and no other."""
        if layer is self._layer:
            return
        if self._layer is not None and not sip.isdeleted(self._layer):
            for signal, slot in self._signals(self._layer):
                signal.disconnect(slot)
        self._layer = layer
        self._timer.stop()
        self._is_handing_over = False
        self._set_waiting(False)
        if layer is not None:
            for signal, slot in self._signals(layer):
                signal.connect(slot)

    def may_leave(self) -> bool:
        """Whether all that was drawn is saved, so that another sample can come up; else say so."""
        if self.is_waiting and not self._is_handing_over:
            self._messages.warn(
                self.tr("What you drew is not saved yet: choose its category, or take it back.")
            )
            return False
        return True

    def stop(self) -> None:
        """Watch nothing any more."""
        QgsProject.instance().layersWillBeRemoved.disconnect(self._layers_go)
        self.watch(None)

    def _layers_go(self, layer_ids: list[str]) -> None:
        """Keep what isn't saved of a layer that goes: nothing can be saved into it any more."""
        layer = self._layer
        if layer is None or sip.isdeleted(layer) or layer.id() not in layer_ids:
            return
        is_modified = layer.isEditable() and layer.isModified()
        kept = unsaved_of(layer, self._state)
        self.watch(None)
        if kept is not None:
            self.unsaved = kept
            self._messages.warn(
                self.tr(
                    "The polygon drawn last wasn't saved. It is kept until QGIS is closed: go to"
                    " its image again, and it is drawn there."
                )
            )
        elif is_modified:
            self._messages.warn(self.tr("What you changed last wasn't saved."))

    def _signals(self, layer: QgsVectorLayer) -> tuple:
        return (
            (layer.featureAdded, self._soon),
            (layer.featureDeleted, self._soon),
            (layer.geometryChanged, self._soon),
            (layer.attributeValueChanged, self._soon),
            (layer.committedFeaturesAdded, self._take_added),
        )

    def _soon(self, *_: object) -> None:
        # The tool is still in the middle of its own action: the timer lets it finish.
        if not self._timer.isActive():
            self._tries = 0
            self._timer.start(0)

    def _later(self) -> None:
        self._tries += 1
        self._set_waiting(True)
        if self._tries == _TELL_AFTER:
            self._messages.inform(
                self.tr(
                    "Another program is writing to the dataset. What you drew is kept, and saved"
                    " as soon as it lets go."
                )
            )
        self._timer.start(min(_FIRST_PAUSE_MS * self._tries, _LONGEST_PAUSE_MS))

    def _take_added(self, _layer_id: str, features: list[QgsFeature]) -> None:
        self._added = [feature.id() for feature in features]

    def _commit(self) -> None:
        layer, shared = self._layer, self._state.shared
        if layer is None or sip.isdeleted(layer) or self._is_handing_over:
            return
        if not layer.isEditable() or not layer.isModified():
            self._set_waiting(False)
            return
        if layer.isEditCommandActive():
            self._later()
            return
        place = self._scene.place
        if place is not None and place.is_split:
            join_across_antimeridian(layer, place.middle_lon)
        dataset = shared.ready()
        if dataset is None or not self._place_new(layer):
            # Where the dataset is gone, it was closed, and its layer with it.
            self._set_waiting(self._layer is not None)
            return
        try:
            before = self._states_if_free(dataset, layer)
        except OVEarthError as fault:
            self._refuse(layer, fault)
            return
        errors = _BUSY[0] if before is None else self._save(layer)
        if any(word in errors for word in _BUSY):
            self._later()
        elif errors:
            self._set_waiting(True)
            sentence = self.tr("What you drew can't be saved; it is still on the map.")
            self._messages.failure(Failure(sentence, errors))
        else:
            self._set_waiting(False)
            self._log(before or {})

    def _states_if_free(
        self, dataset: Dataset, layer: QgsVectorLayer
    ) -> dict[int, InstanceState] | None:
        """Return what the touched instances are right now, None while somebody else is writing.

        UsageError where one of them may not be drawn on.
        """
        with dataset.if_free() as view:
            if view is None:
                return None
            before = view.instance_states(touched(layer))
            targets = {state.target_id for state in before.values()} | targets_of_new(layer)
            for target_id in sorted(targets):
                check_may_draw(view, view.target(target_id), self._state.person)
            return before

    def _save(self, layer: QgsVectorLayer) -> str:
        """Commit, and return QGIS's errors, an empty text where there are none."""
        sign(layer, self._state.person.name)
        self._added = []
        if layer.commitChanges(False):
            return ""
        return "\n".join(layer.commitErrors()) or self.tr("QGIS doesn't say why.")

    def _log(self, before: dict[int, InstanceState]) -> None:
        person, added = self._state.person, list(self._added)

        def write(dataset: Dataset) -> Drawing:
            with review_session(dataset, person) as session:
                drawing = drawn_since(session.edit, before, added)
                log_drawing(session, drawing)
            return drawing

        def done(drawing: Drawing) -> None:
            self.committed.emit(drawing)
            self._state.renew()

        self._state.desk.do(self.tr("Logging"), write, done, wrote=("reviews",))

    # Polygons that are new

    def _place_new(self, layer: QgsVectorLayer) -> bool:
        """Give new polygons their target; False while they wait for one."""
        new = without_target(layer)
        if not new:
            return True
        sample = self._state.sample
        if sample is None:
            self._messages.warn(self.tr("Go to an image of the queue first, then draw on it."))
            return False
        if sample.target is not None:
            # Whether it may be drawn on is asked right before it is saved.
            give_target(layer, new, sample.target.id)
            return True
        if self._state.category is None:
            self.category_wanted.emit()
            return False
        self._hand_over(layer, new)
        return False

    def _hand_over(self, layer: QgsVectorLayer, new: list[int]) -> None:
        """Let the core store polygons together with the target that they begin: all or nothing."""
        added = layer.editBuffer().addedFeatures()
        shapes = [polygons_of(added[feature_id]) for feature_id in new]
        origins = [origin_of(added[feature_id]) for feature_id in new]
        person, category = self._state.person, self._state.category
        image_id = self._state.sample.image.id or 0
        self._is_handing_over = True

        def write(dataset: Dataset) -> Drawing:
            with review_session(dataset, person) as session:
                drawings = [
                    draw(session, image_id, category.id, shape, in_degrees=True, origin=origin,
                         origin_note=note)[1]
                    for shape, (origin, note) in zip(shapes, origins, strict=True)
                ]  # fmt: skip
            after = {key: state for drawing in drawings for key, state in drawing.after.items()}
            return Drawing({}, after, drawings[0].new_target)

        def done(drawing: Drawing) -> None:
            self._is_handing_over = False
            drop(layer, new)
            self._set_waiting(False)
            self.committed.emit(drawing)
            self._state.refresh()
            self._state.go_to(image_id, drawing.target_ids[0])

        def failed(failure: Failure) -> None:
            self._is_handing_over = False
            self._messages.failure(failure)

        self._state.desk.do(
            self.tr("Saving the polygon"), write, done, failed,
            wrote=("instances", "targets", "reviews"),
        )  # fmt: skip

    def _refuse(self, layer: QgsVectorLayer, fault: OVEarthError) -> None:
        """Say why an action is not allowed; a polygon that was there goes back to what it was.

        A new one stays until a person takes it back: it is work.
        """
        if len(touched(layer)):
            layer.rollBack(False)
        else:
            give_target(layer, layer.editBuffer().addedFeatures(), 0)
            # The state that it went by is an old one.
            self._timer.stop()
        self._set_waiting(layer.isModified())
        self._messages.failure(failure_of(fault))
        self._state.refresh()

    def _set_waiting(self, is_waiting: bool) -> None:
        if is_waiting != self.is_waiting:
            self.is_waiting = is_waiting
            self.waiting_changed.emit(is_waiting)
