"""Tells of QGIS's automatic transaction groups, and offers to switch them off."""

from __future__ import annotations

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ..compat import (
    has_transaction_groups,
    switch_off_transaction_groups,
    unwatch_transaction_groups,
    watch_transaction_groups,
)
from ..messages import Messages
from ..open_dataset import OpenDataset


class TransactionNotice(QWidget):
    """Seen only while they are on: a layer then holds the whole file for as long as one edits."""

    def __init__(
        self, shared: OpenDataset, messages: Messages, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shared = shared
        self._messages = messages
        text = QLabel(
            self.tr(
                "This project has automatic transaction groups. While you edit, they would hold the"
                " dataset's file: nothing could be saved, by you or by others."
            ),
            self,
        )
        text.setWordWrap(True)
        self.off = QPushButton(self.tr("Switch them off"), self)
        self.off.clicked.connect(self._switch_off)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(text, 1)
        layout.addWidget(self.off)
        shared.opened.connect(self.look)
        shared.closed.connect(self.look)
        watch_transaction_groups(QgsProject.instance(), self.look)
        self.look()

    def look(self, *_: object) -> bool:
        """Show or hide the notice; whether they are on."""
        is_on = has_transaction_groups(QgsProject.instance())
        self.setVisible(is_on and self._shared.dataset is not None)
        return is_on

    def refuse(self) -> None:
        """Say why nothing can be drawn, beside the offer."""
        self.look()
        self._messages.warn(
            self.tr("Nothing can be drawn with automatic transaction groups: switch them off.")
        )

    def stop(self) -> None:
        """Listen no more: the plugin is being unloaded."""
        unwatch_transaction_groups(QgsProject.instance(), self.look)

    def _switch_off(self) -> None:
        if not switch_off_transaction_groups(QgsProject.instance()):
            self._messages.warn(
                self.tr("Stop editing all layers first, then switch the transaction groups off.")
            )
        self.look()
