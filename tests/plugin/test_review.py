"""Review in a window of its own: queue, drawing, deciding, by mouse and keys, on a real file."""

import importlib
import re
import sqlite3

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest

from .conftest import REPOSITORY, TANK
from .inspecting import choose, click, wait_until
from .reviewing import (
    be,
    click_map,
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
    write_image(dataset.folder / "images/b.tif", 2056, second, 1000, 800)
    dataset.add_image(dataset.folder / "images/b.tif", "anna")
    return dataset


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
def drawing(review):
    """At Anna's target, with QGIS's tool in hand."""
    press(review, Qt.Key.Key_N)
    click(review.dock.review.drawing.draw)
    idle(review)
    return review


def test_next_brings_up_the_image_its_target_and_its_polygons(review):
    panel = review.dock.review
    assert panel.queue.count.text() == "2 of 2 wait for me"
    press(review, Qt.Key.Key_N)
    assert panel.state.sample.target.id == 1
    assert "images/a.tif" in panel.about.text()
    assert "Storage tank" in panel.about.text()
    assert panel.scene.image.layer.source().endswith("a.tif")
    lit = panel.digitising.layer.renderer()
    assert next(category.label() for category in lit.categories()) == "this target"
    press(review, Qt.Key.Key_N)
    assert panel.state.sample.target is None
    assert panel.scene.image.layer.source().endswith("b.tif")
    assert review.canvas.extent().contains(panel.scene.image.layer.extent())
    assert review.said() == []


def test_the_queue_is_filtered_by_state_category_image_and_person(review):
    panel = review.dock.review
    choose(panel.queue.states, "nothing drawn")
    panel.queue.states.activated.emit(panel.queue.states.currentIndex())
    idle(review)
    assert [entry.file_name for entry in panel.state.entries] == ["images/b.tif"]
    choose(panel.queue.states, "All states")
    panel.queue.states.activated.emit(0)
    for line, text, left in (
        (panel.queue.category, "tank", 0),
        (panel.queue.category, "storage tank", 1),
        (panel.queue.category, "", 2),
        (panel.queue.image, "b.tif", 1),
        (panel.queue.image, "", 2),
        (panel.queue.annotator, "ANNA", 1),
        (panel.queue.annotator, "ben", 0),
    ):
        line.setFocus()
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Backspace)
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        idle(review)
        if text == "tank":
            # No such category: the queue stays as it was, and the message tells the nearest.
            assert told(review, "nearest are")
            continue
        assert len(panel.state.entries) == left, text


def test_a_polygon_drawn_with_qgis_is_in_the_file_at_once_where_it_was_clicked(drawing, pictured):
    panel = drawing.dock.review
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    assert drawing.said() == []
    rows = instances(pictured)
    assert [(row.target_id, row.created_by, row.origin) for row in rows[1:]] == [
        (1, "anna", "drawn")
    ]
    # A click is no finer than a pixel of the screen.
    coarse = drawing.canvas.mapUnitsPerPixel() / 0.1
    assert np.abs(rows[1].polygons[0][0][:4] - CORNERS).max() < coarse
    layer = panel.digitising.layer
    assert layer.isEditable()
    assert not layer.isModified()
    assert layer.undoStack().count() == 0
    assert log(pictured, 1)[-1] == ("drew", "anna", "instance 2")


def test_u_takes_back_what_was_drawn_last_as_a_new_line_of_the_log(drawing, pictured):
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    drawing.canvas.setFocus()
    QTest.keyClick(drawing.canvas, Qt.Key.Key_U)
    idle(drawing)
    assert [row.id for row in instances(pictured)] == [1]
    assert [action for action, *_ in log(pictured, 1)] == ["created", "drew", "undid"]
    with pictured.reading() as view:
        undone = list(view.reviews(1))[-1]
    assert undone.extra["geometry"]["type"] == "MultiPolygon"
    press(drawing, Qt.Key.Key_U)
    assert drawing.said() == ["There is nothing of yours to undo."]


def test_a_polygon_reshaped_and_one_erased_come_back_to_the_last_bit(drawing, pictured):
    layer = drawing.dock.review.digitising.layer
    (before,) = instances(pictured)
    feature = next(layer.getFeatures())
    geometry = feature.geometry()
    geometry.translate(1e-6, 0)
    layer.beginEditCommand("Move")
    layer.changeGeometry(feature.id(), geometry)
    layer.endEditCommand()
    idle(drawing)
    (moved,) = instances(pictured)
    assert (moved.changes, moved.changed_by) == (1, "anna")
    assert not np.array_equal(moved.polygons[0][0], before.polygons[0][0])
    layer.beginEditCommand("Delete")
    layer.deleteFeature(feature.id())
    layer.endEditCommand()
    idle(drawing)
    assert instances(pictured) == []
    press(drawing, Qt.Key.Key_U)
    press(drawing, Qt.Key.Key_U)
    (after,) = instances(pictured)
    assert after.id == before.id
    assert np.array_equal(after.polygons[0][0], before.polygons[0][0])
    assert [action for action, *_ in log(pictured, 1)] == [
        "created", "reshaped", "erased", "undid", "undid",
    ]  # fmt: skip


