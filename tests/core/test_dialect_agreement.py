"""What one command refuses the other refuses too, by name; what both take scores the same."""

import json
import struct
import tracemalloc
import zipfile

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
        assert "dota/Task1_storage-tank.txt line 1" in told
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


class TestArrayFiles:
    @staticmethod
    def header(text):
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text + b"\n"

    def refused_file(self, folder, capsys, name):
        records = [{"query_id": "v1", "text": "[SEG]", "masks": [name]}]
        scene.write(folder, records, "a.jsonl")
        return refused(capsys, "a.jsonl", "seg-token", "--resize", "nearest")

    def test_a_header_that_is_none_is_refused(self, folder, capsys):
        (folder / "m.npy").write_bytes(self.header(b"(" * 200 + b"{}") + b"\0" * 50)
        assert "array file 'm.npy' can't be read" in self.refused_file(folder, capsys, "m.npy")

    @pytest.mark.parametrize("shape", [b"(3000000000,)", b"(20000, 20000)", b"(3, 3)"])
    def test_a_bomb_is_known_by_its_header(self, folder, capsys, shape):
        text = b"{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + b", }"
        with zipfile.ZipFile(folder / "m.npz", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("a.npy", self.header(text) + b"\0" * 3_000_000)
        tracemalloc.start()
        told = self.refused_file(folder, capsys, "m.npz")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert "m.npz" in told
        assert peak < 200_000_000

    def test_an_honest_packed_file_is_read(self, folder, capsys):
        np.savez_compressed(folder / "m.npz", scene.pixels())
        records = [{"query_id": "v1", "text": "[SEG]", "masks": ["m.npz"]}]
        scene.write(folder, records, "a.jsonl")
        assert scores(capsys, "a.jsonl", "--from", "seg-token")["segmentation"]


class TestMapping:
    def test_an_entry_for_an_output_that_is_not_there_is_refused(self, folder, capsys):
        scene.write(folder, [{"query_id": "x", "boxes": []}], "a.jsonl")
        (folder / "m.json").write_text(json.dumps({"x": "v1", "y": "n1"}))
        told = refused(capsys, "a.jsonl", "xyxy", "--mapping", "m.json")
        assert "'y' is mapped, and there is no such output, m.json" in told
        found = both(capsys, "a.jsonl", "xyxy", "--mapping", "m.json", "--lenient")
        for code, told in found:
            assert code == 0
            assert "left out 1 entries of the mapping file for outputs that aren't there" in told

    def test_a_class_that_was_found_nowhere_is_told(self, folder, capsys):
        (folder / "a.csv").write_text("image,label,xmin,ymin,xmax,ymax\n1.tif,t,1,1,2,2\n")
        (folder / "m.json").write_text(json.dumps({"t": "storage tank", "car": None}))
        for code, told in both(capsys, "a.csv", "csv", "--mapping", "m.json"):
            assert code == 0
            assert "1 entries of the mapping file for outputs that aren't there" in told


class TestSmallThings:
    @pytest.mark.parametrize(
        ("name", "text", "dialect", "said"),
        [
            (
                "a.jsonl",
                '{"model": "m", "tasks": ["vocabulary"], "modalities": ["hbb"]}\n',
                "xyxy",
                "source without any answer",
            ),
            ("a.json", "[]", "coco", "source without any output"),
        ],
    )
    def test_an_empty_source_is_told(self, folder, capsys, name, text, dialect, said):
        (folder / name).write_text(text)
        for code, told in both(capsys, name, dialect):
            assert code == 0
            assert said in told

    def test_an_empty_polygon_is_absence(self, folder, capsys):
        (folder / "a.csv").write_text("query_id,wkt\nv1,POLYGON EMPTY\n")
        assert_scores_alike(capsys, "a.csv", "csv")
        record = json.loads((folder / "run.jsonl").read_text().splitlines()[1])
        assert record == {"query_id": "v1", "hbb": []}

    def test_digits_of_other_scripts_are_no_numbers_of_a_line(self, folder, capsys):
        (folder / "a.csv").write_text("query_id,xmin,ymin,xmax,ymax\nv1,١,1,2,2\n")
        assert "is not a finite number, a.csv line 2" in refused(capsys, "a.csv", "csv")

    def test_data_samples_of_mmdet_are_read_as_they_are(self, folder, capsys):
        inner = {"bboxes": scene.BOXES.tolist(), "scores": [0.5, 0.25], "labels": [0, 0]}
        scene.write(folder, [{"query_id": "v1", "pred_instances": inner}], "a.jsonl")
        assert_scores_alike(capsys, "a.jsonl", "xyxy")
        record = json.loads((folder / "run.jsonl").read_text().splitlines()[1])
        assert record == {
            "query_id": "v1",
            "hbb": scene.BOXES.tolist(),
            "scores": [0.5, 0.25],
            "labels": ["0", "0"],
        }

    def test_counts_may_be_a_list_of_numbers(self, folder, capsys):
        size = {"orig_img_h": scene.SIDE, "orig_img_w": scene.SIDE}
        counts = [10 * scene.SIDE, 5, scene.SIDE * scene.SIDE - 10 * scene.SIDE - 5]
        scene.write(folder, [{"query_id": "v1", "pred_masks": [counts], **size}], "a.jsonl")
        assert_scores_alike(capsys, "a.jsonl", "sam3")
        record = json.loads((folder / "run.jsonl").read_text().splitlines()[1])
        assert record["hbb"] == [[10, 0, 11, 5]]

    def test_an_error_about_a_folder_names_the_file(self, folder, capsys):
        maps = folder / "maps"
        maps.mkdir()
        np.save(maps / "n1.npy", scene.pixels())
        np.save(maps / "nobody.npy", scene.pixels())
        for code, told in both(capsys, "maps", "dense"):
            assert code == 2
            assert "unknown query id 'nobody', maps file 'nobody.npy'" in told

    def test_a_crossing_polygon_of_a_map_is_refused(self, folder, capsys):
        ring = [[500000, 5000000], [500050, 4999950], [500050, 5000000], [500000, 4999950]]
        feature = {
            "type": "Feature",
            "properties": {"class": "storage tank"},
            "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
        }
        crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32632"}}
        document = {"type": "FeatureCollection", "crs": crs, "features": [feature]}
        (folder / "a.geojson").write_text(json.dumps(document))
        told = refused(capsys, "a.geojson", "map")
        assert "a ring that crosses itself, a.geojson feature 1" in told
