"""Runs and their per-query files give the same results, and what contradicts itself is refused."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.evaluated_run import evaluated_run
from ovearth_core.analysis.loading import load_evaluated
from ovearth_core.analysis.per_query import is_per_query, read_per_query
from ovearth_core.analysis.scores import run_entry
from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.errors import InputError, UsageError
from ovearth_core.predictions import predictions_from, read_predictions
from ovearth_core.sample import write_sample
from ovearth_core.scoring import evaluate

from . import making
from .random_benchmarks import random_benchmark, random_run

SECTIONS = ("segmentation", "hbb", "obb", "presence", "errors", "modalities", "tasks", "model")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    sample = write_sample(folder)
    paths = [str(path) for path in (sample.benchmark, *sample.runs)]
    assert main(["score", *paths, "--per-query", str(folder / "q")]) == 0
    return sample, sorted((folder / "q").iterdir())


def assert_same(one, other):
    for field in fields(one):
        if field.name == "source":
            continue
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.name == "masks":
            assert_same_columns(a, b)
        elif field.name == "boxes":
            assert a.keys() == b.keys()
            for name in a:
                assert_same_columns(a[name], b[name])
        elif field.name == "present":
            assert a.keys() == b.keys()
            for name in a:
                np.testing.assert_array_equal(a[name], b[name])
        else:
            assert a == b, field.name


def assert_same_columns(a, b):
    if a is None:
        assert b is None
        return
    for field in fields(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


def test_predictions_and_per_query_files_give_the_same_columns(sample):
    made, per_query = sample
    runs = load_evaluated(made.benchmark, made.runs)
    files = load_evaluated(made.benchmark, per_query)
    assert [run.model for run in runs.runs] == ["careful", "hasty"]
    for one, other in zip(runs.runs, files.runs, strict=True):
        assert_same(one, other)
        assert one.attributes["interface"] in ("mllm", "grounding")


def test_both_give_the_entry_that_scoring_gives(sample):
    made, per_query = sample
    benchmark = read_benchmark(made.benchmark)
    for paths in (made.runs, per_query):
        evaluated = load_evaluated(benchmark, paths)
        for run, path in zip(evaluated.runs, made.runs, strict=True):
            expected = evaluate(benchmark, read_predictions(path)).to_dict()
            found = run_entry(evaluated, run)
            for section in SECTIONS:
                assert found[section] == expected[section], section


@pytest.mark.parametrize("seed", range(12))
def test_random_runs_give_the_entry_that_scoring_gives(tmp_path, seed):
    document = random_benchmark(seed)
    benchmark = making.read(tmp_path, document)
    try:
        scores = evaluate(benchmark, predictions_from(random_run(seed, document)))
    except InputError as fault:  # some have no truth of a modality
        pytest.skip(str(fault))
    evaluated = Evaluated(benchmark, (evaluated_run(scores),))
    expected, found = scores.to_dict(), run_entry(evaluated, evaluated.runs[0])
    for section in SECTIONS:
        assert found.get(section) == expected.get(section), section


def test_a_run_of_another_benchmark_is_refused_either_way(sample, tmp_path):
    made, per_query = sample
    other = making.write_benchmark(tmp_path)
    with pytest.raises(InputError, match="of another benchmark"):
        load_evaluated(other, per_query)
    with pytest.raises(InputError, match="answers another benchmark"):
        load_evaluated(other, made.runs)


def test_two_runs_of_one_name_are_refused(sample):
    made, per_query = sample
    with pytest.raises(UsageError, match="2 runs have the model name 'careful'"):
        load_evaluated(made.benchmark, [made.runs[0], per_query[0]])


def test_no_run_is_refused(sample):
    with pytest.raises(UsageError, match="no run"):
        load_evaluated(sample[0].benchmark, [])


def test_predictions_are_no_per_query_file_nor_is_a_folder(sample, tmp_path):
    made, per_query = sample
    assert [is_per_query(path) for path in (*made.runs, *per_query)] == [False] * 2 + [True] * 2
    assert not is_per_query(tmp_path)


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(tmp_path, lines):
    return making.write_run(tmp_path, *lines, name="changed.jsonl")


@pytest.fixture
def small(tmp_path):
    """A small benchmark and the lines of a per-query file over it, masks and boxes."""
    path = making.write_benchmark(tmp_path)
    record = {**making.GOOD, "hbb": [[10, 10, 30, 30], [12, 12, 33, 33]]}
    header = {"model": "one", "tasks": ["vocabulary"], "modalities": ["mask", "hbb"]}
    run = making.write_run(tmp_path, header, record)
    assert main(["score", str(path), str(run), "--per-query", str(tmp_path / "q")]) == 0
    return read_benchmark(path), lines_of(tmp_path / "q" / "one.jsonl")


def changed(lines, query_id, **fields):
    return [{**line, **fields} if line.get("query_id") == query_id else line for line in lines]


MASK = {"iou": 0.5, "precision": 0.5, "recall": 1.0, "intersection": 1, "union": 2}
BOXES = {"truths": 2, "predictions": 2, "tp": [1] * 10, "pairs": [[0, 0, 1.0]]}
BAD_LINES = {
    "an unknown query": (lambda ls: [*ls, {**ls[1], "query_id": "x"}], "unknown query"),
    "a query twice": (lambda ls: [*ls, ls[1]], "occurs twice"),
    "a line that lacks": (lambda ls: ls[:-1], "1 queries lack, the first is v2"),
    "another task": (lambda ls: [*ls, {**ls[1], "query_id": "f1"}], "header doesn't name"),
    "no word of presence": (lambda ls: changed(ls, "v1", present={"mask": True}), "'hbb'"),
    "no mask": (lambda ls: changed(ls, "v1", mask=None), "'mask' is null"),
    "more common than either": (
        lambda ls: changed(ls, "v1", mask={**MASK, "intersection": 3}), "contradict"),
    "another IoU": (lambda ls: changed(ls, "v1", mask={**MASK, "iou": 0.6}), "contradict"),
    "another precision": (
        lambda ls: changed(ls, "v1", mask={**MASK, "precision": 0.25}), "contradict"),
    "an IoU above 1": (lambda ls: changed(ls, "v1", mask={**MASK, "iou": 1.5}), "from 0 to 1"),
    "no union": (lambda ls: changed(ls, "v1", mask={**MASK, "union": 0}), "'union' is 0"),
    "other true boxes": (lambda ls: changed(ls, "v1", hbb={**BOXES, "truths": 3}), "has 2"),
    "nine thresholds": (lambda ls: changed(ls, "v1", hbb={**BOXES, "tp": [1] * 9}), "ten counts"),
    "matches that rise": (
        lambda ls: changed(ls, "v1", hbb={**BOXES, "tp": [*[0] * 9, 1]}), "ten counts"),
    "more matches than boxes": (
        lambda ls: changed(ls, "v1", hbb={**BOXES, "tp": [3] * 10}), "ten counts"),
    "no pairs": (lambda ls: changed(ls, "v1", hbb={**BOXES, "pairs": None}), "no list"),
    "no tasks": (lambda ls: [{**ls[0], "tasks": None}, *ls[1:]], "belong into the header"),
    "an odd task": (lambda ls: [{**ls[0], "tasks": ["seeing"]}, *ls[1:]], "'seeing'"),
    "no model": (lambda ls: [{**ls[0], "model": None}, *ls[1:]], "'model' is missing"),
    "another interface": (lambda ls: [{**ls[0], "interface": "eye"}, *ls[1:]], "'eye'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_LINES)
def test_what_can_not_be_is_refused_with_its_place(small, tmp_path, name):
    benchmark, lines = small
    change, said = BAD_LINES[name]
    with pytest.raises(InputError, match=said) as caught:
        read_per_query(written(tmp_path, change(lines)), benchmark)
    assert "changed.jsonl" in str(caught.value)


def test_the_order_of_lines_and_blank_ones_do_not_matter(small, tmp_path):
    benchmark, lines = small
    header, *others = lines
    expected = read_per_query(written(tmp_path, lines), benchmark)
    found = read_per_query(written(tmp_path, [header, "", *reversed(others)]), benchmark)
    assert_same(expected, found)


def test_a_file_without_checksums_is_read_by_its_queries(small, tmp_path):
    benchmark, (header, *others) = small
    without = {**header, "benchmark_sha256": None}
    found = read_per_query(written(tmp_path, [without, *others]), benchmark)
    assert found.iou[benchmark.query_index["v1"]] == pytest.approx(800 / 8000)


def test_queries_that_are_not_looked_at_leave_every_number(small):
    benchmark, _ = small
    evaluated = Evaluated(benchmark, ())
    none = evaluated.within(np.zeros(len(benchmark.queries), dtype=bool))
    assert len(none.queries("vocabulary")) == 0
    assert len(evaluated.queries("vocabulary")) == 4
    assert none.facts is evaluated.facts
    assert replace(evaluated).wanted is None
