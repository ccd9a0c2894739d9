"""Sentences in QGIS's message bar, the details behind a button."""

from __future__ import annotations

from qgis.core import QgsMessageLog
from qgis.gui import QgsMessageBar, QgsMessageBarItem, QgsMessageViewer
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtWidgets import QPushButton

from .compat import INFO, SUCCESS, WARNING
from .tasks import Failure

TITLE = "OVEarth"


class Messages:
    """Speaks to a person through the window's message bar."""

    def __init__(self, bar: QgsMessageBar) -> None:
        self._bar = bar

    def failure(self, failure: Failure) -> None:
        """Say what failed; the whole story opens by a button, and stands in the log."""
        QgsMessageLog.logMessage(
            f"{failure.sentence}\n{failure.details}", TITLE, WARNING, notifyUser=False
        )
        item = self._bar.createMessage(TITLE, failure.short or failure.sentence)
        button = QPushButton(self._tr("Details"), item)
        button.setObjectName("ovearth_details")
        button.clicked.connect(lambda: self._show_details(failure))
        item.layout().addWidget(button)
        self._push(item, WARNING)

    def passing(self) -> PassingMessages:
        """Return the same voice for what is true only of what is looked at now."""
        return PassingMessages(self._bar)

    def warn(self, sentence: str) -> None:
        """Say what a person should know of, and mend."""
        self._push(self._bar.createMessage(TITLE, sentence), WARNING)

    def inform(self, sentence: str) -> None:
        """Say what goes on."""
        self._bar.pushMessage(TITLE, sentence, INFO)

    def succeed(self, sentence: str) -> None:
        """Say what is done."""
        self._bar.pushMessage(TITLE, sentence, SUCCESS)

    def _push(self, item: QgsMessageBarItem, level) -> None:
        self._bar.pushWidget(item, level)

    def _show_details(self, failure: Failure) -> None:
        viewer = QgsMessageViewer(self._bar.window())
        viewer.setTitle(TITLE)
        viewer.setMessageAsPlainText(f"{failure.sentence}\n\n{failure.details}")
        # Not modal, and deletes itself on closing: no event loop inside of another.
        viewer.show()

    def _tr(self, text: str) -> str:
        return QCoreApplication.translate("OVEarthMessages", text)


class PassingMessages(Messages):
    """Warnings that can be taken back; a person may have closed them before."""

    def __init__(self, bar: QgsMessageBar) -> None:
        super().__init__(bar)
        self._shown: list[QgsMessageBarItem] = []

    def take_back(self) -> None:
        """Take what was said off the bar, and leave what others say there."""
        there = self._bar.items()
        for item in self._shown:
            if any(one is item for one in there):
                self._bar.popWidget(item)
        self._shown.clear()

    def _push(self, item: QgsMessageBarItem, level) -> None:
        super()._push(item, level)
        self._shown.append(item)
