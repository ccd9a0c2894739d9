"""A benchmark goes into a dataset and comes out as it was: fields, order, shapes, scores, bytes."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.benchmark import read_benchmark, write_benchmark
from ovearth_core.dataset import Dataset, QueryRow
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.errors import OVEarthError
from ovearth_core.predictions import predictions_from
from ovearth_core.scoring import evaluate

from . import making
from .datasets import SQUARE
from .random_benchmarks import PLACES, random_benchmark, random_run

PLACE = PLACES[1]


def taken_in(folder, document, name="dataset"):
    """Import a benchmark's document into a new dataset."""
    path = folder / f"{name}.source.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    import_benchmark(folder / name, path)
    return Dataset.open(folder / name), path


def written(dataset, out, **options):
    export_dataset(dataset, out, "benchmark", **options)
    return out.read_bytes()


def canonical(path, folder):
    """What our own writer makes of a file: the same values, nulls left out."""
    write_benchmark(read_benchmark(path), folder / "canonical.json")
    return json.loads((folder / "canonical.json").read_text(encoding="utf-8"))


def placed(**lists):
    return making.benchmark(**{"images": [making.image(1, **PLACE)], **lists})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_any_benchmark_comes_out_as_it_went_in(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("any")
    dataset, path = taken_in(folder, random_benchmark(seed, georeferenced=True))
    first = written(dataset, folder / "first.json")
    assert json.loads(first) == canonical(path, folder)
    import_benchmark(folder / "again", folder / "first.json")
    assert written(Dataset.open(folder / "again"), folder / "second.json") == first


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_it_gives_the_same_scores_to_the_last_bit(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("scores")
    document = random_benchmark(seed, georeferenced=True)
    run = random_run(seed, document)
    dataset, path = taken_in(folder, document)
    written(dataset, folder / "out.json")
    before, after = (
        evaluate(read_benchmark(file), predictions_from(run)).to_dict()
        for file in (path, folder / "out.json")
    )
    assert before == after


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner,
                                                               max_size=3),
    max_leaves=6,
)  # fmt: skip
# Keys that no reader takes for a misspelt one of its own.
FIELDS = st.dictionaries(st.sampled_from(["x-1", "zz", "Ünïcode", "__"]), JSON_VALUES)


@settings(max_examples=40, deadline=None)
@given(st.lists(FIELDS, min_size=8, max_size=8))
def test_fields_that_nobody_knows_stay_where_they_were(tmp_path_factory, extras):
    folder = tmp_path_factory.mktemp("extras")
    document = placed(licenses=[{"id": 1, "name": "CC"}])
    lists = ("licenses", "categories", "images", "targets", "annotations", "queries")
    for name, extra in zip(lists, extras, strict=False):
        document[name][0] |= extra
    document["info"] |= extras[6]
    document |= extras[7] | {"empty list": [], "many": [1, {"a": None}, []]}
    dataset, _ = taken_in(folder, document)
    found = json.loads(written(dataset, folder / "out.json"))
    for name, extra in zip(lists, extras, strict=False):
        told = extra if name == "licenses" else without_nulls(extra)
        assert (
            told.items() <= found[name][0].items()
            if hashable(told)
            else all(found[name][0][key] == value for key, value in told.items())
        )
    assert all(found["info"][key] == value for key, value in extras[6].items())
    assert all(found[key] == value for key, value in extras[7].items())
    assert (found["empty list"], found["many"]) == ([], [1, {"a": None}, []])


def without_nulls(fields):
    return {key: value for key, value in fields.items() if value is not None}


def hashable(fields):
    return all(isinstance(value, (str, int, float, type(None))) for value in fields.values())


