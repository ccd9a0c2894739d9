"""What was drawn and not saved when its layer went away: kept, and drawn again when it can be."""

from __future__ import annotations

from dataclasses import dataclass

from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer, QgsVectorLayerUtils

from .state import ReviewState


@dataclass(frozen=True)
class Unsaved:
    """Polygons that were new, in the layer's CRS, and the image and target they were drawn on.

    sha256: of the image's file, by which it is known again wherever the dataset lies then.
    """

    sha256: str
    target_id: int | None
    polygons: tuple[tuple[QgsGeometry, object, object], ...]

    def belongs_to(self, state: ReviewState) -> bool:
        """Whether what is shown now is what they were drawn on."""
        sample = state.sample
        if sample is None or sample.image.sha256 != self.sha256:
            return False
        target = sample.target
        return self.target_id == (None if target is None else target.id)

    def draw_again(self, layer: QgsVectorLayer) -> None:
        """Put them into a layer that is edited, as if they had just been drawn."""
        fields = layer.fields()
        origin, note = fields.indexOf("origin"), fields.indexOf("origin_note")
        for geometry, how, with_what in self.polygons:
            feature = QgsVectorLayerUtils.createFeature(
                layer, geometry, {origin: how, note: with_what}, layer.createExpressionContext()
            )
            layer.beginEditCommand("OVEarth")
            layer.addFeature(feature)
            layer.endEditCommand()


def unsaved_of(layer: QgsVectorLayer, state: ReviewState) -> Unsaved | None:
    """Return what is new in a layer's buffer, None where nothing is."""
    sample, buffer = state.sample, layer.editBuffer()
    added = [] if buffer is None else list(buffer.addedFeatures().values())
    if not added or sample is None or not sample.image.sha256:
        return None
    target = sample.target
    return Unsaved(
        sample.image.sha256, None if target is None else target.id, tuple(map(_kept, added))
    )


def _kept(feature: QgsFeature) -> tuple[QgsGeometry, object, object]:
    # A copy of its own: the layer's goes with the layer.
    shape = QgsGeometry()
    shape.fromWkb(feature.geometry().asWkb())
    return shape, feature.attribute("origin"), feature.attribute("origin_note")
