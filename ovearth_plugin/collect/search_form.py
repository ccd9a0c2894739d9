"""What to search for places: where, in which source, how many, how far apart."""

from __future__ import annotations

from collections.abc import Callable

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.collection.imagery import ImagerySpec
from ...ovearth_core.collection.pois.choosing import Wishes
from ...ovearth_core.collection.pois.search import SearchResult
from ...ovearth_core.errors import OVEarthError
from ..flow import Flow, beside
from ..messages import Messages
from ..settings import person
from ..tasks import CoreTask, Tasks, failure_of
from .area_choice import AreaChoice
from .place_source import PlaceSource
from .places_search import PlacesSearch
from .state import CollectState

_MOST = 1_000_000


class SearchForm(QWidget):
    """The form, its button, and what came of the last search.

    imagery: gives the imagery that is chosen; UsageError or InputError where there is none.
    """

    def __init__(
        self,
        state: CollectState,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        imagery: Callable[[], ImagerySpec],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._tasks = tasks
        self._messages = messages
        self._imagery = imagery
        self._task: CoreTask | None = None
        self.area = AreaChoice(canvas, self)
        self.source = PlaceSource(self)
        self.limit = _spin(self, _MOST, 10)
        self.limit.setSpecialValueText(self.tr("all"))
        self.limit.setToolTip(self.tr("Places of each category; what the dataset has counts"))
        self.spacing = QDoubleSpinBox(self)
        self.spacing.setRange(0.0, 1e6)
        self.spacing.setDecimals(0)
        self.spacing.setSuffix(" m")
        self.spacing.setToolTip(self.tr("True metres between any two places"))
        self.seed = _spin(self, 2**31 - 1, 0)
        self.seed.setToolTip(self.tr("Another seed draws another sample"))
        self.on_imagery = QCheckBox(self.tr("Only where the imagery is"), self)
        self.on_imagery.setToolTip(self.tr("Drop places outside of the imagery chosen below"))
        self.start = QPushButton(self.tr("Search"), self)
        self.start.clicked.connect(self._search)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.clicked.connect(self.stop)
        self.said = QLabel(self)
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lay_out()
        state.categories_changed.connect(self._refresh)
        state.open_dataset.opened.connect(self._refresh)
        state.open_dataset.closed.connect(self._closed)
        self._refresh()

    def stop(self) -> None:
        """Cancel the search; nothing of it is stored."""
        if self._task is not None:
            self._task.cancel()

    def _lay_out(self) -> None:
        wishes = Flow(
            (
                beside(self.tr("Limit"), self.limit, self),
                beside(self.tr("Spacing"), self.spacing, self),
                beside(self.tr("Seed"), self.seed, self),
                self.on_imagery,
            ),
            self,
        )
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.start)
        form = QFormLayout()
        form.addRow(self.tr("Area"), self.area)
        form.addRow(self.tr("Source"), self.source)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addWidget(wishes)
        column.addLayout(buttons)
        column.addWidget(self.said)

    def _closed(self) -> None:
        self.stop()
        self.said.clear()
        self._refresh()

    def _refresh(self) -> None:
        is_running = self._task is not None
        is_there = self._state.open_dataset.dataset is not None
        self.start.setEnabled(is_there and bool(self._state.categories) and not is_running)
        self.cancel.setVisible(is_running)
        count = len(self._state.categories)
        self.start.setToolTip(
            self.tr("Search the area for places of {} ticked categories").format(count)
            if count
            else self.tr("Tick categories in the tree first")
        )

    def _search(self) -> None:
        dataset = self._state.open_dataset.ready()
        if dataset is None:
            return
        # What the last one found is not to stand there if this one fails.
        self.said.clear()
        try:
            job = PlacesSearch(
                dataset,
                self.source.opener(),
                tuple(self._state.categories),
                self.area.area(),
                Wishes(self.limit.value() or None, self.spacing.value(), self.seed.value()),
                person(),
                self._imagery() if self.on_imagery.isChecked() else None,
            )
        except OVEarthError as fault:
            self._messages.failure(failure_of(fault))
            return
        self.said.setText(self.tr("Searching…"))
        self._task = self._tasks.start(
            self.tr("Search for places"), job.run, self._found, self._failed, ended=self._ended
        )
        self._refresh()

    def _ended(self) -> None:
        self._task = None
        self.said.clear()
        self._refresh()

    def _failed(self, failure) -> None:
        self._messages.failure(failure)

    def _found(self, result: SearchResult) -> None:
        choice = result.choice
        found = sum(result.found.values())
        parts = [self.tr("{} found, {} new candidates").format(found, len(choice.chosen))]
        parts += [f"{count} {reason}" for reason, count in choice.counts.items()]
        self.said.setText("; ".join(parts) + ".")
        lacking = [c.name for c in self._state.categories if not c.osm]
        if lacking and not found:
            self.said.setText(
                self.said.text()
                + " "
                + self.tr("OpenStreetMap has no tags for {}.").format(", ".join(lacking))
            )
        self._state.open_dataset.wrote("pois", "categories")


def _spin(parent: QWidget, most: int, value: int) -> QSpinBox:
    spin = QSpinBox(parent)
    spin.setRange(0, most)
    spin.setValue(value)
    return spin
