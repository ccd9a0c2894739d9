"""Click-to-mask on the map, by mouse and keys, with a small model whose answer is known."""

import re
import socket
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import numpy as np
import pytest
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from .conftest import TANK
from .inspecting import LEFT, click, wait_until
from .reviewing import (
    RIGHT,
    be,
    click_map,
    idle,
    instances,
    log,
    open_dataset,
    place_of,
    press,
    project_crs,
    told,
    type_category,
    write_image,
)

SWISS = (2600000, 0.1, 0, 1200000, 0, -0.1)
# The model answers a point inside with a disc of this radius, in its own pixels of 1024.
RADIUS = 100.0


@pytest.fixture
def clicking(window, dataset):
    """At Anna's target, the tool of click-to-mask not yet in hand, and no model chosen."""
    write_image(dataset.folder / "images/a.tif", 2056, SWISS, 1000, 800)
    project_crs(window, QgsCoordinateReferenceSystem("EPSG:2056"))
    open_dataset(window, dataset)
    be(window, "anna")
    window.dock.review.drawing.clicking.model.choose("")
    press(window, Qt.Key.Key_N)
    return window


def choose_model(window, spec):
    drawing = window.dock.review.drawing
    click(drawing.choose_model)
    drawing.model.spec.clear()
    QTest.keyClicks(drawing.model.spec, str(spec))
    QTest.keyClick(drawing.model.spec, Qt.Key.Key_Return)
    model_idle(window)


def model_idle(window):
    wait_until(lambda: not window.dock.review.model_desk.is_busy)
    idle(window)


def ask(window, x, y, button=LEFT):
    click_map(window, x, y, button)
    model_idle(window)


def test_without_a_model_it_says_what_it_needs_and_where_to_get_it(clicking):
    drawing = clicking.dock.review.drawing
    click(drawing.click)
    idle(clicking)
    assert drawing.model.isVisible()
    assert drawing.model.spec.hasFocus()
    (link,) = re.findall(r'href="([^"]+)"', drawing.model.about.text())
    page = Path(url2pathname(urlparse(link).path)).read_text("utf-8")
    assert "Where to get a model" in page


def test_a_file_that_is_no_model_is_a_sentence(clicking, tmp_path):
    pytest.importorskip("onnxruntime")
    for name in ("encoder.onnx", "decoder.onnx"):
        (tmp_path / name).write_bytes(b"something else")
    choose_model(clicking, tmp_path)
    assert told(clicking, "encoder.onnx") or told(clicking, "decoder.onnx")
    assert told(clicking, "the help page Click-to-mask says where to get")
    assert clicking.dock.review.drawing.model.isVisible()


def test_points_in_and_out_make_a_mask_and_return_takes_it(clicking, model, dataset):
    panel = clicking.dock.review
    choose_model(clicking, model)
    assert told(clicking, "The model is ready")
    press(clicking, Qt.Key.Key_K)
    model_idle(clicking)
    assert clicking.canvas.mapTool() is panel.drawing.clicking.tool
    ask(clicking, 400, 300)
    (rings,) = panel.drawing.clicking.proposal.pixels
    whole = area(rings)
    # Its pixels are 1000/1024 and 800/1024 of the image's.
    assert whole == pytest.approx(np.pi * RADIUS**2 * 1000 * 800 / 1024**2, rel=0.02)
    ask(clicking, 460, 300, RIGHT)
    assert area(panel.drawing.clicking.proposal.pixels[0]) < whole * 0.95
    press(clicking, Qt.Key.Key_U)
    model_idle(clicking)
    assert area(panel.drawing.clicking.proposal.pixels[0]) == pytest.approx(whole)
    clicking.canvas.setFocus()
    QTest.keyClick(clicking.canvas, Qt.Key.Key_Return)
    idle(clicking)
    row = instances(dataset)[-1]
    assert (row.target_id, row.origin, row.created_by) == (1, "click-to-mask", "anna")
    assert row.origin_note == "sam2-sized"
    assert area(row.polygons[0]) == pytest.approx(whole)
    assert log(dataset, 1)[-1] == ("drew", "anna", "instance 2")
    assert panel.drawing.clicking.clicks is None
    press(clicking, Qt.Key.Key_U)
    assert len(instances(dataset)) == 1


