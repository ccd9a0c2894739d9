"""Which imagery to cut patches from, how large and how fine."""

from __future__ import annotations

from qgis.core import QgsMapLayerProxyModel, QgsRasterLayer
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from ...ovearth_core.collection.imagery import ImagerySpec
from ...ovearth_core.collection.patches.grid import PatchShape
from ...ovearth_core.errors import UsageError
from ..crs_text import crs_text
from ..flow import Flow, with_room
from .layer_imagery import LayerImagery

LAYER, SPEC = "layer", "spec"
PIXELS, METRES, USUAL = "pixels", "metres", "usual"


class ImageryForm(QWidget):
    """The imagery's layer or address, and the patches' shape. `changed`: either is another."""

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = QComboBox(self)
        # A long entry must not widen the dock.
        self.kind.setMinimumContentsLength(8)
        self.kind.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.kind.addItem(self.tr("A raster layer"), LAYER)
        self.kind.addItem(self.tr("An address (STAC, XYZ, WMS, file)"), SPEC)
        self.layer = QgsMapLayerComboBox(self)
        self.layer.setFilters(QgsMapLayerProxyModel.Filter.RasterLayer)
        self.text = QLineEdit(self)
        self.text.setPlaceholderText("stac:https://…/catalog.json?date=2023&cloud=20&dates=seasons")
        self.size_kind = QComboBox(self)
        self.size_kind.addItem(self.tr("pixels"), PIXELS)
        self.size_kind.addItem(self.tr("metres"), METRES)
        self.size_kind.addItem(self.tr("as usual for the category"), USUAL)
        self.size = QSpinBox(self)
        self.size.setRange(1, 20_000)
        self.size.setValue(1024)
        self.gsd = QDoubleSpinBox(self)
        self.gsd.setRange(0.0, 1000.0)
        self.gsd.setDecimals(3)
        self.gsd.setSuffix(self.tr(" m a pixel"))
        self.gsd.setSpecialValueText(self.tr("the imagery's own"))
        self.gsd.setToolTip(self.tr("Metres of true ground a pixel"))
        self.license = QLineEdit(self)
        self.license.setPlaceholderText(self.tr("Licence, if known"))
        self.license.setToolTip(self.tr("Under which the pixels may be handed on: CC-BY-4.0"))
        self.attribution = QLineEdit(self)
        self.attribution.setPlaceholderText(self.tr("Attribution"))
        self.date = QLineEdit(self)
        self.date.setPlaceholderText(self.tr("Date"))
        self.date.setToolTip(self.tr("When it was taken: 2021-05-03"))
        self._lay_out()
        for signal in (
            self.kind.currentIndexChanged, self.layer.layerChanged, self.text.textChanged,
            self.size_kind.currentIndexChanged, self.size.valueChanged, self.gsd.valueChanged,
            self.license.textChanged, self.attribution.textChanged, self.date.textChanged,
        ):  # fmt: skip
            signal.connect(lambda *_: self._show())
        self._show()

    def shape(self) -> PatchShape:
        """Return the patches' shape."""
        kind, size, gsd = self.size_kind.currentData(), self.size.value(), self.gsd.value()
        return PatchShape(
            size if kind == PIXELS else None, float(size) if kind == METRES else None, gsd or None
        )

    def prepared(self) -> tuple[ImagerySpec, LayerImagery | None]:
        """Return the imagery, and the layer that was made ready for it, to be released after use.

        On the main thread. Raises UsageError where nothing is chosen, InputError for a layer that
        can't be imagery.
        """
        given = ImagerySpec(
            self.text.text().strip(),
            self.license.text().strip() or None,
            self.attribution.text().strip() or None,
            self.date.text().strip() or None,
        )
        if self.kind.currentData() == SPEC:
            if not given.text:
                raise UsageError(
                    self.tr("no imagery is chosen"), self.kind.currentText(),
                    self.tr("write its address"),
                )  # fmt: skip
            return given, None
        layer = self.layer.currentLayer()
        if layer is None:
            raise UsageError(
                self.tr("no imagery is chosen"), self.kind.currentText(),
                self.tr("add a raster layer to the project, and choose it"),
            )  # fmt: skip
        prepared = LayerImagery(layer, given)
        return prepared.with_gsd(self.gsd.value() or None), prepared

    def native_m(self) -> float | None:
        """Return about how many metres a pixel of the chosen layer has, None where unknown."""
        layer = self.layer.currentLayer()
        if self.kind.currentData() != LAYER or layer is None or not layer.isValid():
            return None
        return _native_m(layer)

    def _lay_out(self) -> None:
        imagery, size = QHBoxLayout(), QHBoxLayout()
        imagery.addWidget(self.kind)
        imagery.addWidget(self.layer, 1)
        imagery.addWidget(self.text, 1)
        size.addWidget(self.size)
        size.addWidget(self.size_kind, 1)
        lines = (self.license, self.attribution, self.date)
        terms = Flow(map(with_room, lines), self)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("Imagery"), imagery)
        form.addRow(self.tr("Size"), size)
        form.addRow(self.tr("Fineness"), self.gsd)
        form.addRow(self.tr("Terms"), terms)

    def _show(self) -> None:
        is_layer = self.kind.currentData() == LAYER
        self.layer.setVisible(is_layer)
        self.text.setVisible(not is_layer)
        self.size.setVisible(self.size_kind.currentData() != USUAL)
        self.changed.emit()


def _native_m(layer: QgsRasterLayer) -> float | None:
    """Return the ground metres of a pixel in the middle of a layer, roughly; for the frame only."""
    if crs_text(layer.crs()) is None:
        return None
    levels = layer.dataProvider().nativeResolutions() if layer.providerType() == "wms" else []
    is_drawn = layer.providerType() == "wms" and not levels
    pixel = min(levels) if levels else layer.rasterUnitsPerPixelX()
    if is_drawn or not pixel > 0.0:
        return None
    from ...ovearth_core.frame import ImageFrame

    centre = layer.extent().center()
    frame = ImageFrame(
        crs_text(layer.crs()), (pixel, 0.0, centre.x(), 0.0, -pixel, centre.y()), 1, 1
    )
    return frame.gsd()
