"""A polygon drawn in another program has its exact pixels kept once it is handed in or exported."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from ovearth_core.dataset import Dataset
from ovearth_core.dataset.blob import polygons_blob
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.shapes import to_lonlat

from .datasets import SQUARE, TANK, made

RING = np.vstack([SQUARE, SQUARE[:1]])


def blob_of(image, ring):
    return polygons_blob(to_lonlat(image.frame(), ((ring,),)))


@pytest.fixture
def drawn_elsewhere(tmp_path):
    """A dataset with an instance that another program drew: only its geometry is there."""
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        drawn = edit.add_instance(image.id, TANK, SQUARE)
        edit._connection.execute(
            "UPDATE instances SET geom = ?", (blob_of(image, RING / 3.0 + 0.1),)
        )
    return dataset, image, drawn


def instance(dataset, row_id):
    with dataset.reading() as view:
        return view.instance(row_id), list(view.inexact_instances())


@pytest.mark.parametrize("state", ["submitted", "approved", "rejected"])
def test_handed_in_a_polygon_has_its_pixels_kept_and_stays_what_it_is(drawn_elsewhere, state):
    dataset, _, drawn = drawn_elsewhere
    before, inexact = instance(dataset, drawn.id)
    assert inexact == [drawn.id]
    with dataset.writing("anna") as edit:
        edit.set_state(drawn.target_id, state)
    after, inexact = instance(dataset, drawn.id)
    assert inexact == []
    assert after.geojson() == before.geojson()
    assert (after.changes, after.changed_at) == (before.changes, before.changed_at)


def test_while_it_is_drawn_on_nothing_is_kept(drawn_elsewhere):
    dataset, _, drawn = drawn_elsewhere
    with dataset.writing("anna") as edit:
        edit.set_state(drawn.target_id, "returned")
    assert instance(dataset, drawn.id)[1] == [drawn.id]


def approve_in_plain_qgis(dataset):
    with closing(sqlite3.connect(dataset.path)) as connection:
        connection.execute("UPDATE targets SET state = 'approved'")
        connection.commit()


def test_the_first_export_keeps_what_was_approved_in_plain_qgis(drawn_elsewhere, tmp_path):
    dataset, _, drawn = drawn_elsewhere
    approve_in_plain_qgis(dataset)
    before, inexact = instance(dataset, drawn.id)
    assert inexact == [drawn.id]
    written = []
    for name in ("one.json", "two.json"):
        export_dataset(dataset, tmp_path / name, "benchmark")
        written.append((tmp_path / name).read_bytes())
    after, inexact = instance(dataset, drawn.id)
    assert inexact == []
    assert written[0] == written[1]
    assert after.geojson() == before.geojson()


def test_an_export_does_without_where_somebody_else_is_writing(drawn_elsewhere, tmp_path):
    dataset, _, drawn = drawn_elsewhere
    approve_in_plain_qgis(dataset)
    with closing(sqlite3.connect(dataset.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        export_dataset(Dataset(dataset.folder, 0.1), tmp_path / "one.json", "benchmark")
    assert instance(dataset, drawn.id)[1] == [drawn.id]
    export_dataset(dataset, tmp_path / "two.json", "benchmark")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_a_moved_copy_of_a_row_keeps_nothing_of_the_row_that_it_was(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        given = {"bbox": (10.0, 10.0, 40.5, 30.25), "segmentation": [SQUARE.ravel().tolist()]}
        drawn = edit.add_instance(image.id, TANK, SQUARE, **given)
        copy = edit._connection.execute(
            "INSERT INTO instances (geom, target_id, bbox, segmentation, pixels) "
            "SELECT ?, target_id, bbox, segmentation, pixels FROM instances",
            (blob_of(image, RING + 40.0),),
        ).lastrowid
        edit.set_state(drawn.target_id, "submitted")
    row, inexact = instance(dataset, copy)
    assert inexact == []
    assert (row.bbox, row.obb, row.segmentation) == (None, None, None)
    assert np.abs(row.polygons[0][0] - (RING + 40.0)).max() < 1e-6
    assert instance(dataset, drawn.id)[0].bbox == drawn.bbox
