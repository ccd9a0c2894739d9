"""The commands beside `score`: check, boxes, requests, and the tables that people read."""

import csv
import json
import math

import numpy as np
import pytest

from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.predictions.truth_run import truth_run
from ovearth_core.report.score_table import score_tables

from . import making

UTM = {"crs": "EPSG:32632", "transform": [0.3, 0, 512000, 0, -0.3, 4323000]}


def rotated(degrees, gsd=0.3):
    cos, sin = gsd * math.cos(math.radians(degrees)), gsd * math.sin(math.radians(degrees))
    return {"crs": "EPSG:32632", "transform": [cos, sin, 512000, sin, -cos, 4323000]}


class TestCheck:
    def findings(self, tmp_path, document):
        out = tmp_path / "found.json"
        code = main(["check", str(making.write_benchmark(tmp_path, document)), "--json", str(out)])
        problems = json.loads(out.read_text())["problems"]
        assert code == (1 if problems else 0)
        return {(problem["check"], problem["where"]) for problem in problems}

    def test_a_sound_benchmark_has_nothing_and_exits_0(self, tmp_path):
        assert self.findings(tmp_path, making.benchmark()) == set()

    def test_every_kind_of_problem_is_found_with_its_place(self, tmp_path):
        document = making.benchmark()
        document["images"] = [making.image(1, crs="EPSG:99999")]
        document["targets"] += [
            {"id": 3, "image_id": 1, "category_id": 1},
            {
                "id": 4,
                "image_id": 1,
                "category_id": 1,
                "segmentation": {"size": [80, 100], "counts": [0, 8000]},
            },
        ]
        document["annotations"] += [
            making.annotation(10, 4, making.square(90, 70, 20)),
            making.annotation(11, 4, [[5.6, 5.6, 5.8, 5.6, 5.8, 5.8]]),
            making.annotation(12, 4, making.square(10, 10, 20), bbox=[10, 10, 10, 20]),
            making.annotation(13, 4, None, bbox=[10, 10, 0, 20]),
            making.annotation(
                14, 2, making.square(0, 0, 4), category_id=2, obb=[0, 0, 4, 0, 4, 4, 0, 4]
            ),
            making.annotation(15, 4, {"size": [80, 100], "counts": [7]}),
        ]
        same = {**making.query("v9", 1), "text": "text of n1"}
        twice = {**making.query("v8", 1), "text": "text of v1"}
        document["queries"] += [same, twice, {**making.query("v7", 1), "text": " "}]
        found = self.findings(tmp_path, document)
        assert found >= {
            ("frame", "image 1"),
            ("mask", "target 3"),
            ("no-box", "target 3"),
            ("no-query", "target 3"),
            ("outside", "annotation 10"),
            ("no-pixel", "annotation 11"),
            ("box-differs", "annotation 12"),
            ("no-box", "annotation 13"),
            ("needless-box", "annotation 14"),
            ("outline", "annotation 15"),
            ("both-polarities", "target 1"),
            ("doubled-text", "target 1"),
            ("no-text", "query v7"),
        }

    def test_images_that_lie_nowhere_or_twice_are_found(self, tmp_path):
        place = {"crs": "EPSG:32632", "transform": [1, 0, 5e5, 0, -1, 5e6]}
        document = making.benchmark(
            images=[
                making.image(1, **place, operation="+proj=noop"),
                making.image(2, **place, gsd=30),
                making.image(3, file_name="../3.tif"),
                {**making.image(4), "file_name": "images/2.tif"},
            ],
            queries=[],
        )
        found = self.findings(tmp_path, document)
        assert {name for name, _ in found} >= {"frame", "gsd", "file-name", "no-query"}
        assert ("frame", "image 1") in found
        assert ("gsd", "image 2") in found

    def test_an_image_that_reaches_beyond_a_pole_is_found(self, tmp_path):
        place = {"crs": "EPSG:4326", "transform": [0.5, 0, 10, 0, -1.5, 10]}
        document = making.benchmark(images=[making.image(1, **place)])
        assert ("frame", "image 1") in self.findings(tmp_path, document)

    def test_a_mask_that_differs_from_its_instances_is_found(self, tmp_path):
        document = making.benchmark()
        document["targets"][0]["segmentation"] = {"size": [80, 100], "counts": [0, 8000]}
        assert ("mask-differs", "target 1") in self.findings(tmp_path, document)

    def test_texts_overlaps_and_crossings_are_found_as_in_a_dataset(self, tmp_path):
        document = making.benchmark()
        document["annotations"] += [
            making.annotation(10, 1, making.square(10.2, 10, 20)),
            making.annotation(11, 1, making.square(50, 20, 20)),
            making.annotation(12, 1, [[80, 10, 90, 20, 90, 10, 80, 20]]),
            making.annotation(13, 1, [[2, 70, 60, 70, 60, 70.4, 2, 70.4]]),
        ]
        document["queries"] += [
            {**making.query("r", 2, "reasoning"), "text": "Which fields are ploughed?"},
            {**making.query("w", 1, "referring"), "text": "the left one "},
            {**making.query("c", 1, polarity="negative"), "text": "TEXT of v1"},
        ]
        assert self.findings(tmp_path, document) >= {
            ("duplicate-instance", "annotation 10"),
            ("overlap", "annotation 11"),
            ("invalid", "annotation 12"),
            ("sliver", "annotation 13"),
            ("names-category", "query r"),
            ("spaces", "query w"),
            ("both-polarities", "target 1"),
        }

    def test_a_missing_gsd_counts_only_among_images_that_have_one(self, tmp_path):
        place = {"crs": "EPSG:32632", "transform": [1, 0, 5e5, 0, -1, 5e6]}
        document = making.benchmark(images=[making.image(1, **place), making.image(2)])
        assert self.findings(tmp_path, document) == {("no-gsd", "image 2")}


