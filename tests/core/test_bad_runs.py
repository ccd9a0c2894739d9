"""Bad runs: one line that says what, where and how to mend it, exit 2, and nothing written."""

import gzip
import json

import numpy as np
import pytest
import rasterio

from ovearth_core.cli.main import main

from . import making
from .making import FULL, GOOD
from .shared import DATA, needs_shared


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
        assert "line 1 and line 3" in line

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

    def test_json_over_several_lines_is_told_what_a_run_is(self, refuse):
        assert "one whole JSON object on each" in refuse("{", '"query_id": "v1"}')

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