def test_a_first_polygon_waits_for_its_category_and_makes_the_target(review, pictured):
    panel = review.dock.review
    panel.state.go_to(2)
    idle(review)
    click(panel.drawing.draw)
    idle(review)
    draw_polygon(review, *CORNERS)
    idle(review)
    assert len(instances(pictured)) == 1
    assert panel.drawing.waiting.text() == "Not saved yet: what is it? Type its category."
    press(review, Qt.Key.Key_N)
    assert told(review, "not saved yet")
    assert panel.state.sample.image.id == 2
    type_category(review, "storage")
    idle(review)
    row = instances(pictured)[-1]
    assert (row.image_id, row.category_id, row.created_by) == (2, TANK, "anna")
    assert panel.state.sample.target.id == row.target_id == 2
    assert not panel.digitising.layer.isModified()
    assert not panel.drawing.waiting.isVisible()
    press(review, Qt.Key.Key_U)
    with pictured.reading() as view:
        assert view.counts()["targets"] == 1
    assert panel.state.sample.target is None
    assert [action for action, *_ in log(pictured, 2)] == ["created", "drew", "undid", "removed"]


def test_typing_a_category_shows_what_it_is_and_gives_the_target_another(review, pictured):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    line = panel.drawing.category.line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "fiel")
    assert "Without instances" in panel.drawing.category.about.text()
    QTest.keyClick(line, Qt.Key.Key_Return)
    idle(review)
    assert target(pictured, 1).category_id == 0
    assert log(pictured, 1)[-1][:2] == ("category", "anna")


def test_a_polygon_that_crosses_itself_is_marked_where_it_does(drawing, pictured):
    panel = drawing.dock.review
    draw_polygon(drawing, (100, 300), (300, 500), (300, 300), (100, 500))
    idle(drawing)
    kinds = {finding.kind for finding in panel.problems.findings}
    assert kinds == {"invalid"}
    assert panel.drawing.problems.isVisible()
    assert "not valid" in panel.drawing.problems.item(0).text()
    (finding,) = panel.problems.findings
    place = panel.scene.to_canvas(*finding.lonlat)
    assert {mark.center() for mark in panel.problems._marks} == {place}
    item = panel.drawing.problems.visualItemRect(panel.drawing.problems.item(0))
    click(panel.drawing.problems.viewport(), item.center())
    assert drawing.canvas.center().distance(place) < drawing.canvas.mapUnitsPerPixel() * 2
    press(drawing, Qt.Key.Key_U)
    assert panel.problems.findings == []
    assert not panel.problems._marks


