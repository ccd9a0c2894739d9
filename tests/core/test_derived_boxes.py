"""Boxes in a dataset's layers: of what is approved, in step with polygons, true in every frame."""

import csv
import json
import sys
import time
from dataclasses import replace
from subprocess import PIPE, Popen

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyproj import Geod

from ovearth_core.benchmark.box_table import box_rows
from ovearth_core.cli.main import main
from ovearth_core.dataset import TargetRow
from ovearth_core.dataset.boxes import dataset_box_rows, derive_boxes, wrong_boxes
from ovearth_core.dataset.parts import goes_out, parts
from ovearth_core.errors import UsageError

from .datasets import FIELD, SQUARE, TANK, made
from .framing import framed
from .shared import CHECKOUT

TILTED = np.array([[100, 100], [140, 120], [130, 150.0], [90, 130]])


def approved(folder, shapes=(SQUARE, TILTED), frame=None, **fields):
    dataset, image = made(folder, frame)
    with dataset.writing("anna", "annotator") as edit:
        drawn = [edit.add_instance(image.id, TANK, shape, **fields) for shape in shapes]
        edit.set_state(drawn[0].target_id, "approved")
    return dataset, image, drawn


def boxes(dataset, kind="obb"):
    with dataset.reading() as view:
        return list(view.boxes(kind))


def corners(box):
    return np.array(box.corners).reshape(4, 2)


def test_only_approved_instanceable_targets_have_boxes_and_no_crowds(tmp_path):
    dataset, image, drawn = approved(tmp_path)
    with dataset.writing() as edit:
        edit.add_instance(image.id, TANK, SQUARE + 300, target_id=drawn[0].target_id, is_crowd=True)
        area = edit.add_instance(image.id, FIELD, SQUARE + 200)
        edit.set_state(area.target_id, "approved")
        draft = edit.add(TargetRow(None, image.id, TANK))
        edit.add_instance(image.id, TANK, SQUARE + 400, target_id=draft.id)
    assert str(derive_boxes(dataset)) == "4 derived, 0 brought in step, 0 removed, 0 kept"
    assert [box.instance_id for box in boxes(dataset)] == [row.id for row in drawn]


def test_boxes_in_pixels_are_envelope_and_smallest_rectangle(tmp_path):
    dataset, *_ = approved(tmp_path)
    derive_boxes(dataset)
    for box, shape in zip(boxes(dataset, "hbb"), (SQUARE, TILTED), strict=True):
        polygon = shapely.Polygon(corners(box))
        assert polygon.equals(shapely.box(*shapely.Polygon(shape).bounds))
    for box, shape in zip(boxes(dataset), (SQUARE, TILTED), strict=True):
        polygon = shapely.Polygon(corners(box))
        assert polygon.buffer(1e-6).contains(shapely.Polygon(shape))
        best = shapely.oriented_envelope(shapely.Polygon(shape))
        assert polygon.area == pytest.approx(best.area, rel=1e-9)


@pytest.mark.parametrize("frame", ["pixel", "map", "ground"])
def test_deriving_again_changes_nothing_and_a_changed_polygon_is_followed(tmp_path, frame):
    dataset, _, drawn = approved(tmp_path)
    assert derive_boxes(dataset, frame).added == 4
    before = boxes(dataset)
    again = derive_boxes(dataset, frame)
    assert (again.added, again.replaced, again.removed, again.kept) == (0, 0, 0, 4)
    assert boxes(dataset) == before
    with dataset.writing() as edit:
        row = edit.instance(drawn[0].id)
        edit.update(replace(row, polygons=((row.polygons[0][0] + 30.0,),)))
    after = derive_boxes(dataset, frame)
    assert (after.added, after.kept) == (2, 2)
    moved = {box.instance_id: corners(box) for box in boxes(dataset)}
    old = {box.instance_id: corners(box) for box in before}
    assert np.allclose(moved[drawn[0].id], old[drawn[0].id] + 30.0, atol=0.01)


def test_a_target_that_is_returned_loses_its_boxes_and_gets_them_back(tmp_path):
    dataset, _, drawn = approved(tmp_path)
    derive_boxes(dataset)
    with dataset.writing() as edit:
        edit.set_state(drawn[0].target_id, "returned")
    assert boxes(dataset) == boxes(dataset, "hbb") == []
    assert derive_boxes(dataset).added == 0
    with dataset.writing() as edit:
        edit.set_state(drawn[0].target_id, "approved")
    assert derive_boxes(dataset).added == 4


