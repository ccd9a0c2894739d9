"""The only place where layers are made, styled and grouped."""

from __future__ import annotations

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFields,
    QgsGeometry,
    QgsLayerTreeGroup,
    QgsMapLayer,
    QgsPalLayerSettings,
    QgsProject,
    QgsRasterLayer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QObject, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QColor

from .compat import number_field, text_field
from .image_layer import ImageSource, crs_of, image_layer
from .scene_style import scene_renderer

# On layers and the group, so that those of a saved project are known again. On a layer it holds the
# layer's id: a copy that someone made has the property too, but another id, and is theirs.
MARK = "ovearth/inspect"

# A thousand features added in one go hold up the window for some 3 ms, on a busy machine for 30.
_AT_ONCE = 1000


def scene_features(scene) -> list[QgsFeature]:
    """Return the features of a core Scene; touches no layer, so any thread may make them."""
    fields = _fields()
    features = []
    for shape in scene.shapes:
        geometry = QgsGeometry()
        geometry.fromWkb(shape.wkb)
        feature = QgsFeature(fields)
        feature.setGeometry(geometry)
        # Areas have one IoU together: it stands in the table, not at each of them.
        has_label = shape.iou is not None and scene.modality != "mask"
        label = f"{shape.iou:.2f}" if has_label else ""
        feature.setAttributes([scene.query_id, shape.outcome, shape.iou, shape.score, label])
        features.append(feature)
    return features


def scene_crs(scene) -> QgsCoordinateReferenceSystem:
    """Return the CRS in which a scene is drawn; an invalid one for an image without."""
    return crs_of(scene.image)


class SceneLayer:
    """A layer in memory that shows one query of one run; what it shows can be made anew."""

    def __init__(self) -> None:
        self.layer = QgsVectorLayer("MultiPolygon", "", "memory")
        self.layer.dataProvider().addAttributes(_fields().toList())
        self.layer.updateFields()
        # QGIS would ask on closing whether to keep it.
        self.layer.setCustomProperty("skipMemoryLayersCheck", 1)
        mark(self.layer)
        self._labels()
        self._styled = ""
        self._waiting: list[QgsFeature] = []

    def show(self, scene, features: list[QgsFeature], title: str) -> None:
        """Show a scene in the place of what was shown."""
        self.layer.setName(title)
        self.layer.setCrs(scene_crs(scene))
        if self._styled != scene.modality:
            self._styled = scene.modality
            self.layer.setRenderer(scene_renderer(is_filled=scene.modality == "mask"))
        self.layer.dataProvider().truncate()
        self._waiting = features
        self._add_some()

    def _add_some(self) -> None:
        """Add some of the features; the window has its turn before the rest."""
        if sip.isdeleted(self.layer):
            return
        some, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
        self.layer.dataProvider().addFeatures(some)
        if self._waiting:
            QTimer.singleShot(0, self._add_some)
            return
        self.layer.updateExtents()
        self.layer.triggerRepaint()

    def _labels(self) -> None:
        text = QgsTextFormat()
        text.setColor(QColor("white"))
        text.setSize(9)
        buffer = QgsTextBufferSettings()
        buffer.setEnabled(True)
        buffer.setSize(0.8)
        buffer.setColor(QColor(0, 0, 0, 200))
        text.setBuffer(buffer)
        settings = QgsPalLayerSettings()
        settings.fieldName = "label"
        settings.setFormat(text)
        self.layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
        self.layer.setLabelsEnabled(True)


