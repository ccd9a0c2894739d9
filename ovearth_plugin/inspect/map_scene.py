"""Puts the selected query on the map: made in the background, shown in the foreground."""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import (
    QgsCoordinateTransform,
    QgsGeometry,
    QgsMapLayer,
    QgsPointXY,
    QgsProject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.inspection.image_files import FoundImage
from ...ovearth_core.inspection.inspected import InspectedRun
from ...ovearth_core.inspection.scene import Scene, SceneMaker
from ..image_layer import ImageSource
from ..layers import InspectLayers, SceneLayer, scene_crs, scene_features
from ..messages import Messages
from ..tasks import Tasks
from .caption import Caption
from .layers_of_b import layers_of_b
from .placed_ring import placed_ring
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


@dataclass(frozen=True)
class _Look:
    """What was made in the background: the image's file, and a scene for each run."""

    found: FoundImage
    drawn: list[_Drawn]


class MapScene(QObject):
    """Follows the state: what it shows is that of the last change, also when they come fast.

    image_missing: a sentence on the shown query's image, None once it is there. drawn: a query is
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
        self._is_resting = False
        self._is_stopped = False
        # A drawing that was begun for another project than the present one is let go.
        self._projects = 0
        self._zoomed_to: int | None = None
        state.row_changed.connect(self.draw)
        state.table_changed.connect(self._table_changed)
        state.benchmark_changed.connect(self._forget)
        self.layers.lost.connect(self._layer_lost)
        QgsProject.instance().cleared.connect(self._project_closed)
        self._drawn_for: tuple = ()

    def set_mode(self, mode: str) -> None:
        """Show run A alone, with B beside it, or with B under a swipe."""
        self.mode = mode
        self.draw()

    def draw(self) -> None:
        """Show the state's query; while one is being made, the next waits."""
        if self._is_resting:
            return
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
        images, projects = state.images, self._projects

        def make(report) -> _Look:
            drawn = []
            for maker in makers:
                report.check()
                scene = maker.scene(row, modality, threshold)
                drawn.append(_Drawn(scene, scene_features(scene)))
            return _Look(images.find(drawn[0].scene.image), drawn)

        def show(look: _Look) -> None:
            if projects == self._projects and not self._is_resting:
                # Looking changes nothing that a person would want to save.
                with QgsProject.blockDirtying(QgsProject.instance()):
                    self._show(look)

        title = self.tr("Draw query")
        self._task = self._tasks.start(title, make, show, ended=self._ended)

    def bring_back(self) -> None:
        """Draw the state's query again where what was drawn is gone from the map."""
        if self._task is None and (self.scene is None or self.layers.is_lost):
            self.draw()

    def rest(self) -> None:
        """Take off the map what lies over it: the dock is closed. The layers stay."""
        if self._is_resting or self._is_stopped:
            return
        self._is_resting = True
        self.caption.say("")
        self.swipe.put_away()

    def wake(self) -> None:
        """Show what is looked at: the dock is open again."""
        if self._is_resting and not self._is_stopped:
            self._is_resting = False
            self.draw()

    def zoom_to_image(self) -> None:
        """Go to the image of the shown query."""
        if self.scene is None:
            return
        ring = [QgsPointXY(x, y) for x, y in self.scene.outline.tolist()]
        crs = scene_crs(self.scene)
        target = self._canvas.mapSettings().destinationCrs()
        if crs.isValid() and target.isValid():
            placed = placed_ring(ring, QgsCoordinateTransform(crs, target, QgsProject.instance()))
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
        """Take everything off the map, for good."""
        self._is_stopped = True
        QgsProject.instance().cleared.disconnect(self._project_closed)
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

    def _show(self, look: _Look) -> None:
        state = self._state
        if state.first is None or state.inspected is None:
            return
        first, *others = look.drawn
        scene = self.scene = first.scene
        self._show_image(scene, look.found)
        self.layers.show(scene, first.features, _title(state.first, scene))
        self._show_second(others)
        self.caption.say(self._caption(scene))
        if self._zoomed_to != scene.image.id:
            self._zoomed_to = scene.image.id
            self.zoom_to_image()
        self.drawn.emit()

    def _show_image(self, scene: Scene, found: FoundImage) -> None:
        source = None
        if found.path is not None:
            source = ImageSource(found.path, scene.image, found.is_placed_by_benchmark)
        is_there = self.layers.show_image(source)
        if source is not None and not is_there:
            self._messages.warn(self.tr("QGIS can't read the image {}.").format(found.path))
        self.image_missing.emit(None if source is not None else self._missing(scene, found))

    def _missing(self, scene: Scene, found: FoundImage) -> str:
        name = scene.image.file_name
        if found.unfit is None:
            return self.tr("The image {} is not there.").format(name)
        path, why = found.unfit
        return self.tr("{path} is not the image {name}: {why}.").format(
            path=path, name=name, why=why
        )

    def _show_second(self, drawn: list[_Drawn]) -> None:
        if not drawn:
            self.second_map.put_away()
            self.swipe.put_away()
            self._second_layer = None
            return
        self._second_layer = self._second_layer or SceneLayer()
        title = _title(self._state.second, drawn[0].scene)
        self._second_layer.show(drawn[0].scene, drawn[0].features, title)
        layer = self._second_layer.layer

        def layers() -> list[QgsMapLayer]:
            return layers_of_b(layer, self.layers.scene_id)

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
        with QgsProject.blockDirtying(QgsProject.instance()):
            self.layers.clear()
        # QGIS leaves the last picture of a map that has no layer any more.
        self._canvas.refresh()
        self.caption.say("")
        self.image_missing.emit(None)
        self.drawn.emit()

    def _forget(self) -> None:
        self._makers.clear()
        self._zoomed_to = None

    def _project_closed(self) -> None:
        self._projects += 1
        self._is_waiting = False
        self._clear()

    def _layer_lost(self) -> None:
        self._zoomed_to = None
        self._messages.inform(
            self.tr("A layer of Inspect was removed; selecting a query brings it back.")
        )


def _title(run: InspectedRun, scene: Scene) -> str:
    return f"{run.name}: {scene.query_id}"
