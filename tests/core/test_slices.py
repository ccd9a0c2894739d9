"""Slices of the queries, areas of interest, and the hardest queries."""

import json

import fiona
import numpy as np
import pandas as pd
import pytest
from pyproj import Transformer
from shapely.geometry import box, mapping

from ovearth_core.analysis.area import read_area
from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.grouping import GROUPINGS, by_area
from ovearth_core.analysis.hardest import hardest
from ovearth_core.analysis.slices import slices
from ovearth_core.benchmark import TASKS, Truth
from ovearth_core.errors import InputError, UsageError
from ovearth_core.scoring.error_kinds import KINDS

from . import making
from .made_runs import made_run, random_runs

# Squares of 100 by 80 pixels of 10 m: Munich, across the antimeridian, the South Pole, nowhere.
UTM = {"crs": "EPSG:32632", "transform": [10.0, 0, 691000.0, 0, -10.0, 5335000.0]}
FIJI = {"crs": "EPSG:3832", "transform": [10.0, 0, 3339584.7 - 500, 0, -10.0, -1800000.0]}
POLE = {"crs": "EPSG:3031", "transform": [10.0, 0, -500.0, 0, -10.0, 400.0]}


@pytest.fixture
def places(tmp_path):
    """Four images with a target and two queries each, and one run over them."""
    frames = [UTM, FIJI, POLE, {}]
    document = making.benchmark(
        images=[making.image(number, **frame) for number, frame in enumerate(frames)],
        targets=[{"id": n, "image_id": n, "category_id": 1 + n % 2} for n in range(4)],
        annotations=[
            making.annotation(n, n, making.square(1, 1, 10 + 25 * n), image_id=n,
                              category_id=1 + n % 2)
            for n in range(4)
        ],
        queries=[making.query(f"{n}-{kind[0]}", n, polarity=kind)
                 for n in range(4) for kind in ("positive", "negative")],
    )  # fmt: skip
    benchmark = making.read(tmp_path, document)
    present = np.array([True, False] * 2 + [True, True] * 2)
    run = made_run(benchmark, "one", np.arange(8) / 10, present=present)
    return Evaluated(benchmark, (run,))


def groups(found, grouping, task="vocabulary", modality="mask"):
    return {group["name"]: group for group in found["slices"][grouping][modality][task]}


def test_every_grouping_gives_every_query_one_group_and_pandas_means(paper):
    evaluated = random_runs(paper, 3, modalities=("mask", "hbb"))
    found = slices(evaluated)
    for name, make in GROUPINGS.items():
        grouping = make(evaluated.facts)
        for task in TASKS:
            rows = evaluated.positive(task)
            names = np.array(grouping.names, dtype=object)[grouping.places[rows]]
            for run in evaluated.runs:
                expected = pd.Series(run.iou[rows]).groupby(names).mean()
                told = groups(found, name, task)
                scores = {key: each["runs"][run.model]["score"] for key, each in told.items()}
                assert scores == pytest.approx(expected.to_dict())
            assert sum(each["queries"] for each in told.values()) == len(rows)


def test_error_kinds_of_all_slices_add_up_to_those_of_the_task(paper):
    evaluated = random_runs(paper, 2, modalities=("mask", "obb"))
    found = slices(evaluated, by=("domain",))
    for modality, tasks in found["errors"].items():
        for task, runs in tasks.items():
            for model, counts in runs.items():
                told = groups(found, "domain", task, modality).values()
                summed = {
                    kind: sum(each["runs"][model]["errors"][kind] for each in told)
                    for kind in KINDS
                }
                assert summed == counts


def test_boxes_are_pooled_within_a_slice(paper):
    evaluated = random_runs(paper, 1, modalities=("hbb",))
    boxes = evaluated.runs[0].boxes["hbb"]
    rows = evaluated.asked("reasoning", "hbb")
    domain = np.array(evaluated.facts.by_category(lambda category: category.domain))[rows]
    told = groups(slices(evaluated, by=("domain",)), "domain", "reasoning", "hbb")
    for name, each in told.items():
        some = rows[domain == name]
        both = boxes.truths[some].sum() + boxes.predictions[some].sum()
        assert each["runs"]["model 00"]["score"] == 2 * boxes.tp[some, 0].sum() / both


