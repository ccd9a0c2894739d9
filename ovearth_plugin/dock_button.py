"""The one button in the toolbar, and the dock that it opens and closes."""

from __future__ import annotations

from pathlib import Path

from qgis.PyQt.QtCore import QObject, Qt
from qgis.PyQt.QtGui import QIcon

from .compat import QAction
from .messages import Messages
from .tasks import Tasks

ICON = Path(__file__).parents[1] / "resources" / "icons" / "ovearth.svg"

_LARGEST_SHARE = 0.42


class DockButton(QObject):
    """Adds the button to QGIS; the dock, and the core with it, is made when first opened."""

    def __init__(self, iface, tasks: Tasks, messages: Messages) -> None:
        super().__init__()
        self._iface = iface
        self._tasks = tasks
        self._messages = messages
        self.dock = None
        self.action = QAction(QIcon(str(ICON)), "OVEarth", iface.mainWindow())
        self.action.setObjectName("ovearth_dock_action")
        self.action.setToolTip(self.tr("OVEarth: show or hide its dock"))
        self.action.setCheckable(True)
        self.action.toggled.connect(self._first_time)
        iface.addToolBarIcon(self.action)

    def remove(self) -> None:
        """Take button and dock away."""
        if self.dock is not None:
            self.dock.stop()
            self._iface.removeDockWidget(self.dock)
            self.dock.setParent(None)
            self.dock.deleteLater()
            self.dock = None
        self._iface.removeToolBarIcon(self.action)
        self.action.setParent(None)
        self.action.deleteLater()

    def _first_time(self) -> None:
        self.action.toggled.disconnect(self._first_time)
        from .dock import OVEarthDock

        window = self._iface.mainWindow()
        dock = OVEarthDock(self._iface.mapCanvas(), self._tasks, self._messages, window)
        self._iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        # From here on QGIS keeps button and dock in step, also behind another dock's tab.
        dock.setToggleVisibilityAction(self.action)
        dock.setUserVisible(True)
        # As much as it would like, as long as the map keeps more: it can be drawn narrower.
        width = min(dock.sizeHint().width(), int(window.width() * _LARGEST_SHARE))
        window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        self.dock = dock
