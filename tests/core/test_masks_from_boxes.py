"""`ovearth convert --masks-from-boxes`: masks of all boxes of a run, kept going, and its errors."""

import gzip
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.errors import InterruptedWorkError
from ovearth_core.geometry import Runs
from ovearth_core.predictions import read_predictions
from ovearth_core.scoring import evaluate
from ovearth_core.segment import FilePixels
from ovearth_core.segment.run_masks import masks_from_boxes

from . import making
from .mask_server import mask_server
from .placed_images import write_image
from .sam_models import spec, write_pair

SIDE, HEIGHT, WIDTH = 1024, 80, 100
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return spec(tmp_path_factory.mktemp("model"), "sam")


@pytest.fixture
def folder(tmp_path):
    """A benchmark of three images of noise, with two queries each."""
    places = {}
    for nth in (1, 2, 3):
        write_image(tmp_path / "images" / f"{nth}.tif", WIDTH, HEIGHT, seed=nth)
        places[nth] = making.image(
            nth, crs="EPSG:32632", transform=[0.3, 0, 512000, 0, -0.3, 4323000]
        )
    document = making.benchmark(
        images=list(places.values()),
        targets=[{"id": nth, "image_id": nth, "category_id": 1} for nth in places],
        annotations=[
            making.annotation(nth, nth, making.square(10, 10, 20), image_id=nth) for nth in places
        ],
        queries=[making.query(f"{kind}{nth}", nth) for nth in places for kind in "ab"],
    )
    making.write_benchmark(tmp_path, document)
    return tmp_path


def convert(folder, model, *more, source="run.jsonl", out="out.jsonl"):
    return main([
        "convert", str(folder / source), "--benchmark", str(folder / "benchmark.json"),
        "--out", str(folder / out), "--masks-from-boxes", model, *more,
    ])  # fmt: skip


def written(folder, name="out.jsonl"):
    header, *records = map(json.loads, (folder / name).read_text().splitlines())
    return header, {record["query_id"]: record for record in records}


def box_mask(xmin, ymin, xmax, ymax):
    """What the model is known to answer to a box: itself, to a hundredth of the model's pixels."""
    scale = SIDE / WIDTH
    x, y = (np.arange(WIDTH) + 0.5) * scale, (np.arange(HEIGHT) + 0.5) * scale
    inside_x = (x > xmin * scale) & (x < xmax * scale)
    return inside_x & ((y > ymin * scale) & (y < ymax * scale))[:, None]


def arrays(record):
    return [Runs.from_rle(rle).to_array() for rle in record["mask"]]


