"""`ovearth check --fix` mends what has one right answer, says so and logs it, and nothing else."""

import json
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.checking.mending import WHO, mend_dataset
from ovearth_core.checking.rings import mended_polygons, ring_faults
from ovearth_core.cli.main import main
from ovearth_core.dataset import QueryRow
from ovearth_core.dataset.blob import polygons_blob
from ovearth_core.dataset.boxes import derive_boxes
from ovearth_core.dataset.shapes import to_lonlat
from ovearth_core.geometry import Runs

from .datasets import FIELD, SQUARE, TANK
from .test_dataset_check import BOW_TIE, SPIKE, damaged, draw, found, sound

HOLE = np.array([[20, 20], [30, 20], [30, 30], [20, 30.0], [20, 20]])
CLOSED = np.vstack([SQUARE, SQUARE[:1]])


@pytest.fixture
def made_sound(tmp_path):
    return sound(tmp_path)


def instance(dataset, id_):
    with dataset.reading() as view:
        return view.instance(id_)


def log(dataset, target_id):
    with dataset.reading() as view:
        return [row for row in view.reviews(target_id) if row.action == "mended"]


def set_geometry(dataset, image, drawn, rings):
    """Store rings as another program may: as they are."""
    blob = polygons_blob(to_lonlat(image.frame(), (tuple(rings),)))
    with dataset.writing() as edit:
        edit._connection.execute("UPDATE instances SET geom = ? WHERE id = ?", (blob, drawn.id))


def test_a_sound_dataset_is_left_as_it_is(made_sound):
    dataset, *_ = made_sound
    derive_boxes(dataset)
    before = dataset.path.read_bytes()
    assert mend_dataset(dataset) == []
    assert dataset.path.read_bytes() == before


def test_a_spike_is_taken_off_logged_and_its_boxes_follow(made_sound, capsys):
    dataset, image, tank = made_sound
    drawn = draw(dataset, image, SPIKE, target_id=tank.target_id)
    derive_boxes(dataset)
    assert main(["check", str(dataset.folder), "--fix", "--who", "max"]) == 0
    told = capsys.readouterr().out
    assert f"mended instance {drawn.id}: made valid" in told
    assert f"target {tank.target_id} is approved: look at it again" in told
    row = instance(dataset, drawn.id)
    assert row.changes == 1
    assert shapely.Polygon(row.polygons[0][0]).equals(shapely.box(100, 10, 150, 60))
    (line,) = log(dataset, tank.target_id)
    assert (line.who, line.comment) == ("max", f"instance {drawn.id}: made valid")
    with dataset.reading() as view:
        box = next(box for box in view.boxes("hbb") if box.instance_id == drawn.id)
        assert view.target(tank.target_id).state == "approved"
    assert np.reshape(box.corners, (4, 2)).max(axis=0).tolist() == [150, 60]
    assert mend_dataset(dataset) == []


def test_what_has_two_answers_is_left_alone_and_still_found(made_sound):
    dataset, image, _ = made_sound
    drawn = draw(dataset, image, BOW_TIE)
    assert mend_dataset(dataset) == []
    assert found(dataset) == {("invalid", "instance", drawn.id)}


def test_what_fix_leaves_alone_says_why_and_what_a_person_should_do(made_sound, capsys):
    dataset, image, _ = made_sound
    draw(dataset, image, BOW_TIE)
    draw(dataset, image, np.array([[20, 80], [60, 80], [40, 80], [50, 80.0]]))
    assert main(["check", str(dataset.folder), "--fix"]) == 1
    bow_tie, folded = (line for line in capsys.readouterr().out.splitlines() if "[invalid]" in line)
    assert "it falls into 2 parts, and --fix can't tell which are meant" in bow_tie
    assert "redraw it: as one outline, or each part as an instance of its own" in bow_tie
    assert "nothing is left where it is taken apart" in folded
    draw(dataset, image, SPIKE)
    main(["check", str(dataset.folder)])
    assert "take the crossing out (check --fix does)" in capsys.readouterr().out


