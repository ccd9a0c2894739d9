"""The controls for the options of a dialect: each gives a value of the core's, None for none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from qgis.PyQt.QtCore import QCoreApplication, QLocale
from qgis.PyQt.QtGui import QDoubleValidator
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from ..dialect_words import ANGLE_UNITS, ANGLES, angle_title
from .file_choice import open_file
from .words import shown

_LARGEST = 1_000_000


class SizeField(QWidget):
    """Width and height in pixels."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        row = _row(self)
        self.width_px, self.height_px = QSpinBox(self), QSpinBox(self)
        for box in (self.width_px, self.height_px):
            box.setRange(0, _LARGEST)
            box.setSpecialValueText("–")
            row.addWidget(box, 1)

    def value(self) -> tuple[int, int] | None:
        """Return both, or None where neither is given."""
        size = self.width_px.value(), self.height_px.value()
        return size if any(size) else None


class FileField(QWidget):
    """A file's path, typed or chosen."""

    def __init__(self, parent: QWidget, kinds: str) -> None:
        super().__init__(parent)
        self._kinds = kinds
        self.path = QLineEdit(self)
        self.choose = QToolButton(self)
        self.choose.setText("…")
        self.choose.clicked.connect(self._ask)
        row = _row(self)
        row.addWidget(self.path, 1)
        row.addWidget(self.choose)

    def value(self) -> Path | None:
        """Return the path, or None where the line is empty."""
        text = self.path.text().strip()
        return Path(text) if text else None

    def _ask(self) -> None:
        open_file(self, self.toolTip(), self._kinds, lambda path: self.path.setText(str(path)))


class NumberField(QLineEdit):
    """A number, with a point or as the person's language writes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setValidator(QDoubleValidator(self))

    def value(self) -> float | None:
        """Return it, or None where the line is empty or holds none."""
        for locale in (QLocale.c(), self.locale()):
            number, is_one = locale.toDouble(self.text())
            if is_one:
                return number
        return None


class WordField(QComboBox):
    """One of the core's words; the first entry is none of them."""

    def __init__(self, parent: QWidget, none: str, words: Sequence[tuple[str, str]]) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.addItem(none, None)
        for word, title in words:
            self.addItem(title, word)

    def value(self) -> str | None:
        """Return the word."""
        return self.currentData()


class TickField(QCheckBox):
    """Yes or no."""

    def value(self) -> bool:
        """Return whether it is ticked."""
        return self.isChecked()


def made_field(name: str, parent: QWidget) -> QWidget:
    """Return the control for an option of the core's DialectOptions."""
    field = _makers()[name](parent)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return field


def _makers() -> dict[str, Callable[[QWidget], QWidget]]:
    """Return how each option's control is made, in the order in which they are shown."""

    tr = QCoreApplication.translate
    any_file = tr("OVEarthDialects", "All files (*)")
    kinds = [(name, shown(name)) for name in ("mask", "hbb", "obb")]
    angles = [(name, angle_title(name)) for name in ANGLES]
    units = [(name, angle_title(name)) for name in ANGLE_UNITS]
    nearest = [("nearest", tr("OVEarthDialects", "bring to the image's"))]
    return {
        "input_size": SizeField,
        "classes": lambda parent: FileField(parent, any_file),
        "threshold": NumberField,
        "angle": lambda parent: WordField(parent, tr("OVEarthDialects", "choose"), angles),
        "angle_unit": lambda parent: WordField(parent, angle_title("radians"), units[1:]),
        "duplicates": NumberField,
        "modality": lambda parent: WordField(
            parent, tr("OVEarthDialects", "all that they may be"), kinds
        ),
        "resize": lambda parent: WordField(parent, tr("OVEarthDialects", "refuse"), nearest),
        "mapping": lambda parent: FileField(parent, any_file),
        "lenient": TickField,
    }


def option_names() -> tuple[str, ...]:
    """Return the options that there is a control for, in the order in which they are shown."""
    return tuple(_makers())


def _row(parent: QWidget) -> QHBoxLayout:
    row = QHBoxLayout(parent)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2)
    return row
