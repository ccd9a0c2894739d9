"""What predictions are written in: OVEarth's own, or a dialect, with the options that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from ...ovearth_core.errors import OVEarthError
from ...ovearth_core.predictions.dialects import (
    Dialect,
    DialectOptions,
    dialect_names,
    find_dialect,
)
from ..dialect_words import dialect_title, option_tip, option_title
from ..tasks import Failure, failure_of
from .dialect_fields import made_field, option_names

# Options that every dialect takes.
_ALWAYS = ("mapping", "lenient")
_COLUMNS = 2


@dataclass(frozen=True)
class Spoken:
    """What a run is written in: a dialect with its options, or OVEarth's own (None)."""

    dialect: str | None = None
    options: DialectOptions | None = None

    @property
    def files(self) -> list[Path]:
        """The files that its options name."""
        return [] if self.options is None else self.options.files()


class DialectForm(QWidget):
    """The controls of the dialect that is chosen in `choice`, which stands elsewhere.

    changed: another one is chosen. failed: with a Failure, for one that can't be loaded.
    """

    changed = pyqtSignal()
    failed = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = QComboBox(parent)
        self.choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(8)
        self.choice.addItem(self.tr("OVEarth run"), None)
        for name in dialect_names():
            self.choice.addItem(dialect_title(name), name)
        self.choice.setToolTip(self._plain_tip())
        self.choice.currentIndexChanged.connect(lambda _: self._chosen())
        self.dialect: Dialect | None = None
        self.fields = {name: made_field(name, self) for name in option_names()}
        self.labels = {name: QLabel(option_title(name), self) for name in self.fields}
        for name, field in self.fields.items():
            # A field's parts are what the mouse rests on.
            for part in (field, *field.findChildren(QWidget)):
                part.setToolTip(option_tip(name))
            self.labels[name].setToolTip(option_tip(name))
            self.labels[name].setBuddy(field)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        self._show_fields()

    def spoken(self) -> Spoken:
        """Return what is chosen, with the values of the controls that are shown."""
        if self.dialect is None:
            return Spoken()
        told = {name: self.fields[name].value() for name in self._names()}
        return Spoken(self.dialect.name, DialectOptions(**told))

    def ask_if_whole(self, warn: Callable[[str], None], ask: Callable[[], None]) -> None:
        """Ask for files, unless an option is missing without which none can be read: warn of it."""
        needs = () if self.dialect is None else self.dialect.needs
        missing = [name for name in needs if self.fields[name].value() is None]
        if not missing:
            ask()
            return
        warn(self.tr("First choose: {}.").format(", ".join(map(option_title, missing))))
        self.fields[missing[0]].setFocus(Qt.FocusReason.OtherFocusReason)

    def _chosen(self) -> None:
        name = self.choice.currentData()
        try:
            self.dialect = None if name is None else find_dialect(name)
        except OVEarthError as fault:
            self.dialect = None
            self.choice.setCurrentIndex(0)
            failure: Failure = failure_of(fault)
            self.failed.emit(failure)
            return
        dialect = self.dialect
        self.choice.setToolTip(
            self._plain_tip()
            if dialect is None
            else self.tr("{} ({}). Reads {}").format(
                ", ".join(dialect.families), dialect.name, dialect.reads
            )
        )
        self._show_fields()
        self.changed.emit()

    def _plain_tip(self) -> str:
        return self.tr("What the predictions are written in: OVEarth's own, or a model family's")

    def _names(self) -> tuple[str, ...]:
        """Return the options that the chosen dialect takes, in the controls' order."""
        if self.dialect is None:
            return ()
        taken = (*self.dialect.options, *_ALWAYS)
        return tuple(name for name in self.fields if name in taken)

    def _show_fields(self) -> None:
        for widget in (*self.fields.values(), *self.labels.values()):
            self._grid.removeWidget(widget)
            widget.hide()
        for number, name in enumerate(self._names()):
            row, column = divmod(number, _COLUMNS)
            self._grid.addWidget(self.labels[name], row, 2 * column)
            self._grid.addWidget(self.fields[name], row, 2 * column + 1)
            self._grid.setColumnStretch(2 * column + 1, 1)
            self.labels[name].show()
            self.fields[name].show()
        self.setVisible(self.dialect is not None)
