"""Bad input: one line that says what, where and how to mend it, exit 2, and nothing written."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.cli.main import main

from . import making
from .shared import DATA, needs_shared

FULL = {"size": [80, 100], "counts": [0, 8000]}
GOOD = {"query_id": "v1", "mask": FULL}


@pytest.fixture
def refuse(tmp_path, capsys):
    """Score a run that must be refused; return the one line that says why."""

    def refuse(*records, benchmark=None, run=None, options=()):
        path = making.write_benchmark(tmp_path, benchmark)
        run = making.write_run(tmp_path, *records) if run is None else run
        out = tmp_path / "out"
        outputs = ["--json", out / "s.json", "--csv", out / "s.csv", "--per-query", out / "q"]
        code = main(["score", *map(str, [path, run, *outputs, *options])])
        printed = capsys.readouterr()
        assert code == 2
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        assert "Traceback" not in printed.err
        assert not out.exists()
        return printed.err

    return refuse


class TestRecords:
    @pytest.mark.parametrize(
        ("record", "said"),
        [
            ({"query_id": "v1", "hbb": [[0, 0, 1]]}, "v1"),
            ({"query_id": "v1", "hbb": [[5, 0, 1, 9]]}, "reversed"),
            ({"query_id": "v1", "hbb": [[0, 9, 5, 1]]}, "reversed"),
            ({"query_id": "v1", "hbb": [[0, 0, "5", 9]]}, "'5'"),
            ({"query_id": "v1", "hbb": [[0, 0, True, 9]]}, "True"),
            ({"query_id": "v1", "hbb": [[0, 0, None, 9]]}, "None"),
            ({"query_id": "v1", "hbb": [0, 0, 5, 9]}, "box"),
            ({"query_id": "v1", "hbb": {"a": 1}}, "not a list"),
            ({"query_id": "v1", "obb": [[0, 0, 9, 9, 9, 0, 0, 9]]}, "cross"),
            ({"query_id": "v1", "obb": [[0, 0, 9, 0, 9, 9]]}, "quadrilateral"),
            ({"query_id": "v1", "obb": [[0, 0, 9, 0, 9, 9, 0, "x"]]}, "'x'"),
            ({"query_id": "v1", "mask": "abc"}, "'mask' is 'abc'"),
            ({"query_id": "v1", "mask": [[1, 2]]}, "a mask is a list"),
            ({"query_id": "v1", "mask": {"rle": 1}}, "none of 'counts'"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": [0, 7999]}}, "7999"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": [0, 8001]}}, "8001"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": [-5, 8005]}}, "-5"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": "~~~"}}, "mask"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": "oooooooooooooooooo1"}}, ""),
            ({"query_id": "v1", "mask": {"size": [100, 80], "counts": [8000]}}, "[80, 100]"),
            ({"query_id": "v1", "mask": {"counts": [8000]}}, "size"),
            ({"query_id": "v1", "mask": {"polygons": [[0, 0], [1, 1]]}}, "GeoJSON"),
            ({"query_id": "v1", "mask": {"polygons": {"type": "Point"}}}, "Point"),
            ({"query_id": "v1", "mask": {"file": "../../etc/passwd"}}, "leaves its folder"),
            ({"query_id": "v1", "mask": {"file": "/etc/passwd"}}, "leaves its folder"),
            ({"query_id": "v1", "mask": {"file": "none.png"}}, "no such mask file"),
            ({"query_id": "v1", "hbb": [[0, 0, 1, 1]], "scores": []}, "different length"),
            ({"query_id": "v1", "hbb": [], "scores": [0.5]}, "different length"),
            ({"query_id": "v1", "hbb": [[0, 0, 1, 1]], "scores": ["high"]}, "'high'"),
            ({"query_id": "v1", "hbb": [[0, 0, 1, 1]], "obb": [[0] * 8] * 2}, "different length"),
            ({"query_id": 7, "mask": None}, "'query_id' is 7"),
            ({"query_id": "v1", "mask": {"size": [80, 100], "counts": []}}, "add up to 0"),
            ({"query_id": "v1", "bbox": [[0, 0, 1, 1]]}, "did you mean 'hbb'"),
            ({"query_id": "v1", "maks": None}, "did you mean 'mask'"),
        ],
    )
    def test_a_malformed_record_is_named_with_its_line_and_query(self, refuse, record, said):
        line = refuse({"query_id": "f1", "mask": None}, record)
        assert said in line
        assert "line 2" in line
        assert "query v1" in line or record["query_id"] == 7

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
    def test_numbers_that_are_none_are_refused(self, refuse, number):
        line = refuse('{"query_id": "v1", "hbb": [[0, 0, 5, ' + number + "]]}")
        assert "line 1" in line

    def test_a_key_given_twice_is_refused(self, refuse):
        line = refuse('{"query_id": "v1", "hbb": [], "hbb": [[0, 0, 1, 1]]}')
        assert "'hbb' occurs twice" in line
        assert "line 1" in line

    def test_half_of_a_character_is_refused(self, refuse):
        assert "half of a character" in refuse('{"model": "\\ud800"}', GOOD)
        assert "half of a character" in refuse(GOOD, '{"query_id": "v2", "note": "\\uDC00"}')

    def test_an_unknown_query_id_is_named_with_its_line(self, refuse):
        line = refuse(GOOD, {"query_id": "v9", "mask": None})
        assert "unknown query id 'v9'" in line
        assert "line 2" in line
        assert "--ignore-unknown" in line

    def test_a_doubled_query_id_names_both_lines(self, refuse):
        line = refuse(GOOD, {"query_id": "v2", "mask": None}, GOOD)
        assert "query 'v1' is answered twice" in line
        assert "lines 1 and 3" in line

    def test_the_one_leniency_says_how_many(self, tmp_path, capsys):
        path = making.write_benchmark(tmp_path)
        run = making.write_run(tmp_path, GOOD, *({"query_id": f"x{n}"} for n in range(3)))
        assert main(["score", str(path), str(run), "--ignore-unknown"]) == 0
        assert "3 answers to unknown queries ignored" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "text", ["[1, 2]", '"v1"', "7", "null", "true", "query_id: v1", '["v1"]']
    )
    def test_a_record_that_is_none_is_refused(self, refuse, text):
        assert "line 2" in refuse(GOOD, text)

    def test_truncated_json_is_named_with_line_and_column(self, refuse):
        line = refuse(GOOD, '{"query_id": "v2", "mask": {"size": [80, 10')
        assert "cut off" in line
        assert "line 2 column" in line

    def test_a_record_without_query_id_is_refused(self, refuse):
        assert "'query_id' is missing" in refuse(GOOD, {"mask": None})
        assert "'query_id' is missing" in refuse({"mask": None})

    def test_an_empty_file_is_refused(self, refuse):
        assert "no record" in refuse("")

    @pytest.mark.parametrize("first", [{"queryid": "v1"}, {"id": "v1", "boxes": []}, {"x": 1}])
    def test_a_first_record_that_is_misspelt_is_not_taken_for_a_header(self, refuse, first):
        assert "'query_id' is missing" in refuse(first, GOOD)

    def test_a_fault_inside_a_mask_keeps_line_and_query(self, refuse):
        polygons = {"type": "Polygon", "coordinates": [[["1", 2], [3, 4], [5, 6]]]}
        line = refuse({"query_id": "v1", "mask": {"polygons": polygons}})
        assert "line 1, query v1, ring 0" in line

    def test_a_mask_in_two_ways_is_refused(self, refuse):
        assert "two ways" in refuse({"query_id": "v1", "mask": {**FULL, "file": "a.png"}})

    def test_bytes_that_are_no_text_are_refused(self, refuse, tmp_path):
        run = tmp_path / "run.jsonl"
        run.write_bytes(b'{"query_id": "\xff\xfe"}\n')
        assert "not UTF-8" in refuse(run=run)

    def test_control_characters_of_a_file_do_not_reach_the_terminal(self, refuse):
        line = refuse({"query_id": "\x1b[2Jv\n1", "mask": None})
        assert "\x1b" not in line


class TestGzip:
    def test_one_that_is_cut_off_is_refused(self, refuse, tmp_path):
        run = tmp_path / "run.jsonl.gz"
        lines = "".join(json.dumps({"query_id": f"q{n}", "mask": None}) + "\n" for n in range(5000))
        run.write_bytes(gzip.compress(lines.encode())[:-200])
        assert "gzip is cut off" in refuse(run=run, options=["--ignore-unknown"])

    def test_one_that_is_damaged_is_refused(self, refuse, tmp_path):
        run = tmp_path / "run.jsonl.gz"
        packed = bytearray(gzip.compress(json.dumps(GOOD).encode()))
        packed[15:25] = b"\x00" * 10
        run.write_bytes(packed)
        assert "gzip" in refuse(run=run)

    def test_one_that_is_whole_is_read_whatever_its_name(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        run = tmp_path / "run.jsonl"
        run.write_bytes(gzip.compress((json.dumps(GOOD) + "\n").encode()))
        assert main(["score", str(path), str(run)]) == 0


class TestHeader:
    @pytest.mark.parametrize(
        ("header", "said"),
        [
            ({"coordinates": "maps"}, "did you mean 'map'"),
            ({"coordinate": "map"}, "did you mean 'coordinates'"),
            ({"model": "m", "tasks": ["vocabulry"]}, "did you mean 'vocabulary'"),
            ({"model": "m", "modalities": ["masks"]}, "did you mean 'mask'"),
            ({"model": "m", "modalities": "mask"}, "not a list"),
            ({"model": "m", "modalities": []}, "empty list"),
            ({"model": "m", "interface": "mlm"}, "did you mean 'mllm'"),
            ({"model": "m", "mllm": "yes"}, "true or false"),
            ({"model": 7}, "not text"),
            ({"crs": "EPSG:4326"}, "coordinates are pixel"),
            ({"format": "ovearth-predictions/2"}, "ovearth-predictions/1"),
            ({"format": "coco"}, "ovearth-predictions/1"),
        ],
    )
    def test_what_is_misspelt_is_refused_with_the_nearest_right_word(self, refuse, header, said):
        assert said in refuse(header, GOOD)

    def test_an_unknown_crs_is_refused(self, refuse):
        benchmark = making.benchmark(
            images=[making.image(1, crs="EPSG:32632", transform=[1, 0, 5e5, 0, -1, 5e6])]
        )
        header = {"coordinates": "map", "crs": "EPSG:99999"}
        line = refuse(header, {"query_id": "v1", "hbb": [[0, 0, 1, 1]]}, benchmark=benchmark)
        assert "EPSG:99999" in line

    def test_a_box_beyond_the_pole_is_refused_as_no_longitude_and_latitude(self, refuse):
        benchmark = making.benchmark(
            images=[making.image(1, crs="EPSG:32632", transform=[1, 0, 5e5, 0, -1, 5e6])]
        )
        header = {"coordinates": "map", "crs": "EPSG:4326"}
        record = {"query_id": "v1", "hbb": [[10, 300, 20, 340]]}
        assert "x is longitude" in refuse(header, record, benchmark=benchmark)

    def test_map_coordinates_on_an_image_without_a_crs_are_refused(self, refuse):
        line = refuse({"coordinates": "map"}, {"query_id": "v1", "hbb": [[0, 0, 1, 1]]})
        assert "image without a CRS" in line
        assert "image 1" in line


class TestMaskFiles:
    def write(self, path, pixels, **profile):
        count = 1 if pixels.ndim == 2 else len(pixels)
        height, width = pixels.shape[-2:]
        placed = rasterio.Affine(1, 0, 5, 0, -1, 5)  # without one, rasterio warns
        options = {"driver": "GTiff", "count": count, "dtype": pixels.dtype, "transform": placed}
        with rasterio.open(path, "w", height=height, width=width, **{**options, **profile}) as file:
            file.write(pixels, indexes=1 if count == 1 else None)

    def test_foreground_is_neither_zero_nor_nodata(self, tmp_path):
        pixels = np.zeros((80, 100), np.uint8)
        pixels[10:30, 10:30], pixels[:5] = 7, 255
        self.write(tmp_path / "mask.tif", pixels, nodata=255)
        path = making.write_benchmark(tmp_path)
        run = making.write_run(tmp_path, {"query_id": "v1", "mask": {"file": "mask.tif"}})
        assert main(["score", str(path), str(run), "--json", str(tmp_path / "s.json")]) == 0
        scores = json.loads((tmp_path / "s.json").read_text())
        assert scores["runs"][0]["segmentation"]["vocabulary"]["ma_iou"] == 0.5 / 2

    def test_another_size_and_several_bands_are_refused(self, refuse, tmp_path):
        self.write(tmp_path / "small.tif", np.zeros((8, 8), np.uint8))
        self.write(tmp_path / "rgb.tif", np.zeros((3, 80, 100), np.uint8))
        line = refuse({"query_id": "v1", "mask": {"file": "small.tif"}})
        assert "[8, 8]" in line
        assert "[80, 100]" in line
        assert "3 bands" in refuse({"query_id": "v1", "mask": {"file": "rgb.tif"}})

    def test_a_file_that_is_no_raster_is_refused(self, refuse, tmp_path):
        (tmp_path / "mask.png").write_text("not a picture")
        assert "can't be read" in refuse({"query_id": "v1", "mask": {"file": "mask.png"}})

    def test_a_png_that_is_cut_off_is_refused(self, refuse, tmp_path, capsys):
        self.write(tmp_path / "mask.png", np.eye(80, 100, dtype=np.uint8), driver="PNG")
        whole = (tmp_path / "mask.png").read_bytes()
        run = making.write_run(tmp_path, {"query_id": "v1", "mask": {"file": "mask.png"}})
        assert main(["score", str(making.write_benchmark(tmp_path)), str(run)]) == 0
        capsys.readouterr()
        for size in (len(whole) - 1, len(whole) // 2, 30):
            (tmp_path / "mask.png").write_bytes(whole[:size])
            assert "mask.png" in refuse({"query_id": "v1", "mask": {"file": "mask.png"}})

    def test_a_link_that_leaves_the_folder_is_refused(self, refuse, tmp_path):
        (tmp_path / "link.png").symlink_to("/etc/hostname")
        assert "leaves its folder" in refuse({"query_id": "v1", "mask": {"file": "link.png"}})


def changed(list_name, index, **fields):
    document = making.benchmark()
    document[list_name][index].update(fields)
    return document


def without(list_name, key):
    document = making.benchmark()
    del document[list_name][0][key]
    return document


class TestBenchmark:
    def test_empty_rings_and_boxes_are_none_at_all(self, tmp_path):
        document = making.benchmark()
        document["annotations"][0].update(segmentation=[[], *making.square(10, 10, 20)], bbox=[])
        document["annotations"].append(making.annotation(9, 1, [[]], bbox=[70, 60, 5, 5]))
        path = making.write_benchmark(tmp_path, document)
        run = making.write_run(tmp_path, GOOD, {"query_id": "f1", "hbb": [[70, 60, 75, 65]]})
        assert main(["score", str(path), str(run)]) == 0

    @pytest.mark.parametrize(
        ("list_name", "key"),
        [
            ("images", "id"),
            ("images", "file_name"),
            ("images", "width"),
            ("images", "height"),
            ("categories", "name"),
            ("targets", "image_id"),
            ("targets", "category_id"),
            ("annotations", "image_id"),
            ("annotations", "target_id"),
            ("queries", "task"),
            ("queries", "polarity"),
            ("queries", "text"),
            ("queries", "target_id"),
        ],
    )
    def test_a_missing_required_key_is_named(self, refuse, list_name, key):
        line = refuse(GOOD, benchmark=without(list_name, key))
        assert f"'{key}' is missing" in line
        assert "line 1" in line

    @pytest.mark.parametrize(
        ("document", "said"),
        [
            (changed("queries", 0, task="vocabulery"), "did you mean 'vocabulary'"),
            (changed("queries", 0, polarity="postive"), "did you mean 'positive'"),
            (changed("queries", 4, polarity="negative"), "negative query of task 'referring'"),
            (changed("queries", 0, target_id=77), "names target 77, which is not in the file"),
            (changed("targets", 0, image_id=77), "names image 77"),
            (changed("targets", 0, category_id=77), "names category 77"),
            (changed("annotations", 0, target_id=77), "names target 77"),
            (changed("annotations", 0, category_id=2), "category is 2, that of its target 1 is 1"),
            (changed("images", 0, width="100"), "'width' is '100'"),
            (changed("images", 0, width=0), "at least 1"),
            (changed("images", 0, id=True), "'id' is True"),
            (changed("images", 0, transform=[1, 2, 3]), "3 where 6 numbers belong"),
            (changed("images", 0, gsd=-1), "'gsd' is -1"),
            (changed("images", 0, crs="EPSG:99999"), "image 1, look the code up"),
            (changed("images", 0, transform=[1, 2, 3, 2, 4, 6]), "singular"),
            (changed("queries", 1, id="v1"), "query id 'v1' occurs twice"),
            (changed("annotations", 1, id=1), "annotation id 1 occurs twice"),
            (changed("annotations", 0, bbox=[0, 0, -1, 5]), "negative size"),
            (changed("annotations", 0, bbox=[0, 0, "1", 5]), "'1'"),
            (changed("annotations", 0, obb=[0, 0, 9, 9, 9, 0]), "6 where 8 numbers belong"),
            (changed("annotations", 0, segmentation=[[1, 2, 3]]), "x, y pairs"),
            (changed("annotations", 0, segmentation="x"), "'segmentation' is 'x'"),
            (changed("annotations", 0, iscrowd=2), "'iscrowd' is 2"),
            (
                changed("annotations", 0, segmentation={"size": [96, 96], "counts": [9216]}),
                "size [96, 96], image 1 has [80, 100]",
            ),
            (
                changed("targets", 0, segmentation={"size": [100, 80], "counts": [8000]}),
                "size [100, 80], image 1 has [80, 100]",
            ),
            (changed("images", 0, id=2**70), "beyond 2**53"),
            (changed("images", 0, width=10**9, height=10**9), "larger than any image"),
            (changed("annotations", 0, bbox=[0, 0, 1e308, 1]), "beyond 1e+15"),
            (changed("annotations", 0, segmentation=[[1, 2, 1, 2, 1, 2]]), "1 distinct positions"),
            ({**making.benchmark(), "anotations": [{}]}, "did you mean 'annotations'"),
            (changed("images", 0, transfrom=[1, 0, 0, 0, 1, 0]), "did you mean 'transform'"),
            (changed("annotations", 0, geometri={}), "did you mean 'geometry'"),
            (changed("queries", 0, text="\ud800"), "half of a character"),
            (making.benchmark(info=[{}]), "'info' is a list"),
            (making.benchmark(info={"format": "ovearth-benchmark/2"}), "ovearth-benchmark/2"),
            (making.benchmark(info={"format": "ovearth-predictions/1"}), "ovearth-predictions/1"),
            (making.benchmark(queries=[]), "no query"),
            (making.benchmark(images={"1": {}}), "not a list"),
            (making.benchmark(queries=["v1"]), "expected a JSON object"),
            ({"queries": []}, "no 'images'"),
        ],
    )
    def test_what_is_wrong_is_named(self, refuse, document, said):
        assert said in refuse(GOOD, benchmark=document)

    def test_a_doubled_query_id_names_both_lines(self, refuse, tmp_path):
        document = changed("queries", 1, id="v1")
        line = refuse(GOOD, benchmark=document)
        assert "lines 1 and 1" in line  # all on one line in this file

    def test_an_empty_mask_is_refused_when_masks_are_scored(self, refuse):
        empty = {"size": [80, 100], "counts": [8000]}
        line = refuse(GOOD, benchmark=changed("targets", 0, segmentation=empty))
        assert "1 target has an empty mask or none (id 1)" in line
        assert "ovearth check" in line

    def test_a_faulty_truth_mask_names_its_target_not_the_record(self, refuse):
        faulty = {"size": [80, 100], "counts": [1, 2, 3]}
        assert "target 1" in refuse(GOOD, benchmark=changed("targets", 0, segmentation=faulty))

    @given(cut=st.integers(1, 5000))
    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_a_file_cut_off_anywhere_is_refused_with_line_and_column(self, refuse, tmp_path, cut):
        whole = json.dumps(making.benchmark(), indent=1)
        path = tmp_path / "cut.json"
        path.write_text(whole[: min(cut, len(whole) - 1)])
        run = making.write_run(tmp_path, GOOD)
        code = main(["score", str(path), str(run)])
        assert code == 2

    def test_a_list_is_no_benchmark(self, tmp_path, capsys):
        path = tmp_path / "list.json"
        path.write_text("[]")
        assert main(["check", str(path)]) == 2
        assert "not a JSON object" in capsys.readouterr().err


@needs_shared
def test_masks_of_96_by_96_are_refused_with_both_sizes(refuse):
    masks = json.loads((DATA / "predictions" / "PicoSAM2_Distilled_pred.json").read_text())
    images = [making.image(1, 640, 480)]
    document = making.benchmark(
        images=images,
        annotations=[
            making.annotation(1, 1, making.square(10, 10, 20)),
            making.annotation(2, 2, making.square(60, 60, 20), category_id=2),
        ],
    )
    for item in masks[:5]:
        line = refuse({"query_id": "v1", "mask": item["segmentation"]}, benchmark=document)
        assert "[96, 96]" in line
        assert "[480, 640]" in line


class TestCommandLine:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["scor"], "scor"),
            (["score"], "missing argument"),
            (["score", "none.json", "none.jsonl"], "no such file"),
            (["score", ".", "none.jsonl"], ""),
            (["score", "a", "b", "--tasks", "x"], "--task"),
            (["score", "a", "b", "--min-score", "high"], "--min-score"),
            (["score", "a", "b", "--key", "none.json"], "no such file"),
            (["check", "none.json"], "no such file"),
            (["boxes", "none.json"], "no such file"),
            (["requests", "none.json", "--out", "x"], "no such file"),
            (["requests", "none.json"], "--out"),
        ],
    )
    def test_bad_use_is_one_line_and_exit_2(self, tmp_path, monkeypatch, capsys, arguments, said):
        monkeypatch.chdir(tmp_path)
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        assert said in printed.err
        assert not list(tmp_path.iterdir())

    def test_misspelt_options_are_answered_with_the_nearest_word(self, refuse):
        assert "did you mean 'mask'" in refuse(GOOD, options=["--modality", "maks"])
        assert "did you mean 'reasoning'" in refuse(GOOD, options=["--task", "reasonning"])

    def test_a_min_score_that_is_no_number_is_refused(self, refuse):
        assert "--min-score" in refuse(GOOD, options=["--min-score", "nan"])

    def test_an_unknown_frame_is_refused(self, tmp_path, capsys):
        path = making.write_benchmark(tmp_path)
        assert main(["boxes", str(path), "--frame", "grund"]) == 2
        assert "did you mean 'ground'" in capsys.readouterr().err

    def test_a_folder_that_can_not_be_written_is_said_and_nothing_is_left(self, tmp_path, capsys):
        path, run = making.write_benchmark(tmp_path), making.write_run(tmp_path, GOOD)
        (tmp_path / "file").write_text("in the way")
        csv, blocked = tmp_path / "s.csv", tmp_path / "file" / "s.json"
        assert main(["score", str(path), str(run), "--csv", str(csv), "--json", str(blocked)]) == 2
        assert "can't write it" in capsys.readouterr().err
        assert sorted(p.name for p in tmp_path.iterdir()) == ["benchmark.json", "file", "run.jsonl"]

    def test_no_output_replaces_an_input_a_device_or_another_output(self, tmp_path, capsys):
        path, run = making.write_benchmark(tmp_path), making.write_run(tmp_path, GOOD)
        other = str(tmp_path / "same")
        before = path.read_text(), run.read_text()
        for options in (
            ["--json", str(path)],
            ["--csv", str(run)],
            ["--json", other, "--csv", other],
            ["--json", "/dev/null"],
        ):
            assert main(["score", str(path), str(run), *options]) == 2
            assert capsys.readouterr().err.startswith("error: ")
        assert main(["check", str(path), "--json", str(path)]) == 2
        assert main(["requests", str(path), "--out", str(path)]) == 2
        assert main(["boxes", str(path), "--out", str(path)]) == 2
        assert (path.read_text(), run.read_text()) == before
        assert sorted(item.name for item in tmp_path.iterdir()) == ["benchmark.json", "run.jsonl"]

    def test_a_header_can_not_speak_for_the_scorer(self, tmp_path):
        path, out = making.write_benchmark(tmp_path), tmp_path / "s.json"
        forged = {"model": "m", "presence": {"mask": {}}, "predictions_sha256": "0"}
        run = making.write_run(tmp_path, forged, {"query_id": "f1", "hbb": []})
        assert main(["score", str(path), str(run), "--json", str(out)]) == 0
        scores = json.loads(out.read_text())["runs"][0]
        assert "presence" not in scores
        assert len(scores["predictions_sha256"]) == 64
        assert set(scores["other"]) == {"presence", "predictions_sha256"}

    def test_help_loads_no_heavy_library(self):
        program = (
            "import sys\n"
            "from ovearth_core.cli.main import main\n"
            "code = main(['--help'])\n"
            "heavy = {'numpy', 'pyproj', 'rasterio', 'shapely', 'fiona', 'geopandas', 'pandas',"
            " 'scipy', 'numba'}\n"
            "sys.exit(code or ', '.join(sorted(heavy & set(sys.modules))) or 0)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "score" in done.stdout

    def test_a_reader_that_has_enough_is_no_fault(self, tmp_path):
        path = making.write_benchmark(tmp_path)
        command = f"'{sys.executable}' -m ovearth_core.cli boxes '{path}' | head -c 10"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.stderr == ""
