"""OVEarth's dock: one tab for each job that the plugin does."""

from __future__ import annotations

from qgis.gui import QgsDockWidget, QgsMapCanvas
from qgis.PyQt.QtWidgets import QTabWidget, QWidget

from .collect.panel import CollectPanel
from .inspect.panel import InspectPanel
from .messages import Messages
from .open_dataset import OpenDataset
from .review.panel import ReviewPanel
from .tasks import Tasks


class OVEarthDock(QgsDockWidget):
    """The window's only addition besides the button that opens it."""

    def __init__(
        self,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("OVEarth", parent)
        # QGIS remembers a dock's place by this name.
        self.setObjectName("OVEarthDock")
        # One for the tabs that work on it.
        self.open_dataset = OpenDataset(tasks, messages, self)
        self.collect = CollectPanel(self.open_dataset, canvas, tasks, messages, self)
        self.review = ReviewPanel(self.open_dataset, canvas, tasks, messages, self)
        self.inspect = InspectPanel(canvas, tasks, messages, self, self.review)
        self.tabs = QTabWidget(self)
        self.tabs.addTab(self.collect, self.tr("Collect"))
        self.tabs.addTab(self.review, self.tr("Review"))
        self.tabs.addTab(self.inspect, self.tr("Inspect"))
        self.setWidget(self.tabs)

    def hideEvent(self, event) -> None:  # noqa: N802
        """Leave nothing over the map when closed; behind another dock's tab it isn't hidden."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.inspect.scene.rest()

    def showEvent(self, event) -> None:  # noqa: N802
        """Show again what was looked at."""
        super().showEvent(event)
        self.inspect.scene.wake()

    def stop(self) -> None:
        """Leave nothing on the map: the plugin is being unloaded."""
        self.collect.stop()
        self.inspect.stop()
        self.review.stop()
        self.open_dataset.stop()