def test_while_another_program_writes_nothing_waits_and_nothing_is_lost(drawing, pictured):
    panel = drawing.dock.review
    other = sqlite3.connect(pictured.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    draw_polygon(drawing, *CORNERS)
    wait_until(lambda: panel.committer.is_waiting)
    assert panel.drawing.waiting.text() == "Not saved yet."
    wait_until(drawing.said)
    assert told(drawing, "saved as soon as it lets go")
    other.execute("ROLLBACK")
    other.close()
    wait_until(lambda: not panel.committer.is_waiting)
    idle(drawing)
    assert len(instances(pictured)) == 2
    assert log(pictured, 1)[-1] == ("drew", "anna", "instance 2")


def test_what_another_decided_meanwhile_is_said_and_the_new_polygon_stays(
    drawing, pictured, package
):
    from ovearth.ovearth_core.dataset.review import ALL_GOOD, Person, Said, review_session

    panel = drawing.dock.review
    with review_session(pictured, Person("anna")) as session:
        session.move("submit", 1)
    with review_session(pictured, Person("mia", "manager")) as session:
        session.move("approve", 1, Said(answers=ALL_GOOD))
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    assert told(drawing, "it is approved")
    assert len(instances(pictured)) == 1
    assert panel.digitising.layer.isModified()
    press(drawing, Qt.Key.Key_U)
    assert not panel.digitising.layer.isModified()
    layer = panel.digitising.layer
    layer.deleteFeature(1)
    idle(drawing)
    assert told(drawing, "it is approved")
    assert not layer.isModified()
    assert len(instances(pictured)) == 1


def test_a_manager_answers_by_key_pins_where_he_clicks_and_sends_back(review, pictured):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    press(review, Qt.Key.Key_F)
    assert target(pictured, 1).state == "submitted"
    be(review, "mia", "manager")
    press(review, Qt.Key.Key_N)
    assert panel.state.sample.target.id == 1
    panel.tabs.setCurrentWidget(panel.decision)
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_3):
        press(review, key)
    assert panel.decision.questions.answers.by_field() == {
        "right_category": True, "good_boundary": False, "nothing_missed": True,
    }  # fmt: skip
    press(review, Qt.Key.Key_A)
    assert told(review, "answered with no")
    press(review, Qt.Key.Key_P)
    click_map(review, 30, 20)
    QTest.keyClicks(panel.decision.comment, "cut the shadow off")
    click(panel.decision.moves["return"])
    idle(review)
    with pictured.reading() as view:
        line = next(row for row in view.reviews(1) if row.action == "return")
        x, y = view.frame(1).lonlat_to_pixel([[line.lon, line.lat]])[0]
    coarse = review.canvas.mapUnitsPerPixel() / 0.1
    assert np.hypot(x - 30, y - 20) < coarse
    assert (line.who, line.role, line.comment) == ("mia", "manager", "cut the shadow off")
    assert line.good_boundary is False
    assert target(pictured, 1).state == "returned"
    assert panel.decision.comment.text() == ""
    assert panel.history.topLevelItemCount() == len(log(pictured, 1))
    assert len(panel.history._pins) == 1
    assert review.canvas.mapTool() is not panel.decision.pin_tool.tool


def test_the_click_of_a_pin_is_no_corner_of_what_is_drawn_next(drawing, pictured):
    press(drawing, Qt.Key.Key_P)
    click_map(drawing, 600, 500)
    assert drawing.canvas.mapTool() is drawing.drawing_tool
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    assert len(instances(pictured)[-1].polygons[0][0]) == len(CORNERS) + 1


def test_a_manager_approves_but_not_his_own_drawing_unless_he_is_alone(review, pictured):
    panel = review.dock.review
    press(review, Qt.Key.Key_N)
    press(review, Qt.Key.Key_F)
    be(review, "anna", "manager")
    panel.tabs.setCurrentWidget(panel.decision)
    assert not panel.decision.moves["approve"].isEnabled()
    click(panel.decision.alone, QPoint(8, panel.decision.alone.height() // 2))
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_A):
        press(review, key)
    assert target(pictured, 1).state == "approved"
    assert not panel.drawing.draw.isEnabled()


def test_boxes_are_derived_of_what_is_approved(review, pictured, package):
    from ovearth.ovearth_core.dataset.review import ALL_GOOD, Person, Said, review_session

    for person, move in ((Person("anna"), "submit"), (Person("mia", "manager"), "approve")):
        with review_session(pictured, person) as session:
            session.move(move, 1, Said(answers=ALL_GOOD))
    click(review.dock.review.boxes.derive)
    idle(review)
    assert told(review, "2 derived")
    with pictured.reading() as view:
        (box,) = view.boxes("hbb")
    assert np.allclose(np.reshape(box.corners, (4, 2)).max(axis=0), [50.5, 40.25])


def test_queries_are_edited_accepted_removed_and_counted(review, pictured, core):
    panel = review.dock.review
    with pictured.writing("model") as edit:
        edit.add(core.QueryRow("r", 1, "reasoning", "positive", "where oil is kept",
                               state="proposed", flags=("names-category",)))  # fmt: skip
    press(review, Qt.Key.Key_N)
    panel.tabs.setCurrentWidget(panel.queries)
    table = panel.queries.table
    assert table.item(1, 4).text() == "names its category"
    assert table.item(1, 4).toolTip() == "names-category"
    table.selectRow(1)
    click(panel.queries.accept)
    idle(review)
    cell = table.visualItemRect(table.item(1, 2)).center()
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell
    )
    QTest.mouseDClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cell
    )
    editor = table.viewport().focusWidget() or table.focusWidget()
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "where fuel is kept")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    idle(review)
    table.selectRow(0)
    click(panel.queries.remove)
    idle(review)
    with pictured.reading() as view:
        first, second = view.queries(1)
    assert first.state == "removed"
    assert (second.state, second.text, second.original_text) == (
        "accepted", "where fuel is kept", "where oil is kept",
    )  # fmt: skip
    assert panel.queries.count.text() == "Of 2 texts decided, people changed 1 and removed 1"
    assert [action for action, *_ in log(pictured, 1)][1:] == [
        "accept query", "edit query", "remove query",
    ]  # fmt: skip