def test_what_columns_hold_comes_back_as_it_was_whatever_its_kind(tmp_path):
    about = {"license": 3, "source": "drone", "date_captured": "2020-02-30", "continent": None,
             "sha256": "ab", "poi_id": 99, "extra": {"a": 1}}  # fmt: skip
    document = placed()
    document["images"][0] |= about
    document["categories"][0] |= {"slug": "my-tank", "definition": ["two", "texts"]}
    document["targets"][0] |= {"state": "approved", "annotator": "anna", "rival_of": 2}
    document["annotations"][0] |= {"area": "large", "origin": "here", "changes": 7}
    document["queries"][0] |= {"state": "removed", "flags": ["a"], "original_text": "t"}
    dataset, path = taken_in(tmp_path, document)
    found = json.loads(written(dataset, tmp_path / "out.json"))
    assert found == canonical(path, tmp_path)
    assert without_nulls(about).items() >= {"license": 3, "poi_id": 99}.items()
    assert found["images"][0]["license"] == 3
    with dataset.reading() as view:
        image = next(view.images())
        assert (image.source, image.license, image.poi_id) == ("drone", None, None)
        assert next(view.categories()).slug == "my-tank"


@pytest.mark.parametrize("empty", [[], [[]]])
def test_an_empty_shape_comes_back_as_its_file_has_it(tmp_path, empty):
    document = placed()
    boxed, drawn = making.annotation(1, 1, []), making.annotation(2, 1, making.square(20, 20, 9))
    boxed |= {"segmentation": empty, "bbox": [1.0, 2.0, 3.0, 4.0], "obb": []}
    drawn |= {"bbox": []}
    document["annotations"] = [boxed, drawn]
    dataset, _ = taken_in(tmp_path, document)
    found = json.loads(written(dataset, tmp_path / "out.json"))
    for one, other in zip(document["annotations"], found["annotations"], strict=True):
        assert {key: one.get(key) for key in ("segmentation", "bbox", "obb")} == {
            key: other.get(key) for key in ("segmentation", "bbox", "obb")
        }
    export_dataset(dataset, tmp_path / "coco.json", "coco")
    found = json.loads((tmp_path / "coco.json").read_text())
    assert [len(one["bbox"]) for one in found["annotations"]] == [4, 4]
    with dataset.writing("anna") as edit:
        edit.update(replace(edit.instance(2), bbox=(20.0, 20.0, 9.0, 9.0)))
    found = json.loads(written(dataset, tmp_path / "out.json"))
    assert found["annotations"][1]["bbox"] == [20.0, 20.0, 9.0, 9.0]


def test_every_order_and_odd_id_is_kept(tmp_path):
    rng = np.random.default_rng(3)
    images = [making.image(number, **PLACE) for number in (5, 0, 2**53, 3)]
    targets = [{"id": number, "image_id": 5, "category_id": 1} for number in (9, 4, 0, 77)]
    annotations = [
        making.annotation(int(number), targets[number % 4]["id"], making.square(5, 5, 9),
                          image_id=5)
        for number in rng.permutation(40)
    ]  # fmt: skip
    queries = [making.query(f"q{number}", 4) for number in rng.permutation(9)]
    document = making.benchmark(
        images=images, targets=targets, annotations=annotations, queries=queries,
        categories=[{"id": 2, "name": "b"}, {"id": 1, "name": "B"}, {"id": 0, "name": "b!"}],
    )  # fmt: skip
    dataset, path = taken_in(tmp_path, document)
    found = json.loads(written(dataset, tmp_path / "out.json"))
    assert found == canonical(path, tmp_path)
    for name in ("categories", "images", "targets", "annotations", "queries"):
        assert [one["id"] for one in found[name]] == [one["id"] for one in document[name]]


@pytest.mark.parametrize(
    "geometry",
    [
        {"type": "Polygon", "coordinates": [[[1, 1], [9, 1], [9, 9]]]},
        {"type": "Polygon", "coordinates": [[[1, 1, 7], [9, 1, 7], [9, 9, 7], [1, 1, 7]]]},
        {"type": "Feature", "properties": {"a": 1}, "geometry": {
            "type": "MultiPolygon", "coordinates": [[[[1, 1], [9, 1], [9, 9], [1, 1]]]]}},
        {"type": "MultiPolygon", "coordinates": [[[[1, 1], [9, 1], [9, 9], [1, 1]]]], "bbox": [1]},
        {"type": "GeometryCollection", "geometries": []},
    ],
)  # fmt: skip
def test_geometry_comes_back_in_the_words_of_its_file(tmp_path, geometry):
    annotations = [making.annotation(1, 1, making.square(10, 10, 20), geometry=geometry)]
    dataset, path = taken_in(tmp_path, placed(annotations=annotations))
    found = json.loads(written(dataset, tmp_path / "out.json"))
    assert found["annotations"][0]["geometry"] == geometry
    assert found == canonical(path, tmp_path)


