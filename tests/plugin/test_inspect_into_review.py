"""From Inspect into Review: a target returned, a prediction taken as a draft, in the dataset."""

import shutil
from dataclasses import replace

import pytest
from qgis.core import QgsCoordinateTransform, QgsGeometry, QgsProject

from .inspecting import choose, click, click_row, wait_until
from .reviewing import be, idle, open_dataset, told


@pytest.fixture
def looked_at(careful, sample, core, here):
    """The sample's benchmark with a run in Inspect, and its dataset open in Review."""
    shutil.copytree(sample.dataset, here.parent / "dataset")
    dataset = core.Dataset.open(here.parent / "dataset")
    open_dataset(careful, dataset)
    careful.dock.tabs.setCurrentWidget(careful.panel)
    return careful, dataset


def positive_row(window):
    """Select a positive query that the run answers well, by a click; return the query."""
    choose(window.panel.queries.filter_bar.kind, "good")
    row = click_row(window)
    return window.state.inspected.benchmark.queries[row]


def test_a_manager_returns_the_target_with_the_pin_where_he_clicked(looked_at):
    window, dataset = looked_at
    be(window, "mia", "manager")
    query = positive_row(window)
    click(window.panel.return_form.pin)
    click(window.canvas.viewport(), window.canvas.viewport().rect().center())
    window.panel.return_form.comment.setText("roof left out")
    click(window.panel.return_form.send)
    idle(window)
    with dataset.reading() as view:
        target = view.target(view.query(query.id).target_id)
        line = next(row for row in view.reviews(target.id) if row.action == "return")
        frame = view.frame(target.image_id)
        x, y = frame.lonlat_to_pixel([[line.lon, line.lat]])[0]
    assert target.state == "returned"
    assert (line.who, line.comment) == ("mia", "roof left out")
    assert abs(x - frame.width / 2) < 8
    assert abs(y - frame.height / 2) < 8
    assert window.panel.returned_list.tree.topLevelItemCount() == 0
    assert target.id in {entry.target_id for entry in window.dock.review.state.entries}


def test_an_annotator_comments_and_one_of_another_dataset_goes_into_the_list(looked_at, tmp_path):
    window, dataset = looked_at
    be(window, "anna")
    query = positive_row(window)
    window.panel.return_form.comment.setText("look again")
    click(window.panel.return_form.send)
    idle(window)
    with dataset.reading() as view:
        target = view.target(view.query(query.id).target_id)
        last = list(view.reviews(target.id))[-1]
    assert (last.action, last.comment, target.state) == ("comment", "look again", "approved")
    with dataset.writing() as edit:
        edit.remove_query(query.id)
    window.panel.return_form.comment.setText("and again")
    click(window.panel.return_form.send)
    idle(window)
    assert told(window, "has no query")
    assert window.panel.returned_list.tree.topLevelItemCount() == 1


def test_a_predicted_polygon_is_taken_as_a_draft_once_its_target_is_returned(looked_at):
    window, dataset = looked_at
    be(window, "mia", "manager")
    query = positive_row(window)
    window.panel.return_form.comment.setText("take the model's")
    click(window.panel.return_form.send)
    idle(window)
    with dataset.writing() as edit:
        target = edit.target(edit.query(query.id).target_id)
        before = len(list(edit.instances(target.id)))
        if target.annotator is None:
            edit.update(replace(target, annotator="anna"))
    be(window, "anna")
    shape = next(iter(window.panel.scene.scene.shapes))
    geometry = QgsGeometry()
    geometry.fromWkb(shape.wkb)
    inside = geometry.pointOnSurface().asPoint()
    carry = carry_to_canvas(window)
    place = window.canvas.getCoordinateTransform().transform(carry.transform(inside))
    click(window.panel.return_form.take)
    click(window.canvas.viewport(), place.toQPointF().toPoint())
    idle(window)
    with dataset.reading() as view:
        rows = list(view.instances(target.id))
    assert len(rows) == before + 1
    assert (rows[-1].origin, rows[-1].origin_note) == ("run", "careful")
    assert rows[-1].created_by == "anna"
    assert not window.panel.return_form.take.isChecked()
    window.dock.tabs.setCurrentWidget(window.dock.review)
    click(window.dock.review.drawing.undo)
    idle(window)
    with dataset.reading() as view:
        assert len(list(view.instances(target.id))) == before


def carry_to_canvas(window):
    layer = window.panel.scene.layers.scene
    return QgsCoordinateTransform(
        layer.crs(), window.canvas.mapSettings().destinationCrs(), QgsProject.instance()
    )


def test_without_a_dataset_a_prediction_can_not_be_taken_and_it_is_said(careful):
    positive_row(careful)
    click(careful.panel.return_form.take)
    click(careful.canvas.viewport(), careful.canvas.viewport().rect().center())
    wait_until(lambda: told(careful, "Open the benchmark's dataset"))
