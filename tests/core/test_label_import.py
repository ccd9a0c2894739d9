"""Labels go into a dataset by name, whole files or nothing, and what is refused changes nothing."""

import json
import shutil

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import CategoryRow, Dataset
from ovearth_core.dataset.exchange.class_mapping import ClassMapping, read_mapping
from ovearth_core.dataset.exchange.importing import import_labels
from ovearth_core.errors import InputError, OVEarthError, UsageError
from ovearth_core.labels.model import Label, LabelledImage

from .placed_images import GCPS, write_image

CATEGORIES = (
    CategoryRow(7, "storage-tank", "Storage tank"),
    CategoryRow(0, "field", "Field", instanceable=False),
    CategoryRow(3, "airplane", "Airplane"),
)
BOX = (10.0, 20.0, 30.0, 50.0)


@pytest.fixture
def dataset(tmp_path):
    write_image(tmp_path / "pictures" / "a.tif")
    write_image(tmp_path / "pictures" / "sub" / "b.tif", seed=1)
    return Dataset.create(tmp_path / "dataset", CATEGORIES)


def label(name="storage tank", **shape):
    return Label(name, where="labels.txt line 3", **(shape or {"box": BOX}))


def take_in(dataset, *labels, image="a.tif", mapping=None, size=(None, None), **options):
    def read(source, images, _):
        yield LabelledImage(image, labels, *size, where="labels.txt")

    pictures = dataset.folder.parent / "pictures"
    return import_labels(
        dataset, read, dataset.folder.parent / "labels.txt", pictures, mapping, **options
    )


def everything(dataset):
    with dataset.reading() as view:
        return view.counts(), sorted(p.name for p in dataset.folder.rglob("*"))


def rows(dataset):
    with dataset.reading() as view:
        return list(view.instances())


@pytest.mark.parametrize(
    ("written", "category_id"),
    [("Storage tank", 7), ("storage_tanks", 7), ("StorageTank", 7), ("storage-tank", 7),
     ("aeroplane", 3), ("Aeroplanes", 3), ("FIELD", 0)],
)  # fmt: skip
def test_classes_map_by_name_slug_and_synonym_however_they_are_spelt(dataset, written, category_id):
    take_in(dataset, label(written))
    (row,) = rows(dataset)
    assert row.category_id == category_id
    assert (row.bbox, row.origin, row.extra) == (
        (10, 20, 20, 30), "imported", {"imported_as": "bbox"},
    )  # fmt: skip
    assert row.polygons[0][0].tolist() == [[10, 20], [30, 20], [30, 50], [10, 50], [10, 20]]


def test_a_category_of_ones_own_is_found_by_the_synonyms_it_was_given(tmp_path):
    own = CategoryRow(1, "pier", "Pier", extra={"synonyms": ["landing stage"]})
    assert ClassMapping([own]).category_id("LandingStages") == 1


def test_labels_become_drafts_on_a_copied_image(dataset, tmp_path):
    report = take_in(dataset, label(), label(), label("field"), image="b", who="anna")
    assert report.counts == {"new images": 1, "new targets": 2, "new instances": 3}
    with dataset.reading() as view:
        (image,) = view.images()
        targets = list(view.targets())
    assert image.file_name == "images/sub/b.tif"
    assert dataset.image_path(image).read_bytes() == (tmp_path / "pictures/sub/b.tif").read_bytes()
    assert image.sha256
    assert image.gsd_m == pytest.approx(0.3, rel=1e-3)
    # Whoever imports labels didn't draw them.
    assert [(target.state, target.annotator) for target in targets] == [("draft", None)] * 2
    assert [target.created_by for target in targets] == ["anna"] * 2


def test_more_labels_join_the_target_that_is_still_open(dataset):
    take_in(dataset, label())
    report = take_in(dataset, label())
    assert report.counts == {"new images": 0, "new targets": 0, "new instances": 1}
    assert len({row.target_id for row in rows(dataset)}) == 1


def test_an_image_in_the_datasets_own_folder_needs_no_other(dataset, tmp_path):
    (dataset.folder / "images").mkdir()
    shutil.move(tmp_path / "pictures" / "a.tif", dataset.folder / "images" / "own.tif")
    take_in(dataset, label(), image="own")
    with dataset.reading() as view:
        assert [image.file_name for image in view.images()] == ["images/own.tif"]