def test_the_same_bytes_come_out_each_time_and_from_a_folder_with_the_images(tmp_path):
    from ovearth_core.sample.write import write_sample

    sample = write_sample(tmp_path / "demo")
    import_benchmark(tmp_path / "with", sample.benchmark)
    alone = tmp_path / "alone.json"
    alone.write_bytes(sample.benchmark.read_bytes())
    report = import_benchmark(tmp_path / "without", alone)
    assert report.notes == ("6 of 6 image files aren't at hand: see check",)
    outs = [
        written(Dataset.open(tmp_path / name), tmp_path / f"{name}.json")
        for name in ("with", "with", "without")
    ]
    assert outs[0] == outs[1] == outs[2]
    with Dataset.open(tmp_path / "with").reading() as view:
        rows = list(view.images())
    assert all(row.sha256 for row in rows)
    assert sorted(p.name for p in (tmp_path / "with" / "images").iterdir()) == sorted(
        p.name for p in (tmp_path / "demo" / "images").iterdir()
    )


def test_a_changed_polygon_takes_what_the_file_said_of_its_shape_with_it(tmp_path):
    annotations = [making.annotation(1, 1, making.square(10, 10, 20), area=400, note="kept")]
    dataset, _ = taken_in(tmp_path, placed(annotations=annotations))
    with dataset.writing("anna") as edit:
        row = edit.instance(1)
        edit.update(replace(row, polygons=((np.vstack([SQUARE, SQUARE[:1]]),),)))
    (found,) = json.loads(written(dataset, tmp_path / "out.json"))["annotations"]
    assert found["geometry"]["coordinates"][0][:4] == SQUARE.tolist()
    assert found["segmentation"] == [SQUARE.ravel().tolist()]
    assert (found["note"], found["area"]) == ("kept", 41 * 30)  # pixel centres


def test_a_drawn_polygon_with_a_hole_goes_out_as_geometry_and_rle(tmp_path):
    dataset, _ = taken_in(tmp_path, placed())
    hole = np.array([[20, 20], [30, 20], [30, 30]])
    with dataset.writing("anna") as edit:
        edit.add_instance(1, 1, ((SQUARE, hole),), target_id=1)
    found = json.loads(written(dataset, tmp_path / "out.json"))["annotations"][-1]
    assert len(found["geometry"]["coordinates"]) == 2
    assert set(found["segmentation"]) == {"size", "counts"}
    assert read_benchmark(tmp_path / "out.json").instances[-1].geometry == found["geometry"]


def test_only_approved_targets_go_out_unless_others_are_asked_for(tmp_path):
    document = placed(images=[making.image(1, **PLACE), making.image(2, **PLACE)])
    dataset, _ = taken_in(tmp_path, document)
    with dataset.writing("anna") as edit:
        edit.set_state(1, "returned")
        edit.add(QueryRow("p1", 2, "referring", "positive", "the field", state="proposed"))
    report = export_dataset(dataset, tmp_path / "out.json", "benchmark")
    found = read_benchmark(tmp_path / "out.json")
    assert [target.id for target in found.targets] == [2]
    assert report.left_out == {"targets that are returned": 1, "queries that are proposed": 1}
    assert [image.id for image in found.images] == [1, 2]
    whole = json.loads(written(dataset, tmp_path / "all.json", states=("approved", "returned")))
    assert whole["targets"][0]["state"] == "returned"
    import_benchmark(tmp_path / "again", tmp_path / "all.json")
    with Dataset.open(tmp_path / "again").reading() as view:
        assert [target.state for target in view.targets()] == ["returned", "approved"]


def test_an_image_whose_only_target_stays_behind_stays_too(tmp_path):
    dataset, _ = taken_in(tmp_path, placed())
    with dataset.writing("anna") as edit:
        edit.set_state(1, "draft")
        edit.set_state(2, "draft")
    report = export_dataset(dataset, tmp_path / "out.json", "benchmark")
    assert len(read_benchmark(tmp_path / "out.json").images) == 0
    assert report.left_out["images without a target that goes out"] == 1