def test_places_tell_continent_and_gsd_unless_they_are_given(places):
    found = slices(places, by=("continent", "gsd"))
    assert set(groups(found, "continent")) == {"Europe", "Oceania", "Antarctica", "unknown"}
    gsd = groups(found, "gsd")
    assert set(gsd) == {"2.5–10 m", "≥ 10 m", "unknown"}
    assert gsd["unknown"]["runs"]["one"]["score"] == pytest.approx(0.6)


def test_a_given_continent_wins_also_one_of_ones_own(tmp_path):
    document = making.benchmark(images=[making.image(1, continent="Middle Earth", **UTM)])
    run = made_run(making.read(tmp_path, document), "one", np.full(6, 0.5))
    found = slices(Evaluated(making.read(tmp_path, document), (run,)), by=("continent",))
    assert set(groups(found, "continent")) == {"Middle Earth"}


def test_sizes_are_those_of_the_masks(places):
    truth = Truth(places.benchmark)
    areas = [truth.mask_area(number) for number in range(4)]
    expected = ["small" if area < 32**2 else "medium" for area in areas]
    found = groups(slices(places, by=("size",)), "size")
    assert {name: each["targets"] for name, each in found.items()} == {
        name: expected.count(name) for name in set(expected)
    }


def test_words_are_counted_and_categories_of_one_name_kept_apart(tmp_path):
    document = making.benchmark()
    document["categories"][1]["name"] = "tank"
    document["queries"][0]["text"] = "tank"
    document["queries"][1]["text"] = " a  very long text of no fewer than ten words in all"
    benchmark = making.read(tmp_path, document)
    found = slices(
        Evaluated(benchmark, (made_run(benchmark, "one", np.full(6, 0.5)),)),
        by=("words", "category"),
    )
    assert set(groups(found, "words")) == {"1", "3", "11–15"}
    assert set(groups(found, "category")) == {"tank (1)", "tank (2)"}


def test_mcc_of_a_slice_is_none_where_it_is_undefined(places):
    found = groups(slices(places, by=("continent",)), "continent")
    # Present where it is, absent where it isn't; at the pole both present.
    assert found["Europe"]["runs"]["one"]["mcc"] == 1.0
    assert found["Antarctica"]["runs"]["one"]["mcc"] is None


def test_an_unknown_grouping_is_refused(places):
    with pytest.raises(UsageError, match="did you mean 'domain'"):
        slices(places, by=("domains",))


def write_area(path, geometry, crs, driver="GeoJSON"):
    schema = {"geometry": geometry["type"], "properties": {}}
    with fiona.open(path, "w", driver=driver, crs=crs, schema=schema) as file:
        file.write({"geometry": geometry, "properties": {}})
    return path


def touched(places, path):
    return read_area(path).touches(places.benchmark.images)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857", "EPSG:25832", "EPSG:3035", "EPSG:2056"])
@pytest.mark.parametrize("driver", ["GeoJSON", "GPKG", "ESRI Shapefile", "FlatGeobuf"])
def test_an_area_in_any_crs_and_format_finds_its_image(places, tmp_path, crs, driver):
    to = Transformer.from_crs("EPSG:32632", crs, always_xy=True)
    x, y = to.transform(691500.0, 5334600.0)
    reach = 0.001 if crs == "EPSG:4326" else 100.0
    ending = {"GeoJSON": "geojson", "GPKG": "gpkg", "FlatGeobuf": "fgb"}.get(driver, "shp")
    area = mapping(box(x - reach, y - reach, x + reach, y + reach))
    path = write_area(tmp_path / f"area.{ending}", area, crs, driver)
    assert touched(places, path) == [True, False, False, None]
    beside = mapping(box(x + 40 * reach, y, x + 41 * reach, y + reach))
    path = write_area(tmp_path / f"beside.{ending}", beside, crs, driver)
    assert touched(places, path) == [False, False, False, None]


@pytest.mark.parametrize(
    "bounds", [(179.9, -17, 180, -15), (-180, -17, -179.9, -15), (179.9, -17, 180.1, -15)]
)
def test_an_area_at_the_antimeridian_is_found_from_either_side(places, tmp_path, bounds):
    path = write_area(tmp_path / "a.geojson", mapping(box(*bounds)), "EPSG:4326")
    assert touched(places, path) == [False, True, False, None]


def test_an_area_in_pacific_coordinates_is_found_across_the_antimeridian(places, tmp_path):
    x = FIJI["transform"][2]
    area = mapping(box(x - 5e4, -1.9e6, x + 5e4, -1.7e6))
    path = write_area(tmp_path / "a.gpkg", area, "EPSG:3832", "GPKG")
    assert touched(places, path) == [False, True, False, None]


