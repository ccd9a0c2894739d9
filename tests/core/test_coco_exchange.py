"""COCO both ways: pycocotools reads what went in and what came out as the same."""

import json
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO

from ovearth_core.dataset import CategoryRow, Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.coco_labels import read
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.importing import import_labels
from ovearth_core.errors import OVEarthError
from ovearth_core.geometry import Runs

from . import making
from .datasets import SQUARE
from .placed_images import write_image
from .random_benchmarks import random_benchmark
from .shared import DATA, needs_shared

EVERY = ("draft", "approved")


def judged(path):
    with redirect_stdout(StringIO()):
        return COCO(str(path))


def plain(document):
    """A benchmark's document as plain COCO."""
    return {key: document[key] for key in ("categories", "images", "annotations")}


def dataset_of(folder, categories=()):
    return Dataset.create(folder / "dataset", categories)


def given_coco(folder, document, size=(100, 80)):
    """Write a COCO file and its images."""
    for image in document["images"]:
        write_image(folder / "pictures" / image["file_name"], *size)
    path = folder / "coco.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def imported(folder, document, size=(100, 80)):
    path = given_coco(folder, document, size)
    dataset = dataset_of(folder)
    report = import_labels(dataset, read, path, folder / "pictures", keep_unmapped=True)
    return dataset, path, report


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_masks_boxes_crowd_and_ids_survive_the_round_trip(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("coco")
    document = plain(random_benchmark(seed))
    for annotation in document["annotations"]:
        # What COCO itself has: no exact geometry; area and bbox are required there.
        geometry = annotation.pop("geometry", None)
        if geometry is not None:
            annotation["segmentation"] = Runs.from_polygons([geometry], 48, 64).to_rle()
        annotation |= {"area": 12.5, "bbox": [0.1, 0.2, 30.3, 0.7], "iscrowd":
                       annotation.get("iscrowd", 0)}  # fmt: skip
    dataset, path, _ = imported(folder, document, (64, 48))
    export_dataset(dataset, folder / "out.json", "coco", EVERY)
    before, after = judged(path), judged(folder / "out.json")
    assert before.anns.keys() == after.anns.keys()
    assert before.imgs.keys() == after.imgs.keys()
    for number, annotation in before.anns.items():
        other = after.anns[number]
        for key in ("area", "bbox", "iscrowd", "image_id", "segmentation"):
            assert other[key] == annotation[key]
        names = [c.cats[a["category_id"]]["name"] for c, a in ((before, annotation),
                                                               (after, other))]  # fmt: skip
        assert names[0] == names[1]
        masks = [before.annToMask(annotation), after.annToMask(other)]
        assert np.array_equal(*masks)


def test_a_hole_goes_out_as_rle_of_just_its_pixels(tmp_path):
    dataset, _, _ = imported(tmp_path, plain(making.benchmark()))
    hole = np.array([[20, 20], [30, 20], [30, 30]])
    with dataset.writing("anna") as edit:
        row = edit.add_instance(1, 2, ((SQUARE, hole),))
    export_dataset(dataset, tmp_path / "out.json", "coco", EVERY)
    judge = judged(tmp_path / "out.json")
    mask = judge.annToMask(judge.anns[row.id])
    wanted = Runs.from_polygons([row.geojson()], 80, 100).to_array()
    assert np.array_equal(mask, wanted)
    assert judge.anns[row.id]["area"] == wanted.sum()
    assert judge.anns[row.id]["bbox"] == [10, 10, 40.5, 30.25]


def test_a_drawn_polygon_and_a_box_alone_have_all_that_coco_asks_for(tmp_path):
    document = plain(making.benchmark())
    document["annotations"] = [making.annotation(1, 1, bbox=[10, 20, 30, 40])]
    document["annotations"][0].pop("segmentation")
    dataset, _, report = imported(tmp_path, document)
    assert report.counts["new instances"] == 1
    with dataset.writing("anna") as edit:
        edit.add_instance(1, 1, SQUARE)
        (box, _) = edit.instances()
    assert box.extra["imported_as"] == "bbox"
    export_dataset(dataset, tmp_path / "out.json", "coco", EVERY)
    judge = judged(tmp_path / "out.json")
    assert judge.anns[1]["bbox"] == [10, 20, 30, 40]
    assert judge.anns[1]["area"] == 1200
    assert judge.anns[2]["segmentation"] == [SQUARE.ravel().tolist()]


def test_images_without_annotations_go_in_and_out(tmp_path):
    document = plain(making.benchmark(images=[making.image(1), making.image(9)]))
    dataset, _, report = imported(tmp_path, document)
    assert report.counts["new images"] == 2
    export_dataset(dataset, tmp_path / "out.json", "coco", EVERY)
    assert sorted(judged(tmp_path / "out.json").imgs) == [1, 9]


def test_it_says_what_coco_has_no_place_for(tmp_path):
    path = tmp_path / "benchmark.json"
    path.write_text(json.dumps(random_benchmark(3, georeferenced=True)))
    import_benchmark(tmp_path / "dataset", path)
    report = export_dataset(Dataset.open(tmp_path / "dataset"), tmp_path / "out.json", "coco")
    assert report.left_out["queries (COCO has no place for them)"] > 0
    judged(tmp_path / "out.json")


@needs_shared
def test_the_real_sample_file_is_refused_for_want_of_its_images(tmp_path):
    dataset = dataset_of(tmp_path, [CategoryRow(1, "tree", "Tree")])
    with pytest.raises(OVEarthError) as fault:
        import_labels(dataset, read, DATA / "labels" / "coco_sample_file.json")
    assert "neither in the dataset nor in a folder given" in str(fault.value)


def test_ids_that_are_taken_are_given_anew(tmp_path):
    dataset, path, _ = imported(tmp_path, plain(making.benchmark()))
    document = plain(making.benchmark(images=[making.image(1) | {"file_name": "other.tif"}]))
    path.write_text(json.dumps(document))
    write_image(tmp_path / "pictures" / "other.tif")
    import_labels(dataset, read, path, tmp_path / "pictures")
    with dataset.reading() as view:
        assert [image.id for image in view.images()] == [1, 2]
        assert [row.id for row in view.instances()] == [1, 2, 3, 4, 5, 6]
        assert len({target.image_id for target in view.targets()}) == 2
