"""Widgets side by side, in as many lines as the width needs: a dock is narrow on a small screen."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.PyQt.QtCore import QPoint, QRect, QSize, Qt
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

# What a line's frame and its margins take of its width.
_FRAME_PX = 8
_GAP_PX = 4
_LIKED_CHARS = 60


class Flow(QWidget):
    """Shows widgets in their order; one that wants to expand takes what its line leaves."""

    def __init__(self, widgets: Iterable[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = _Lines(self)
        for widget in widgets:
            self._lines.addWidget(widget)

    def resizeEvent(self, event) -> None:  # noqa: N802
        """Ask for the height of as many lines as there are: a splitter doesn't ask for it."""
        super().resizeEvent(event)
        self._ask_for_height()

    def showEvent(self, event) -> None:  # noqa: N802
        """Ask for the height anew: the theme may have changed meanwhile."""
        super().showEvent(event)
        self._ask_for_height()

    def _ask_for_height(self) -> None:
        height = self._lines.heightForWidth(self.width())
        if height != self.minimumHeight():
            self.setMinimumHeight(height)


def together(widgets: Iterable[QWidget], parent: QWidget) -> QWidget:
    """Return widgets that stay in one line."""
    row = QWidget(parent)
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(_GAP_PX)
    for widget in widgets:
        layout.addWidget(widget)
    return row


def beside(title: str, widget: QWidget, parent: QWidget) -> QWidget:
    """Return a widget with its title before it, which stay in one line, and grow."""
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, widget.sizePolicy().verticalPolicy())
    both = together((QLabel(title, parent), widget), parent)
    both.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return both


def with_room(line: QLineEdit) -> QLineEdit:
    """Return a line that is never so narrow that what it says while it is empty is cut."""
    text = line.fontMetrics().horizontalAdvance(line.placeholderText())
    line.setMinimumWidth(text + 2 * line.fontMetrics().averageCharWidth() + _FRAME_PX)
    return line


class _Lines(QLayout):
    """The layout of a Flow."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(_GAP_PX)

    # Qt's names

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, place: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[place] if 0 <= place < len(self._items) else None

    def takeAt(self, place: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(place) if 0 <= place < len(self._items) else None

    def expandingDirections(self):  # noqa: N802
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._placed(QRect(0, 0, width, 0), is_test=True)

    def setGeometry(self, place: QRect) -> None:  # noqa: N802
        super().setGeometry(place)
        self._placed(place, is_test=False)

    def sizeHint(self) -> QSize:  # noqa: N802
        sizes = [item.sizeHint() for item in self._shown()]
        gaps = self.spacing() * max(0, len(sizes) - 1)
        liked = _LIKED_CHARS * self.parentWidget().fontMetrics().averageCharWidth()
        # The map beside it is to have what room there is.
        width = min(sum(size.width() for size in sizes) + gaps, liked)
        width = max(width, self.minimumSize().width())
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:  # noqa: N802
        least = QSize(0, 0)
        for item in self._shown():
            least = least.expandedTo(QSize(item.minimumSize().width(), item.sizeHint().height()))
        return least

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _broken(self, width: int) -> list[list[QLayoutItem]]:
        """Return the items line by line."""
        lines: list[list[QLayoutItem]] = []
        left = -1
        for item in self._shown():
            wide = item.sizeHint().width()
            if not lines or left < wide:
                lines.append([])
                left = width
            lines[-1].append(item)
            left -= wide + self.spacing()
        return lines

    def _placed(self, place: QRect, *, is_test: bool) -> int:
        """Place the items, unless it is a test, and return the height that they take."""
        y = 0
        for line in self._broken(place.width()):
            height = max(item.sizeHint().height() for item in line)
            if not is_test:
                self._place_line(line, place.topLeft() + QPoint(0, y), place.width(), height)
            y += height + self.spacing()
        return max(0, y - self.spacing())

    def _place_line(self, line: list[QLayoutItem], start: QPoint, width: int, height: int) -> None:
        wanted = [min(width, item.sizeHint().width()) for item in line]
        spare = max(0, width - sum(wanted) - self.spacing() * (len(line) - 1))
        growing = [n for n, item in enumerate(line) if _expands(item)]
        for turn, n in enumerate(growing):
            # What doesn't divide goes to the first ones, pixel by pixel.
            wanted[n] += spare // len(growing) + (turn < spare % len(growing))
        x = start.x()
        for item, wide in zip(line, wanted, strict=True):
            item.setGeometry(QRect(x, start.y(), wide, height))
            x += wide + self.spacing()


def _expands(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)