class TestBoxes:
    def rows(self, tmp_path, document, *options):
        out = tmp_path / "boxes.jsonl"
        path = making.write_benchmark(tmp_path, document)
        assert main(["boxes", str(path), "--out", str(out), *options]) == 0
        return [json.loads(line) for line in out.read_text().splitlines()]

    def test_only_instanceable_and_no_crowd_has_boxes(self, tmp_path):
        document = making.benchmark()
        document["annotations"][1]["iscrowd"] = 1
        assert [row["annotation_id"] for row in self.rows(tmp_path, document)] == [1]

    def test_lengths_are_true_metres_and_azimuths_from_true_north(self, tmp_path):
        # A box of 40 by 10 pixels of 0.3 m whose long side runs with the rows.
        shape = [[10, 10, 50, 10, 50, 20, 10, 20]]
        for degrees in (0, 30, 75):
            document = making.benchmark(
                images=[making.image(1, **rotated(degrees))],
                annotations=[making.annotation(1, 1, shape)],
            )
            (row,) = self.rows(tmp_path, document)
            # UTM's scale near its central meridian is 0.9996, and its north is not quite true.
            assert row["length_m"] == pytest.approx(12.0 / 0.9996, rel=1e-4)
            assert row["width_m"] == pytest.approx(3.0 / 0.9996, rel=1e-4)
            assert row["area_m2"] == pytest.approx(36.0 / 0.9996**2, rel=1e-4)
            assert row["azimuth_deg"] == pytest.approx(90 - degrees, abs=0.2)

    def test_in_the_map_frame_boxes_lie_along_its_axes_and_keep_their_corner_order(self, tmp_path):
        shape = [[10, 10, 50, 10, 50, 20, 10, 20]]
        document = making.benchmark(
            images=[making.image(1, **rotated(20))],
            annotations=[making.annotation(1, 1, shape)],
        )
        (on_map,) = self.rows(tmp_path, document, "--frame", "map")
        frame = read_benchmark(tmp_path / "benchmark.json").images[0].frame()
        corners = np.array(on_map["obb"]).reshape(4, 2)
        in_pixels = frame.map_to_pixel(corners)
        assert in_pixels == pytest.approx(np.array(shape[0]).reshape(4, 2), abs=1e-6)
        low, high = corners.min(axis=0), corners.max(axis=0)
        assert on_map["hbb"] == pytest.approx([*low, *high], abs=1e-6)
        assert on_map["crs"] == "EPSG:32632"

    def test_in_the_ground_frame_boxes_are_metres_about_their_origin(self, tmp_path):
        document = making.benchmark(images=[making.image(1, **UTM)])
        row = self.rows(tmp_path, document, "--frame", "ground")[0]
        assert np.abs(row["hbb"]) == pytest.approx([3.0] * 4, rel=0.02)
        frame = read_benchmark(tmp_path / "benchmark.json").images[0].frame()
        assert row["origin"] == pytest.approx(frame.pixel_to_lonlat([[20, 20]])[0])

    def test_without_a_crs_pixels_work_and_other_frames_are_refused_by_name(self, tmp_path, capsys):
        (row, _) = self.rows(tmp_path, making.benchmark())
        assert row["hbb"] == [10, 10, 30, 30]
        assert row["length_m"] is None
        path = str(tmp_path / "benchmark.json")
        assert main(["boxes", path, "--frame", "map"]) == 2
        assert "image 1 has no CRS" in capsys.readouterr().err

    def test_csv_holds_the_same_numbers(self, tmp_path):
        document = making.benchmark(images=[making.image(1, **UTM)])
        rows = self.rows(tmp_path, document)
        out = tmp_path / "boxes.csv"
        assert main(["boxes", str(tmp_path / "benchmark.json"), "--out", str(out)]) == 0
        with out.open(newline="") as file:
            table = list(csv.DictReader(file))
        assert [list(map(float, row["obb"].split())) for row in table] == [r["obb"] for r in rows]
        assert [float(row["length_m"]) for row in table] == [row["length_m"] for row in rows]