def test_given_boxes_win_and_are_followed_when_they_change(tmp_path):
    dataset, _, drawn = approved(tmp_path, [TILTED], bbox=(80.0, 90.0, 70.0, 65.0))
    derive_boxes(dataset)
    assert corners(boxes(dataset, "hbb")[0])[0].tolist() == [80.0, 90.0]
    given_obb = tuple((SQUARE + 60.0).ravel())
    with dataset.writing() as edit:
        edit.update(replace(edit.instance(drawn[0].id), obb=given_obb))
    changed = derive_boxes(dataset)
    assert (changed.added, changed.replaced) == (0, 1)
    assert boxes(dataset)[0].corners == given_obb


def test_an_instance_that_becomes_a_crowd_loses_its_boxes(tmp_path):
    dataset, _, drawn = approved(tmp_path)
    derive_boxes(dataset)
    with dataset.writing() as edit:
        edit.update(replace(edit.instance(drawn[1].id), is_crowd=True))
    assert derive_boxes(dataset).removed == 2
    assert [box.instance_id for box in boxes(dataset)] == [drawn[0].id]


@pytest.mark.parametrize("frame", ["pixel", "map", "ground"])
def test_the_table_is_that_of_the_same_targets_in_a_benchmark(tmp_path, frame):
    dataset, *_ = approved(tmp_path, frame=framed("EPSG:28992", 5.4, 52.2, turned=30.0))
    (part,) = parts(dataset, goes_out)
    assert list(dataset_box_rows(dataset, frame)) == list(box_rows(part.benchmark, frame))
    derive_boxes(dataset, frame)
    for row, box in zip(dataset_box_rows(dataset, frame), boxes(dataset), strict=True):
        sizes = [box.width_m, box.length_m, box.azimuth_deg, box.area_m2]
        assert sizes == [row[name] for name in ("width_m", "length_m", "azimuth_deg", "area_m2")]


