"""Review in a window of its own: queue, drawing, deciding, by mouse and keys, on a real file."""

import pytest
from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from .conftest import TANK
from .inspecting import click
from .reviewing import (
    be,
    draw_polygon,
    give_drawing_tool,
    idle,
    open_dataset,
    project_crs,
    type_category,
)


@pytest.fixture
def review(window, package, dataset):
    """The window with the dataset open, Anna at work, and QGIS's tool to draw at hand."""
    give_drawing_tool(window, package)
    project_crs(window, QgsCoordinateReferenceSystem("EPSG:2056"))
    open_dataset(window, dataset)
    be(window, "anna")
    return window


def instances(dataset):
    with dataset.reading() as view:
        return list(view.instances())


def test_next_brings_up_the_image_its_target_and_its_polygons(review, dataset):
    panel = review.dock.review
    click(panel.queue.next)
    idle(review)
    assert panel.state.sample.target.id == 1
    assert "images/a.tif" in panel.about.text()
    assert "Storage tank" in panel.about.text()


def test_a_polygon_drawn_with_qgis_is_in_the_file_at_once(review, dataset):
    panel = review.dock.review
    click(panel.queue.next)
    idle(review)
    click(panel.drawing.draw)
    idle(review)
    draw_polygon(review, (100, 100), (300, 100), (300, 250), (100, 250))
    idle(review)
    assert review.said() == []
    rows = instances(dataset)
    assert len(rows) == 2
    assert rows[1].target_id == 1
    assert rows[1].created_by == "anna"
    assert rows[1].origin == "drawn"
    layer = panel.digitising.layer
    assert layer.isEditable() and not layer.isModified()
    assert layer.undoStack().count() == 0
