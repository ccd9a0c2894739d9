"""Review when something comes between: a folder moved, groups switched on, a file that is held."""

import sqlite3

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from .inspecting import click, wait_until
from .reviewing import (
    be,
    draw_polygon,
    give_drawing_tool,
    idle,
    instances,
    log,
    open_dataset,
    press,
    project_crs,
    target,
    told,
    type_category,
    write_image,
)

SWISS = (2600000, 0.1, 0, 1200000, 0, -0.1)
CORNERS = [(100, 100), (300, 100), (300, 250), (100, 250)]


@pytest.fixture
def pictured(dataset):
    """The dataset with its image file, and with a second image that nothing is drawn on."""
    write_image(dataset.folder / "images/a.tif", 2056, SWISS, 1000, 800)
    second = (2600500, 0.1, 0, 1200000, 0, -0.1)
    write_image(dataset.folder / "images/b.tif", 2056, second, 900, 800)
    dataset.add_image(dataset.folder / "images/b.tif", "anna")
    return dataset


@pytest.fixture
def approved(pictured, package):
    """The dataset, its one target approved."""
    from ovearth.ovearth_core.dataset.review import ALL_GOOD, Person, Said, review_session

    for person, move in ((Person("anna"), "submit"), (Person("mia", "manager"), "approve")):
        with review_session(pictured, person) as session:
            session.move(move, 1, Said(answers=ALL_GOOD))
    return pictured


@pytest.fixture
def review(window, package, pictured):
    """The window with the dataset open, Anna at work, and QGIS's tool to draw at hand."""
    give_drawing_tool(window, package)
    project_crs(window, QgsCoordinateReferenceSystem("EPSG:2056"))
    open_dataset(window, pictured)
    be(window, "anna")
    yield window
    window.canvas.unsetMapTool(window.canvas.mapTool())