@settings(max_examples=15, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(st.floats(-75, 75), st.floats(0, 90), st.sampled_from(["EPSG:3857", "EPSG:4326"]),
       st.sampled_from(["pixel", "map", "ground"]))  # fmt: skip
def test_metres_and_azimuths_are_those_of_the_very_box(tmp_path_factory, lat, turned, crs, name):
    pixel = 0.5 if crs == "EPSG:3857" else 5e-6
    frame = framed(crs, 11.0, lat, pixel=pixel, turned=turned)
    dataset, image, _ = approved(tmp_path_factory.mktemp("d"), [TILTED, SQUARE], frame)
    derive_boxes(dataset, name)
    for kind in ("hbb", "obb"):
        for box in boxes(dataset, kind):
            assert_measured(image.frame(), box)


def assert_measured(frame, box, area_within=1e-6):
    """Hold a box's numbers against geodesics between its own corners."""
    geod = Geod(ellps="WGS84")
    lon, lat = frame.pixel_to_lonlat(corners(box)).T
    ring = [*zip(lon, lat, strict=True)]
    sides = [geod.inv(*ring[i], *ring[(i + 1) % 4]) for i in range(4)]
    lengths = sorted((sides[i][2] + sides[i + 2][2]) / 2 for i in range(2))
    assert [box.width_m, box.length_m] == pytest.approx(lengths, rel=1e-8)
    # Bretschneider's formula takes sides and diagonals; for an area so small the Earth is flat.
    p, q = geod.inv(*ring[0], *ring[2])[2], geod.inv(*ring[1], *ring[3])[2]
    a, b, c, d = (side[2] for side in sides)
    area = np.sqrt(4 * p**2 * q**2 - (b**2 + d**2 - a**2 - c**2) ** 2) / 4
    assert box.area_m2 == pytest.approx(area, rel=area_within)
    along = sorted(range(4), key=lambda i: sides[i][2] + sides[(i + 2) % 4][2])[2:]
    turns = [(sides[i][0] - box.azimuth_deg + 90.0) % 180.0 - 90.0 for i in along]
    if lengths[1] > 1.01 * lengths[0]:
        assert abs(np.mean(turns)) < 1e-3


def test_a_box_of_a_degree_grid_far_north_has_its_own_metres_and_not_the_ground_rectangles(
    tmp_path,
):
    frame = framed("EPSG:4326", 11.0, 60.0, pixel=5e-6)
    dataset, image, _ = approved(tmp_path, [TILTED], frame)
    derive_boxes(dataset, "pixel")
    derive_boxes(dataset, "ground")
    in_pixels, on_ground = boxes(dataset)
    assert_measured(image.frame(), in_pixels)
    assert_measured(image.frame(), on_ground)
    assert in_pixels.area_m2 < 0.8 * on_ground.area_m2


def test_metres_that_are_those_of_another_box_are_found(tmp_path):
    dataset, *_ = approved(tmp_path)
    derive_boxes(dataset)
    box = boxes(dataset)[1]
    with dataset.writing() as edit:
        edit.update(replace(box, width_m=2.0 * box.width_m))
    (part,) = parts(dataset, goes_out, with_boxes=True)
    assert [(row.instance_id, why) for row, why in wrong_boxes(part)] == [
        (box.instance_id, "its metres are not its own")
    ]


def test_a_box_of_many_kilometres_has_the_lengths_of_geodesics(tmp_path):
    frame = framed("EPSG:32633", 15.0, 50.0, pixel=100.0)
    dataset, image, _ = approved(tmp_path, [TILTED * 4], frame)
    derive_boxes(dataset)
    for kind in ("hbb", "obb"):
        assert_measured(image.frame(), *boxes(dataset, kind), area_within=1e-4)


def test_a_box_that_reaches_beyond_the_pole_has_no_metres(tmp_path):
    frame = framed("EPSG:4326", 11.0, 89.9, pixel=1e-3, width=200, height=200)
    north = np.array([[20.0, 60], [150, 70], [100, 0.5]])
    dataset, *_ = approved(tmp_path, [north, north + np.array([0, 60])], frame)
    derive_boxes(dataset)
    beyond, inside = boxes(dataset)
    assert (beyond.width_m, beyond.area_m2) == (None, None)
    assert inside.width_m > 0.0


def test_the_command_derives_and_writes_the_table(tmp_path, capsys):
    dataset, *_ = approved(tmp_path)
    out = tmp_path / "boxes.csv"
    assert main(["boxes", str(dataset.folder), "--frame", "ground", "--out", str(out)]) == 0
    assert "4 derived" in capsys.readouterr().out
    with out.open() as file:
        assert [row["annotation_id"] for row in csv.DictReader(file)] == ["1", "2"]
    assert {box.frame for box in boxes(dataset)} == {"ground"}
    assert main(["boxes", str(dataset.path), "--out", str(tmp_path / "b.jsonl")]) == 0
    rows = [json.loads(line) for line in (tmp_path / "b.jsonl").read_text().splitlines()]
    assert rows[0]["hbb"] == [10.0, 10.0, 50.5, 40.25]


def test_an_unknown_frame_and_an_output_over_the_dataset_are_refused(tmp_path, capsys):
    dataset, *_ = approved(tmp_path)
    with pytest.raises(UsageError, match="unknown frame 'grund'"):
        derive_boxes(dataset, "grund")
    before = dataset.path.read_bytes()
    assert main(["boxes", str(dataset.folder), "--out", str(dataset.path)]) == 2
    assert main(["boxes", str(tmp_path / "nowhere.gpkg")]) == 2
    for line in capsys.readouterr().err.splitlines():
        assert line.startswith("error: ")
    assert len(before) <= len(dataset.path.read_bytes())


DERIVE = """
import sys, pathlib
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.boxes import derive_boxes
print("ready", flush=True)
derive_boxes(Dataset.open(pathlib.Path(sys.argv[1])))
"""


def many(folder):
    dataset, image = made(folder)
    with dataset.writing() as edit:
        for number in range(150):
            place = np.array([10 * (number % 15), 12 * (number // 15)])
            row = edit.add_instance(image.id, TANK, TILTED / 5 + place)
        edit.set_state(row.target_id, "approved")
    return dataset


def test_a_run_that_is_killed_is_finished_by_running_it_again(tmp_path):
    dataset = many(tmp_path)
    for pause in (0.05, 0.15, 0.25, 0.35):
        process = Popen([sys.executable, "-c", DERIVE, str(dataset.folder)], stdout=PIPE,
                        cwd=CHECKOUT)  # fmt: skip
        process.stdout.readline()
        time.sleep(pause)
        process.kill()
        process.communicate()
        with dataset.reading() as view:
            assert len({box.instance_id for box in view.boxes("obb")}) == view.counts()["obb"]
    derive_boxes(dataset)
    assert len(boxes(dataset)) == len(boxes(dataset, "hbb")) == 150
    assert derive_boxes(dataset).kept == 300


def test_two_runs_at_once_derive_each_box_once(tmp_path):
    dataset = many(tmp_path)
    command = [sys.executable, "-c", DERIVE, str(dataset.folder)]
    runs = [Popen(command, stdout=PIPE, cwd=CHECKOUT) for _ in range(2)]
    for run in runs:
        run.communicate()
    assert [run.returncode for run in runs] == [0, 0]
    assert len(boxes(dataset)) == len(boxes(dataset, "hbb")) == 150