class TestMasks:
    def test_are_made_of_each_box_and_all_else_is_kept(self, folder, model, capsys):
        header = {"model": "mine", "modalities": ["hbb", "obb"], "family": "x", "note": "of mine"}
        quad = [20, 20, 60, 20, 60, 50, 20, 50]
        making.write_run(
            folder, header,
            {"query_id": "a2", "hbb": [[10, 10, 30, 30], [50, 20, 90, 70]], "scores": [0.5, 0.75]},
            {"query_id": "a1", "obb": [quad], "scores": [0.25]},
            {"query_id": "b1", "hbb": [], "scores": []},
            {"query_id": "b2", "hbb": None},
        )  # fmt: skip
        assert convert(folder, model) == 0
        told = capsys.readouterr()
        assert told.out == f"{folder / 'out.jsonl'}: 3 masks of 3 boxes in 4 queries\n"
        assert told.err == ""
        head, records = written(folder)
        assert head["modalities"] == ["mask", "hbb", "obb"]
        assert (head["model"], head["family"], head["note"]) == ("mine", "x", "of mine")
        assert head["masks_from_boxes"] == "sam"
        assert read_predictions(folder / "out.jsonl").header.model == "mine"
        assert records["a2"]["hbb"] == [[10, 10, 30, 30], [50, 20, 90, 70]]
        assert records["a2"]["scores"] == [0.5, 0.75]
        one, two = arrays(records["a2"])
        assert (one == box_mask(10, 10, 30, 30)).all()
        assert (two == box_mask(50, 20, 90, 70)).all()
        assert (arrays(records["a1"])[0] == box_mask(20, 20, 60, 50)).all()
        assert records["a1"]["obb"] == [quad]
        assert (records["b1"]["mask"], records["b1"]["hbb"]) == (None, [])
        assert (records["b2"]["mask"], records["b2"]["hbb"]) == (None, None)
        assert sorted(path.name for path in folder.iterdir()) == [
            "benchmark.json", "images", "out.jsonl", "run.jsonl",
        ]  # fmt: skip

    def test_score_as_the_boxes_deserve_and_the_boxes_as_before(self, folder, model):
        records = [{"query_id": f"{kind}{nth}", "hbb": [[10, 10, 30, 30]], "scores": [0.5]}
                   for nth in (1, 2, 3) for kind in "ab"]  # fmt: skip
        making.write_run(folder, *records)
        assert convert(folder, model) == 0
        truth = read_benchmark(folder / "benchmark.json")
        before = evaluate(truth, read_predictions(folder / "run.jsonl")).to_dict()
        after = evaluate(truth, read_predictions(folder / "out.jsonl")).to_dict()
        assert after["hbb"] == before["hbb"]
        assert after["segmentation"]["vocabulary"]["mi_iou"] == 1.0

    def test_follow_boxes_in_map_coordinates_on_a_slanting_image(self, folder, model):
        cos, sin = 0.3 * math.cos(0.3), 0.3 * math.sin(0.3)
        document = json.loads((folder / "benchmark.json").read_text())
        document["images"][0]["transform"] = [cos, sin, 512000, sin, -cos, 4323000]
        making.write_benchmark(folder, document)
        frame = read_benchmark(folder / "benchmark.json").images[0].frame()
        quad = frame.pixel_to_map([[20, 20], [60, 20], [60, 50], [20, 50]])
        hbb = [*quad.min(axis=0), *quad.max(axis=0)]
        making.write_run(
            folder, {"coordinates": "map"},
            {"query_id": "a1", "obb": [quad.ravel().tolist()]}, {"query_id": "b1", "hbb": [hbb]},
        )  # fmt: skip
        assert convert(folder, model) == 0
        head, records = written(folder)
        assert head["coordinates"] == "map"
        assert (arrays(records["a1"])[0] == box_mask(20, 20, 60, 50)).all()
        corners = frame.map_to_pixel(np.array(hbb)[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2))
        wide = box_mask(*corners.min(axis=0), *corners.max(axis=0))
        found = arrays(records["b1"])[0]
        assert (found & wide).sum() / (found | wide).sum() > 0.99

    def test_boxes_without_one_are_named_with_the_reason(self, folder, model, capsys):
        boxes = [[10, 10, 30, 30], [-50, 10, -20, 30], [5, 5, 5, 9], [50, 50, 50.2, 50.2]]
        making.write_run(folder, {"query_id": "a1", "hbb": boxes})
        assert convert(folder, model) == 0
        told = capsys.readouterr()
        assert told.err.splitlines() == [
            "no mask: query a1, box 2: outside of the image",
            "no mask: query a1, box 3: no area",
            "no mask: query a1, box 4: the model found nothing",
        ]
        assert "1 mask of 4 boxes in 1 query" in told.out
        assert len(written(folder)[1]["a1"]["mask"]) == 1
        assert len(written(folder)[1]["a1"]["hbb"]) == 4

    def test_a_box_that_sticks_out_is_cut_at_the_edge(self, folder, model):
        making.write_run(folder, {"query_id": "a1", "hbb": [[-20, 60, 30, 200]]})
        assert convert(folder, model) == 0
        found = arrays(written(folder)[1]["a1"])[0]
        assert (found == box_mask(0, 60, 30, 80)).all()

    def test_masks_of_its_own_give_way_and_are_counted_others_stay(self, folder, model, capsys):
        own = Runs.from_array(box_mask(40, 40, 60, 60)).to_rle()
        square = {"type": "Polygon", "coordinates": [making.square(0, 0, 8)[0]]}
        square["coordinates"] = [np.reshape(making.square(0, 0, 8)[0], (4, 2)).tolist()]
        making.write_run(
            folder, {"query_id": "a1", "hbb": [[10, 10, 30, 30]], "mask": own},
            {"query_id": "b1", "mask": own}, {"query_id": "a2", "mask": {"polygons": square}},
            {"query_id": "b2", "mask": None},
        )  # fmt: skip
        assert convert(folder, model) == 0
        assert "1 query had masks, now replaced" in capsys.readouterr().out
        records = written(folder)[1]
        assert (arrays(records["a1"])[0] == box_mask(10, 10, 30, 30)).all()
        assert records["b1"]["mask"] == own
        assert Runs.from_rle(records["a2"]["mask"]).area == 64
        assert records["b2"] == {"query_id": "b2", "mask": None}

    def test_of_a_packed_run_and_of_a_server_are_the_same(self, folder, model):
        line = json.dumps({"query_id": "a1", "hbb": [[10, 10, 30, 30]]}) + "\n"
        (folder / "run.jsonl.gz").write_bytes(gzip.compress(line.encode()))
        with mask_server() as server:
            assert convert(folder, server.url, source="run.jsonl.gz") == 0
        assert (arrays(written(folder)[1]["a1"])[0] == box_mask(10, 10, 30, 30)).all()

    def test_of_a_large_image_are_looked_at_in_parts(self, folder, model):
        write_image(folder / "images" / "1.tif", 3000, 2000)
        document = json.loads((folder / "benchmark.json").read_text())
        document["images"][0] |= {"width": 3000, "height": 2000}
        making.write_benchmark(folder, document)
        boxes = [[2500, 1500, 2560, 1580], [100, 100, 160, 180], [2600, 1550, 2650, 1600],
                 [0, 0, 3000, 2000]]  # fmt: skip
        making.write_run(folder, {"query_id": "a1", "hbb": boxes})
        report = masks_from_boxes(
            folder / "run.jsonl", folder / "benchmark.json", folder / "out.jsonl", model,
            most_px=SIDE,
        )  # fmt: skip
        assert report.masks == 4
        for box, rle in zip(boxes, written(folder)[1]["a1"]["mask"], strict=True):
            found = Runs.from_rle(rle).to_array()
            judge = np.zeros((2000, 3000), bool)
            judge[box[1] : box[3], box[0] : box[2]] = True
            # A box as large as the image is shown coarser.
            assert (found & judge).sum() / (found | judge).sum() > 0.99
            if box[2] - box[0] < SIDE:
                # All but its corners, between the model's own pixels.
                assert (found != judge).sum() <= 12

    def test_images_elsewhere_are_found(self, folder, model):
        making.write_run(folder, {"query_id": "a1", "hbb": [[10, 10, 30, 30]]})
        (folder / "images").rename(folder / "moved")
        assert convert(folder, model) == 2
        assert convert(folder, model, "--images", str(folder / "moved")) == 0


