"""The row of choices that say which queries the table shows."""

from __future__ import annotations

from collections.abc import Sequence

from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from ...ovearth_core.benchmark import TASKS
from ...ovearth_core.benchmark.object_size import SIZES
from ...ovearth_core.scoring.error_kinds import KINDS
from ..flow import Flow
from .state import InspectState
from .words import shown


class FilterBar(QWidget):
    """A box of choices each for task, domain, category, size and error kind."""

    def __init__(self, state: InspectState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.task = self._choice("tasks", self.tr("All tasks"))
        self.domain = self._choice("domains", self.tr("All domains"))
        self.category = self._choice("categories", self.tr("All categories"))
        self.size = self._choice("sizes", self.tr("All sizes"))
        self.kind = self._choice("kinds", self.tr("All outcomes"))
        for box, tip in (
            (self.task, self.tr("Only queries of one task: how the model was asked")),
            (self.domain, self.tr("Only queries whose category is of one domain")),
            (self.category, self.tr("Only queries of one category")),
            (
                self.size,
                self.tr("By the target's pixels: small below 32², medium below 96², large above"),
            ),
            (self.kind, self.tr("Only queries that run A got wrong in one way, or right")),
        ):
            box.setToolTip(tip)
        self.better = QCheckBox(self.tr("B better than A"), self)
        self.better.setToolTip(self.tr("Only queries at which run B is better than run A"))
        self.better.toggled.connect(lambda is_on: state.filter(is_better=is_on))
        self.worst = QPushButton(self.tr("Worst first"), self)
        self.worst.setToolTip(
            self.tr("Order by IoU (masks) or F1 (boxes), the most wrong ones first")
        )
        self.worst.clicked.connect(lambda: state.sort(None))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        choices = (self.task, self.domain, self.category, self.size, self.kind)
        row.addWidget(Flow((*choices, self.better, self.worst), self))
        state.benchmark_changed.connect(self._benchmark_changed)
        state.runs_changed.connect(self._runs_changed)
        self._fill(self.task, TASKS)
        self._fill(self.size, SIZES)
        self._fill(self.kind, KINDS)
        self._runs_changed()

    def choose_category(self, name: str) -> None:
        """Show the queries of one category."""
        place = self.category.findData(name)
        if place >= 0:
            self.category.setCurrentIndex(place)

    def _choice(self, key: str, everything: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(f"ovearth_filter_{key}")
        box.addItem(everything, None)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(9)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.currentIndexChanged.connect(lambda _: self._chosen(key, box))
        return box

    def _chosen(self, key: str, box: QComboBox) -> None:
        word = box.currentData()
        self._state.filter(**{key: None if word is None else (word,)})

    def _fill(self, box: QComboBox, words: Sequence[str]) -> None:
        box.blockSignals(True)
        while box.count() > 1:
            box.removeItem(1)
        for word in words:
            box.addItem(shown(word), word)
        box.setCurrentIndex(0)
        box.blockSignals(False)

    def _benchmark_changed(self) -> None:
        facts = self._state.inspected.facts
        self._fill(self.domain, facts.domain_names)
        self._fill(self.category, facts.category_names)
        for box in (self.task, self.size, self.kind):
            box.blockSignals(True)
            box.setCurrentIndex(0)
            box.blockSignals(False)

    def _runs_changed(self) -> None:
        can_compare = self._state.second is not None
        self.better.setEnabled(can_compare)
        if not can_compare and self.better.isChecked():
            self.better.blockSignals(True)
            self.better.setChecked(False)
            self.better.blockSignals(False)
