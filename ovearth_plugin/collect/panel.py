"""The tab Collect: its widgets in their places."""

from __future__ import annotations

from collections.abc import Callable

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from ...ovearth_core.collection.imagery import ImagerySpec
from ...ovearth_core.collection.wanted import set_wanted, wanted_numbers
from ...ovearth_core.dataset import Dataset
from ...ovearth_core.dataset.tallies import CategoryTally, category_tallies
from ...ovearth_core.taxonomy import Taxonomy, load
from ..keys import Keys
from ..keys_dialog import KeysDialog
from ..messages import Messages
from ..open_dataset import OpenDataset
from ..settings import person
from ..tasks import Failure, Tasks
from .category_tree import CategoryTree
from .dataset_row import DatasetRow
from .patch_panel import PatchPanel
from .search_form import SearchForm
from .state import CollectState
from .stepper import Stepper

# What follows a write is counted when steps pause.
_PAUSE_MS = 300
Tallies = tuple[dict[int, CategoryTally], dict[str, int]]


class CollectPanel(QWidget):
    """From categories by way of places to patches, on the window's map."""

    def __init__(
        self,
        open_dataset: OpenDataset,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_dataset = open_dataset
        self._tasks = tasks
        self._messages = messages
        self.state = CollectState(open_dataset)
        self.dataset_row = DatasetRow(open_dataset, self)
        self.tree = CategoryTree(self.state, self)
        self.patches = PatchPanel(self.state, tasks, messages, self)
        self.search = SearchForm(self.state, canvas, tasks, messages, self._imagery, self)
        self.stepper = Stepper(self.state, canvas, tasks, messages, self)
        self.keys = Keys(self, canvas, self.stepper.counts)
        for name, default, button in zip(
            ("accept", "reject", "undo", "next"), "ARUN", self.stepper.buttons, strict=True
        ):
            self.keys.add(f"collect/{name}", default, button)
        self.stepper.change_keys.clicked.connect(lambda: KeysDialog(self.keys, self).open())
        self._lay_out()
        self._counting = QTimer(self)
        self._counting.setSingleShot(True)
        self._counting.setInterval(_PAUSE_MS)
        self._counting.timeout.connect(self._count)
        self.tree.wanted_changed.connect(self._set_wanted)
        self.tree.wanted_refused.connect(messages.warn)
        open_dataset.opened.connect(self._opened)
        open_dataset.closed.connect(lambda: self.state.set_taxonomy(None))
        open_dataset.changed.connect(lambda _: self._counting.start())

    def stop(self) -> None:
        """Take everything off the map: the plugin is being unloaded."""
        self._counting.stop()
        self.search.stop()
        self.search.area.stop()
        self.patches.stop()
        self.patches.results.layers.stop()
        self.keys.stop()
        self.stepper.stop()

    def hideEvent(self, event) -> None:  # noqa: N802
        """Leave the map to the tab that is shown, or to QGIS when the dock is closed."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.stepper.tool.rest()

    def showEvent(self, event) -> None:  # noqa: N802
        """Show again what was looked at."""
        super().showEvent(event)
        self.stepper.tool.wake()

    def _lay_out(self) -> None:
        places = QWidget(self)
        column = QVBoxLayout(places)
        column.setContentsMargins(4, 4, 4, 4)
        split = QSplitter(Qt.Orientation.Vertical, places)
        split.addWidget(self.tree)
        split.addWidget(self.search)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 0)
        column.addWidget(split, 1)
        column.addWidget(self.stepper)
        self.tabs = QTabWidget(self)
        self.tabs.addTab(places, self.tr("Places"))
        self.tabs.addTab(self.patches, self.tr("Patches"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self.dataset_row)
        layout.addWidget(self.tabs, 1)

    def _imagery(self) -> ImagerySpec:
        """Return the chosen imagery, for places to be looked for on it alone."""
        return self.patches.imagery.prepared()[0]

    def _opened(self) -> None:
        dataset = self._open_dataset.dataset
        if dataset is None:
            return

        def read() -> tuple[Taxonomy, Tallies]:
            return load(), _tallies(dataset)

        def show(found: tuple[Taxonomy, Tallies]) -> None:
            if self._open_dataset.dataset is dataset:
                self.state.set_taxonomy(found[0])
                self.tree.show_tallies(*found[1])

        self._tasks.in_turn(read, show, self._failed_of(dataset))

    def _count(self) -> None:
        """Count again in the background what the dataset has."""
        dataset = self._open_dataset.dataset
        if dataset is None:
            return

        def show(tallies: Tallies) -> None:
            if self._open_dataset.dataset is dataset:
                self.tree.show_tallies(*tallies)

        self._tasks.in_turn(lambda: _tallies(dataset), show, self._failed_of(dataset))

    def _failed_of(self, dataset: Dataset) -> Callable[[Failure], None]:
        """Return what tells of a fault; of a dataset that was closed or moved, that is enough."""

        def failed(failure: Failure) -> None:
            if self._open_dataset.dataset is dataset and self._open_dataset.is_there():
                self._messages.failure(failure)

        return failed

    def _set_wanted(self, slug: str, number: int) -> None:
        dataset = self._open_dataset.ready()
        if dataset is None:
            return
        self._tasks.in_turn(
            lambda: set_wanted(dataset, {slug: number}, person()),
            lambda _: self._count(),
            self._failed_of(dataset),
        )


def _tallies(dataset: Dataset) -> Tallies:
    with dataset.reading() as view:
        return category_tallies(view), wanted_numbers(view)
