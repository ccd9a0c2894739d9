"""`ovearth check` of a dataset finds what would spoil a benchmark, with its place and mend."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from ovearth_core.checking.dataset_rows import check_dataset
from ovearth_core.checking.finding import SEVERITIES
from ovearth_core.cli.main import main
from ovearth_core.dataset import BoxRow, Dataset, QueryRow, TargetRow
from ovearth_core.dataset.boxes import derive_boxes

from .datasets import CATEGORIES, FIELD, SQUARE, TANK
from .shared import DATA, needs_shared

BOW_TIE = np.array([[100, 10], [150, 60], [150, 10], [100, 60.0]])
SPIKE = np.array([[100, 10], [150, 10], [150, 60], [150, 90], [150, 60], [100, 60.0]])
UTM = Affine(0.3, 0, 500000, 0, -0.3, 5540000)


def moved(pixels):
    return Affine(0.3, 0, 500000 + 0.3 * pixels, 0, -0.3, 5540000)


def raster(path, seed=0, transform=UTM, size=(200, 240), crs="EPSG:32633", pixels=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    if pixels is None:
        coarse = np.random.default_rng(seed).integers(0, 255, (3, 10, 12))
        pixels = np.kron(coarse, np.ones((1, size[0] // 10, size[1] // 12), int))
    shape = {"height": pixels.shape[1], "width": pixels.shape[2], "count": len(pixels)}
    with rasterio.open(path, "w", driver="GTiff", dtype="uint8", crs=crs, transform=transform,
                       **shape) as file:  # fmt: skip
        file.write(pixels.astype("uint8"))
    return path


def sound(folder, name="dataset"):
    """A dataset with one image file and one approved target, in which there is nothing to find."""
    dataset = Dataset.create(folder / name, CATEGORIES)
    image = dataset.add_image(raster(dataset.folder / "images/a.tif"))
    with dataset.writing("anna", "annotator") as edit:
        tank = edit.add_instance(image.id, TANK, SQUARE)
        edit.add(QueryRow("v1", tank.target_id, "vocabulary", "positive", "storage tank"))
        edit.add(QueryRow("s1", tank.target_id, "reasoning", "positive", "Where is oil kept?"))
        edit.set_state(tank.target_id, "approved")
    return dataset, image, tank


def found(dataset):
    findings = list(check_dataset(dataset))
    assert all(finding.kind in SEVERITIES for finding in findings)
    return {(finding.kind, finding.item, finding.id) for finding in findings}


def draw(dataset, image, shape, category=TANK, target_id=None, **fields):
    """Draw on a target of its own that has a query, unless it is named."""
    with dataset.writing("max") as edit:
        if target_id is None:
            target_id = edit.add(TargetRow(None, image.id, category)).id
            text = f"text {target_id}"
            edit.add(QueryRow(f"x{target_id}", target_id, "vocabulary", "positive", text))
        return edit.add_instance(image.id, category, shape, target_id=target_id, **fields)


@pytest.fixture
def made_sound(tmp_path):
    return sound(tmp_path)


def test_a_sound_dataset_has_nothing_and_exits_0(made_sound, capsys):
    dataset, *_ = made_sound
    assert main(["check", str(dataset.folder)]) == 0
    assert "nothing found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        (BOW_TIE, "invalid"),
        (SPIKE, "invalid"),
        ([[100, 100], [180, 100], [180, 100.4], [100, 100.4]], "sliver"),
        (SQUARE + np.array([200, 0]), "outside"),
        (SQUARE - np.array([15, 0]), "outside"),
        ([[100.6, 100.6], [100.8, 100.6], [100.8, 100.8]], "no-pixel"),
    ],
)
def test_a_broken_shape_is_found_with_its_place(made_sound, shape, kind):
    dataset, image, _ = made_sound
    drawn = draw(dataset, image, np.array(shape, dtype=float))
    finding = next(f for f in check_dataset(dataset) if f.kind == kind)
    assert (finding.item, finding.id, finding.image_id) == ("instance", drawn.id, image.id)
    assert finding.mend
    back = image.frame().lonlat_to_pixel([finding.lonlat])[0]
    assert np.allclose(back, finding.pixel, atol=1e-5)


def test_a_polygon_along_the_edge_is_inside(made_sound):
    dataset, image, _ = made_sound
    draw(dataset, image, [[0, 100], [240, 100], [240, 200], [0, 200]], FIELD)
    assert found(dataset) == set()


def test_instances_that_overlap_or_stand_twice_are_found_and_touching_ones_are_not(made_sound):
    dataset, image, tank = made_sound
    same = draw(dataset, image, SQUARE + 0.5, target_id=tank.target_id)
    half = draw(dataset, image, SQUARE + np.array([0, 20]), target_id=tank.target_id)
    draw(dataset, image, SQUARE + np.array([40.5, 0]), target_id=tank.target_id)
    draw(dataset, image, SQUARE, FIELD)
    draw(dataset, image, SQUARE, target_id=tank.target_id, is_crowd=True)
    kinds = found(dataset)
    assert ("duplicate-instance", "instance", same.id) in kinds
    assert ("overlap", "instance", half.id) in kinds
    assert {item[2] for item in kinds} == {same.id, half.id}


def test_a_second_annotation_is_no_duplicate_and_a_rejected_target_is_left_alone(made_sound):
    dataset, image, tank = made_sound
    with dataset.writing("max") as edit:
        rival = edit.add(TargetRow(None, image.id, TANK, rival_of=tank.target_id))
        edit.add_instance(image.id, TANK, SQUARE, target_id=rival.id)
        rejected = edit.add(TargetRow(None, image.id, TANK))
        edit.add_instance(image.id, TANK, BOW_TIE, target_id=rejected.id)
        edit.set_state(rejected.id, "rejected")
    assert found(dataset) == set()


def test_masks_and_given_boxes_that_differ_are_found(made_sound):
    dataset, image, _ = made_sound
    whole = {"size": [200, 240], "counts": [0, 48000]}
    boxed = draw(dataset, image, SQUARE + 60, bbox=(70, 70, 40.5, 60))
    with dataset.writing() as edit:
        edit.update(replace(edit.target(boxed.target_id), segmentation=whole))
        needless = edit.add(TargetRow(None, image.id, FIELD))
        edit.add(QueryRow("f", needless.id, "vocabulary", "positive", "field"))
        place = SQUARE + np.array([100, 0])
        obb = tuple(place.ravel())
        area = edit.add_instance(image.id, FIELD, place, target_id=needless.id, obb=obb)
    assert found(dataset) == {
        ("mask-differs", "target", boxed.target_id),
        ("box-differs", "instance", boxed.id),
        ("needless-box", "instance", area.id),
    }


def test_texts_that_spoil_a_target_are_found(made_sound):
    dataset, image, tank = made_sound
    lone = draw(dataset, image, SQUARE + 60)
    with dataset.writing() as edit:
        edit.remove_query(f"x{lone.target_id}")
        for query_id, task, polarity, text in (
            ("n1", "vocabulary", "negative", "Storage  tank"),
            ("v2", "vocabulary", "positive", "storage tank"),
            ("s2", "reasoning", "positive", "Which storage-tanks are round?"),
            ("s3", "reasoning", "positive", " Where is fuel? "),
            ("v4", "vocabulary", "positive", "  "),
            ("n5", "referring", "negative", "the one that isn't there"),
        ):
            edit.add(QueryRow(query_id, tank.target_id, task, polarity, text))
        edit.add(QueryRow("r", tank.target_id, "reasoning", "positive", "a tank", state="removed"))
    assert found(dataset) == {
        ("no-query", "target", lone.target_id),
        ("both-polarities", "target", tank.target_id),
        ("doubled-text", "target", tank.target_id),
        ("names-category", "query", "s2"),
        ("spaces", "query", "s3"),
        ("no-text", "query", "v4"),
        ("negative-task", "query", "n5"),
    }


def test_a_target_left_without_shape_between_two_layers_is_found(made_sound):
    dataset, image, _ = made_sound
    with dataset.writing() as edit:
        empty = edit.add(TargetRow(None, image.id, TANK))
    kinds = {kind for kind, item, id_ in found(dataset) if (item, id_) == ("target", empty.id)}
    assert {"mask", "no-box", "no-query"} <= kinds


class TestFiles:
    def kinds(self, dataset):
        return {kind for kind, *_ in found(dataset)}

    def test_a_missing_or_changed_file_is_found(self, made_sound):
        dataset, image, _ = made_sound
        path = dataset.image_path(image)
        raster(path, seed=1)
        assert self.kinds(dataset) == {"changed-file"}
        path.write_bytes(b"no image")
        assert self.kinds(dataset) == {"changed-file", "unreadable-file"}
        path.unlink()
        assert self.kinds(dataset) == {"no-file"}

    @pytest.mark.parametrize(
        ("about", "kind"),
        [
            ({"size": (100, 120)}, "file-size"),
            ({"crs": "EPSG:32634"}, "file-crs"),
            ({"crs": None}, "file-crs"),
            ({"transform": moved(0.5)}, "file-place"),
        ],
    )
    def test_a_file_that_is_not_as_its_row_says_is_found(self, made_sound, about, kind):
        dataset, image, _ = made_sound
        raster(dataset.image_path(image), **about)
        assert kind in self.kinds(dataset)

    @needs_shared
    def test_a_file_that_opens_but_has_lost_pixels_is_found(self, tmp_path):
        dataset = Dataset.create(tmp_path / "dataset", CATEGORIES)
        shutil.copy(DATA / "odd/corrupt.tif", dataset.folder / "corrupt.tif")
        image = dataset.add_image(dataset.folder / "corrupt.tif")
        assert found(dataset) == {("unreadable-file", "image", image.id)}
        path = raster(dataset.folder / "cut.tif", transform=moved(1000))
        image = dataset.add_image(path)
        assert len(found(dataset)) == 1
        path.write_bytes(path.read_bytes()[:-300])
        assert ("unreadable-file", "image", image.id) in found(dataset)

    def test_what_lacks_in_the_row_is_found(self, made_sound):
        dataset, image, _ = made_sound
        with dataset.writing() as edit:
            edit.update(replace(image, gsd_m=None, sha256=None))
        assert self.kinds(dataset) == {"no-gsd", "no-checksum"}


class TestNearDuplicates:
    def twins(self, dataset, pixels=None, shift=0.0, **about):
        path = dataset.folder / "images/b.tif"
        raster(path, transform=moved(shift), pixels=pixels)
        return dataset.add_image(path, **about)

    def near(self, dataset):
        return [f.id for f in check_dataset(dataset) if f.kind == "near-duplicate"]

    def test_the_same_ground_twice_is_found_once(self, made_sound):
        dataset, *_ = made_sound
        twin = self.twins(dataset)
        assert self.near(dataset) == [twin.id]

    def test_the_same_look_elsewhere_is_none(self, made_sound):
        dataset, *_ = made_sound
        self.twins(dataset, shift=240)
        assert self.near(dataset) == []

    def test_another_look_of_the_same_ground_is_none(self, made_sound):
        dataset, *_ = made_sound
        self.twins(dataset, pixels=np.random.default_rng(9).integers(0, 255, (3, 200, 240)))
        assert self.near(dataset) == []

    def test_two_dates_of_one_place_are_none(self, made_sound):
        dataset, image, _ = made_sound
        with dataset.writing() as edit:
            edit.update(replace(image, location_group="here", date_captured="2020-01-01"))
        twin = self.twins(dataset, location_group="here", date_captured="2021-01-01")
        assert self.near(dataset) == []
        with dataset.writing() as edit:
            edit.update(replace(twin, date_captured="2020-01-01"))
        assert self.near(dataset) == [twin.id]


def test_stale_boxes_are_found(made_sound):
    dataset, _, tank = made_sound
    derive_boxes(dataset)
    assert found(dataset) == set()
    with dataset.writing() as edit:
        edit.update(replace(next(edit.boxes("obb")), corners=tuple((SQUARE + 3).ravel())))
        edit.add(BoxRow(None, "hbb", tank.id, tuple((SQUARE + 1).ravel()), "map"))
    assert [f.kind for f in check_dataset(dataset)] == ["stale-box"] * 2


def damaged(dataset, *statements):
    """Do what no guard allows, as a program does that knows nothing of them."""
    with closing(sqlite3.connect(dataset.path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in list(names):
            connection.execute(f'DROP TRIGGER "{name}"')
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_loose_rows_and_unreadable_geometry_are_found(made_sound):
    dataset, image, tank = made_sound
    lone = draw(dataset, image, SQUARE + 60)
    bare = draw(dataset, image, SQUARE + np.array([0, 90]))
    derive_boxes(dataset)
    damaged(
        dataset,
        "INSERT INTO instances (target_id) VALUES (99)",
        "INSERT INTO queries (id, target_id, text) VALUES ('lost', 98, 't')",
        "INSERT INTO targets (image_id, category_id) VALUES (97, 7)",
        f"UPDATE instances SET geom = x'4750', pixels = NULL WHERE id = {lone.id}",
        f"UPDATE instances SET geom = NULL WHERE id = {bare.id}",
        f"DELETE FROM rtree_instances_geom WHERE id = {tank.id}",
        "UPDATE hbb SET instance_id = 96",
    )
    kinds = found(dataset)
    assert kinds >= {
        ("no-target", "instance", 4),
        ("no-shape", "instance", 4),
        ("no-target", "query", "lost"),
        ("no-image", "target", 4),
        ("unreadable", "instance", lone.id),
        ("no-shape", "instance", bare.id),
        ("not-indexed", "instance", tank.id),
        ("no-instance", "horizontal box", 1),
    }


def test_the_json_names_kind_severity_id_place_what_and_mend(made_sound, tmp_path, capsys):
    dataset, image, _ = made_sound
    drawn = draw(dataset, image, BOW_TIE)
    out = tmp_path / "found.json"
    assert main(["check", str(dataset.path), "--json", str(out)]) == 1
    (problem,) = json.loads(out.read_text())["problems"]
    assert (problem["kind"], problem["severity"], problem["id"]) == ("invalid", "error", drawn.id)
    assert problem["place"]["image_id"] == image.id
    assert problem["place"]["pixel"] == [125.0, 35.0]
    assert f"instance {drawn.id} (image 1, images/a.tif)" in capsys.readouterr().out


def test_check_changes_nothing(made_sound, tmp_path):
    dataset, image, _ = made_sound
    draw(dataset, image, SPIKE)
    shutil.copy(dataset.path, tmp_path / "before.gpkg")
    assert main(["check", str(dataset.folder)]) == 1
    assert (tmp_path / "before.gpkg").read_bytes() == dataset.path.read_bytes()


def test_what_is_no_dataset_or_no_place_for_json_is_refused_in_one_line(made_sound, capsys):
    dataset, *_ = made_sound
    other = dataset.folder.parent / "other.gpkg"
    other.write_bytes(b"SQLite format 3\0" + b"x" * 100)
    for arguments in (
        ["check", str(dataset.folder.parent)],
        ["check", str(other)],
        ["check", str(dataset.folder), "--json", str(dataset.path)],
        ["stats", str(dataset.folder.parent)],
        ["stats", str(dataset.folder), "--json", str(dataset.path)],
    ):
        assert main(arguments) == 2, arguments
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("error: ")
