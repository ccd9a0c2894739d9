"""Bad use: one line that says what, where and how to mend it, exit 2, and nothing written."""

import json
import subprocess
import sys

import pytest

from ovearth_core.cli.main import main

from . import making
from .making import GOOD


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
        line = refuse(GOOD, options=["--modality", "maks"])
        assert "--modality, did you mean 'mask'" in line
        assert "run.jsonl" not in line
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
            " 'scipy', 'numba', 'pyarrow'}\n"
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


@pytest.mark.parametrize(
    "options",
    [("check", "--json"), ("stats", "--json"), ("boxes", "--out"),
     ("pois", "search", "--category", "school", "--bbox", "0", "0", "1", "1", "--source",
      "places.geojson", "--dataset", "dataset", "--report")],
)  # fmt: skip
def test_no_output_takes_the_place_of_a_dataset(tmp_path, monkeypatch, capsys, options):
    monkeypatch.chdir(tmp_path)
    empty = {"type": "FeatureCollection", "features": []}
    (tmp_path / "places.geojson").write_text(json.dumps(empty))
    assert main(["init", "dataset"]) == 0
    capsys.readouterr()
    place = tmp_path / "dataset" / "dataset.gpkg"
    before = place.read_bytes()
    words = [*options, str(place)]
    if options[0] != "pois":
        words.insert(1, "dataset")
    assert main(words) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if line.startswith("error: ")] == said[-1:]
    assert place.read_bytes()[:16] == before[:16] == b"SQLite format 3\0"