def test_corrections_and_what_reviewers_say_stand_beside_the_text(review, pictured, core):
    panel = review.dock.review
    with pictured.writing("model") as edit:
        edit.add(core.QueryRow("f", 1, "referring", "positive", "the tank in the south",
                               state="proposed", flags=("corrected",), verified_why="it is above",
                               correction="the tank in the north"))  # fmt: skip
        for who, decision, more in (
            ("ben", "accept", {"answer": "yes"}),
            ("cleo", "edit", {"new_text": "the upper tank", "answer": "no"}),
            ("cleo", "remove", {"reason": "two of them"}),
        ):
            edit.add(core.JudgementRow(None, "f", 1, "the tank in the south", decision,
                                       who=who, **more))  # fmt: skip
    press(review, Qt.Key.Key_N)
    panel.tabs.setCurrentWidget(panel.queries)
    table = panel.queries.table
    assert table.item(1, 4).text() == (
        "written otherwise by the model; better: the tank in the north"
    )
    assert table.item(1, 4).toolTip() == "it is above\ncorrected"
    assert table.item(1, 5).text() == "accept 1, remove 1 (no majority)"
    assert table.item(1, 5).toolTip() == (
        "ben: accept, to the question: yes\ncleo: remove (two of them)\n"
        "Judgements of earlier texts, or taken back: 1"
    )
    table.selectRow(1)
    click(panel.queries.accept)
    idle(review)
    assert table.item(1, 5).text() == "accept 2, remove 1"
    with pictured.reading() as view:
        assert [(row.decision, row.origin) for row in view.judgements("f")][-1] == (
            "accept", "review")  # fmt: skip


def test_a_correction_is_taken_by_a_button_kept_beside_the_first_text_and_logged(
    review, pictured, core
):
    panel = review.dock.review
    with pictured.writing("model") as edit:
        edit.add(core.QueryRow("f", 1, "referring", "positive", "the tank in the south",
                               state="proposed", flags=("corrected", "wrong-direction"),
                               correction="the tank in the north"))  # fmt: skip
    press(review, Qt.Key.Key_N)
    panel.tabs.setCurrentWidget(panel.queries)
    table, button = panel.queries.table, panel.queries.correct
    assert not button.isEnabled()
    table.selectRow(0)
    assert not button.isEnabled()
    table.selectRow(1)
    assert button.isEnabled()
    click(button)
    idle(review)
    with pictured.reading() as view:
        _, query = view.queries(1)
        (judged,) = view.judgements("f")
    assert (query.text, query.original_text) == ("the tank in the north", "the tank in the south")
    # What the check found was about the old text; the model's own word is counted.
    assert (query.state, query.flags) == ("proposed", ("corrected",))
    assert query.correction == "the tank in the north"
    assert (judged.decision, judged.new_text) == ("edit", "the tank in the north")
    assert [action for action, *_ in log(pictured, 1)][-1] == "take correction"
    assert table.item(1, 2).text() == "the tank in the north"
    assert table.item(1, 2).toolTip() == "Was: the tank in the south"
    assert not button.isEnabled()
    assert panel.queries.count.text() == "Of 1 texts decided, people changed 0 and removed 0"


def test_all_that_is_found_of_texts_has_words_for_people(review, package):
    words = importlib.import_module("ovearth.ovearth_plugin.review.flag_words")._words()
    page = (REPOSITORY / "docs/queries.md").read_text(encoding="utf-8")
    tables = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    kinds = {kind for cell in tables for kind in re.findall(r"`([a-z]+-[a-z-]+|language)`", cell)}
    assert len(kinds) >= 14
    assert kinds | {"present", "corrected"} <= set(words)


def test_a_folder_that_was_moved_is_a_sentence_and_nothing_drawn_is_lost(
    drawing, pictured, tmp_path
):
    panel = drawing.dock.review
    pictured.folder.rename(tmp_path / "moved")
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    assert told(drawing, "no longer in")
    assert panel.state.sample is None


def test_automatic_transaction_groups_are_explained_and_switched_off(window, package, pictured):
    project = QgsProject.instance()
    project.setAutoTransaction(True)
    open_dataset(window, pictured)
    panel = window.dock.review
    assert panel.notice.isVisible()
    click(panel.notice.off)
    assert not project.autoTransaction()
    assert not panel.notice.isVisible()
