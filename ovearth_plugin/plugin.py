"""What QGIS starts and stops."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from qgis.core import QgsApplication

from .processing.provider import OVEarthProvider
from .translation import Translation

if TYPE_CHECKING:
    from .dock_button import DockButton
    from .messages import Messages
    from .tasks import Tasks


class OVEarthPlugin:
    """Registers what the plugin adds to QGIS, and takes it away again.

    QGIS calls initGui in its window and initProcessing in qgis_process.
    """

    def __init__(self, iface) -> None:
        self.iface = iface
        self.translation = Translation()
        self.provider: OVEarthProvider | None = None
        self.messages: Messages | None = None
        self.tasks: Tasks | None = None
        self.dock_button: DockButton | None = None

    def initProcessing(self) -> None:  # noqa: N802
        """Register the provider."""
        # First: what is made from here on speaks the language.
        self.translation.load()
        self.provider = OVEarthProvider()
        # The registry owns it from here on, and deletes it on removal.
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:  # noqa: N802
        """Register all that the window needs: the provider, and the button of the dock."""
        from .dock_button import DockButton
        from .messages import Messages
        from .tasks import Tasks

        self.initProcessing()
        self.messages = Messages(self.iface.messageBar())
        self.tasks = Tasks(self.messages.failure)
        self.dock_button = DockButton(self.iface, self.tasks, self.messages)

    def unload(self) -> None:
        """Remove everything; QGIS may ask twice."""
        if self.dock_button is not None:
            self.dock_button.remove()
            self.dock_button = None
        if self.tasks is not None:
            self.tasks.stop()
            self.tasks = None
        self.messages = None
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        self.translation.unload()
        _let_go()


def _let_go() -> None:
    """Have QGIS forget all of the plugin's modules when it has been unloaded.

    It takes out those that it saw imported by their own names: not a package that only led to one
    of its modules, nor what the core imports by a name in a table. It watches `__import__`, and
    takes in here what it missed; a module that is there already isn't run again.
    """
    package = __name__.partition(".")[0]
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        __import__(name)
