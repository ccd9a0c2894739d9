"""The dataset that the tabs share, and the keys of a tab."""

import importlib

import pytest
from qgis.core import QgsProject
from qgis.gui import QgsMapToolPan
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from .conftest import KINDS
from .inspecting import idle, wait_until


def opened(window, place):
    """Open a dataset and wait for its layers."""
    shared = window.dock.open_dataset
    heard = []
    shared.opened.connect(lambda: heard.append(1))
    shared.open(place)
    wait_until(lambda: heard)
    return shared


def test_its_layers_come_from_the_file_itself_styled_and_in_one_group(window, dataset):
    shared = opened(window, dataset.folder)
    assert shared.dataset.path == dataset.path
    assert not shared.is_read_only
    for table, kind in KINDS.items():
        layer = shared.layers.layer(table)
        assert layer.wkbType() == kind
        assert layer.dataProvider().name() == "ogr"
        assert layer.source() == f"{dataset.path}|layername={table}"
    assert shared.layers.layer("pois").renderer().type() == "categorizedSymbol"
    (group,) = QgsProject.instance().layerTreeRoot().findGroups()
    assert len(group.findLayers()) == len(KINDS)
    shared.close()
    assert not QgsProject.instance().mapLayers()
    assert not QgsProject.instance().layerTreeRoot().children()


def test_opened_twice_it_says_so_and_adds_nothing(window, dataset):
    shared = opened(window, dataset.folder)
    shared.open(dataset.path)
    idle(window)
    assert "open already" in " ".join(window.said())
    assert len(QgsProject.instance().mapLayers()) == len(KINDS)


def test_layers_that_the_project_has_are_taken(window, layers, dataset):
    shared = opened(window, dataset.folder)
    assert {shared.layers.layer(table).id() for table in KINDS} == {
        layer.id() for layer in layers.values()
    }
    assert len(QgsProject.instance().mapLayers()) == len(KINDS)


def test_a_folder_that_was_moved_is_a_sentence_and_opens_where_it_is_now(window, dataset, tmp_path):
    shared = opened(window, dataset.folder)
    dataset.folder.rename(tmp_path / "moved")
    assert shared.ready() is None
    assert "no longer in" in " ".join(window.said())
    assert shared.dataset is None
    assert opened(window, tmp_path / "moved").ready() is not None


def test_what_is_no_dataset_is_a_sentence(window, tmp_path):
    shared = window.dock.open_dataset
    shared.open(tmp_path)
    idle(window)
    assert "there is no dataset" in " ".join(window.said())
    assert shared.ready() is None
    assert "Open a dataset first." in " ".join(window.said())


def test_a_dataset_that_may_not_be_changed_is_opened_to_be_looked_at(window, dataset, monkeypatch):
    # Tests may run as root, whom no rights hold back.
    monkeypatch.setattr(type(dataset), "can_be_written", lambda _: False)
    shared = opened(window, dataset.folder)
    assert shared.is_read_only
    assert shared.layers.layer("pois").readOnly()
    assert shared.ready() is None
    assert "looked at, not changed" in " ".join(window.said())


def test_a_new_project_closes_it(window, dataset):
    shared = opened(window, dataset.folder)
    heard = []
    shared.closed.connect(lambda: heard.append(1))
    QgsProject.instance().clear()
    assert heard == [1]
    assert shared.dataset is None


def test_making_one_brings_the_categories_of_the_taxonomy(window, tmp_path):
    shared = window.dock.open_dataset
    shared.make(tmp_path / "new")
    wait_until(lambda: shared.dataset is not None and shared.layers.layer("categories"))
    assert shared.layers.layer("categories").featureCount() > 100


@pytest.fixture
def tab(window):
    """A tab with a button that has the key A, and a field to type into."""
    keys = importlib.import_module("ovearth.ovearth_plugin.keys")
    shown = QWidget(window)
    shown.button, shown.line = QPushButton("Accept", shown), QLineEdit(shown)
    column = QVBoxLayout(shown)
    column.addWidget(shown.button)
    column.addWidget(shown.line)
    window.dock.tabs.insertTab(0, shown, "Tab")
    window.dock.tabs.setCurrentIndex(0)
    shown.tool = QgsMapToolPan(window.canvas)
    shown.keys = keys.Keys(shown, window.canvas, lambda tool: tool is shown.tool)
    shown.presses = []
    shown.button.clicked.connect(lambda: shown.presses.append(1))
    shown.key = shown.keys.add("test/accept", "A", shown.button)
    window.activateWindow()
    yield shown
    shown.keys.set(shown.key, QKeySequence("A"))


def test_a_key_works_in_its_tab_but_not_while_one_types(tab):
    tab.button.setFocus()
    QTest.keyClick(tab.button, Qt.Key.Key_A)
    assert tab.presses == [1]
    tab.line.setFocus()
    QTest.keyClick(tab.line, Qt.Key.Key_A)
    assert tab.presses == [1]
    assert tab.line.text() == "a"
    assert tab.button.toolTip() == "Accept (A)"


def test_on_the_map_a_key_works_only_with_the_tool_of_its_tab(tab, window):
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_A)
    assert tab.presses == []
    window.canvas.setMapTool(tab.tool)
    QTest.keyClick(window.canvas, Qt.Key.Key_A)
    assert tab.presses == [1]
    window.canvas.unsetMapTool(tab.tool)
    QTest.keyClick(window.canvas, Qt.Key.Key_A)
    assert tab.presses == [1]


def test_a_key_can_be_changed_but_not_to_one_that_is_taken(tab, window):
    compat = importlib.import_module("ovearth.ovearth_plugin.compat")
    assert tab.keys.set(tab.key, QKeySequence("F")) == ""
    tab.button.setFocus()
    QTest.keyClick(tab.button, Qt.Key.Key_F)
    QTest.keyClick(tab.button, Qt.Key.Key_A)
    assert tab.presses == [1]
    assert tab.button.toolTip() == "Accept (F)"
    action = compat.QAction("&Zoom", window)
    action.setShortcut(QKeySequence("Z"))
    window.addAction(action)
    assert "“Zoom”" in tab.keys.set(tab.key, QKeySequence("Z"))
    assert tab.key.sequence == QKeySequence("F")
