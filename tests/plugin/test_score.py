"""`ovearth:score` gives the numbers of the command line, and fails in one sentence."""

import importlib
import json
import sys
from pathlib import Path

import processing
import pytest
from qgis.core import QgsProcessingContext, QgsProcessingException, QgsProcessingFeedback

# What scoring must do without: QGIS on Debian brings neither.
NOT_IN_QGIS = {"shapely", "rasterio", "fiona", "geopandas"}


@pytest.fixture
def parameters(sample, tmp_path):
    return {
        "BENCHMARK": str(sample.benchmark),
        "PREDICTIONS": [str(run) for run in sample.runs],
        "SCORES": str(tmp_path / "scores.json"),
    }


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def test_the_scores_are_those_of_the_command_line(
    plugin, parameters, sample, command_line, tmp_path
):
    result = processing.run("ovearth:score", parameters)
    assert result == {"SCORES": parameters["SCORES"]}
    scores = read(parameters["SCORES"])
    assert scores["format"] == "ovearth-scores/1"
    assert len(scores["runs"]) == len(sample.runs) == 2

    by_command = tmp_path / "command.json"
    command_line("score", sample.benchmark, *sample.runs, "--json", by_command)
    assert scores["runs"] == read(by_command)["runs"]


class ImportWatch:
    """Notes which packages are asked for, found or not."""

    def __init__(self):
        self.asked = set()

    def find_spec(self, name, path=None, target=None):
        self.asked.add(name.split(".")[0])


def test_scoring_asks_for_no_package_that_qgis_lacks(plugin, parameters, monkeypatch):
    for name in [n for n in sys.modules if n.split(".")[0] in NOT_IN_QGIS]:
        monkeypatch.delitem(sys.modules, name)
    watch = ImportWatch()
    monkeypatch.setattr(sys, "meta_path", [watch, *sys.meta_path])
    processing.run("ovearth:score", parameters)
    assert "ovearth" in watch.asked
    assert watch.asked & NOT_IN_QGIS == set()