class TestRequests:
    def test_they_give_nothing_away_and_the_key_leads_back(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        out, key = tmp_path / "asked.jsonl", tmp_path / "key.json"
        assert main(["requests", str(path), "--out", str(out), "--key", str(key)]) == 0
        asked = [json.loads(line) for line in out.read_text().splitlines()]
        assert all(set(a) == {"request_id", "image", "task", "text"} for a in asked)
        way_back = json.loads(key.read_text())["requests"]
        benchmark = read_benchmark(path)
        text = {query.id: query.text for query in benchmark.queries}
        assert {way_back[a["request_id"]]: a["text"] for a in asked} == text
        assert [a["request_id"] for a in asked] == sorted(way_back)
        assert all(len(a["request_id"]) == 24 for a in asked)

    def test_two_calls_draw_other_ids(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        ids = set()
        for number in range(2):
            out = tmp_path / f"asked-{number}.jsonl"
            assert main(["requests", str(path), "--out", str(out)]) == 0
            assert (tmp_path / f"asked-{number}.jsonl.key.json").exists()
            ids |= {json.loads(line)["request_id"] for line in out.read_text().splitlines()}
        assert len(ids) == 12

    def test_answers_by_request_id_score_with_the_key(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        out, key, scores = tmp_path / "a.jsonl", tmp_path / "key.json", tmp_path / "s.json"
        main(["requests", str(path), "--out", str(out), "--key", str(key)])
        to_request = {v: k for k, v in json.loads(key.read_text())["requests"].items()}
        records = [
            {**item, "query_id": to_request[item["query_id"]]} if "query_id" in item else item
            for item in truth_run(read_benchmark(path))
        ]
        run = making.write_run(tmp_path, *records)
        arguments = ["score", str(path), str(run), "--json", str(scores)]
        assert main([*arguments, "--key", str(key)]) == 0
        run_scores = json.loads(scores.read_text())["runs"][0]
        assert run_scores["segmentation"]["referring"]["ma_iou"] == 1.0
        assert main(arguments) == 2

    def test_a_key_is_never_overwritten_and_fits_one_benchmark(self, tmp_path, capsys):
        path = making.write_benchmark(tmp_path)
        out, key = tmp_path / "a.jsonl", tmp_path / "key.json"
        arguments = ["requests", str(path), "--out", str(out), "--key", str(key)]
        assert main(arguments) == 0
        assert main(arguments) == 2
        assert "the key exists already" in capsys.readouterr().err
        path.write_text(path.read_text() + " ")
        run = making.write_run(tmp_path, {"query_id": "v1", "mask": None})
        assert main(["score", str(path), str(run), "--key", str(key)]) == 2
        assert "the key is not that of" in capsys.readouterr().err

    def test_another_file_is_no_key(self, tmp_path, capsys):
        path = making.write_benchmark(tmp_path)
        run = making.write_run(tmp_path, {"query_id": "v1", "mask": None})
        assert main(["score", str(path), str(run), "--key", str(path)]) == 2
        assert "not a key" in capsys.readouterr().err


class TestTables:
    def document(self):
        row = dict.fromkeys(("ma_p", "ma_r", "ma_iou", "mi_iou", "ann_miou", "cat_miou"), 0.25)
        runs = [
            {
                "model": name,
                "segmentation": {"vocabulary": {"queries": 4, **row, "ma_iou": iou}},
                "presence": {"mask": {"tp": 1, "fp": 1, "tn": 0, "fn": 0, "mcc": mcc}},
            }
            for name, iou, mcc in (("a", 0.5, None), ("b", 0.75, 0.1), ("c", 0.75, -0.1))
        ]
        return {"runs": [*runs, {"model": "boxes only"}]}

    def cells(self, title, heading):
        table = next(t for t in score_tables(self.document()) if t.title == title)
        column = table.headings.index(heading)
        return {row[1].text: row[column] for row in table.rows}

    def test_percentages_with_the_best_in_bold_ties_included(self):
        cells = self.cells("Segmentation", "ma-IoU")
        assert {name: (cell.text, cell.is_best) for name, cell in cells.items()} == {
            "a": ("50.00", False),
            "b": ("75.00", True),
            "c": ("75.00", True),
        }

    def test_an_undefined_mcc_is_a_dash_and_never_best(self):
        cells = self.cells("Presence, vocabulary queries", "MCC")
        assert (cells["a"].text, cells["a"].is_best) == ("–", False)
        assert (cells["b"].text, cells["b"].is_best) == ("0.100", True)

    def test_several_runs_stand_side_by_side(self, tmp_path, capsys):
        path = making.write_benchmark(tmp_path)
        full = {"size": [80, 100], "counts": [0, 8000]}
        one = making.write_run(tmp_path, {"query_id": "v1", "mask": None}, name="nothing.jsonl")
        two = making.write_run(tmp_path, {"query_id": "v1", "mask": full}, name="all.jsonl")
        out = tmp_path / "scores.csv"
        assert main(["score", str(path), str(one), str(two), "--csv", str(out)]) == 0
        printed = capsys.readouterr().out
        assert "nothing" in printed
        assert "*5.00" in printed
        with out.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [(row["model"], row["section"], row["ma_iou"]) for row in rows[::2]] == [
            ("nothing", "segmentation", "0.0"),
            ("all", "segmentation", "0.05"),
        ]
        assert rows[1]["mcc"] == ""

    def test_runs_of_one_name_keep_their_per_query_files_apart(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        header = {"model": "../same/name"}
        for number in range(2):
            record = {"query_id": "v1", "mask": None}
            making.write_run(tmp_path, header, record, name=f"{number}.jsonl")
        folder = tmp_path / "per-query"
        runs = [str(tmp_path / f"{number}.jsonl") for number in range(2)]
        assert main(["score", str(path), *runs, "--per-query", str(folder)]) == 0
        names = sorted(item.name for item in folder.iterdir())
        assert names == ["%2Fsame%2Fname-2.jsonl", "%2Fsame%2Fname.jsonl"]
