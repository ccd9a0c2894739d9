"""Runs in vector files score what the same answers score as JSON Lines in map coordinates."""

import hashlib
import json
import random

import fiona
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyproj import Transformer

from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.crs import same_crs
from ovearth_core.predictions import predictions_from, read_predictions
from ovearth_core.predictions.truth_run import truth_run
from ovearth_core.requests import write_requests
from ovearth_core.sample import write_sample
from ovearth_core.scoring import Options, evaluate

from . import making
from .map_products import FORMATS, box, collection, feature, features_of, polygon, raised, write
from .random_benchmarks import random_benchmark

HEADER = ("model", "predictions_sha256")
PLACED = {"crs": "EPSG:32632", "transform": [1, 0, 500000, 0, -1, 5000000]}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A benchmark in six frames, with one rotated, one south-up, one in degrees."""
    return read_benchmark(write_sample(tmp_path_factory.mktemp("sample")).benchmark)


def truth_records(benchmark, crs):
    """The truth run, without the masks that have no outline: header, records."""
    header, *records = truth_run(benchmark, in_map=True, crs=crs)
    for record in records:
        parts = record["mask"] if isinstance(record["mask"], list) else [record["mask"]]
        record["mask"] = [part for part in parts if "polygons" in part]
    return header, records


def scored(benchmark, run, **options):
    """The scores of a run but for its name, its frame apart."""
    document = evaluate(benchmark, run, options=Options(**options)).to_dict()
    frame = document.pop("frame")
    return {key: value for key, value in document.items() if key not in HEADER}, frame["crs"]


def means_the_same(first, second):
    """Whether x and y are the same in both CRSs, whatever their axis orders."""
    x, y = Transformer.from_crs(first, second, always_xy=True).transform(9.5, 47.25)
    return (x, y) == pytest.approx((9.5, 47.25), abs=1e-9)


@pytest.fixture
def placed(tmp_path):
    """The small benchmark with its image on the map: pixel x, y is at 500000 + x, 5000000 - y."""
    return making.read(tmp_path, making.benchmark(images=[making.image(1, **PLACED)]))


def on_map(x0, y0, x1, y1):
    return box(500000 + x0, 5000000 - y1, 500000 + x1, 5000000 - y0)


def tp_of(benchmark, run, kind="hbb", **options):
    scores = evaluate(benchmark, run, options=Options(**options)).to_dict()
    return {key: scores[kind]["vocabulary"][key] for key in ("tp_50", "fp_50")}


@pytest.mark.parametrize("crs", ["EPSG:32632", "EPSG:4326", "EPSG:3035"])
@pytest.mark.parametrize("ending", FORMATS)
def test_the_truth_scores_the_same_in_every_format_and_crs(sample, tmp_path, ending, crs):
    header, records = truth_records(sample, crs)
    features = list(features_of(records))
    path = write(tmp_path / f"run{ending}", features, crs)
    random.Random(0).shuffle(features)
    shuffled = write(tmp_path / f"shuffled{ending}", map(raised, features), crs)
    wanted, _ = scored(sample, predictions_from([header, *records]))
    assert wanted["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0
    for run in map(read_predictions, (path, shuffled)):
        found, found_crs = scored(sample, run)
        assert found == wanted
        assert means_the_same(found_crs, crs)


@given(seed=st.integers(0, 10**9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_random_truths_score_the_same_whatever_the_order_of_features(tmp_path, seed):
    benchmark = making.read(tmp_path, random_benchmark(seed, georeferenced=True))
    header, records = truth_records(benchmark, "EPSG:4326")
    del header["tasks"]  # which a vector file can't declare
    features = list(features_of(records))
    random.Random(seed).shuffle(features)
    run = read_predictions(write(tmp_path / "run.fgb", features, "EPSG:4326"))
    assert scored(benchmark, run)[0] == scored(benchmark, predictions_from([header, *records]))[0]


@pytest.mark.parametrize("ending", FORMATS)
def test_each_features_score_stays_with_its_box(placed, tmp_path, ending):
    features = [
        feature("v1", "hbb", on_map(10, 10, 30, 30), 0.9),
        feature("v1", "obb", on_map(0, 0, 5, 5), 0.1),
        feature("v1", "hbb", on_map(0, 0, 5, 5), 0.2),
        feature("v1", "obb", on_map(50, 10, 70, 30), 0.8),
        feature("v1", "obb", on_map(10, 10, 30, 30), 0.5),
    ]
    run = read_predictions(write(tmp_path / f"run{ending}", features))
    assert tp_of(placed, run, "hbb", min_score=0.5) == {"tp_50": 1, "fp_50": 0}
    assert tp_of(placed, run, "obb", min_score=0.5) == {"tp_50": 2, "fp_50": 0}
    assert tp_of(placed, run, "obb") == {"tp_50": 2, "fp_50": 1}


@pytest.mark.parametrize("ending", FORMATS)
def test_features_without_geometry_are_an_explicit_empty_answer(placed, tmp_path, ending):
    features = [
        feature("v1", "hbb", on_map(10, 10, 30, 30)),
        feature("v1", "mask", None),
        feature("v2", "hbb", None),
    ]
    run = read_predictions(write(tmp_path / f"run{ending}", features))
    assert run.header.modalities == ("mask", "hbb")
    first, second = run
    assert (first.mask, len(first.hbb), len(second.hbb)) == (None, 1, 0)
    presence = evaluate(placed, run).to_dict()["presence"]
    assert (presence["mask"]["fn"], presence["hbb"]["tp"], presence["hbb"]["fn"]) == (2, 1, 1)


@pytest.mark.parametrize("ending", FORMATS)
def test_one_modality_says_what_features_are_that_do_not(tmp_path, ending):
    features = [feature("v1", None, on_map(10, 10, 30, 30))]
    run = read_predictions(write(tmp_path / f"run{ending}", features, without=["kind"]), "obb")
    assert run.header.modalities == ("obb",)
    assert [record.obb.shape for record in run] == [(1, 4, 2)]


@pytest.mark.parametrize("ending", [".gpkg", ".geojson", ".parquet"])
def test_ids_that_are_numbers_or_look_like_dates_stay_what_they_are(tmp_path, ending):
    features = [feature(name, "hbb", box(0, 0, 1, 1)) for name in ("2024-01-01", "007", "1:2")]
    run = read_predictions(write(tmp_path / f"run{ending}", features))
    assert [record.query_id for record in run] == ["2024-01-01", "007", "1:2"]
    numbers = [feature(7, "hbb", box(0, 0, 1, 1))]
    path = write(tmp_path / f"numbers{ending}", numbers, query_id="int")
    assert [record.query_id for record in read_predictions(path)] == ["7"]


def test_boxes_are_envelopes_and_oriented_boxes_their_four_corners_or_rectangle(tmp_path):
    tilted = [(0, 2), (4, 0), (6, 4), (2, 6)]
    with_more = [*tilted, (1, 4)]
    two = {"type": "MultiPolygon", "coordinates": [box(0, 0, 1, 1)["coordinates"]] * 2}
    gathered = {"type": "GeometryCollection", "geometries": [polygon(*tilted), two]}
    shapes = [polygon(*tilted), polygon(*with_more), two, gathered]
    path = collection(
        tmp_path / "run.geojson",
        [feature("q", kind, shape) for kind in ("hbb", "obb", "mask") for shape in shapes],
    )
    (record,) = read_predictions(path)
    assert record.hbb.tolist() == [[0, 0, 6, 6], [0, 0, 6, 6], [0, 0, 1, 1], [0, 0, 6, 6]]
    assert record.obb[0].tolist() == [list(corner) for corner in tilted]
    wanted = {(round(x, 9), round(y, 9)) for x, y in record.obb[1].tolist()}
    assert wanted == set(tilted)
    assert record.obb[2].tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert len(record.mask["polygons"]["coordinates"]) == 1 + 1 + 2 + 3


def test_boxes_that_are_cut_at_180_degrees_are_put_together(tmp_path):
    parts = [box(179.5, 1, 180, 2), box(-180, 1, -179, 2)]
    cut = {"type": "MultiPolygon", "coordinates": [part["coordinates"] for part in parts]}
    kinds = [feature("q", kind, cut) for kind in ("hbb", "obb", "mask")]
    (record,) = read_predictions(collection(tmp_path / "run.geojson", kinds))
    assert record.hbb.tolist() == [[179.5, 1, 181, 2]]
    assert record.obb.tolist() == [[[179.5, 1], [181, 1], [181, 2], [179.5, 2]]]
    assert len(record.mask["polygons"]["coordinates"]) == 2


def test_column_names_are_found_in_any_case(tmp_path):
    schema = {"geometry": "Polygon", "properties": {"QUERY_ID": "str", "Kind": "str"}}
    with fiona.open(tmp_path / "r.shp", "w", "ESRI Shapefile", schema, "EPSG:32632") as file:
        properties = {"QUERY_ID": "v1", "Kind": "mask"}
        file.write({"type": "Feature", "geometry": box(0, 0, 1, 1), "properties": properties})
    assert [record.query_id for record in read_predictions(tmp_path / "r.shp")] == ["v1"]


class TestLayers:
    def test_layers_named_after_kinds_are_read_together(self, placed, tmp_path):
        path = tmp_path / "run.gpkg"
        write(path, [feature("v1", None, on_map(10, 10, 30, 30))], without=["kind"], layer="hbb")
        write(path, [feature("v1", None, on_map(50, 10, 70, 30))], without=["kind"], layer="obb")
        write(path, [feature("x", None, None)], layer="other", without=["query_id"])
        run = read_predictions(path)
        assert run.header.modalities == ("hbb", "obb")
        assert tp_of(placed, run, "obb") == tp_of(placed, run, "hbb") == {"tp_50": 1, "fp_50": 0}

    def test_the_only_layer_with_query_ids_is_read(self, tmp_path):
        path = tmp_path / "run.gpkg"
        write(path, [feature("x", None, None)], layer="a", without=["query_id"])
        write(path, [feature("v1", "hbb", box(0, 0, 1, 1))], layer="b")
        assert [record.query_id for record in read_predictions(path)] == ["v1"]

    def test_features_are_named_by_layer_and_number(self, tmp_path):
        path = tmp_path / "run.gpkg"
        write(path, [feature(f"q{n}", "hbb", box(0, 0, 1, 1)) for n in range(3)], layer="hbb")
        write(path, [feature(f"p{n}", "obb", box(0, 0, 1, 1)) for n in range(3)], layer="obb")
        run = read_predictions(path)
        places = {record.query_id: run.where(record) for record in run}
        assert places["q2"] == f"{path} layer 'hbb' feature 3, query q2"
        assert places["p0"] == f"{path} layer 'obb' feature 1, query p0"


class TestSources:
    def test_json_that_starts_as_a_feature_collection_is_one(self, tmp_path):
        features = [feature("v1", "hbb", box(0, 0, 1, 1))]
        run = read_predictions(collection(tmp_path / "run.json", features))
        assert (run.header.model, run.header.crs, run.header.in_map) == ("run", "OGC:CRS84", True)
        lines = making.write_run(tmp_path, making.GOOD, name="lines.json")
        assert not read_predictions(lines).header.in_map

    def test_the_checksum_is_of_the_file_or_of_the_list_of_a_shapefiles_files(self, tmp_path):
        one = collection(tmp_path / "run.geojson", [feature("v1", "hbb", box(0, 0, 1, 1))])
        assert read_predictions(one).sha256 == hashlib.sha256(one.read_bytes()).hexdigest()
        write(tmp_path / "run.shp", [feature("v1", "hbb", box(0, 0, 1, 1))])
        parts = [f"run.{end}" for end in ("cpg", "dbf", "prj", "shp", "shx")]
        sums = [hashlib.sha256((tmp_path / part).read_bytes()).hexdigest() for part in parts]
        listed = "".join(f"{s}  {part}\n" for s, part in zip(sums, parts, strict=True))
        wanted = hashlib.sha256(listed.encode()).hexdigest()
        assert read_predictions(tmp_path / "run.shp").sha256 == wanted

    def test_blind_requests_are_answered_in_vector_files_too(self, placed, tmp_path):
        write_requests(placed, tmp_path / "requests.jsonl", tmp_path / "key.json")
        ids = json.loads((tmp_path / "key.json").read_text())["requests"]
        blind = next(request for request, query in ids.items() if query == "v1")
        path = write(tmp_path / "run.gpkg", [feature(blind, "hbb", on_map(10, 10, 30, 30))])
        arguments = ["score", str(tmp_path / "benchmark.json"), str(path)]
        assert main([*arguments, "--key", str(tmp_path / "key.json")]) == 0

    def test_the_crs_of_a_csv_is_in_a_prj_beside_it(self, tmp_path):
        path = write(tmp_path / "run.csv", [feature("v1", "hbb", box(0, 0, 1, 1))], "EPSG:2056")
        assert read_predictions(path).header.crs == "EPSG:2056"

    def test_a_crs_without_a_code_is_kept_as_wkt(self, tmp_path):
        own = "+proj=laea +lat_0=40 +lon_0=9 +datum=WGS84 +units=m"
        path = write(tmp_path / "run.gpkg", [feature("v1", "hbb", box(0, 0, 1, 1))], own)
        assert same_crs(read_predictions(path).header.crs, own)

    def test_each_iteration_yields_the_same_again(self, tmp_path):
        features = [feature(f"q{n % 3}", "hbb", box(n, 0, n + 1, 1)) for n in range(9)]
        run = read_predictions(write(tmp_path / "run.gpkg", features))
        first, second = ([(r.query_id, r.line, r.hbb) for r in run] for _ in range(2))
        assert [row[:2] for row in first] == [("q0", 1), ("q1", 2), ("q2", 3)]
        assert all(np.array_equal(a[2], b[2]) for a, b in zip(first, second, strict=True))
