"""Puts the selected query on the map: made in the background, shown in the foreground."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsMapLayer,
    QgsPointXY,
    QgsProject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.inspection.inspected import InspectedRun
from ...ovearth_core.inspection.scene import Scene, SceneMaker
from ..layers import InspectLayers, SceneLayer, scene_crs, scene_features
from ..messages import Messages
from ..tasks import Tasks
from .caption import Caption
from .second_map import SecondMap
from .state import InspectState
from .swipe import Swipe
from .words import shown

ALONE, SIDE_BY_SIDE, SWIPE = "alone", "side by side", "swipe"
_ROOM = 1.08


@dataclass(frozen=True)
class _Drawn:
    scene: Scene
    features: list


class MapScene(QObject):
    """Follows the state: what it shows is that of the last change, also when they come fast.

    image_missing: the file of the shown query's image, None once it is there. drawn: a query is
    shown, or none is any more.
    """

    image_missing = pyqtSignal(object)
    drawn = pyqtSignal()

    def __init__(
        self,
        state: InspectState,
        canvas: QgsMapCanvas,
        second_map: SecondMap,
        tasks: Tasks,
        messages: Messages,
    ) -> None:
        super().__init__()
        self._state = state
        self._canvas = canvas
        self._tasks = tasks
        self._messages = messages
        self.layers = InspectLayers()
        self.caption = Caption(canvas)
        self.second_map = second_map
        self.swipe = Swipe(canvas)
        self.mode = ALONE
        self.scene: Scene | None = None
        self._second_layer: SceneLayer | None = None
        self._makers: dict[int, tuple[InspectedRun, SceneMaker]] = {}
        self._task = None
        self._is_waiting = False
        self._zoomed_to: int | None = None
        state.row_changed.connect(self.draw)
        state.table_changed.connect(self._table_changed)
        state.benchmark_changed.connect(self._forget)
        self.layers.lost.connect(self._layer_lost)
        self._drawn_for: tuple = ()

    def set_mode(self, mode: str) -> None:
        """Show run A alone, with B beside it, or with B under a swipe."""
        self.mode = mode
        self.draw()

    def draw(self) -> None:
        """Show the state's query; while one is being made, the next waits."""
        if self._task is not None:
            self._is_waiting = True
            return
        state = self._state
        self._drawn_for = self._wanted()
        if state.row is None or state.first is None or not state.modality:
            self._clear()
            return
        runs = [state.first]
        if self.mode != ALONE and state.second is not None:
            runs.append(state.second)
        makers = [self._maker(run) for run in runs]
        row, modality, threshold = state.row, state.modality, state.threshold

        def make(report) -> list[_Drawn]:
            drawn = []
            for maker in makers:
                report.check()
                scene = maker.scene(row, modality, threshold)
                drawn.append(_Drawn(scene, scene_features(scene)))
            return drawn

        title = self.tr("Draw query")
        self._task = self._tasks.start(title, make, self._show, ended=self._ended)

    def zoom_to_image(self) -> None:
        """Go to the image of the shown query."""
        if self.scene is None:
            return
        ring = [QgsPointXY(x, y) for x, y in self.scene.outline.tolist()]
        crs = scene_crs(self.scene)
        target = self._canvas.mapSettings().destinationCrs()
        if crs.isValid() and target.isValid():
            placed = _placed(ring, QgsCoordinateTransform(crs, target, QgsProject.instance()))
            if placed is None:
                self._messages.warn(
                    self.tr(
                        "The image can't be shown in the project's CRS: choose {} for the project."
                    ).format(crs.authid() or crs.description())
                )
                return
            ring = placed
        extent = QgsGeometry.fromPolygonXY([ring]).boundingBox()
        extent.scale(_ROOM)
        self._canvas.setExtent(extent)
        self._canvas.refresh()

    def stop(self) -> None:
        """Take everything off the map."""
        self.swipe.put_away()
        self.second_map.stop()
        self.caption.stop()
        self.layers.stop()

    def _wanted(self) -> tuple:
        state = self._state
        return state.row, state.modality, state.step, state.first, state.second, self.mode

    def _table_changed(self) -> None:
        # A filter or an order changes the table too, but nothing on the map.
        if any(
            a is not b and a != b for a, b in zip(self._drawn_for, self._wanted(), strict=False)
        ):
            self.draw()

    def _maker(self, run: InspectedRun) -> SceneMaker:
        kept = self._makers.get(id(run))
        if kept is None or kept[0] is not run:
            # Only two are ever looked at: what others remember can go.
            alive = {id(one) for one in (self._state.first, self._state.second)}
            self._makers = {key: pair for key, pair in self._makers.items() if key in alive}
            kept = self._makers[id(run)] = run, SceneMaker(run)
        return kept[1]

    def _ended(self) -> None:
        self._task = None
        if self._is_waiting:
            self._is_waiting = False
            self.draw()

    def _show(self, drawn: list[_Drawn]) -> None:
        state = self._state
        if state.first is None or state.inspected is None:
            return
        scene = drawn[0].scene
        self.scene = scene
        self._show_image(scene)
        self.layers.show(scene, drawn[0].features, _title(state.first, scene))
        self._show_second(drawn[1:])
        self.caption.say(self._caption(scene))
        if self._zoomed_to != scene.image.id:
            self._zoomed_to = scene.image.id
            self.zoom_to_image()
        self.drawn.emit()

    def _show_image(self, scene: Scene) -> None:
        path = self._state.images.path(scene.image)
        is_there = self.layers.show_image(path)
        if path is not None and not is_there:
            self._messages.warn(self.tr("QGIS can't read the image {}.").format(path))
        self.image_missing.emit(None if path is not None else scene.image.file_name)

    def _show_second(self, drawn: list[_Drawn]) -> None:
        if not drawn:
            self.second_map.put_away()
            self.swipe.put_away()
            self._second_layer = None
            return
        self._second_layer = self._second_layer or SceneLayer()
        title = _title(self._state.second, drawn[0].scene)
        self._second_layer.show(drawn[0].scene, drawn[0].features, title)
        layers: list[QgsMapLayer] = [self._second_layer.layer]
        if self.layers.image is not None:
            layers.append(self.layers.image)
        if self.mode == SWIPE:
            self.second_map.put_away()
            self.swipe.show_layers(layers)
        else:
            self.swipe.put_away()
            self.second_map.show_layers(title, layers)

    def _caption(self, scene: Scene) -> str:
        query = self._state.inspected.benchmark.queries[scene.row]
        polarity = shown("positive" if query.is_positive else "negative")
        return f"{query.text}\n{shown(query.task)} · {polarity} · {query.id}"

    def _clear(self) -> None:
        self.scene = None
        self._zoomed_to = None
        self.second_map.put_away()
        self.swipe.put_away()
        self._second_layer = None
        self.layers.clear()
        self.caption.say("")
        self.image_missing.emit(None)
        self.drawn.emit()

    def _forget(self) -> None:
        self._makers.clear()
        self._zoomed_to = None

    def _layer_lost(self) -> None:
        self._zoomed_to = None
        self._messages.inform(
            self.tr("A layer of Inspect was removed; selecting a query brings it back.")
        )


def _placed(ring: list[QgsPointXY], transform: QgsCoordinateTransform) -> list[QgsPointXY] | None:
    """Return a closed ring in another CRS, None where that CRS hasn't it in one piece.

    Across the 180th meridian or around a pole the middle of a side lands far from between its ends.
    """
    try:
        placed = [transform.transform(point) for point in ring]
        for (a, b), (u, v) in zip(pairwise(ring), pairwise(placed), strict=True):
            middle = transform.transform(_between(a, b))
            if not middle.distance(_between(u, v)) <= u.distance(v) / 4:
                return None
    except QgsCsException:
        return None
    return placed


def _between(a: QgsPointXY, b: QgsPointXY) -> QgsPointXY:
    return QgsPointXY((a.x() + b.x()) / 2, (a.y() + b.y()) / 2)


def _title(run: InspectedRun, scene: Scene) -> str:
    return f"{run.name}: {scene.query_id}"