class TestOneImageAtATime:
    def run(self, folder, count=3):
        making.write_run(folder, *(
            {"query_id": f"{kind}{nth}", "hbb": [[10, 10, 30 + nth, 30]], "scores": [0.5]}
            for kind in "ab" for nth in range(1, count + 1)
        ))  # fmt: skip

    def test_each_is_opened_and_encoded_once_though_its_queries_lie_apart(self, folder, model):
        self.run(folder)
        opened = []
        whole = FilePixels.read

        def read(pixels, view):
            opened.append(pixels._path.name)
            return whole(pixels, view)

        FilePixels.read = read
        try:
            assert convert(folder, model) == 0
        finally:
            FilePixels.read = whole
        assert opened == ["1.tif", "2.tif", "3.tif"]

    def test_stopped_it_goes_on_where_it_was(self, folder, model):
        self.run(folder)

        def stop(done, _):
            if done == 2:
                raise KeyboardInterrupt

        place = (folder / "run.jsonl", folder / "benchmark.json", folder / "out.jsonl", model)
        with pytest.raises(InterruptedWorkError, match=r"after 2 of 3 images.*run it again"):
            masks_from_boxes(*place, progress=stop)
        assert not (folder / "out.jsonl").exists()
        (folder / "images" / "1.tif").write_bytes(b"no more an image, and not needed")
        done = []
        report = masks_from_boxes(*place, progress=lambda *counts: done.append(counts))
        assert done == [(3, 3)]
        assert (report.masks, report.queries) == (6, 6)
        assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []

    def test_killed_at_any_moment_it_ends_as_if_it_had_not_been(self, folder, model):
        self.run(folder)
        assert convert(folder, model, out="whole.jsonl") == 0
        code = (
            "import sys, os, signal\n"
            "from ovearth_core.segment import unfinished\n"
            "append, left = unfinished.Unfinished._append, [int(sys.argv.pop(1))]\n"
            "def killing(self, document):\n"
            "    left[0] -= 1\n"
            "    if left[0] < 0:\n"
            "        with self.path.open('ab') as file:\n"
            '            file.write(b\'{"image": 3, "recor\')\n'
            "        os.kill(os.getpid(), signal.SIGKILL)\n"
            "    append(self, document)\n"
            "unfinished.Unfinished._append = killing\n"
            "from ovearth_core.cli.main import run\n"
            "run(sys.argv[1:])\n"
        )
        arguments = [
            "convert", str(folder / "run.jsonl"), "--benchmark", str(folder / "benchmark.json"),
            "--out", str(folder / "out.jsonl"), "--masks-from-boxes", model,
        ]  # fmt: skip
        for appends in ("0", "2", "1"):
            killed = subprocess.run(
                [sys.executable, "-c", code, appends, *arguments],
                cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120, check=False,
            )  # fmt: skip
            assert killed.returncode == -signal.SIGKILL
            assert not (folder / "out.jsonl").exists()
        assert convert(folder, model) == 0
        assert (folder / "out.jsonl").read_text() == (folder / "whole.jsonl").read_text()

    def test_what_is_kept_of_other_work_is_not_used(self, folder, model, tmp_path):
        self.run(folder)

        def stop(*_):
            raise KeyboardInterrupt

        place = (folder / "run.jsonl", folder / "benchmark.json", folder / "out.jsonl", model)
        with pytest.raises(InterruptedWorkError):
            masks_from_boxes(*place, progress=stop)
        making.write_run(folder, {"query_id": "a1", "hbb": [[1, 1, 9, 9], [20, 20, 40, 40]]})
        assert masks_from_boxes(*place).masks == 2


