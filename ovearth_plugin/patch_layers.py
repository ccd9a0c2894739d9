"""Patches on the map: raster layers from their files, in a group below the dataset's."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsLayerTreeGroup, QgsProject, QgsRasterLayer, QgsUnitTypes
from qgis.PyQt.QtCore import QCoreApplication, QObject, QTimer

from .compat import METRES

MARK = "ovearth/patches"
# A layer for each of thousands would drown the tree: others are shown one by one. QGIS gets each
# layer ready on the main thread whenever it draws the map, a millisecond or more for a raster.
MOST = 20
# A patch that is drawn smaller than this on the screen shows nothing; its outline is there.
_LEAST_SIDE_M = 8 * 0.0254 / 96
_PAUSE_MS = 10


class PatchLayers(QObject):
    """The group of patches; a layer is added at a time, so that the window has its turn."""

    def __init__(self) -> None:
        super().__init__()
        self._project = QgsProject.instance()
        self._waiting: list[Path] = []
        self._layer: QgsRasterLayer | None = None
        self._project.cleared.connect(self._forget)

    def show(self, files: list[Path]) -> None:
        """Add the first of these files, of which no layer is there."""
        there = {
            Path(layer.source())
            for layer in self._project.mapLayers().values()
            if layer.customProperty(MARK)
        }
        is_idle = not self._waiting and self._layer is None
        self._waiting += [path for path in files[:MOST] if path not in there]
        if is_idle and self._waiting:
            QTimer.singleShot(0, self._add_next)

    def stop(self) -> None:
        """Add no more; layers stay: the plugin is being unloaded."""
        self._project.cleared.disconnect(self._forget)
        self._forget()

    def _forget(self) -> None:
        self._waiting, self._layer = [], None

    def _add_next(self) -> None:
        if not self._waiting:
            return
        path = self._waiting.pop(0)
        layer = QgsRasterLayer(str(path), path.stem)
        if not layer.isValid():
            QTimer.singleShot(_PAUSE_MS, self._add_next)
            return
        layer.setCustomProperty(MARK, 1)
        layer.setScaleBasedVisibility(True)
        layer.setMinimumScale(_side_m(layer) / _LEAST_SIDE_M)
        self._layer = layer
        # To read its file and to begin to draw it are a turn each.
        QTimer.singleShot(_PAUSE_MS, self._add_layer)

    def _add_layer(self) -> None:
        layer, self._layer = self._layer, None
        if layer is None:
            return
        self._project.addMapLayer(layer, False)
        self._group().addLayer(layer).setExpanded(False)
        QTimer.singleShot(_PAUSE_MS, self._add_next)

    def _group(self) -> QgsLayerTreeGroup:
        root = self._project.layerTreeRoot()
        found = next((g for g in root.findGroups(True) if g.customProperty(MARK)), None)
        if found is None:
            found = root.addGroup(QCoreApplication.translate("PatchLayers", "OVEarth patches"))
            found.setCustomProperty(MARK, 1)
            found.setExpanded(False)
        return found


def _side_m(layer: QgsRasterLayer) -> float:
    """Return about how many metres the longer side of a layer's extent is."""
    extent, unit = layer.extent(), layer.crs().mapUnits()
    metres = QgsUnitTypes.fromUnitToUnitFactor(unit, METRES)
    return max(extent.width(), extent.height()) * metres
