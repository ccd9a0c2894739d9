"""What one command refuses the other refuses too, by name; what both take scores the same."""

import json

import numpy as np
import pytest

from ovearth_core.cli.main import main

from . import dialect_scene as scene
from . import making

QUADS = [scene.corners(box) for box in scene.BOXES]
LABELLED = '[{"bbox_2d": [100, 100, 200, 200], "label": "%s"}]'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    making.write_benchmark(tmp_path, scene.document())
    return tmp_path


def both(capsys, source, dialect, *options):
    """What both commands say of a source: their exit codes and standard error."""
    found = []
    for command in (
        ["convert", source, "--benchmark", "benchmark.json", "--out", "run.jsonl"],
        ["score", "benchmark.json", source, "--json", "scores.json"],
    ):
        code = main([*command, "--from", dialect, *options])
        found.append((code, capsys.readouterr().err))
    return found


def refused(capsys, source, dialect, *options):
    """The one line in which both commands refuse a source."""
    (code, told), (scored, told_scoring) = both(capsys, source, dialect, *options)
    assert (code, scored) == (2, 2)
    assert told == told_scoring
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    return told


def lenient(folder, capsys, source, dialect):
    """The converted records, and what both commands say that they left out."""
    (code, told), (scored, told_scoring) = both(capsys, source, dialect, "--lenient")
    assert (code, scored) == (0, 0)
    left = [line.split(": ", 1)[1] for line in told.splitlines() if "left out" in line]
    assert all(line in told_scoring for line in left)
    records = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    return records[1:], left


def scores(capsys, *arguments):
    assert main(["score", "benchmark.json", *arguments, "--json", "scores.json"]) == 0
    capsys.readouterr()
    with open("scores.json") as file:  # noqa: PTH123 - a file of this test
        (run,) = json.load(file)["runs"]
    return {key: run[key] for key in ("hbb", "obb", "segmentation", "presence") if key in run}


def assert_scores_alike(capsys, source, dialect):
    asked = [source, "--from", dialect]
    assert main(["convert", *asked, "--benchmark", "benchmark.json", "--out", "run.jsonl"]) == 0
    assert scores(capsys, "run.jsonl") == scores(capsys, *asked)


class TestWhatNoFileCanHold:
    @pytest.mark.parametrize(
        ("dialect", "text"),
        [
            ("qwen3-vl", LABELLED % "a\\ud800"),
            ("gemini", (LABELLED % "a\\ud800").replace("bbox_2d", "box_2d")),
        ],
    )
    def test_half_a_character_in_an_answer_is_one_error_with_its_place(
        self, folder, capsys, dialect, text
    ):
        scene.write(folder, [{"query_id": "v1", "text": text}], "a.jsonl")
        told = refused(capsys, "a.jsonl", dialect)
        assert "half of a character" in told
        assert "a.jsonl line 1, query v1, character 2" in told
        (record,), left = lenient(folder, capsys, "a.jsonl", dialect)
        assert record["hbb"] == []
        assert left == ["left out 1 broken or cut-off boxes"]

    def test_a_number_beyond_every_double_is_no_attribute(self, folder, capsys):
        line = '{"query_id": "v1", "boxes": [[1, 1, 2, 2]], "x": [1e400], "y": 2}\n'
        (folder / "a.jsonl").write_text(line)
        told = refused(capsys, "a.jsonl", "xyxy")
        assert "'x' holds a number that is not finite" in told
        assert "a.jsonl line 1, query v1" in told
        (record,), left = lenient(folder, capsys, "a.jsonl", "xyxy")
        assert record["attributes"] == {"y": 2}
        assert left == ["left out 1 labels and attributes that no JSON can hold"]


class TestBoxesOfDifferentObjects:
    def test_a_rectangle_beside_a_rotated_one_has_corners_too(self, folder, capsys):
        shapes = [
            {"label": "storage tank", "shape_type": kind, "points": points.tolist()}
            for kind, points in (
                ("rectangle", scene.BOXES[0].reshape(2, 2)),
                ("rotation", np.reshape(QUADS[1], (4, 2))),
            )
        ]
        document = {"imagePath": "1.tif", "shapes": shapes}
        (folder / "a.json").write_text(json.dumps(document))
        assert_scores_alike(capsys, "a.json", "labelme")
        record = json.loads((folder / "run.jsonl").read_text().splitlines()[1])
        assert record["obb"] == QUADS
        assert record["hbb"] == scene.BOXES.tolist()
        found = scores(capsys, "run.jsonl")
        assert found["obb"]["vocabulary"]["mi_f1_50_95"] == 1.0
        assert found["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0

    def test_both_tasks_of_dota_are_scored_and_converted_one_by_one(self, folder, capsys):
        out = folder / "dota"
        out.mkdir()
        upright, oriented = scene.BOXES.tolist(), QUADS[:1]
        for task, rows in (("Task1", oriented), ("Task2", upright)):
            lines = [" ".join(map(str, ["1", 0.5, *row])) for row in rows]
            (out / f"{task}_storage-tank.txt").write_text("\n".join(lines))
        asked = ["convert", "dota", "--from", "dota", "--benchmark", "benchmark.json"]
        assert main([*asked, "--out", "run.jsonl"]) == 2
        told = capsys.readouterr().err
        assert told.startswith("error: query 'v1' has horizontal and oriented boxes of different")
        assert "dota answer 1" in told
        assert "--modality hbb or obb" in told
        whole = scores(capsys, "dota", "--from", "dota")
        for kind, count in (("hbb", 2), ("obb", 1)):
            assert main([*asked, "--modality", kind, "--out", "run.jsonl"]) == 0
            record = json.loads((folder / "run.jsonl").read_text().splitlines()[1])
            assert record.keys() & {"hbb", "obb"} == {kind}
            assert len(record[kind]) == count
            assert scores(capsys, "run.jsonl")[kind] == whole[kind]


class TestTheWrongPicture:
    @pytest.mark.parametrize("key", ["imageWidth", "imageHeight"])
    def test_shapes_on_a_picture_of_another_size_are_refused(self, folder, capsys, key):
        points = scene.BOXES[0].reshape(2, 2).tolist()
        shapes = [{"label": "storage tank", "shape_type": "rectangle", "points": points}]
        size = {"imageWidth": scene.SIDE, "imageHeight": scene.SIDE, key: 512}
        document = {"imagePath": "1.tif", "shapes": shapes, **size}
        (folder / "a.json").write_text(json.dumps(document))
        told = refused(capsys, "a.json", "labelme")
        assert f"{key!r} is 512, the benchmark's image has 1024, a.json" in told


class TestModality:
    def test_where_it_means_nothing_it_is_refused(self, folder, capsys):
        scene.write(folder, scene.texts()["gemini"], "a.jsonl")
        asked = ["convert", "a.jsonl", "--from", "gemini", "--benchmark", "benchmark.json"]
        assert main([*asked, "--out", "run.jsonl", "--modality", "obb"]) == 2
        assert "means nothing to gemini, --modality" in capsys.readouterr().err
