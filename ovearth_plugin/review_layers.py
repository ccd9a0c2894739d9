"""What Review does with layers: the sample's image, and the polygons in the light or dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsDefaultValue,
    QgsEditFormConfig,
    QgsFeatureRenderer,
    QgsFillSymbol,
    QgsProject,
    QgsRasterLayer,
    QgsRendererCategory,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QObject

MARK = "ovearth/review"
# Okabe and Ito's orange and sky blue, which any eye tells apart, and grey. Outline in mm, alpha of
# the fill, opacity of it all: of this target, of others on the image, of all the rest.
_LOOKS = (
    ("230,159,0", "0.7", 45, 1.0),
    ("86,180,233", "0.35", 0, 0.9),
    ("128,128,128", "0.2", 0, 0.4),
)


class SampleImage(QObject):
    """The layer of the sample's image, under the dataset's layers; one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._project = QgsProject.instance()
        self._id = ""
        self._project.readProject.connect(self._remove_stale)

    @property
    def layer(self) -> QgsRasterLayer | None:
        """The layer, None where there is none."""
        return self._project.mapLayer(self._id)

    def show(self, path: Path, above: QgsVectorLayer | None) -> bool:
        """Show an image in the place of the last one; whether QGIS can read it.

        above: the layer under which it goes, in the group that this is in.
        """
        layer = self.layer
        if layer is not None and Path(layer.source()) == path:
            return True
        self.clear()
        layer = QgsRasterLayer(str(path), path.name)
        if not layer.isValid():
            return False
        layer.setCustomProperty(MARK, "image")
        self._project.addMapLayer(layer, False)
        root = self._project.layerTreeRoot()
        node = None if above is None else root.findLayer(above.id())
        group, place = root, -1
        if node is not None:
            group = node.parent()
            place = group.children().index(node) + 1
        group.insertLayer(place, layer)
        self._id = layer.id()
        return True

    def clear(self) -> None:
        """Remove the image."""
        if self.layer is not None:
            self._project.removeMapLayer(self._id)
        self._id = ""

    def stop(self) -> None:
        """Remove it and listen no more: the plugin is being unloaded."""
        self._project.readProject.disconnect(self._remove_stale)
        self.clear()

    def _remove_stale(self) -> None:
        stale = [
            layer.id()
            for layer in self._project.mapLayers().values()
            if layer.customProperty(MARK) == "image" and layer.id() != self._id
        ]
        self._project.removeMapLayers(stale)


class LitPolygons:
    """Styles the layer of instances so that those of the sample stand out; gives it its own back.

    A form for each polygon drawn would be in the way: there is none meanwhile.
    """

    def __init__(self) -> None:
        self._layer_id = ""
        self._renderer: QgsFeatureRenderer | None = None
        self._form: QgsEditFormConfig | None = None
        self._default = QgsDefaultValue()

    def light(self, layer: QgsVectorLayer, target_id: int | None, beside: Sequence[int]) -> None:
        """Light up a target's polygons, and faintly those of the targets beside it."""
        self._keep(layer)
        ours = [] if target_id is None else [target_id]
        others = [other for other in beside if other != target_id]
        sorting = f"CASE WHEN {_is_one_of(ours)} THEN 0 WHEN {_is_one_of(others)} THEN 1 ELSE 2 END"
        tr = QCoreApplication.translate
        titles = (
            tr("LitPolygons", "this target"),
            tr("LitPolygons", "other targets of the image"),
            tr("LitPolygons", "elsewhere"),
        )
        categories = [
            QgsRendererCategory(kind, _symbol(*_LOOKS[kind]), title)
            for kind, title in enumerate(titles)
        ]
        layer.setRenderer(QgsCategorizedSymbolRenderer(sorting, categories))
        layer.triggerRepaint()

    def put_back(self) -> None:
        """Give the layer its own style and form back."""
        layer = QgsProject.instance().mapLayer(self._layer_id)
        if layer is not None and self._renderer is not None and self._form is not None:
            layer.setRenderer(self._renderer)
            layer.setEditFormConfig(self._form)
            layer.setDefaultValueDefinition(_target_column(layer), self._default)
            layer.removeCustomProperty(MARK)
            layer.triggerRepaint()
        self._layer_id, self._renderer, self._form = "", None, None

    def _keep(self, layer: QgsVectorLayer) -> None:
        if self._layer_id == layer.id():
            return
        if layer.customProperty(MARK):
            # From a project that was saved in the middle of a review.
            layer.loadDefaultStyle()
        self._layer_id = layer.id()
        self._renderer = layer.renderer().clone()
        self._form = layer.editFormConfig()
        self._default = layer.defaultValueDefinition(_target_column(layer))
        layer.setCustomProperty(MARK, "polygons")
        form = layer.editFormConfig()
        form.setSuppress(QgsEditFormConfig.FeatureFormSuppress.SuppressOn)
        layer.setEditFormConfig(form)
        # Review knows the target; QGIS wants a value for it beforehand.
        layer.setDefaultValueDefinition(_target_column(layer), QgsDefaultValue("0"))


def _target_column(layer: QgsVectorLayer) -> int:
    return int(layer.fields().indexOf("target_id"))


def _is_one_of(ids: Sequence[int]) -> str:
    # An empty list is no expression.
    return f'"target_id" IN ({", ".join(map(str, ids))})' if ids else "FALSE"


def _symbol(colour: str, width: str, fill: int, opacity: float) -> QgsFillSymbol:
    symbol = QgsFillSymbol.createSimple(
        {
            "color": f"{colour},{fill}",
            "style": "solid" if fill else "no",
            "outline_color": f"{colour},255",
            "outline_width": width,
            "joinstyle": "miter",
        }
    )
    symbol.setOpacity(opacity)
    return symbol