class InspectLayers(QObject):
    """The group in the project's layer tree: the image of the query, and what the run says of it.

    Nothing else in the project is touched. `lost`: someone removed one of our layers; `is_lost`
    until a query is shown again.
    """

    lost = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._project = QgsProject.instance()
        self._scene: SceneLayer | None = None
        self._scene_id = ""
        self._image_id = ""
        self._image_source: ImageSource | None = None
        self.is_lost = False
        self._is_removing = False
        self._project.layersWillBeRemoved.connect(self._layers_will_go)
        self._project.readProject.connect(self._remove_stale)
        self._project.cleared.connect(self._project_closed)

    @property
    def image(self) -> QgsRasterLayer | None:
        """The layer of the shown image, None where it has none."""
        return self._project.mapLayer(self._image_id)

    @property
    def scene_id(self) -> str:
        """The id of the shown query's layer, empty where there is none."""
        return self._scene_id

    @property
    def scene(self) -> QgsVectorLayer | None:
        """The layer of the shown query, None where it has none."""
        return self._project.mapLayer(self._scene_id)

    def show_image(self, source: ImageSource | None) -> bool:
        """Show an image under the query, in the place of the last one; whether QGIS can read it."""
        if source is not None and self.image is not None and source == self._image_source:
            return True
        self._remove(self._image_id)
        self._image_id = ""
        self._image_source = source
        layer = None if source is None else image_layer(source)
        if layer is None:
            return False
        mark(layer)
        self._project.addMapLayer(layer, False)
        self._group().addLayer(layer)
        self._image_id = layer.id()
        return True

    def show(self, scene, features: list[QgsFeature], title: str) -> None:
        """Show a query of a run."""
        self.is_lost = False
        if self._scene is None or self.scene is None:
            self._scene = SceneLayer()
            self._project.addMapLayer(self._scene.layer, False)
            self._group().insertLayer(0, self._scene.layer)
            self._scene_id = self._scene.layer.id()
        self._scene.show(scene, features, title)

    def clear(self) -> None:
        """Remove all that was added."""
        self._remove(self._scene_id)
        self._remove(self._image_id)
        self._scene, self._scene_id, self._image_id = None, "", ""
        group = self._found_group()
        # A layer that someone moved into it stays, and so does the group.
        if group is not None and not group.children():
            group.parent().removeChildNode(group)

    def stop(self) -> None:
        """Remove all and listen no more: the plugin is being unloaded."""
        self._project.layersWillBeRemoved.disconnect(self._layers_will_go)
        self._project.readProject.disconnect(self._remove_stale)
        self._project.cleared.disconnect(self._project_closed)
        self.is_lost = False
        self.clear()

    def _group(self) -> QgsLayerTreeGroup:
        group = self._found_group()
        if group is None:
            title = QCoreApplication.translate("InspectLayers", "OVEarth Inspect")
            group = self._project.layerTreeRoot().insertGroup(0, title)
            group.setCustomProperty(MARK, 1)
        return group

    def _found_group(self) -> QgsLayerTreeGroup | None:
        groups = self._project.layerTreeRoot().findGroups(True)
        return next((group for group in groups if group.customProperty(MARK)), None)

    def _remove(self, layer_id: str) -> None:
        if self._project.mapLayer(layer_id) is None:
            return
        self._is_removing = True
        self._project.removeMapLayer(layer_id)
        self._is_removing = False

    def _layers_will_go(self, layer_ids: list[str]) -> None:
        if not {self._scene_id, self._image_id}.isdisjoint(layer_ids):
            if self._scene_id in layer_ids:
                self._scene, self._scene_id = None, ""
            if self._image_id in layer_ids:
                self._image_id = ""
            if not self._is_removing:
                self.is_lost = True
                # Only afterwards it is known whether the whole project went: who closes that knows.
                QTimer.singleShot(0, self._tell_lost)

    def _project_closed(self) -> None:
        self.is_lost = False

    def _tell_lost(self) -> None:
        if self.is_lost:
            self.lost.emit()

    def _remove_stale(self) -> None:
        """Take out what a saved project kept of an earlier look: empty layers."""
        stale = [
            layer.id()
            for layer in self._project.mapLayers().values()
            if _is_marked(layer) and layer.id() not in (self._scene_id, self._image_id)
        ]
        self._is_removing = True
        self._project.removeMapLayers(stale)
        self._is_removing = False
        group = self._found_group()
        if group is not None and not group.children():
            group.parent().removeChildNode(group)


def mark(layer: QgsMapLayer) -> None:
    """Mark a layer as ours."""
    layer.setCustomProperty(MARK, layer.id())


def _is_marked(layer: QgsMapLayer) -> bool:
    return layer.customProperty(MARK) == layer.id()


def _fields() -> QgsFields:
    fields = QgsFields()
    for field in (
        text_field("query_id"),
        text_field("outcome"),
        number_field("iou"),
        number_field("score"),
        text_field("label"),
    ):
        fields.append(field)
    return fields
