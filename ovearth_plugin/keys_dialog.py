"""The dialog in which the keys of a tab are changed."""

from __future__ import annotations

from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QKeySequenceEdit,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from .keys import Key, Keys


class KeysDialog(QDialog):
    """A row for each key; one that is taken is refused with a sentence, and stays as it was."""

    def __init__(self, keys: Keys, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setWindowTitle(self.tr("Keys"))
        self.said = QLabel(self)
        self.said.setWordWrap(True)
        self.edits: dict[str, QKeySequenceEdit] = {}
        form = QFormLayout()
        for key in keys.keys:
            edit = QKeySequenceEdit(key.sequence, self)
            edit.editingFinished.connect(lambda k=key, e=edit: self._set(k, e))
            form.addRow(key.title, edit)
            self.edits[key.name] = edit
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.accept)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.said)
        column.addWidget(buttons)
        self.finished.connect(self.deleteLater)

    def _set(self, key: Key, edit: QKeySequenceEdit) -> None:
        sequence = QKeySequence(edit.keySequence())
        if sequence == key.sequence:
            return
        self.said.setText(self._keys.set(key, sequence))
        edit.setKeySequence(key.sequence)
