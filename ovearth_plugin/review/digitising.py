"""Draws with QGIS's own tools on the dataset's layer of instances."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer
from qgis.gui import QgsLayerTreeView, QgsMapCanvas, QgsMapTool
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...ovearth_core.errors import OVEarthError
from ..compat import QAction, has_transaction_groups
from ..messages import Messages
from ..tasks import failure_of
from .committer import Committer
from .state import ReviewState

# What QGIS calls its action for a new polygon.
_DRAW = "mActionAddFeature"
_PAUSE_MS, _MOST_TRIES = 50, 200


class Digitising(QObject):
    """Makes the layer of instances ready to be drawn on, and hands the map to QGIS's tool.

    ready: the layer is being edited. ended: it no longer is.
    """

    ready = pyqtSignal()
    ended = pyqtSignal()
    # Automatic transaction groups are on: nothing is edited until they are switched off.
    groups_found = pyqtSignal()

    def __init__(
        self, state: ReviewState, canvas: QgsMapCanvas, committer: Committer, messages: Messages
    ) -> None:
        super().__init__()
        self._state = state
        self._canvas = canvas
        self._committer = committer
        self._messages = messages
        self._tries = 0
        self._then: object = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._begin)
        state.shared.closed.connect(self.stop)
        state.sample_changed.connect(self._draw_again)

    @property
    def layer(self) -> QgsVectorLayer | None:
        """The dataset's layer of instances."""
        return self._state.shared.layers.layer("instances")

    def draw(self) -> None:
        """Let a person draw a polygon with QGIS's own tool."""
        self.edit(self._take_tool)

    def edit(self, then) -> None:
        """Begin to edit the layer, once nobody else is writing; then call `then`."""
        if self._state.shared.ready() is None or self.layer is None:
            return
        if has_transaction_groups(QgsProject.instance()):
            self.groups_found.emit()
            return
        self._then, self._tries = then, 0
        self._begin()

    def is_drawing_with(self, tool: QgsMapTool | None) -> bool:
        """Whether a tool of QGIS's works on the layer that is edited here."""
        layer = self.layer
        is_edited = layer is not None and layer.isEditable()
        if not is_edited or tool is None or self._canvas.currentLayer() is not layer:
            return False
        return bool(tool.flags() & QgsMapTool.Flag.EditTool)

    def stop(self) -> None:
        """Edit no more. What is not saved yet is the person's to decide: QGIS asks."""
        self._timer.stop()
        self._committer.watch(None)

    def _begin(self) -> None:
        layer, dataset = self.layer, self._state.shared.dataset
        if layer is None or dataset is None:
            return
        if not layer.isEditable() and not self._start_editing(layer, dataset):
            return
        self._canvas.setCurrentLayer(layer)
        tree = self._canvas.window().findChild(QgsLayerTreeView)
        if tree is not None:
            # The window's other actions ask which layer is the current one there.
            tree.setCurrentLayer(layer)
        self._committer.watch(layer)
        self.ready.emit()
        self._then()

    def _start_editing(self, layer: QgsVectorLayer, dataset) -> bool:
        """Put the layer into editing; False where that must wait or can't be."""
        try:
            with dataset.if_free() as view:
                is_free = view is not None
        except OVEarthError as fault:
            self._messages.failure(failure_of(fault))
            return False
        if not is_free:
            # To begin, QGIS changes the journal's mode, which would hold up the window.
            self._tries += 1
            if self._tries < _MOST_TRIES:
                self._timer.start()
            else:
                self._messages.warn(self.tr("Another program holds the dataset: try again later."))
            return False
        if not layer.startEditing():
            self._messages.warn(self.tr("QGIS can't edit the layer of instances."))
            return False
        return True

    def _draw_again(self) -> None:
        """Draw what wasn't saved again, once its image is there again."""
        kept = self._committer.unsaved
        if kept is None or not kept.belongs_to(self._state):
            return

        def put() -> None:
            if self._committer.unsaved is kept and self.layer is not None:
                self._committer.unsaved = None
                kept.draw_again(self.layer)
                self._messages.inform(
                    self.tr("The polygon that wasn't saved is drawn again. U takes it back.")
                )

        self.edit(put)

    def _take_tool(self) -> None:
        action = self._canvas.window().findChild(QAction, _DRAW)
        if action is None:
            self._messages.inform(self.tr("Choose QGIS's own tool to add a polygon."))
        else:
            action.trigger()
