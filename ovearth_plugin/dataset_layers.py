"""The layers of the open dataset: from its GeoPackage itself, with the styles that lie in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qgis.core import (
    QgsLayerTreeGroup,
    QgsLayerTreeNode,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QObject, QTimer, pyqtSignal

# On layers and the group, so that those of a saved project are known again.
MARK = "ovearth/dataset"

# As they lie in the group, the uppermost first; then those without a place on the map.
_DRAWN = ("pois", "obb", "hbb", "instances", "images")
_TABLES = ("targets", "queries", "reviews", "categories")


class DatasetLayers(QObject):
    """The group in the project's layer tree with the dataset's layers, by the tables' names.

    Layers of the same file that the project has already are taken instead of new ones. `lost`: the
    names of tables whose layer someone removed.
    """

    lost = pyqtSignal(list)

    def __init__(self) -> None:
        super().__init__()
        self._project = QgsProject.instance()
        self._ids: dict[str, str] = {}
        self._path: Path | None = None
        self._is_removing = False
        self._project.layersWillBeRemoved.connect(self._will_go)

    def layer(self, table: str) -> QgsVectorLayer | None:
        """Return the layer of a table, None where it was removed."""
        return self._project.mapLayer(self._ids.get(table, ""))

    def show(self, path: Path, is_read_only: bool, then: Callable[[], None]) -> None:
        """Add what lacks, a layer at a time so that the window has its turn; then call `then`."""
        self._path = path
        waiting = [table for table in (*_DRAWN, *_TABLES) if self.layer(table) is None]
        self._show_next(path, waiting, is_read_only, then)

    def reload(self, *tables: str) -> None:
        """Show what was written by others than QGIS; features that are being edited stay."""
        for table in tables or tuple(self._ids):
            layer = self.layer(table)
            if layer is not None:
                layer.dataProvider().reloadData()
                layer.triggerRepaint()

    def repaint(self, *tables: str) -> None:
        """Draw layers anew whose rows changed, but are as many as before."""
        for table in tables:
            layer = self.layer(table)
            if layer is not None:
                layer.triggerRepaint()

    def uncover(self) -> None:
        """Put the group above the rasters of the project, which would hide what is drawn."""
        group, root = self._found_group(), self._project.layerTreeRoot()
        if group is None or group.parent() is not root:
            return
        above = root.children()[: root.children().index(group)]
        if any(_shows_raster(node) for node in above):
            # A node can't be moved: its copy holds the same layers.
            root.insertChildNode(0, group.clone())
            root.removeChildNode(group)

    @property
    def edited(self) -> list[str]:
        """The tables whose layer has changes that are not saved."""
        layers = ((table, self.layer(table)) for table in self._ids)
        return [table for table, layer in layers if layer is not None and layer.isModified()]

    def clear(self) -> None:
        """Remove the dataset's layers, and the group unless someone put another into it."""
        self._path = None
        ids = [found for found in self._ids.values() if self._project.mapLayer(found) is not None]
        self._ids = {}
        self._is_removing = True
        self._project.removeMapLayers(ids)
        self._is_removing = False
        group = self._found_group()
        if group is not None and not group.findLayers():
            group.parent().removeChildNode(group)

    def stop(self) -> None:
        """Listen no more; the layers stay in the project, which is a person's: plugin unloaded."""
        self._path = None
        self._project.layersWillBeRemoved.disconnect(self._will_go)

    def _show_next(
        self, path: Path, waiting: list[str], is_read_only: bool, then: Callable[[], None]
    ) -> None:
        # Closed or unloaded meanwhile, or another one was opened.
        if self._path != path:
            return
        if not waiting:
            then()
            return
        self._add(path, waiting[0], is_read_only)
        QTimer.singleShot(0, lambda: self._show_next(path, waiting[1:], is_read_only, then))

    def _add(self, path: Path, table: str, is_read_only: bool) -> None:
        from ..ovearth_core.dataset.styles import name_in_file

        layer = self._in_project(path, table)
        if layer is None:
            # The forms find each other's layers by the names that QGIS gives them itself.
            layer = QgsVectorLayer(f"{path}|layername={table}", name_in_file(table), "ogr")
            if not layer.isValid():
                return
            self._project.addMapLayer(layer, False)
            self._place_of(table).addLayer(layer)
        layer.setReadOnly(is_read_only)
        layer.setCustomProperty(MARK, table)
        self._ids[table] = layer.id()

    def _in_project(self, path: Path, table: str) -> QgsVectorLayer | None:
        for layer in self._project.mapLayers().values():
            if isinstance(layer, QgsVectorLayer) and _is_of(layer, path, table):
                return layer
        return None

    def _place_of(self, table: str) -> QgsLayerTreeGroup:
        group = self._found_group()
        if group is None:
            title = QCoreApplication.translate("DatasetLayers", "OVEarth dataset")
            group = self._project.layerTreeRoot().insertGroup(0, title)
            group.setCustomProperty(MARK, "all")
        if table in _DRAWN:
            return group
        inner = next((g for g in group.findGroups() if g.customProperty(MARK) == "tables"), None)
        if inner is None:
            inner = group.addGroup(QCoreApplication.translate("DatasetLayers", "Tables"))
            inner.setCustomProperty(MARK, "tables")
            inner.setExpanded(False)
        return inner

    def _found_group(self) -> QgsLayerTreeGroup | None:
        groups = self._project.layerTreeRoot().findGroups(True)
        return next((group for group in groups if group.customProperty(MARK) == "all"), None)

    def _will_go(self, layer_ids: list[str]) -> None:
        gone = [table for table, layer_id in self._ids.items() if layer_id in layer_ids]
        for table in gone:
            del self._ids[table]
        if gone and not self._is_removing:
            self.lost.emit(gone)


def _shows_raster(node: QgsLayerTreeNode) -> bool:
    layers = node.findLayers() if isinstance(node, QgsLayerTreeGroup) else [node]
    return any(found.isVisible() and isinstance(found.layer(), QgsRasterLayer) for found in layers)


def _is_of(layer: QgsMapLayer, path: Path, table: str) -> bool:
    source, *options = layer.source().split("|")
    return f"layername={table}" in options and Path(source) == path and layer.isValid()
