"""The category, chosen by typing, with its definition and what it is mixed up with."""

from __future__ import annotations

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.dataset.category_choice import (
    CategoryChoice,
    category_choices,
    typed,
)
from .state import ReviewState

_LINES = 5
_MOVES = (Qt.Key.Key_Down, Qt.Key.Key_Up)
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CategoryField(QWidget):
    """Typing lists what may be meant; Down and Up choose, Return takes. taken: the row chosen."""

    taken = pyqtSignal(object)

    def __init__(self, state: ReviewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._choices: list[CategoryChoice] = []
        self.line = QLineEdit(self)
        self.line.setObjectName("ovearth_category")
        self.line.setPlaceholderText(self.tr("Category: type its name"))
        self.line.textEdited.connect(self._typed)
        self.line.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setFixedHeight(_LINES * (self.list.fontMetrics().height() + 4))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.currentItemChanged.connect(lambda *_: self._tell())
        self.list.itemClicked.connect(lambda _: self._take())
        self.list.hide()
        self.about = QLabel(self)
        self.about.setObjectName("ovearth_category_about")
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for widget in (self.line, self.list, self.about):
            layout.addWidget(widget)
        state.shared.opened.connect(self._read)
        state.shared.closed.connect(self._forget)
        state.sample_changed.connect(self._show_sample)
        state.sample_renewed.connect(self._renewed)
        state.category_changed.connect(self._show_sample)
        self._show_sample()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Let Down, Up, Return and Escape reach the list from the line."""
        if watched is self.line and event.type() == QEvent.Type.KeyPress and self.list.isVisible():
            key = event.key()
            if key in _MOVES:
                step = 1 if key == Qt.Key.Key_Down else -1
                row = self.list.currentRow() + step
                self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                return True
            if key in _TAKES:
                self._take()
                return True
            if key == Qt.Key.Key_Escape:
                self._show_sample()
                return True
        return super().eventFilter(watched, event)

    def _read(self) -> None:
        def read(dataset) -> list[CategoryChoice]:
            with dataset.reading() as view:
                rows = list(view.categories())
            return category_choices(rows)

        def done(choices: list[CategoryChoice]) -> None:
            self._choices = choices
            self._show_sample()

        self._state.desk.do(self.tr("Reading the categories"), read, done)

    def _forget(self) -> None:
        self._choices = []
        self._show_sample()

    def _typed(self, text: str) -> None:
        self.list.clear()
        found = typed(self._choices, text)
        for choice in found.choices:
            name = choice.row.name
            item = QListWidgetItem(f"{name} – {choice.row.domain}" if choice.row.domain else name)
            item.setData(Qt.ItemDataRole.UserRole, choice)
            self.list.addItem(item)
        self.list.setVisible(self.list.count() > 0)
        # Return takes what is meant for sure, or what a person chose.
        self.list.setCurrentRow(0 if found.is_sure else -1)
        if not self.list.count():
            self.about.setText(self.tr("No category of the dataset is called so."))
        elif not found.is_known:
            self.about.setText(
                self.tr("No category is called so; these nearly are. Down chooses one.")
            )
        elif not found.is_sure:
            self.about.setText(self.tr("Which of these? Down chooses one, Return takes it."))

    def _tell(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._say(item.data(Qt.ItemDataRole.UserRole))

    def _say(self, choice: CategoryChoice) -> None:
        parts = [choice.definition]
        if choice.look_alikes:
            parts.append(self.tr("Not to be mixed up with: {}").format(
                ", ".join(choice.look_alikes)))  # fmt: skip
        if not choice.row.instanceable:
            parts.append(self.tr("Without instances: draw it as areas."))
        self.about.setText("\n".join(part for part in parts if part))

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        choice = item.data(Qt.ItemDataRole.UserRole)
        self.list.hide()
        self.line.setText(choice.row.name)
        self._say(choice)
        self.taken.emit(choice.row)

    def _renewed(self) -> None:
        # Not under the hands of somebody who is typing.
        if not self.list.isVisible():
            self._show_sample()

    def _show_sample(self) -> None:
        """Show the category of the sample, or what was chosen for what is drawn next."""
        self.list.hide()
        sample = self._state.sample
        row = self._state.category if sample is None else sample.category or self._state.category
        self.line.setEnabled(sample is not None)
        self.line.setText("" if row is None else row.name)
        known = next((c for c in self._choices if row is not None and c.row.id == row.id), None)
        if known is None:
            self.about.setText("")
        else:
            self._say(known)
