"""By which settings a run was scored: kept with its results, and said wherever runs compete."""

import json

import pytest

from ovearth_core.analysis.loading import load_evaluated
from ovearth_core.analysis.notes import score_filters
from ovearth_core.cli.main import main
from ovearth_core.report.analyses import ANALYSES

from . import making
from .reporting import page_of, report

SAID = "boxes that scored below 0.5 were dropped (--min-score): filtered; none of the other 1 run"


@pytest.fixture
def files(tmp_path):
    """A benchmark, and results of two runs, those of the first scored with --min-score 0.5."""
    benchmark = making.write_benchmark(tmp_path)
    paths = []
    for model, options in (("filtered", ["--min-score", "0.5"]), ("whole", [])):
        boxes = [[10, 10, 30, 30], [50, 10, 70, 30]]
        run = making.write_run(
            tmp_path,
            {"model": model, "modalities": ["mask", "hbb"]},
            {"query_id": "v1", "mask": making.FULL, "hbb": boxes, "scores": [0.4, 0.9]},
            name=f"{model}.jsonl",
        )
        out = tmp_path / "q"
        assert main(["score", str(benchmark), str(run), "--per-query", str(out), *options]) == 0
        paths.append(out / f"{model}.jsonl")
    return benchmark, paths


def changed(path, **settings):
    header, *lines = path.read_text().splitlines()
    told = json.loads(header)
    told["settings"] |= settings
    path.write_text("\n".join([json.dumps(told), *lines]) + "\n")


def test_results_keep_the_rules_and_the_least_score(files):
    _, (filtered, whole) = files
    settings = [json.loads(path.read_text().splitlines()[0])["settings"] for path in files[1]]
    assert [each["min_score"] for each in settings] == [0.5, None]
    assert settings[1]["matching"] == "maximum cardinality, one to one"
    runs = load_evaluated(files[0], [filtered, whole]).runs
    assert [run.min_score for run in runs] == [0.5, None]
    assert score_filters(runs) == [SAID]
    assert score_filters(runs[1:]) == []


@pytest.mark.parametrize("name", ["composition", "significance", "slices"])
def test_whoever_compares_boxes_says_which_were_dropped(files, capsys, name):
    benchmark, paths = files
    assert main(["analyze", name, str(benchmark), *map(str, paths)]) == 0
    assert SAID in capsys.readouterr().err.splitlines()


def test_masks_are_not_touched_by_it_and_nothing_is_said(files):
    evaluated = load_evaluated(*files)
    assert SAID not in ANALYSES["aggregation"].document(evaluated)["notes"]


def test_the_page_says_it_above_the_scores_also_after_adding(files, tmp_path):
    benchmark, (filtered, whole) = files
    assert report(benchmark, filtered, "--out", tmp_path / "page") == 0
    assert report(benchmark, whole, "--out", tmp_path / "page", "--add") == 0
    page = page_of(tmp_path / "page")
    scores = page[page.index('id="scores"') : page.index('id="analyses"')]
    assert SAID in scores


@pytest.mark.parametrize("rule", ["pixel_rule", "iou_thresholds", "iou_tolerance", "matching"])
def test_results_of_other_rules_are_refused_by_name(files, capsys, rule):
    benchmark, (filtered, whole) = files
    changed(whole, **{rule: "another"})
    assert main(["analyze", "composition", str(benchmark), str(filtered), str(whole)]) == 2
    said = capsys.readouterr().err
    assert f"scored by another {rule.replace('_', ' ')}" in said
    assert said.count("\n") == 1


def test_results_of_before_there_were_settings_are_read(files):
    benchmark, (_, whole) = files
    header, *lines = whole.read_text().splitlines()
    told = json.loads(header)
    del told["settings"]
    whole.write_text("\n".join([json.dumps(told), *lines]) + "\n")
    (run,) = load_evaluated(benchmark, [whole]).runs
    assert run.min_score is None


def test_another_version_of_the_program_by_the_same_rules_is_no_fault(files):
    benchmark, (_, whole) = files
    changed(whole, versions={"ovearth": "99"})
    assert len(load_evaluated(benchmark, [whole]).runs) == 1


@pytest.mark.parametrize("value", ["high", [0.5], {}])
def test_a_least_score_that_is_no_number_is_refused(files, capsys, value):
    benchmark, (_, whole) = files
    changed(whole, min_score=value)
    assert main(["analyze", "slices", str(benchmark), str(whole)]) == 2
    assert "'min_score'" in capsys.readouterr().err
