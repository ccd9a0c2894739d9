"""Which source of places to search: a server, a file, or a vector layer of the project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from qgis.core import QgsMapLayerProxyModel
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ...ovearth_core.errors import UsageError
from ..inspect.file_choice import open_file

if TYPE_CHECKING:
    from ...ovearth_core.collection.pois.source import PoiSource

FILE, LAYER, OVERPASS, NOMINATIM = "file", "layer", "overpass", "nominatim"


class PlaceSource(QWidget):
    """A kind of source, and what it needs: an address, a path, a layer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = QComboBox(self)
        # A long entry must not widen the dock.
        self.kind.setMinimumContentsLength(8)
        self.kind.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kind.addItem(self.tr("A file (OpenStreetMap, GeoPackage, …)"), FILE)
        self.kind.addItem(self.tr("A vector layer"), LAYER)
        self.kind.addItem(self.tr("Overpass server"), OVERPASS)
        self.kind.addItem(self.tr("Nominatim server"), NOMINATIM)
        self.text = QLineEdit(self)
        self.browse = QPushButton("…", self)
        self.browse.setToolTip(self.tr("Choose a file"))
        self.browse.clicked.connect(self._browse)
        self.layer = QgsMapLayerComboBox(self)
        # Named flags: what is a module's enum in one version is a class's in another.
        self.layer.setFilters(QgsMapLayerProxyModel.Filter.HasGeometry)
        row = QHBoxLayout()
        for widget in (self.text, self.layer):
            row.addWidget(widget, 1)
        row.addWidget(self.browse)
        # Side by side, its entries would be cut off in a narrow dock.
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.kind)
        column.addLayout(row)
        self.kind.currentIndexChanged.connect(self._show)
        self._show()

    def opener(self) -> Callable[[], PoiSource]:
        """Return what opens the source in a task; UsageError where something lacks."""
        kind, text = self.kind.currentData(), self.text.text().strip()
        if kind == LAYER:
            return self._layer_opener()
        if kind == FILE:
            if not text:
                raise UsageError(
                    self.tr("no file is chosen"), self.kind.currentText(), self.tr("choose one")
                )
            return lambda: of_core(text, None)
        return lambda: of_core(kind, text or None)

    def _layer_opener(self) -> Callable[[], PoiSource]:
        from .vector_layer_places import VectorLayerPlaces

        layer = self.layer.currentLayer()
        if layer is None:
            raise UsageError(
                self.tr("no layer is chosen"), self.kind.currentText(), self.tr("choose one")
            )
        # On the main thread: what it needs of the layer it takes now.
        places = VectorLayerPlaces(layer)
        return lambda: places

    def _show(self) -> None:
        kind = self.kind.currentData()
        self.layer.setVisible(kind == LAYER)
        self.text.setVisible(kind != LAYER)
        self.browse.setVisible(kind == FILE)
        self.text.setPlaceholderText(
            self.tr("Path") if kind == FILE else self.tr("Address (empty: the public server)")
        )

    def _browse(self) -> None:
        kinds = self.tr(
            "Places (*.osm *.pbf *.gpkg *.shp *.fgb *.geojson *.json *.csv *.parquet)"
            ";;All files (*)"
        )
        open_file(self, self.tr("File with places"), kinds, self._take)

    def _take(self, path: Path) -> None:
        self.text.setText(str(path))


def of_core(name: str, url: str | None) -> PoiSource:
    """Open one of the core's sources, in the task: it may take long."""
    from ...ovearth_core.collection.answer_cache import AnswerCache, default_folder
    from ...ovearth_core.collection.exchange import Politeness
    from ...ovearth_core.collection.network import network
    from ...ovearth_core.collection.pois.asking import Asking
    from ...ovearth_core.collection.pois.sources import SourceChoice, open_source

    # QGIS's own time-out counts where it is longer: a large query may take minutes.
    silence_s = max(Politeness().silence_s, network().least_wait_s)
    asking = Asking(Politeness(silence_s=silence_s), AnswerCache(default_folder()))
    return open_source(SourceChoice(name, url, None, asking))
