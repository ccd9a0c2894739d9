"""What the map would show with run B in the place of run A."""

from __future__ import annotations

from qgis.core import QgsMapLayer, QgsProject


def layers_of_b(layer_of_b: QgsMapLayer, id_of_a: str) -> list[QgsMapLayer]:
    """Return the project's shown layers, the uppermost first, B's instead of A's.

    Without A's, B's lies on top. Layers that a person unticked aren't shown.
    """
    root = QgsProject.instance().layerTreeRoot()
    nodes = ((layer, root.findLayer(layer.id())) for layer in root.layerOrder())
    shown = [layer for layer, node in nodes if node is not None and node.isVisible()]
    if QgsProject.instance().mapLayer(id_of_a) is None:
        return [layer_of_b, *shown]
    return [layer_of_b if layer.id() == id_of_a else layer for layer in shown]
