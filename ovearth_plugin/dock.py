"""OVEarth's dock: one tab for each job that the plugin does."""

from __future__ import annotations

from qgis.gui import QgsDockWidget, QgsMapCanvas
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSizePolicy, QTabWidget, QWidget

from .collect.panel import CollectPanel
from .inspect.panel import InspectPanel
from .messages import Messages
from .open_dataset import OpenDataset
from .review.panel import ReviewPanel
from .tasks import Tasks


class _Room(QScrollArea):
    """Gives the tabs their room where there is any, and bars where a small screen has none."""

    # Narrow enough for a screen of 1024 pixels, with QGIS's own docks and map beside it.
    _MOST_OF_LEAST_PX = QSize(420, 240)

    def __init__(self, tabs: QTabWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(tabs)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return what the tabs would like."""
        return self.widget().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return what the tabs need at least, where that isn't much."""
        return self.widget().minimumSizeHint().boundedTo(self._MOST_OF_LEAST_PX)


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
        self.tabs.currentChanged.connect(self._make_room)
        self._make_room(0)
        self.setWidget(_Room(self.tabs, self))

    def hideEvent(self, event) -> None:  # noqa: N802
        """Leave nothing over the map when closed; behind another dock's tab it isn't hidden."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.inspect.scene.rest()

    def showEvent(self, event) -> None:  # noqa: N802
        """Show again what was looked at."""
        super().showEvent(event)
        self.inspect.scene.wake()

    def _make_room(self, shown: int) -> None:
        """Let only the tab that is shown ask for room."""
        for place in range(self.tabs.count()):
            policy = QSizePolicy.Policy.Preferred if place == shown else QSizePolicy.Policy.Ignored
            self.tabs.widget(place).setSizePolicy(policy, policy)

    def stop(self) -> None:
        """Leave nothing on the map: the plugin is being unloaded."""
        self.collect.stop()
        self.inspect.stop()
        self.review.stop()
        self.open_dataset.stop()