@pytest.fixture
def held(pictured):
    """Another program that holds the dataset's file until it is told to let go."""
    other = sqlite3.connect(pictured.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_a_polygon_waiting_while_the_folder_is_moved_is_drawn_again_at_its_new_place(
    review, pictured, tmp_path, core
):
    panel = review.dock.review
    panel.state.go_to(2)
    idle(review)
    click(panel.drawing.draw)
    idle(review)
    draw_polygon(review, *CORNERS)
    idle(review)
    assert panel.committer.is_waiting
    pictured.folder.rename(tmp_path / "moved")
    type_category(review, "storage")
    idle(review)
    assert told(review, "no longer in")
    assert told(review, "wasn't saved")
    assert not told(review, "rights"), review.said()
    assert not told(review, "Everything was saved")
    assert not panel.committer.is_waiting
    moved = core.Dataset.open(tmp_path / "moved")
    open_dataset(review, moved)
    panel.state.go_to(1)
    idle(review)
    assert panel.state.sample.image.id == 1
    assert not panel.committer.is_waiting
    panel.state.go_to(2)
    idle(review)
    assert told(review, "drawn again")
    assert panel.committer.is_waiting
    type_category(review, "storage")
    idle(review)
    assert [row.image_id for row in instances(moved)] == [1, 2]
    assert not panel.committer.is_waiting


def test_the_layer_removed_while_a_polygon_waits_is_said_and_review_goes_on(review):
    panel = review.dock.review
    panel.state.go_to(2)
    idle(review)
    click(panel.drawing.draw)
    idle(review)
    draw_polygon(review, *CORNERS)
    idle(review)
    QgsProject.instance().removeMapLayer(panel.digitising.layer.id())
    idle(review)
    assert told(review, "wasn't saved")
    assert not panel.committer.is_waiting
    panel.state.go_to(1)
    idle(review)
    assert panel.state.sample.image.id == 1


def test_transaction_groups_switched_on_later_keep_drawing_from_starting(review):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    assert not panel.notice.isVisible()
    QgsProject.instance().setAutoTransaction(True)
    try:
        press(review, Qt.Key.Key_D)
        assert panel.notice.isVisible()
        assert told(review, "transaction groups")
        assert not panel.digitising.layer.isEditable()
        click(panel.notice.off)
    finally:
        assert not QgsProject.instance().autoTransaction()
    press(review, Qt.Key.Key_D)
    assert panel.digitising.layer.isEditable()


def test_a_step_waits_for_whoever_writes_and_says_so_and_is_made_then(review, pictured, held):
    panel = review.dock.review
    panel.state.go_to(1, 1)
    wait_until(lambda: panel.state.sample is not None and not panel.desk.is_busy)
    click(panel.drawing.submit)
    wait_until(review.said)
    assert told(review, "Writing the step waits: another program")
    assert panel.desk.is_busy
    held.execute("ROLLBACK")
    idle(review)
    assert target(pictured, 1).state == "submitted"


def test_a_step_that_waited_too_long_is_told_and_may_be_made_again(
    review, pictured, held, package, monkeypatch
):
    from ovearth.ovearth_plugin.review import desk

    monkeypatch.setattr(desk, "_LONGEST_WAIT_S", 0.2)
    panel = review.dock.review
    panel.state.go_to(1, 1)
    wait_until(lambda: panel.state.sample is not None and not panel.desk.is_busy)
    click(panel.drawing.submit)
    wait_until(review.said)
    assert told(review, "not done, for another program holds the dataset")
    held.execute("ROLLBACK")
    click(panel.drawing.submit)
    idle(review)
    assert target(pictured, 1).state == "submitted"


def test_boxes_wait_for_whoever_writes_and_nothing_waits_for_them(approved, review, held):
    panel = review.dock.review
    click(panel.boxes.derive)
    wait_until(review.said)
    assert told(review, "Deriving boxes waits: another program")
    assert not panel.boxes.derive.isEnabled()
    panel.state.go_to(2)
    wait_until(lambda: panel.state.sample is not None and panel.state.sample.image.id == 2)
    held.execute("ROLLBACK")
    idle(review)
    assert told(review, "Boxes: 2 derived")
    assert panel.boxes.derive.isEnabled()
    with approved.reading() as view:
        assert len(list(view.boxes("hbb"))) == len(list(view.boxes("obb"))) == 1


def test_boxes_that_waited_too_long_are_told_and_may_be_derived_again(
    approved, review, held, monkeypatch
):
    from ovearth.ovearth_plugin.review import desk

    monkeypatch.setattr(desk, "_LONGEST_WAIT_S", 0.2)
    panel = review.dock.review
    click(panel.boxes.derive)
    wait_until(review.said)
    assert told(review, "not done, for another program holds the dataset")
    assert panel.boxes.derive.isEnabled()
    held.execute("ROLLBACK")
    click(panel.boxes.derive)
    idle(review)
    assert told(review, "Boxes: 2 derived")


def test_a_new_polygon_was_changed_by_nobody_yet(review, pictured):
    press(review, Qt.Key.Key_N)
    press(review, Qt.Key.Key_D)
    draw_polygon(review, *CORNERS)
    idle(review)
    row = instances(pictured)[-1]
    assert (row.created_by, row.changed_by, row.changes) == ("anna", None, 0)


def test_marks_go_with_the_polygon_and_with_the_role(review, pictured):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    press(review, Qt.Key.Key_D)
    draw_polygon(review, (100, 300), (300, 500), (300, 300), (100, 500))
    idle(review)
    assert panel.problems._marks
    review.canvas.setFocus()
    QTest.keyClick(review.canvas, Qt.Key.Key_U)
    idle(review)
    assert not panel.problems._marks
    assert log(pictured, 1)[-1][0] == "undid"


def type_into(window, text):
    field = window.dock.review.drawing.category
    field.line.setFocus()
    field.line.selectAll()
    QTest.keyClicks(field.line, text)
    return field


def test_return_takes_no_category_that_is_only_spelt_nearly_so(review, pictured):
    press(review, Qt.Key.Key_N)
    field = type_into(review, "storrage tnk")
    assert "No category is called so" in field.about.text()
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    idle(review)
    assert [action for action, *_ in log(pictured, 1)] == ["created"]
    field = type_into(review, "feld")
    QTest.keyClick(field.line, Qt.Key.Key_Down)
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    idle(review)
    assert target(pictured, 1).category_id == 0


def test_problem_marks_go_with_the_role(review):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    press(review, Qt.Key.Key_D)
    draw_polygon(review, (100, 300), (300, 500), (300, 300), (100, 500))
    idle(review)
    heard = []
    panel.problems.changed.connect(lambda: heard.append(list(panel.problems.findings)))
    be(review, "mia", "manager")
    assert heard[0] == []


def test_a_state_is_read_whole_in_the_queue(review):
    view = review.dock.review.queue.view
    texts = [view.model().index(row, 2).data() for row in range(view.model().rowCount())]
    assert "nothing drawn" in texts
    for row in range(len(texts)):
        assert view.sizeHintForIndex(view.model().index(row, 2)).width() <= view.columnWidth(2)


def test_what_is_wrong_with_an_outline_names_no_option_of_the_command_line(review):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    click(panel.drawing.draw)
    idle(review)
    draw_polygon(review, (500, 500), (600, 600), (600, 500), (500, 600))
    idle(review)
    listed = panel.drawing.problems
    said = [listed.item(row).text() for row in range(listed.count())]
    assert any("falls into 2 parts" in text for text in said), said
    assert not any("--" in text for text in said)
