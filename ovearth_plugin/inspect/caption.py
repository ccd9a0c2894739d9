"""The text of the query, above the map."""

from __future__ import annotations

from html import escape

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QEvent, QObject, QRect, Qt
from qgis.PyQt.QtWidgets import QLabel, QToolTip

_MARGIN = 8
_PADDING = 24
# Of the text above the line with its kind: more would hide the image.
_MOST_LINES = 4
_ENDLESS = 1 << 20
# A fixed pair of colours: it lies on the image, whatever the window's theme.
_STYLE = "background: rgba(20, 20, 20, 215); color: white; border-radius: 4px; padding: 5px 9px;"


class Caption(QLabel):
    """Lies over the canvas's upper edge, and lets the mouse through.

    A long text is cut to a few lines; the whole is the tip that comes where the mouse rests on it.
    """

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._whole = ""
        self._canvas = canvas
        self.setObjectName("ovearth_caption")
        self.setStyleSheet(_STYLE)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        canvas.installEventFilter(self)
        # The mouse is there, since the caption lets it through.
        canvas.viewport().installEventFilter(self)

    def say(self, text: str) -> None:
        """Show a text; nothing hides the caption."""
        self._whole = text
        self.setVisible(bool(text))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Keep to the canvas's width, and tell the whole text."""
        if watched is self._canvas and event.type() == QEvent.Type.Resize:
            self._place()
        if event.type() == QEvent.Type.ToolTip and self._is_cut_at(event.globalPos()):
            QToolTip.showText(event.globalPos(), _as_tip(self._whole), self._canvas)
            return True
        return super().eventFilter(watched, event)

    def stop(self) -> None:
        """Leave the canvas."""
        self._canvas.removeEventFilter(self)
        self._canvas.viewport().removeEventFilter(self)
        self.setParent(None)
        self.deleteLater()

    def _is_cut_at(self, place) -> bool:
        is_over = self.isVisible() and self.rect().contains(self.mapFromGlobal(place))
        return is_over and self.text() != self._whole

    def _place(self) -> None:
        widest = max(60, self._canvas.width() - 2 * _MARGIN)
        self.setText(self._cut(widest - _PADDING))
        natural = self.fontMetrics().horizontalAdvance(self.text()) + _PADDING
        width = min(widest, natural)
        self.setGeometry(_MARGIN, _MARGIN, width, self.heightForWidth(width))
        self.raise_()

    def _cut(self, width: int) -> str:
        """Return the text with its first part, all but the last line, cut to a few lines."""
        first, _, last = self._whole.rpartition("\n")
        if self._lines(first, width) <= _MOST_LINES:
            return self._whole
        fitting, too_long = 0, len(first)
        while too_long - fitting > 1:
            middle = (fitting + too_long) // 2
            if self._lines(first[:middle] + "…", width) <= _MOST_LINES:
                fitting = middle
            else:
                too_long = middle
        return f"{first[:fitting].rstrip()}…\n{last}"

    def _lines(self, text: str, width: int) -> int:
        metrics = self.fontMetrics()
        within = QRect(0, 0, max(1, width), _ENDLESS)
        shown = metrics.boundingRect(within, Qt.TextFlag.TextWordWrap, text)
        return round(shown.height() / metrics.lineSpacing())


def _as_tip(text: str) -> str:
    """Return plain text as Qt wraps a tip: it wraps rich text only."""
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")
