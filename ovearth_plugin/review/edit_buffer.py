"""What was drawn and is not saved yet, as QGIS's edit buffer holds it: looked at, and filled in.

All functions take a layer of instances that is being edited.
"""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import QgsFeature, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QDateTime

from ...ovearth_core.dataset.blob import Polygons, polygons_of_wkb
from ..compat import given
from .coordinates import in_one_piece


def touched(layer: QgsVectorLayer) -> set[int]:
    """Return the ids of stored features that the layer has changes of."""
    buffer = layer.editBuffer()
    ids = {*buffer.changedGeometries(), *buffer.changedAttributeValues()}
    return {feature_id for feature_id in (*ids, *buffer.deletedFeatureIds()) if feature_id >= 0}


def targets_of_new(layer: QgsVectorLayer) -> set[int]:
    """Return the targets that new polygons belong to, as far as they were given one."""
    column = layer.fields().indexOf("target_id")
    added = layer.editBuffer().addedFeatures().values()
    targets = (given(feature.attribute(column)) for feature in added)
    return {int(target) for target in targets if target}


def without_target(layer: QgsVectorLayer) -> list[int]:
    """Return the ids of new polygons that belong to no target yet."""
    column = layer.fields().indexOf("target_id")
    return [
        feature_id
        for feature_id, feature in layer.editBuffer().addedFeatures().items()
        if not given(feature.attribute(column))
    ]


def give_target(layer: QgsVectorLayer, feature_ids: Iterable[int], target_id: int | None) -> None:
    """Say which target features belong to; 0: to none after all."""
    column = layer.fields().indexOf("target_id")
    for feature_id in feature_ids:
        layer.changeAttributeValue(feature_id, column, target_id)


def polygons_of(feature: QgsFeature) -> Polygons:
    """Return a feature's polygons in its layer's CRS, as the core takes them."""
    return polygons_of_wkb(bytes(feature.geometry().asWkb()))[0]


def origin_of(feature: QgsFeature) -> tuple[str, str | None]:
    """Return how a new polygon came about, and with what."""
    return given(feature.attribute("origin")) or "drawn", given(feature.attribute("origin_note"))


def drop(layer: QgsVectorLayer, feature_ids: Iterable[int]) -> None:
    """Take features out of the buffer: they are stored."""
    if sip.isdeleted(layer) or not layer.isEditable():
        return
    for feature_id in feature_ids:
        layer.deleteFeature(feature_id)
    if not layer.isModified():
        layer.undoStack().clear()
    layer.triggerRepaint()


def join_across_antimeridian(layer: QgsVectorLayer, middle_lon: float) -> None:
    """Let polygons in degrees be in one piece about a longitude, as the dataset keeps them."""
    buffer = layer.editBuffer()
    shapes = {key: f.geometry() for key, f in buffer.addedFeatures().items()}
    for feature_id, geometry in {**shapes, **buffer.changedGeometries()}.items():
        joined = in_one_piece(geometry, middle_lon)
        if joined is not None:
            layer.changeGeometry(feature_id, joined)


def sign(layer: QgsVectorLayer, name: str) -> None:
    """Say who draws, where QGIS's own form has not."""
    fields, buffer = layer.fields(), layer.editBuffer()
    now = QDateTime.currentDateTimeUtc()
    by, at = fields.indexOf("created_by"), fields.indexOf("created_at")
    for feature_id, feature in buffer.addedFeatures().items():
        # A copy of another one carries that one's name.
        if given(feature.attribute(by)) != name:
            layer.changeAttributeValue(feature_id, by, name)
        if not given(feature.attribute(at)):
            layer.changeAttributeValue(feature_id, at, now)
        column = fields.indexOf("origin")
        if not given(feature.attribute(column)):
            layer.changeAttributeValue(feature_id, column, "drawn")
    by, at = fields.indexOf("changed_by"), fields.indexOf("changed_at")
    for feature_id in buffer.addedFeatures():
        # The form's defaults sign a change too; what is new was changed by nobody.
        for column in (by, at):
            layer.changeAttributeValue(feature_id, column, None, None, True)
    for feature_id in buffer.changedGeometries():
        layer.changeAttributeValue(feature_id, by, name)
        layer.changeAttributeValue(feature_id, at, now)
