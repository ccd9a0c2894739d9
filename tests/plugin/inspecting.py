"""A window with the dock's tab Inspect, and how a person uses it by mouse and keys."""

import importlib
import time

from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
# Nobody waits so long where all is well; on a busy machine what takes 5 s has taken 35.
LONG_S = 120


def wait_until(condition, long_s=LONG_S):
    """Let events pass until the condition holds."""
    end = time.monotonic() + long_s
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(5)


class Window(QMainWindow):
    """A map with a message bar over it, and OVEarth's dock."""

    def __init__(self, package):
        super().__init__()
        module = {
            name: importlib.import_module(f"ovearth.ovearth_plugin.{name}")
            for name in ("dock", "messages", "tasks")
        }
        self.canvas = QgsMapCanvas()
        self.bar = QgsMessageBar()
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.addWidget(self.bar)
        column.addWidget(self.canvas, 1)
        self.setCentralWidget(middle)
        messages = module["messages"].Messages(self.bar)
        self.tasks = module["tasks"].Tasks(messages.failure)
        self.dock = module["dock"].OVEarthDock(self.canvas, self.tasks, messages, self)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.panel = self.dock.inspect
        self.dock.tabs.setCurrentWidget(self.panel)
        self.state = self.panel.state
        self.resize(1300, 850)

    def stop(self):
        if self.dock is not None:
            self.dock.stop()
            self.dock = None

    def said(self):
        return [item.text() for item in self.bar.items()]


def click(widget, place=None):
    QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, place or QPoint())


def type_path(window, path):
    """Fill the file dialog that is open, and press Enter."""
    wait_until(lambda: _dialogs(window))
    (dialog,) = _dialogs(window)
    line = dialog.findChild(QLineEdit)

    def is_typed():
        # The dialog clears the line when it has read its folder, which may be now; and what it
        # offers while one types takes the keys where there is a real screen.
        line.setText(str(path))
        QTest.qWait(20)
        return line.text() == str(path)

    wait_until(is_typed)
    QTest.keyClick(line, Qt.Key.Key_Return)
    for question in window.findChildren(QMessageBox):
        QTest.keyClick(question, Qt.Key.Key_Y)
    wait_until(lambda: not _dialogs(window))


def _dialogs(window):
    return [one for one in window.findChildren(QFileDialog) if one.isVisible()]


def idle(window, long_s=LONG_S):
    wait_until(lambda: window.tasks.running == 0, long_s)


def open_benchmark(window, path):
    click(window.panel.runs.open)
    type_path(window, path)
    idle(window)


def add_run(window, path):
    click(window.panel.runs.add)
    type_path(window, path)
    idle(window)


def choose(box: QComboBox, text: str):
    """Choose an entry by keys: Home, then Down."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentText() != text:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() != before, f"no {text} in the list"


def click_row(window, line=0):
    view = window.panel.queries.view
    view.scrollTo(view.model().index(line, 0))
    click(view.viewport(), view.visualRect(view.model().index(line, 0)).center())
    idle(window)
    return window.state.row


def click_heading(window, text):
    header = window.panel.queries.view.horizontalHeader()
    model = window.panel.queries.model
    place = next(
        n for n in range(model.columnCount())
        if model.headerData(n, Qt.Orientation.Horizontal) == text
    )  # fmt: skip
    window.panel.queries.view.scrollTo(model.index(0, place))
    x = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
    click(header.viewport(), QPoint(x, header.height() // 2))


def column(window, text):
    model = window.panel.queries.model
    place = next(
        n for n in range(model.columnCount())
        if model.headerData(n, Qt.Orientation.Horizontal) == text
    )  # fmt: skip
    return [model.index(line, place).data() for line in range(model.rowCount())]


def shapes(window):
    """The shown features by outcome."""
    found = {}
    for feature in window.panel.scene.layers.scene.getFeatures():
        found.setdefault(feature["outcome"], []).append(feature)
    return found