def test_a_box_is_dragged_and_a_mask_without_a_target_waits_for_its_category(
    clicking, model, dataset
):
    panel = clicking.dock.review
    write_image(dataset.folder / "images/b.tif", 2056, (2600500, *SWISS[1:]), 1000, 800)
    dataset.add_image(dataset.folder / "images/b.tif", "anna")
    choose_model(clicking, model)
    panel.state.go_to(2)
    idle(clicking)
    click(panel.drawing.click)
    model_idle(clicking)
    start, end = place_of(clicking, 300, 200), place_of(clicking, 600, 500)
    viewport = clicking.canvas.viewport()
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(viewport, (start + end) / 2)
    QTest.mouseMove(viewport, end)
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.NoModifier, end)
    model_idle(clicking)
    box = panel.drawing.clicking.clicks.box
    coarse = clicking.canvas.mapUnitsPerPixel() / 0.1
    assert np.abs(np.array(box) - [300, 200, 600, 500]).max() < coarse
    assert panel.drawing.clicking.proposal is not None
    click(panel.drawing.take)
    idle(clicking)
    assert told(clicking, "Type its category")
    type_category(clicking, "storage")
    click(panel.drawing.take)
    idle(clicking)
    row = instances(dataset)[-1]
    assert (row.image_id, row.category_id, row.origin) == (2, TANK, "click-to-mask")
    assert panel.state.sample.target.id == row.target_id


def test_a_mask_taken_twice_in_a_row_is_stored_once(clicking, model, dataset):
    panel = clicking.dock.review
    choose_model(clicking, model)
    press(clicking, Qt.Key.Key_K)
    model_idle(clicking)
    ask(clicking, 400, 300)
    clicking.canvas.setFocus()
    for _ in range(3):
        QTest.keyClick(clicking.canvas, Qt.Key.Key_Return)
    idle(clicking)
    assert len(instances(dataset)) == 2
    assert not panel.drawing.take.isEnabled()


def test_clicks_lie_right_in_a_crs_of_the_users_own(clicking, model):
    panel = clicking.dock.review
    crs = QgsCoordinateReferenceSystem()
    crs.createFromProj("+proj=laea +lat_0=47 +lon_0=7.4 +datum=WGS84 +units=m +no_defs")
    number = QgsApplication.coordinateReferenceSystemRegistry().addUserCrs(crs, "mine")
    crs = QgsCoordinateReferenceSystem(f"USER:{number}")
    if not crs.authid().startswith("USER:"):
        pytest.skip("this QGIS has no profile to keep a CRS of the user's own in")
    project_crs(clicking, crs)
    panel.scene.zoom()
    choose_model(clicking, model)
    press(clicking, Qt.Key.Key_K)
    model_idle(clicking)
    ask(clicking, 400, 300)
    assert not told(clicking, "can't be found")
    coarse = clicking.canvas.mapUnitsPerPixel() / 0.1
    assert np.abs(np.array(panel.drawing.clicking.clicks.points) - [400, 300]).max() < coarse
    assert panel.drawing.clicking.proposal is not None


def test_clicks_go_when_their_maker_becomes_a_manager(clicking, model):
    panel = clicking.dock.review
    choose_model(clicking, model)
    press(clicking, Qt.Key.Key_K)
    model_idle(clicking)
    ask(clicking, 400, 300)
    assert panel.drawing.clicking._marks
    be(clicking, "anna", "manager")
    assert not panel.drawing.clicking._marks
    assert panel.drawing.clicking.proposal is None


def test_a_server_that_is_not_there_is_said_once_when_it_is_chosen(clicking):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        drawing = clicking.dock.review.drawing
        drawing.click.setChecked(True)
        model_idle(clicking)
        choose_model(clicking, address)
        model_idle(clicking)
    assert not told(clicking, "ready")
    # Where httpx lacks, it is that which is said.
    assert len(clicking.said()) == 1
    assert drawing.model.isVisible()


def area(rings):
    x, y = np.asarray(rings[0]).T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
