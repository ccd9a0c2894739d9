"""The text of the query, above the map."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QEvent, QObject, Qt
from qgis.PyQt.QtWidgets import QLabel

_MARGIN = 8
# A fixed pair of colours: it lies on the image, whatever the window's theme.
_STYLE = "background: rgba(20, 20, 20, 215); color: white; border-radius: 4px; padding: 5px 9px;"


class Caption(QLabel):
    """Lies over the canvas's upper edge, and lets the mouse through."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setObjectName("ovearth_caption")
        self.setStyleSheet(_STYLE)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        canvas.installEventFilter(self)

    def say(self, text: str) -> None:
        """Show a text; nothing hides the caption."""
        self.setText(text)
        self.setVisible(bool(text))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Keep to the canvas's width."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def stop(self) -> None:
        """Leave the canvas."""
        self._canvas.removeEventFilter(self)
        self.setParent(None)
        self.deleteLater()

    def _place(self) -> None:
        widest = max(60, self._canvas.width() - 2 * _MARGIN)
        natural = self.fontMetrics().horizontalAdvance(self.text()) + 24
        width = min(widest, natural)
        self.setGeometry(_MARGIN, _MARGIN, width, self.heightForWidth(width))
        self.raise_()