def refused(dataset, *labels, kind=OVEarthError, **how):
    before = everything(dataset)
    with pytest.raises(kind) as fault:
        take_in(dataset, *labels, **how)
    assert everything(dataset) == before
    line = str(fault.value)
    assert "\n" not in line
    return line


def test_classes_that_do_not_map_are_named_with_their_nearest(dataset):
    labels = [label(f"thing {n}") for n in range(12) for _ in range(2)]
    line = refused(dataset, *labels, label("storagge tank"))
    assert "13 classes of 25 labels are no categories: thing 0, thing 1, " in line
    assert "thing 9 …" in line
    assert "--keep-unmapped" in line
    assert "nearest to 'thing 0' are '" in line
    assert refused(dataset, label("storagge tank")).count("'Storage tank'") == 1


def test_unmapped_classes_are_kept_when_asked_for_with_their_own_number_if_it_is_free(dataset):
    free, taken, bare = (
        Label(name, box=BOX, class_id=number)
        for name, number in (("pier", 12), ("mole", 7), ("Mole!", None))
    )
    report = take_in(dataset, free, taken, bare, keep_unmapped=True)
    assert report.counts["new categories"] == 2
    with dataset.reading() as view:
        assert {row.name: (row.id, row.slug) for row in view.categories()}.items() >= {
            "pier": (12, "pier"), "mole": (13, "mole"),
        }.items()  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.json", '{"ship": 3, "car": "Storage tank", "tree": "", "bush": null}'),
        ("m.csv", "class,category\nship,3\ncar,storage-tank\n\ntree,\nbush,\n"),
        ("m.csv", "ship,airplane\ncar,7\ntree,\nbush,"),
    ],
)
def test_a_mapping_names_categories_by_id_name_or_slug_and_skips_what_is_empty(
    dataset, tmp_path, name, text
):
    (tmp_path / name).write_text(text)
    report = take_in(
        dataset, label("ship"), label("Cars"), label("tree"), label("bush"),
        mapping=read_mapping(tmp_path / name),
    )  # fmt: skip
    assert [row.category_id for row in rows(dataset)] == [3, 7]
    assert sum(report.left_out.values()) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": [1]}', "mapped to a list"),
        ('{"a": 1, "a": 2}', "occurs twice"),
        ('{"a": 1', "not JSON"),
        ("[1]", "a list, no JSON object, "),
        ("[1]", 'write {"class": category id or name, or null to skip it}'),
        ("a,b,c", "3 columns, "),
        ("a,1\na,2", "line 2, keep one"),
        ('{"a": "boat"}', "is mapped to 'boat', which is no category"),
    ],
)
def test_a_mapping_that_is_none_is_refused_with_its_line(tmp_path, text, said):
    (tmp_path / "m").write_text(text)
    with pytest.raises(InputError) as fault:
        ClassMapping(CATEGORIES, read_mapping(tmp_path / "m"))
    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"box": (200, 10, 250, 20)}, "lies outside of the image (100 by 80 pixels)"),
        ({"box": (10, 10, 10, 20)}, "a box without area"),
        ({"box": (10, 10, 5, 20)}, "a box without area"),
        ({"box": (10, 10, float("nan"), 20)}, "isn't finite"),
        ({"obb": (0, 0, 9, 9, 9, 0, 0, 9)}, "labels.txt line 3"),
        ({"obb": (0, 0, 1, 1, 2, 2, 3, 3)}, "without area"),
        ({"polygons": ((np.array([[1, 1], [2, 2], [1, 1.0]]),),)}, "2 distinct positions"),
        ({"polygons": ((np.array([[1, 1], [2, 2], [1, np.inf]]),),)}, "not finite"),
        ({"segmentation": {"size": [100, 80], "counts": [8000]}}, "its mask has size [100, 80]"),
        ({"segmentation": None}, "without a shape"),
    ],
)
def test_shapes_that_are_none_or_lie_outside_are_refused_with_their_line(dataset, shape, said):
    line = refused(dataset, label(), label(**shape))
    assert said in line
    assert "labels.txt line 3" in line