def test_bad_input_is_one_sentence_and_writes_nothing(plugin, parameters, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"images": [')
    with pytest.raises(QgsProcessingException) as error:
        processing.run("ovearth:score", parameters | {"BENCHMARK": str(broken)})
    assert "broken.json" in str(error.value)
    assert "Traceback" not in str(error.value)
    assert not (tmp_path / "scores.json").exists()


def test_progress_is_reported_up_to_the_end(algorithm, parameters):
    feedback = QgsProcessingFeedback()
    seen = []
    feedback.progressChanged.connect(seen.append)
    _, succeeded = algorithm.run(parameters, QgsProcessingContext(), feedback)
    assert succeeded
    assert seen == sorted(seen)
    assert seen[-1] == 100


def test_a_canceled_job_writes_nothing(algorithm, parameters, tmp_path):
    feedback = QgsProcessingFeedback()
    feedback.cancel()
    results, _ = algorithm.run(parameters, QgsProcessingContext(), feedback)
    assert results == {}
    assert not (tmp_path / "scores.json").exists()


def test_qgis_process_scores_in_a_new_profile(qgis_process, parameters):
    runs = [f"PREDICTIONS={run}" for run in parameters["PREDICTIONS"]]
    benchmark, scores = (f"{key}={parameters[key]}" for key in ("BENCHMARK", "SCORES"))
    qgis_process("run", "ovearth:score", "--", benchmark, *runs, scores)
    assert read(parameters["SCORES"])["format"] == "ovearth-scores/1"


def test_the_advanced_parameters_narrow_what_is_scored(plugin, parameters, tmp_path):
    more = {"MODALITIES": [1], "MIN_SCORE": 0.5, "CSV": str(tmp_path / "scores.csv")}
    result = processing.run("ovearth:score", parameters | more)
    for run in read(parameters["SCORES"])["runs"]:
        assert run["modalities"] == ["hbb"]
        assert run["min_score"] == 0.5
    assert Path(result["CSV"]).read_text(encoding="utf-8").count("\n") > 2


def test_scores_never_replace_what_is_read(plugin, parameters):
    before = Path(parameters["BENCHMARK"]).read_bytes()
    with pytest.raises(QgsProcessingException, match="replace"):
        processing.run("ovearth:score", parameters | {"SCORES": parameters["BENCHMARK"]})
    assert Path(parameters["BENCHMARK"]).read_bytes() == before


class TestDialects:
    """What a model's family gives is scored in its dialect, with the options that it takes."""

    @pytest.fixture
    def spoken(self, sample, parameters, tmp_path):
        """Every query of the sample answered by Qwen2.5-VL, in the size that it saw."""
        benchmark = json.loads(sample.benchmark.read_text(encoding="utf-8"))
        said = json.dumps([{"bbox_2d": [0, 0, 50, 50], "label": "a"}])
        lines = [json.dumps({"query_id": q["id"], "text": said}) for q in benchmark["queries"]]
        path = tmp_path / "qwen.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return {**parameters, "PREDICTIONS": [str(path)], "DIALECT": "qwen2.5-vl"}

    def test_the_scores_are_those_of_the_command_line(
        self, plugin, spoken, sample, command_line, tmp_path
    ):
        size = {"INPUT_WIDTH": 100, "INPUT_HEIGHT": 100}
        result = processing.run("ovearth:score", {**spoken, **size})
        command = tmp_path / "command.json"
        asked = ["--from", "qwen2.5-vl", "--input-size", "100", "100", "--json", command]
        command_line("score", sample.benchmark, spoken["PREDICTIONS"][0], *asked)
        assert read(result["SCORES"])["runs"] == read(command)["runs"]
        assert read(command)["runs"][0]["other"] == {"dialect": "qwen2.5-vl"}

    def test_an_option_that_is_missing_or_means_nothing_is_one_sentence(self, plugin, spoken):
        with pytest.raises(QgsProcessingException, match="the size that the model saw"):
            processing.run("ovearth:score", spoken)
        nothing = {**spoken, "DIALECT": "ovearth", "INPUT_WIDTH": 5, "INPUT_HEIGHT": 5}
        with pytest.raises(QgsProcessingException, match="choose what it is written in"):
            processing.run("ovearth:score", nothing)

    def test_what_was_left_out_is_said(self, plugin, spoken, tmp_path):
        path = Path(spoken["PREDICTIONS"][0])
        path.write_text(path.read_text(encoding="utf-8").replace("}]", "", 1), encoding="utf-8")
        warned = []

        class Feedback(QgsProcessingFeedback):
            def pushWarning(self, warning):
                warned.append(warning)

        size = {"INPUT_WIDTH": 100, "INPUT_HEIGHT": 100, "LENIENT": True}
        processing.run("ovearth:score", {**spoken, **size}, feedback=Feedback())
        assert warned == ["qwen.jsonl: left out 1 broken or cut-off boxes"]

    def test_its_overlay_is_drawn(self, plugin, spoken, tmp_path):
        wanted = {key: spoken[key] for key in ("BENCHMARK", "DIALECT")}
        size = {"INPUT_WIDTH": 100, "INPUT_HEIGHT": 100}
        result = processing.run(
            "ovearth:overlaypredictions",
            {**wanted, **size, "PREDICTIONS": spoken["PREDICTIONS"][0], "LOAD": False,
             "THRESHOLD": 0.5, "OUTPUT": str(tmp_path / "overlay.gpkg")},
        )  # fmt: skip
        assert "HBB" in result

    def test_every_dialect_of_the_core_can_be_chosen(self, algorithm, package):
        dialects = importlib.import_module("ovearth.ovearth_core.predictions.dialects")
        options = algorithm.parameterDefinition("DIALECT").options()
        assert options == ["ovearth", *dialects.dialect_names()]
