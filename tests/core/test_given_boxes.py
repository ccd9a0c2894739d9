"""A given box counts until somebody changes the polygon that it was given for, which is newer."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from ovearth_core.checking.mending import mend_dataset
from ovearth_core.dataset.boxes import derive_boxes

from .datasets import SQUARE
from .test_dataset_check import draw, found, sound
from .test_dataset_mending import SPIKE
from .test_exact_pixels import RING, blob_of

BBOX = (10.0, 10.0, 40.5, 30.25)
OBB = tuple(SQUARE.ravel().tolist())
AWAY = np.array([5.0, 60.0])


@pytest.fixture
def boxed(tmp_path):
    """A sound dataset, and its approved instance with both boxes given."""
    dataset, image, tank = sound(tmp_path)
    with dataset.writing("import") as edit:
        edit.update(replace(edit.instance(tank.id), bbox=BBOX, obb=OBB))
    return dataset, image, tank


def state(dataset, row_id):
    with dataset.reading() as view:
        row = view.instance(row_id)
        lines = [line for line in view.reviews(row.target_id) if line.action == "box"]
    return (row.bbox, row.obb), lines


def test_a_moved_polygon_loses_its_given_boxes_and_the_log_keeps_their_numbers(boxed):
    dataset, _, tank = boxed
    with dataset.writing("anna", "annotator") as edit:
        row = edit.instance(tank.id)
        edit.update(replace(row, polygons=((SQUARE + AWAY,),)))
    boxes, (line,) = state(dataset, tank.id)
    assert boxes == (None, None)
    assert line.who == "anna"
    assert "bbox [10.0,10.0,40.5,30.25] obb [10.0,10.0,50.5," in line.comment
    derive_boxes(dataset)
    assert found(dataset) == set()
    with dataset.reading() as view:
        (box,) = view.boxes("hbb")
        assert np.reshape(box.corners, (4, 2)).min(axis=0).tolist() == [15, 70]


def test_one_moved_in_plain_qgis_does_too_unsigned(boxed):
    dataset, image, tank = boxed
    with dataset.writing() as edit:
        # As QGIS saves a moved polygon: the geometry alone.
        edit._connection.execute(
            "UPDATE instances SET geom = ? WHERE id = ?", (blob_of(image, RING + AWAY), tank.id)
        )
    boxes, (line,) = state(dataset, tank.id)
    assert boxes == (None, None)
    assert line.who == "unknown (edited without a name)"


def test_a_box_given_with_the_new_polygon_stays(boxed):
    dataset, _, tank = boxed
    new = (15.0, 70.0, 40.5, 30.25)
    with dataset.writing("anna") as edit:
        row = edit.instance(tank.id)
        edit.update(replace(row, polygons=((SQUARE + AWAY,),), bbox=new))
    boxes, (line,) = state(dataset, tank.id)
    assert boxes == (new, None)
    assert "obb" in line.comment and "bbox" not in line.comment


def test_other_changes_leave_given_boxes_alone(boxed):
    dataset, _, tank = boxed
    with dataset.writing("anna") as edit:
        edit.update(replace(edit.instance(tank.id), origin_note="looked at"))
        edit.set_state(tank.target_id, "returned")
    assert state(dataset, tank.id) == ((BBOX, OBB), [])


def test_what_fix_mends_is_no_persons_change_and_keeps_given_boxes(boxed):
    dataset, image, tank = boxed
    drawn = draw(dataset, image, SPIKE, target_id=tank.target_id, bbox=(100, 10, 50, 50))
    assert "made valid" in str(mend_dataset(dataset))
    assert state(dataset, drawn.id) == (((100.0, 10.0, 50.0, 50.0), None), [])


def test_a_target_of_many_changed_rows_is_logged_row_by_row(boxed):
    dataset, image, tank = boxed
    other = draw(dataset, image, SQUARE + 100, target_id=tank.target_id, bbox=BBOX)
    with dataset.writing() as edit:
        edit._connection.execute("UPDATE instances SET geom = ?", (blob_of(image, RING + AWAY),))
    _, lines = state(dataset, tank.id)
    assert [line.comment.split(":")[0] for line in lines] == [
        f"instance {tank.id}", f"instance {other.id}"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "original"),
    [("tank", None), ("\u3000tank\n", None), ("tanks", " tank\t"), ("ta nk", " tank\t")],
)
def test_spaces_at_a_texts_ends_are_no_change_of_it(boxed, text, original):
    dataset, _, tank = boxed
    with closing(sqlite3.connect(dataset.path)) as connection:
        connection.execute("UPDATE queries SET text = ' tank\t', original_text = NULL")
        connection.execute("UPDATE queries SET original_text = NULL")
        connection.execute("UPDATE queries SET text = ?", (text,))
        connection.commit()
    with dataset.reading() as view:
        assert {query.original_text for query in view.queries(tank.target_id)} == {original}
