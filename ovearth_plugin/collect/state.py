"""What Collect is at: the categories chosen, the shape of patches, the place looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.collection.patches.grid import PatchShape
from ..open_dataset import OpenDataset

if TYPE_CHECKING:
    from ...ovearth_core.dataset import PoiRow
    from ...ovearth_core.taxonomy import Category, Taxonomy


class CollectState(QObject):
    """One place that the tab's widgets read from and write to.

    taxonomy_changed: it is there, or none is. categories_changed: others are chosen.
    shape_changed: patches are to be of another size. poi_changed: another place is looked at, or
    it changed, or none is.
    """

    taxonomy_changed = pyqtSignal()
    categories_changed = pyqtSignal()
    shape_changed = pyqtSignal()
    poi_changed = pyqtSignal()

    def __init__(self, open_dataset: OpenDataset) -> None:
        super().__init__()
        self.open_dataset = open_dataset
        self.taxonomy: Taxonomy | None = None
        self.categories: list[Category] = []
        self.shape = PatchShape()
        # Metres a pixel of the imagery that is chosen, where it is known.
        self.native_m: float | None = None
        self.poi: PoiRow | None = None

    def set_taxonomy(self, taxonomy: Taxonomy | None) -> None:
        """Take the taxonomy whose categories are chosen from."""
        self.taxonomy = taxonomy
        self.choose([])
        self.taxonomy_changed.emit()

    def choose(self, categories: list[Category]) -> None:
        """Choose categories."""
        self.categories = categories
        self.categories_changed.emit()

    def set_shape(self, shape: PatchShape, native_m: float | None) -> None:
        """Choose the patches' size."""
        self.shape, self.native_m = shape, native_m
        self.shape_changed.emit()

    def look_at(self, poi: PoiRow | None) -> None:
        """Look at a place."""
        self.poi = poi
        self.poi_changed.emit()

    def category_of(self, poi: PoiRow) -> Category | None:
        """Return the category of a place, where the taxonomy has it."""
        if self.taxonomy is None or poi.category_id is None:
            return None
        return self.taxonomy.known(poi.category_id)

    def usual_m(self, poi: PoiRow) -> float | None:
        """Return the largest usual size of what is at a place, in metres, if known."""
        category = self.category_of(poi)
        return None if category is None or category.size_m is None else category.size_m[1]
