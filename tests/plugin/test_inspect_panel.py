"""The panel Inspect explains itself, can be stopped, and leaves the window as it found it."""

from pathlib import Path

import pytest
from qgis.gui import QgsMapCanvas, QgsMapToolPan
from qgis.PyQt.QtCore import QEvent, QObject, QPoint, QUrl, pyqtSlot
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
)

from .inspecting import (
    choose,
    click,
    click_row,
    column,
    idle,
    open_benchmark,
    type_path,
    wait_until,
)


@pytest.mark.parametrize("name", ["domain", "category", "size"])
def test_each_filter_leaves_the_queries_that_it_names_and_all_come_back(careful, name):
    box = getattr(careful.panel.queries.filter_bar, name)
    everything = column(careful, "Query")
    seen = []
    for place in range(1, box.count()):
        choose(box, box.itemText(place))
        assert set(column(careful, name.capitalize())) <= {box.itemText(place)}
        seen += column(careful, "Query")
    assert len(seen) == len(set(seen)) and set(seen) <= set(everything)
    choose(box, box.itemText(0))
    assert column(careful, "Query") == everything


def test_cancel_stops_what_is_being_scored_and_what_waits(window, here):
    open_benchmark(window, here)
    runs = window.panel.runs
    assert not runs.stop.isVisible()
    window.panel.loader.add_runs(sorted((here.parent / "runs").iterdir()))
    assert runs.stop.isVisible() and runs.busy.isVisible()
    click(runs.stop)
    idle(window)
    assert window.state.runs == []
    assert window.said() == []
    assert not runs.stop.isVisible() and not runs.busy.isVisible()


def test_every_button_box_and_slider_has_a_tool_tip(both):
    panel = both.panel
    kinds = (QAbstractButton, QComboBox, QSlider, QLineEdit)
    shown = [
        one for kind in kinds for one in panel.findChildren(kind)
        # Those inside of Qt's and QGIS's own widgets are theirs.
        if type(one).__module__.startswith("PyQt") and not one.objectName().startswith("qt_")
        and one.parent() is not None and "ovearth" in type(one.parent()).__module__
    ]  # fmt: skip
    assert len(shown) > 20
    assert [one.text() if hasattr(one, "text") else one.currentText()
            for one in shown if not one.toolTip()] == []  # fmt: skip


class Browser(QObject):
    """Takes the addresses that would be opened."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @pyqtSlot(QUrl)
    def open(self, url):
        self.opened.append(url)


def test_the_question_mark_opens_the_page_of_the_panel(window):
    browser = Browser()
    QDesktopServices.setUrlHandler("file", browser, "open")
    click(window.panel.runs.help)
    QDesktopServices.unsetUrlHandler("file")
    (url,) = browser.opened
    page = Path(url.toLocalFile()).read_text(encoding="utf-8")
    for word in ("Worst first", "Return the target", "Look elsewhere", "Add masks"):
        assert word in page


def test_stopping_gives_back_the_canvas_the_tool_and_the_project(both):
    canvas = both.canvas
    pan = QgsMapToolPan(canvas)
    canvas.setMapTool(pan)
    click_row(both, 2)
    choose(both.panel.mode, "Swipe from A to B")
    idle(both)
    click(both.panel.return_form.pin)
    viewport = canvas.viewport()
    # Beside the line of the swipe, which takes the mouse where it is.
    click(viewport, viewport.rect().center() + QPoint(60, 0))
    assert canvas.mapTool() is pan
    click(both.panel.return_form.pin)
    both.stop()
    QTest.qWait(50)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(canvas.scene().items()) == len(QgsMapCanvas().scene().items())
    assert canvas.findChildren(QLabel, "ovearth_caption") == []
    assert canvas.mapTool() is pan


def test_what_cannot_be_written_is_one_sentence_and_leaves_nothing(careful, tmp_path):
    # Root may write anywhere, but nobody into a folder that is a file.
    (tmp_path / "taken").write_text("a file")
    careful.panel.exporter.scores(tmp_path / "taken/scores.csv")
    idle(careful)
    (said,) = careful.said()
    assert "scores.csv" in said and "Traceback" not in said
    assert (tmp_path / "taken").read_text() == "a file"


def test_the_same_benchmark_opened_twice_shows_the_runs_of_the_second_time(careful, here):
    click_row(careful)
    click(careful.panel.runs.open)
    type_path(careful, here)
    idle(careful)
    assert careful.state.runs == [] and careful.state.row is None
    assert careful.panel.scene.layers.scene is None
    wait_until(lambda: not careful.panel.scene.caption.isVisible())