def test_a_second_benchmark_joins_a_dataset_and_brings_the_categories_that_lack(tmp_path):
    dataset, _ = taken_in(tmp_path, placed())
    other = making.benchmark(
        info={"version": "other"},
        categories=[{"id": 1, "name": "tank"}, {"id": 3, "name": "pier"}],
        images=[making.image(8, **PLACE)],
        targets=[{"id": 8, "image_id": 8, "category_id": 3}],
        annotations=[making.annotation(8, 8, making.square(1, 1, 9), image_id=8, category_id=3)],
        queries=[making.query("other", 8)],
    )
    path = tmp_path / "other.json"
    path.write_text(json.dumps(other))
    report = import_benchmark(dataset.folder, path)
    assert report.counts["categories"] == 1
    found = json.loads(written(dataset, tmp_path / "out.json"))
    assert [one["name"] for one in found["categories"]] == ["tank", "field", "pier"]
    assert found["info"]["version"] == "test"
    assert [one["id"] for one in found["targets"]] == [1, 2, 8]


def refused(folder, document, kind=OVEarthError):
    with pytest.raises(kind) as fault:
        taken_in(folder, document)
    line = str(fault.value)
    assert "\n" not in line
    assert not (folder / "dataset").exists()
    return line


def test_images_without_a_crs_are_refused_by_name(tmp_path):
    images = [making.image(n, **(PLACE if n == 1 else {})) for n in range(1, 15)]
    line = refused(tmp_path, making.benchmark(images=images))
    assert "13 images without CRS or transform: images/2.tif, " in line
    assert "images/11.tif …" in line
    assert "images/12.tif" not in line
    assert "georeference" in line


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"images": [making.image(1, **PLACE, operation="+proj=utm +zone=1")]}, "operation"),
        ({"images": [making.image(1, crs="EPSG:99999", transform=PLACE["transform"])]}, "99999"),
        ({"images": [making.image(1, **PLACE) | {"file_name": "../a.tif"}]}, "leaves its folder"),
        ({"images": [making.image(1, **PLACE), making.image(2, **PLACE)
                     | {"file_name": "images/1.tif"}]}, "is that of image 1"),
        ({"annotations": [making.annotation(1, 1, [[1, 1, 2, 2, 1, 1]])]}, "annotation 1"),
        ({"annotations": [making.annotation(7, 1, geometry={"type": "Point"})]}, "annotation 7"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused_in_one_line_and_nothing_is_made(tmp_path, change, said):
    assert said in refused(tmp_path, {**placed(), **change})


def test_plain_coco_is_sent_to_its_own_format(tmp_path):
    document = placed()
    assert "--format coco" in refused(
        tmp_path, {key: document[key] for key in ("categories", "images")} | {"annotations": []}
    )


def test_a_benchmark_that_clashes_leaves_the_dataset_as_it_was(tmp_path):
    dataset, path = taken_in(tmp_path, placed())
    before = dataset.path.read_bytes()
    with pytest.raises(OVEarthError, match=r"image 1 .* is in the dataset already"):
        import_benchmark(dataset.folder, path)
    other = placed()
    other["categories"][0]["name"] = "silo"
    path.write_text(json.dumps(other))
    with pytest.raises(OVEarthError, match="category 1 is 'silo', in the dataset it is 'tank'"):
        import_benchmark(dataset.folder, path)
    assert dataset.path.read_bytes() == before
    assert sorted(p.name for p in dataset.folder.iterdir()) == ["dataset.gpkg"]


def test_a_clash_found_only_while_writing_is_taken_back(tmp_path):
    dataset, path = taken_in(tmp_path, placed())
    other = placed()
    other["images"][0] |= {"id": 2, "file_name": "images/2.tif"}
    for name in ("targets", "annotations"):
        for one in other[name]:
            one["id"] += 10
            one["image_id"] = 2
            if name == "annotations":
                one["target_id"] += 10
    for one in other["queries"]:
        one["target_id"] += 10  # their own ids are taken
    path.write_text(json.dumps(other))
    before = written(dataset, tmp_path / "before.json")
    with pytest.raises(OVEarthError, match="a query of this id is there already"):
        import_benchmark(dataset.folder, path)
    assert written(dataset, tmp_path / "after.json") == before
    with dataset.reading() as view:
        assert view.note("import") is None
