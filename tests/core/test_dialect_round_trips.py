"""What the project itself writes comes back, read as the dialect that it is written in."""

import json
from pathlib import Path

import pytest

from ovearth_core.cli.main import main
from ovearth_core.sample.write import write_sample

SAMPLE = {
    "coco": ("coco", "out", ("segmentation", "hbb")),
    "yolo-obb": ("ultralytics", "out", ("obb",)),
    "geojson": ("map", "out.geojson", ("segmentation", "hbb")),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    sample = write_sample(folder)
    asked = [str(folder / "dataset"), str(sample.benchmark), "--format", "benchmark"]
    assert main(["import", *asked]) == 0
    return folder


def scores(benchmark, source, *options):
    out = Path("scores.json")
    assert main(["score", str(benchmark), str(source), "--json", str(out), *options]) == 0
    (run,) = json.loads(out.read_text(encoding="utf-8"))["runs"]
    return run


@pytest.mark.parametrize("written", SAMPLE)
def test_an_exported_dataset_is_a_perfect_prediction(demo, tmp_path, monkeypatch, written):
    monkeypatch.chdir(tmp_path)
    dialect, out, tables = SAMPLE[written]
    assert main(["export", str(demo / "dataset"), out, "--format", written]) == 0
    run = scores(demo / "benchmark.json", out, "--from", dialect)
    for table in tables:
        found = run[table]["vocabulary"]
        if table == "segmentation":
            # Instances only: a target's own mask may differ from their union by a little.
            assert found["ma_iou"] > 0.99
        else:
            assert found["fn_50"] == 0
            assert found["mi_r_50"] == 1.0


def test_a_converted_run_is_read_as_the_run_that_it_is(demo, tmp_path, monkeypatch):
    """Scores, presence and all: the header says the dialect, which is no other kind of run."""
    monkeypatch.chdir(tmp_path)
    benchmark = demo / "benchmark.json"
    assert main(["export", str(demo / "dataset"), "out", "--format", "coco"]) == 0
    asked = ["convert", "out", "--from", "coco", "--benchmark", str(benchmark)]
    assert main([*asked, "--out", "run.jsonl"]) == 0
    direct, converted = scores(benchmark, "out", "--from", "coco"), scores(benchmark, "run.jsonl")
    for key in ("segmentation", "hbb", "presence"):
        assert direct[key] == converted[key]
