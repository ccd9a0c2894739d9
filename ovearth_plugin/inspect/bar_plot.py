"""A plot of one bar a name, painted by hand: QGIS brings no plotting package for certain."""

from __future__ import annotations

from collections.abc import Sequence

from qgis.PyQt.QtCore import QRectF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QPainter, QPen
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy, QWidget

# Okabe and Ito's: blue for run A, vermilion for run B, told apart by every eye.
FIRST, SECOND = QColor(0, 114, 178), QColor(213, 94, 0)
_GAP = 6
_MOST_NAME = 0.45


class BarPlot(QWidget):
    """Horizontal bars from 0 to 1: those of A, and a mark on each for B.

    chosen: a name that was clicked.
    """

    chosen = pyqtSignal(str)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        # QGIS's dark themes style labels, not the palette: a hidden one tells the colour.
        self._pattern = QLabel(self)
        self._pattern.hide()
        self._bars: list[tuple[str, int, float, float | None]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_slices(self, first: Sequence, second: Sequence) -> None:
        """Show the core's slices of run A and, where there are any, of run B."""
        others = {one.name: one.iou for one in second}
        self._bars = [(one.name, one.queries, one.iou, others.get(one.name)) for one in first]
        self.updateGeometry()
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def names(self) -> list[str]:
        """Return the names of the bars from the top."""
        return [name for name, _, _, _ in self._bars]

    def bar_rect(self, place: int) -> QRectF:
        """Return where the bar at a place is painted."""
        left = self._left()
        width = max(1.0, self.width() - left - self._right())
        top = (place + 1) * self._line()
        return QRectF(left, top + 2, width * self._bars[place][2], self._line() - 4)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the height of all bars."""
        return QSize(260, int((len(self._bars) + 1) * self._line() + _GAP))

    def mousePressEvent(self, event) -> None:  # noqa: N802
        """Tell which bar was clicked."""
        place = event.pos().y() // self._line() - 1
        if 0 <= place < len(self._bars):
            self.chosen.emit(self._bars[place][0])

    def paintEvent(self, event) -> None:  # noqa: N802
        """Paint title, names, bars and values in the theme's own text colour."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._pattern.ensurePolished()
        text = self._pattern.palette().windowText().color()
        painter.setPen(text)
        bold = painter.font()
        bold.setBold(True)
        plain = painter.font()
        painter.setFont(bold)
        painter.drawText(0, 0, self.width(), self._line(), _LEFT, self._title)
        painter.setFont(plain)
        # What a scroll area hides need not be painted.
        first = max(0, event.rect().top() // self._line() - 1)
        last = min(len(self._bars), event.rect().bottom() // self._line() + 1)
        for place in range(first, last):
            self._paint_bar(painter, place, text)
        painter.end()

    def _paint_bar(self, painter: QPainter, place: int, text: QColor) -> None:
        name, queries, value, other = self._bars[place]
        bar = self.bar_rect(place)
        top, line, left = (place + 1) * self._line(), self._line(), self._left()
        width = self.width() - left - self._right()
        shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, left - _GAP)
        painter.setPen(text)
        painter.drawText(0, top, left - _GAP, line, _LEFT, shown)
        painter.drawText(
            self.width() - self._right() + _GAP, top, self._right(), line, _LEFT,
            f"{value:.2f} ({queries})",
        )  # fmt: skip
        faint = QColor(text)
        faint.setAlpha(40)
        painter.fillRect(QRectF(left, bar.top(), width, bar.height()), faint)
        painter.fillRect(bar, FIRST)
        if other is not None:
            x = left + width * other
            painter.setPen(QPen(SECOND, 3))
            painter.drawLine(int(x), int(bar.top()) - 1, int(x), int(bar.bottom()) + 1)

    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def _left(self) -> int:
        widest = max((self.fontMetrics().horizontalAdvance(n) for n in self.names()), default=0)
        return min(int(self.width() * _MOST_NAME), widest + 2 * _GAP)

    def _right(self) -> int:
        return self.fontMetrics().horizontalAdvance("0.00 (00000)") + _GAP


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