def test_a_box_that_reaches_past_the_edge_is_taken_as_it_is(dataset):
    take_in(dataset, label(box=(-5, 10, 30, 90)))
    assert rows(dataset)[0].bbox == (-5, 10, 35, 80)


def test_an_image_of_another_size_is_refused(dataset):
    assert "a.tif is 100 by 80 pixels, the labels are for 80 by 100" in refused(
        dataset, label(), size=(80, 100)
    )


def test_unknown_images_are_named(dataset):
    line = refused(dataset, label(), image="nowhere.tif")
    assert "1 images are neither in the dataset nor in a folder given: nowhere.tif" in line


def test_an_ambiguous_name_is_refused(dataset, tmp_path):
    for folder in ("one", "two"):
        write_image(tmp_path / "pictures" / folder / "same.tif")
    assert "may be 2 images: images/one/same.tif, images/two/same.tif" in refused(
        dataset, label(), image="same.tif"
    )
    take_in(dataset, label(), image="two/same.tif")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"crs": None}, "no CRS"),
        ({"crs": "EPSG:32632"}, "no transform"),
        ({"gcps": GCPS, "crs": "EPSG:4326"}, "ground control points"),
    ],
)
def test_images_that_cannot_be_placed_are_refused_by_name(dataset, tmp_path, place, said):
    path = write_image(tmp_path / "pictures" / "odd.tif", **place)
    line = refused(dataset, label(), image="odd.tif")
    assert "1 images can't be placed on the ground: odd.tif" in line
    assert said in line
    assert str(path) in line


def test_another_file_of_the_same_name_is_never_overwritten(dataset, tmp_path):
    own = write_image(dataset.folder / "images" / "a.tif", seed=5)
    whole = own.read_bytes()
    take_in(dataset, label(), image="a.tif")
    assert own.read_bytes() == whole  # the dataset's own is the one that is meant


def test_a_target_that_was_submitted_is_not_added_to(dataset):
    take_in(dataset, label())
    with dataset.writing("anna") as edit:
        edit.set_state(1, "submitted")
    line = refused(dataset, label(), kind=UsageError)
    assert "target 1 is submitted" in line
    assert "return it first" in line


def test_copies_are_gone_again_after_an_error_while_writing(dataset):
    calls = []

    def read(source, images, _):
        calls.append(source)
        yield LabelledImage("a.tif", (label(),))
        if len(calls) > 1:  # the second pass: the file was changed in between
            raise InputError("gone", str(source))

    before = everything(dataset)
    with pytest.raises(InputError, match="gone"):
        import_labels(dataset, read, dataset.folder, dataset.folder.parent / "pictures")
    counts, names = everything(dataset)
    assert names == before[1]
    assert {**counts, "reviews": 0} == before[0]


def test_the_command_line_says_what_it_did_and_refuses_in_one_line(dataset, tmp_path, capsys):
    document = {
        "categories": [{"id": 1, "name": "tanker"}],
        "images": [{"id": 1, "file_name": "a.tif", "width": 100, "height": 80}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9]}],
    }
    source = tmp_path / "coco.json"
    source.write_text(json.dumps(document))
    arguments = ["import", str(dataset.folder), str(source), "--format", "coco",
                 "--images", str(tmp_path / "pictures")]  # fmt: skip
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: 1 classes of 1 labels are no categories")
    assert main([*arguments[:4], "cocoo"]) == 2
    assert "did you mean 'coco'?" in capsys.readouterr().err
    assert main([*arguments, "--keep-unmapped"]) == 0
    assert "1 new images, 1 new targets, 1 new instances, 1 new categories" in (
        capsys.readouterr().out
    )
    out = tmp_path / "out.json"
    assert main(["export", str(dataset.folder), str(out), "--format", "coco"]) == 0
    assert "left out: 1 targets that are draft" in capsys.readouterr().out
    for wrong in (["--state", "aproved"], ["--release", "1"]):
        assert main(["export", str(dataset.folder), str(out), "--format", "coco", *wrong]) == 2
    assert main(["export", str(tmp_path), str(out), "--format", "coco"]) == 2
    assert capsys.readouterr().err.count("\n") == 3