class TestBadInput:
    @pytest.fixture(autouse=True)
    def run(self, folder):
        making.write_run(folder, {"query_id": "a1", "hbb": [[10, 10, 30, 30]]})

    def said(self, folder, model, capsys, *more):
        before = sorted(folder.rglob("*"))
        assert convert(folder, model, *more) == 2
        told = capsys.readouterr()
        assert told.out == ""
        (line,) = told.err.splitlines()
        assert line.startswith("error: ")
        assert sorted(folder.rglob("*")) == before
        return line

    def test_no_model_says_where_to_get_one(self, folder, capsys):
        line = self.said(folder, str(folder / "sam2"), capsys)
        assert "no such model" in line
        assert "docs/click-to-mask.md" in line

    def test_a_model_of_another_kind_is_named(self, folder, tmp_path_factory, capsys):
        encoder, decoder = write_pair(tmp_path_factory.mktemp("bad"), "sam")
        decoder.write_bytes(b"PK\x03\x04")
        line = self.said(folder, f"{encoder},{decoder}", capsys)
        assert "not an ONNX model: it is a PyTorch checkpoint" in line

    def test_an_image_that_is_missing_is_named(self, folder, model, capsys):
        (folder / "images" / "1.tif").unlink()
        line = self.said(folder, model, capsys)
        assert "no file 'images/1.tif'" in line
        assert "--images" in line

    def test_an_image_of_another_size_is_named(self, folder, model, capsys):
        write_image(folder / "images" / "1.tif", 50, 40)
        assert "50 x 40 pixels, the benchmark says 100 x 80" in self.said(folder, model, capsys)

    def test_unknown_and_doubled_queries_are_named(self, folder, model, capsys):
        making.write_run(folder, {"query_id": "zz", "hbb": [[10, 10, 30, 30]]})
        assert "unknown query id 'zz'" in self.said(folder, model, capsys)
        making.write_run(folder, *[{"query_id": "a1", "hbb": [[10, 10, 30, 30]]}] * 2)
        line = self.said(folder, model, capsys)
        assert "'a1' is answered twice" in line
        assert "run.jsonl line 2" in line

    def test_nothing_to_do_is_said(self, folder, capsys):
        arguments = ["convert", str(folder / "run.jsonl"), "--benchmark",
                     str(folder / "benchmark.json"), "--out", str(folder / "o")]  # fmt: skip
        assert main(arguments) == 2
        assert "give --masks-from-boxes" in capsys.readouterr().err

    def test_the_run_itself_is_not_overwritten(self, folder, model, capsys):
        assert convert(folder, model, out="run.jsonl") == 2
        assert "output would replace what is read" in capsys.readouterr().err

    def test_a_server_that_fails_in_the_middle_is_said_and_its_work_kept(self, folder, capsys):
        making.write_run(
            folder, *({"query_id": f"a{nth}", "hbb": [[10, 10, 30, 30]]} for nth in (1, 2, 3))
        )
        with mask_server() as server:
            server.replies["predict"] = [lambda found: found, b"[]"]
            assert convert(folder, server.url) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert "image 2" in line
            assert "the answer is a list, no object" in line
            assert not (folder / "out.jsonl").exists()
            asked = len(server.asked)
            assert convert(folder, server.url) == 0
            assert [action for action, _ in server.asked[asked:]] == ["image", "predict"] * 2
        assert len(written(folder)[1]) == 3
