"""Scores are of all boxes of an answer or none; what is left of them is said, and kept."""

import json
from pathlib import Path

import pytest

from ovearth_core.cli.main import main

from . import dialect_scene as scene
from .test_map_dialect import tank, write_vector
from .test_scene_dialects import write_coco, write_csv_boxes, write_csv_wkt, write_labelme

WARNED = "answers whose boxes have scores only in part: kept as attributes, none is used"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scene.benchmark(tmp_path)
    return tmp_path


def told_of(capsys, source, dialect, *options):
    asked = [str(source), "--from", dialect, *options]
    assert main(["convert", *asked, "--benchmark", "benchmark.json", "--out", "r.jsonl"]) == 0
    told = capsys.readouterr().err
    assert main(["score", "benchmark.json", *asked]) == 0
    assert capsys.readouterr().err == told
    return told, json.loads(Path("r.jsonl").read_text().splitlines()[1])


@pytest.mark.parametrize("wkt", [False, True])
def test_scores_of_a_part_of_csv_are_named_by_file_and_count(folder, capsys, wkt):
    source, _ = (write_csv_wkt if wkt else write_csv_boxes)(folder)
    source.write_text(source.read_text().replace(",0.5,", ",,", 1))
    told, record = told_of(capsys, "out.csv", "csv")
    assert told == f"out.csv: 1 {WARNED}\n"
    assert "scores" not in record
    assert [each.get("score") for each in record["attributes"]["objects"]] == [None, 0.5]


def test_scores_of_a_part_of_labelme_are_named_by_file_and_count(folder, capsys):
    source, _ = write_labelme(folder)
    document = json.loads(source.read_text())
    document["shapes"][0]["score"] = None
    source.write_text(json.dumps(document))
    told, record = told_of(capsys, source.name, "labelme")
    assert f"1 {WARNED}" in told
    assert record["attributes"]["objects"][1]["score"] == 0.5


def test_scores_of_a_part_of_coco_results_are_an_error_for_all_have_one(folder, capsys):
    source, _ = write_coco(folder)
    results = json.loads(source.read_text())
    del results[1]["score"]
    source.write_text(json.dumps(results))
    asked = ["score", "benchmark.json", source.name, "--from", "coco"]
    assert main(asked) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: no score, and result 1 has one, ")
    assert "result 2, give all of them one, or none" in told
    told, record = told_of(capsys, source.name, "coco", "--lenient")
    assert told == f"{source.name}: 1 {WARNED}\n"
    assert len(record["hbb"]) == 2
    assert record["attributes"]["objects"] == [{"score": 0.5, "area": 7}, {"area": 7}]


def test_coco_results_without_any_score_are_read(folder, capsys):
    source, _ = write_coco(folder)
    results = [{k: v for k, v in each.items() if k != "score"}
               for each in json.loads(source.read_text())]  # fmt: skip
    source.write_text(json.dumps(results))
    assert told_of(capsys, source.name, "coco")[0] == ""


def test_scores_of_a_part_of_a_geojson_without_query_ids_are_named_by_file_and_count(
    folder, capsys
):
    write_vector(folder / "t.geojson", [tank(0, score=0.5), tank(1, score=None)])
    told, record = told_of(capsys, "t.geojson", "map")
    assert told == f"t.geojson: 1 {WARNED}\n"
    assert "scores" not in record
    assert record["attributes"]["objects"] == [{"score": 0.5, "height": 7}, {"height": 7}]


def test_the_score_of_a_mask_without_a_box_is_kept(folder, capsys):
    write_vector(folder / "t.geojson", [tank(0, score=0.5)])
    _, record = told_of(capsys, "t.geojson", "map", "--modality", "mask")
    assert record["attributes"]["objects"] == [{"height": 7, "score": 0.5}]


def test_scores_of_a_part_of_the_boxes_of_a_query_are_an_error_in_a_vector_file(folder, capsys):
    columns = ("query_id", "score")
    features = [tank(0, query_id="v1", score=0.5), tank(1, query_id="v1", score=None)]
    write_vector(folder / "t.geojson", features, columns=columns)
    assert main(["score", "benchmark.json", "t.geojson", "--from", "map"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: no score, and t.geojson feature 1 has one, t.geojson feature 2")
    told, record = told_of(capsys, "t.geojson", "map", "--lenient")
    assert told == f"t.geojson: 1 {WARNED}\n"
    assert len(record["obb"]) == 2
