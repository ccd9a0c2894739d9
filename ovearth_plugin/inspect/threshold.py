"""What is looked at: masks or boxes, and from which IoU on a box counts as found."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSlider, QWidget

from ...ovearth_core.inspection.outcomes import STEPS
from .state import InspectState
from .words import shown


class Threshold(QWidget):
    """A box of choices for the modality, and a slider for the IoU threshold."""

    def __init__(self, state: InspectState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.modality = QComboBox(self)
        self.modality.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.modality.setToolTip(self.tr("What of the runs is looked at"))
        self.modality.activated.connect(
            lambda _: state.choose_modality(self.modality.currentData())
        )
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, len(STEPS) - 1)
        self.slider.setPageStep(2)
        self.slider.setValue(state.step)
        self.slider.setToolTip(
            self.tr("The least IoU at which a box is matched, and a mask well placed")
        )
        self.slider.valueChanged.connect(state.choose_step)
        self.value = QLabel(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.modality)
        layout.addWidget(QLabel(self.tr("IoU ≥"), self))
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.value)
        state.step_changed.connect(self._show_value)
        state.runs_changed.connect(self._runs_changed)
        state.modality_changed.connect(self._show_modality)
        self._show_value()
        self._runs_changed()

    def _show_value(self) -> None:
        self.value.setText(f"{self._state.threshold:.2f}")

    def _show_modality(self) -> None:
        self.modality.setCurrentIndex(self.modality.findData(self._state.modality))

    def _runs_changed(self) -> None:
        self.modality.clear()
        for name in self._state.modalities:
            self.modality.addItem(shown(name), name)
        self._show_modality()
        self.modality.setEnabled(self.modality.count() > 0)
        self.slider.setEnabled(bool(self._state.modality))