def test_an_area_about_the_pole_holds_the_image_there(places, tmp_path):
    path = write_area(tmp_path / "a.geojson", mapping(box(-180, -90, 180, -80)), "EPSG:4326")
    assert touched(places, path) == [False, False, True, None]
    for reach, expected in ((9e5, [False, False, True, None]), (9e6, [False, False, True, None])):
        around = mapping(box(-reach, -reach, reach, reach))
        path = write_area(tmp_path / "b.gpkg", around, "EPSG:3031", "GPKG")
        assert touched(places, path) == expected
    ring = mapping(box(-9e5, -9e5, 9e5, 9e5).difference(box(-1e5, -1e5, 1e5, 1e5)))
    path = write_area(tmp_path / "c.gpkg", ring, "EPSG:3031", "GPKG")
    assert touched(places, path) == [False, False, False, None]


def test_a_hole_is_no_part_of_the_area(places, tmp_path):
    ring = box(11, 47, 12, 49).difference(box(11.2, 47.9, 11.9, 48.5))
    path = write_area(tmp_path / "a.geojson", mapping(ring), "EPSG:4326")
    assert touched(places, path)[0] is False


def test_slices_tell_inside_from_outside(places, tmp_path):
    path = write_area(tmp_path / "a.geojson", mapping(box(10, 47, 13, 49)), "EPSG:4326")
    area = read_area(path)
    found = groups(slices(places, by=("domain",), area=area), "area")
    assert {name: each["queries"] for name, each in found.items()} == {
        "inside": 1, "outside": 2, "unknown": 1,
    }  # fmt: skip
    assert (by_area(places.facts, area).places == [0, 0, 1, 1, 1, 1, 2, 2]).all()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", "POLYGON", "no vector file by its ending"),
        ("a.geojson", json.dumps({"type": "FeatureCollection", "features": []}), "no polygon"),
        ("dataset.gpkg", "", "a dataset is no area"),
        ("none.geojson", None, "no such file"),
    ],
)
def test_what_is_no_area_is_refused(tmp_path, name, content, said):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=said):
        read_area(path)


@pytest.mark.parametrize(
    ("geometry", "crs", "said"),
    [
        ({"type": "Point", "coordinates": [1, 2]}, "EPSG:4326", "is Point, no polygon"),
        (mapping(box(0, 0, 1, 100)), "EPSG:4326", "can't be carried"),
    ],
)
def test_a_shape_that_is_no_area_is_refused_with_its_feature(tmp_path, geometry, crs, said):
    path = write_area(tmp_path / "a.geojson", geometry, crs)
    with pytest.raises(InputError, match=f"{said}.*feature 1"):
        read_area(path)


class TestHardest:
    def test_the_lowest_means_come_first(self, paper):
        evaluated = random_runs(paper, 4, seed=6)
        rows = evaluated.positive("reasoning")
        ids = [paper.columns.queries.ids[row] for row in rows]
        mean = pd.Series(np.mean([run.iou[rows] for run in evaluated.runs], axis=0), index=ids)
        found = hardest(evaluated, most=15)["mask"]["reasoning"]
        assert len(found) == 15
        assert [each["mean"] for each in found] == pytest.approx(mean.nsmallest(15).tolist())
        assert all(each["mean"] == pytest.approx(mean[each["query_id"]]) for each in found)

    def test_a_negative_query_that_all_answer_is_as_hard_as_can_be(self, places):
        found = hardest(places)["mask"]["vocabulary"]
        told = {each["query_id"]: (each["polarity"], each["mean"]) for each in found}
        assert told["2-n"] == told["3-n"] == ("negative", 0.0)
        assert told["0-n"] == told["1-n"] == ("negative", 1.0)
        assert told["1-p"] == ("positive", pytest.approx(0.2))
        assert [each["query_id"] for each in found[:3]] == ["0-p", "2-n", "3-n"]

    def test_the_best_answer_and_its_model_are_named(self, places):
        better = made_run(places.benchmark, "better", np.full(8, 0.9))
        both = places.with_runs([*places.runs, better])
        found = {each["query_id"]: each for each in hardest(both)["mask"]["vocabulary"]}
        assert (found["1-p"]["best_model"], found["1-p"]["best"]) == ("better", 0.9)
        assert found["1-p"]["file_name"] == "images/1.tif"