def test_rings_that_another_program_left_open_or_turned_are_mended(made_sound):
    dataset, image, _ = made_sound
    drawn = draw(dataset, image, SQUARE + np.array([0, 100]), FIELD)
    set_geometry(dataset, image, drawn, [SQUARE + np.array([0, 100]), HOLE + np.array([0, 100])])
    assert found(dataset) == {
        ("unclosed-ring", "instance", drawn.id),
        ("ring-order", "instance", drawn.id),
    }
    (mended,) = mend_dataset(dataset)
    assert (mended.id, mended.done) == (drawn.id, "rings closed, holes turned")
    assert found(dataset) == set()
    outer, hole = instance(dataset, drawn.id).polygons[0]
    assert np.allclose(outer, CLOSED + np.array([0, 100]), atol=1e-6)
    assert np.allclose(hole, (HOLE + np.array([0, 100]))[::-1], atol=1e-6)
    assert log(dataset, drawn.target_id)[0].who == WHO


def test_spaces_gsd_checksum_and_stale_boxes_are_mended(made_sound, tmp_path):
    dataset, image, tank = made_sound
    derive_boxes(dataset, "ground")
    with dataset.writing() as edit:
        edit.add(QueryRow("q", tank.target_id, "referring", "positive", "  the one tank \n"))
        edit.update(replace(image, gsd_m=None, sha256=None))
        edit.update(replace(next(edit.boxes("obb")), corners=tuple((SQUARE + 3).ravel())))
    out = tmp_path / "found.json"
    assert main(["check", str(dataset.folder), "--fix", "--json", str(out)]) == 0
    document = json.loads(out.read_text())
    assert document["problems"] == []
    assert {(row["item"], row["id"]) for row in document["mended"]} == {
        ("image", image.id), ("query", "q"), ("obb (ground) of instance", tank.id),
        ("boxes in the frame", "ground"),
    }  # fmt: skip
    with dataset.reading() as view:
        assert view.query("q").text == "the one tank"
        assert view.image(image.id) == image
        assert {box.frame for box in view.boxes("obb")} == {"ground"}


def test_boxes_of_instances_that_are_gone_are_removed(made_sound):
    dataset, *_ = made_sound
    derive_boxes(dataset)
    damaged(dataset, "DELETE FROM instances")
    mend_dataset(dataset)
    assert not any("box" in item for _, item, _ in found(dataset))


def test_no_boxes_are_derived_where_nobody_asked_for_them(made_sound):
    dataset, image, _ = made_sound
    draw(dataset, image, SPIKE, TANK)
    assert [str(mended) for mended in mend_dataset(dataset)] == ["mended instance 2: made valid"]
    with dataset.reading() as view:
        assert list(view.boxes("hbb")) == []


def test_a_benchmark_file_is_not_mended(tmp_path, capsys):
    path = tmp_path / "b.json"
    path.write_text("{}")
    assert main(["check", str(path), "--fix"]) == 2
    assert "--fix mends datasets" in capsys.readouterr().err


def test_mended_rings_have_no_faults_left():
    polygons = ((SQUARE, HOLE), (SPIKE,))
    mended, told = mended_polygons(polygons)
    assert told == ("rings closed", "holes turned", "made valid")
    assert list(ring_faults(mended)) == []
    assert mended_polygons(mended)[1] == ()


@given(st.integers(3, 7), st.floats(3, 18), st.booleans(), st.booleans(), st.booleans())
def test_mending_rings_moves_no_pixel(corners, radius, is_open, outer_turned, hole_turned):
    angles = np.arange(corners) * 2 * np.pi / corners + 0.1
    unit = np.column_stack([np.cos(angles), np.sin(angles)])
    outer, hole = (40.3 + size * unit for size in (2 * radius, radius / 2))
    rings = [
        (ring if is_open else np.vstack([ring, ring[:1]]))[:: -1 if turned else 1]
        for ring, turned in ((outer, outer_turned), (hole, hole_turned))
    ]
    mended, told = mended_polygons((tuple(rings),))
    assert ("rings closed" in told) == is_open
    assert ("holes turned" in told) == (outer_turned == hole_turned)
    assert list(ring_faults(mended)) == []
    before = Runs.from_rings([rings], 80, 80)
    after = Runs.from_rings([list(mended[0])], 80, 80)
    assert np.array_equal(before.bounds, after.bounds)
