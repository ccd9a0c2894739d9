"""Keys of the dock's tabs: they work in a tab and on the map while a tool of that tab is active.

Each is shown in the tool tip of its button and can be changed; none is taken that QGIS has. Where
QGIS gives a default of ours to an action after all (R is "Stream Digitizing" while one draws), Qt
would do neither: in the tab, and on the map with the tab's tool, it is ours then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from qgis.gui import QgsGui, QgsMapCanvas, QgsMapTool
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import QAbstractButton, QWidget

from .compat import QAction, QShortcut, pressed_sequence
from .settings import store, stored

_SETTING = "keys/"


@dataclass
class Key:
    """One key: `name` in the settings, `title` to people, and the button that it presses."""

    name: str
    title: str
    default: str
    button: QAbstractButton
    tip: str
    shortcuts: list = field(default_factory=list)

    @property
    def sequence(self) -> QKeySequence:
        """The key as it is set now."""
        return QKeySequence(stored(_SETTING + self.name, self.default))


class Keys(QObject):
    """The keys of one tab. `changed`: one of them is another now.

    counts: whether a map tool is one of the tab's; on the map, keys work only while it does.
    """

    changed = pyqtSignal()

    def __init__(
        self, tab: QWidget, canvas: QgsMapCanvas, counts: Callable[[QgsMapTool | None], bool]
    ) -> None:
        super().__init__(tab)
        self._tab = tab
        self._canvas = canvas
        self._counts = counts
        self.keys: list[Key] = []
        canvas.mapToolSet.connect(self.refresh)
        for place in (tab, canvas):
            place.installEventFilter(self)

    def add(self, name: str, default: str, button: QAbstractButton, title: str = "") -> Key:
        """Let a key press a button, as a click would, while that is enabled.

        name: as in "collect/accept". The button's tool tip tells the key from now on.
        """
        key = Key(name, title or button.text(), default, button, button.toolTip())
        for place in (self._tab, self._canvas):
            shortcut = QShortcut(key.sequence, place)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(button.click)
            key.shortcuts.append(shortcut)
        self.keys.append(key)
        self._show(key)
        self.refresh()
        return key

    def set(self, key: Key, sequence: QKeySequence) -> str:
        """Give a key another letter; return why not, where it is taken, else an empty text."""
        text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        # Its default is always its own to go back to.
        is_default = text == key.default
        clash = self._taken if is_default else self.clash
        taken = clash(key, sequence) if text else ""
        if taken:
            return _tr("{key} is the key of “{owner}” already: choose another one.").format(
                key=_native(sequence), owner=taken
            )
        store(_SETTING + key.name, "" if text in ("", key.default) else text)
        for shortcut in key.shortcuts:
            shortcut.setKey(key.sequence)
        self._show(key)
        self.changed.emit()
        return ""

    def clash(self, key: Key | None, sequence: QKeySequence) -> str:
        """Return what else has this key: another of the tab's, or one of QGIS's actions."""
        return self._taken(key, sequence) or taken_by_qgis(sequence, self._canvas.window())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Press the button of a key that an action of QGIS has as well, before Qt sees two."""
        if event.type() == QEvent.Type.ShortcutOverride and not event.isAutoRepeat():
            place = 0 if watched is self._tab else 1
            key = self._pressed(pressed_sequence(event), place)
            if key is not None and is_ambiguous(key.sequence, self._canvas.window()):
                event.accept()
                key.button.click()
                return True
        return super().eventFilter(watched, event)

    def _pressed(self, sequence: QKeySequence, place: int) -> Key | None:
        """Return the key that works in the tab (0) or on the map (1) now."""
        found = (key for key in self.keys if key.sequence == sequence)
        return next((key for key in found if key.shortcuts[place].isEnabled()), None)

    def _taken(self, key: Key | None, sequence: QKeySequence) -> str:
        """Return which other key of the tab this is."""
        others = (one for one in self.keys if one is not key and one.sequence == sequence)
        return next((one.title for one in others), "")

    def refresh(self, *_: object) -> None:
        """Let the keys work on the map, or not: a tool of the tab's is active there, or not."""
        is_ours = self._counts(self._canvas.mapTool())
        for key in self.keys:
            key.shortcuts[1].setEnabled(is_ours)

    def stop(self) -> None:
        """Leave no key on the map: the plugin is being unloaded."""
        self._canvas.mapToolSet.disconnect(self.refresh)
        for place in (self._tab, self._canvas):
            place.removeEventFilter(self)
        for key in self.keys:
            for shortcut in key.shortcuts:
                shortcut.setEnabled(False)
                shortcut.setParent(None)
                shortcut.deleteLater()
        self.keys = []

    def _show(self, key: Key) -> None:
        words = key.tip or key.title
        key.button.setToolTip(f"{words} ({_native(key.sequence)})")


def taken_by_qgis(sequence: QKeySequence, window: QWidget | None) -> str:
    """Return the title of an action of QGIS that has a key, an empty text where none has."""
    manager = QgsGui.shortcutsManager()
    action = manager.actionForSequence(sequence)
    if action is None and window is not None:
        found = (a for a in window.findChildren(QAction) if sequence in a.shortcuts())
        action = next(found, None)
    if action is not None:
        return str(action.text().replace("&", "")) or action.objectName()
    shortcut = manager.shortcutForSequence(sequence)
    return "" if shortcut is None else shortcut.objectName()


def is_ambiguous(sequence: QKeySequence, window: QWidget) -> bool:
    """Whether an action of a window has a key now, so that Qt finds two owners."""
    actions = (a for a in window.findChildren(QAction) if sequence in a.shortcuts())
    return any(action.isEnabled() for action in actions)


def _native(sequence: QKeySequence) -> str:
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def _tr(text: str) -> str:
    return QCoreApplication.translate("OVEarthKeys", text)
