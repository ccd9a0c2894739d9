"""Scores of whole runs, against dense masks, loops and other libraries as judges."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycocotools import mask as coco_mask
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from shapely.geometry import Polygon, box
from sklearn.metrics import matthews_corrcoef

from ovearth_core.benchmark import Truth
from ovearth_core.predictions import predictions_from
from ovearth_core.predictions.truth_run import truth_run
from ovearth_core.scoring import THRESHOLDS, evaluate

from . import making
from .making import read, score
from .random_benchmarks import random_benchmark, random_run

SEEDS = st.integers(0, 10**9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("benchmarks")


def assert_perfect(scores):
    for task in scores["segmentation"].values():
        assert {key: value for key, value in task.items() if key != "queries"} == dict.fromkeys(
            ("ma_p", "ma_r", "ma_iou", "mi_iou", "ann_miou", "cat_miou"), 1.0
        )
    for kind in ("hbb", "obb"):
        for task in scores[kind].values():
            assert task["fp_50"] == task["fn_50"] == 0
            assert [task[key] for key in ("mi_p_50", "mi_r_50", "mi_f1_50", "mi_f1_50_95")] == [
                1.0
            ] * 4
    for counts in scores["presence"].values():
        assert counts["mcc"] in (1.0, None)


@given(SEEDS)
def test_truth_as_a_run_scores_exactly_one_in_pixels(folder, seed):
    benchmark = read(folder, random_benchmark(seed))
    assert_perfect(evaluate(benchmark, predictions_from(truth_run(benchmark))).to_dict())


@given(SEEDS)
def test_truth_as_a_run_scores_exactly_one_in_each_images_own_map_coordinates(folder, seed):
    benchmark = read(folder, random_benchmark(seed, georeferenced=True))
    run = predictions_from(truth_run(benchmark, in_map=True))
    assert_perfect(evaluate(benchmark, run).to_dict())


@given(SEEDS)
def test_truth_as_a_run_scores_exactly_one_in_longitude_and_latitude(folder, seed):
    benchmark = read(folder, random_benchmark(seed, georeferenced=True))
    run = predictions_from(truth_run(benchmark, in_map=True, crs="EPSG:4326"))
    scores = evaluate(benchmark, run).to_dict()
    assert_perfect(scores)
    assert scores["frame"]["crs"] == "EPSG:4326"


@given(SEEDS)
def test_segmentation_is_what_pycocotools_and_plain_means_give(folder, seed):
    document = random_benchmark(seed)
    records = random_run(seed, document)
    benchmark = read(folder, document)
    scores = evaluate(benchmark, predictions_from(records, "run"), ["mask"]).to_dict()
    truth = Truth(benchmark)
    by_query = {record["query_id"]: record for record in records}
    for task, found in scores["segmentation"].items():
        rows = []
        for query in benchmark.queries:
            if query.task != task or not query.is_positive:
                continue
            true = truth.mask(query.target_id).to_rle()
            masks = by_query.get(query.id, {}).get("mask") or []
            masks = masks if isinstance(masks, list) else [masks]
            both = coco_mask.area(coco_mask.merge([coco_mask.merge(masks), true], intersect=True))
            predicted = coco_mask.area(coco_mask.merge(masks)) if masks else 0
            common = int(both) if masks else 0
            union = int(predicted) + int(coco_mask.area(true)) - common
            category = benchmark.target_by_id[query.target_id].category_id
            rows.append(
                (
                    common / predicted if predicted else 0,
                    common / coco_mask.area(true),
                    common / union,
                    common,
                    union,
                    query.target_id,
                    category,
                )
            )
        table = np.array(rows, dtype=float)
        for column, key in enumerate(("ma_p", "ma_r", "ma_iou")):
            assert found[key] == pytest.approx(table[:, column].mean(), abs=1e-12)
        assert found["mi_iou"] == pytest.approx(table[:, 3].sum() / table[:, 4].sum(), abs=1e-12)
        for column, key in ((5, "ann_miou"), (6, "cat_miou")):
            means = [table[table[:, column] == g, 2].mean() for g in np.unique(table[:, column])]
            assert found[key] == pytest.approx(np.mean(means), abs=1e-12)


def shapely_counts(truths, boxes):
    """True positives at the ten thresholds, by shapely's IoU and scipy's matching."""
    iou = np.array([[a.intersection(b).area / a.union(b).area for b in boxes] for a in truths])
    counts = []
    for threshold in THRESHOLDS:
        edges = csr_matrix(iou.reshape(len(truths), len(boxes)) >= threshold * (1 - 1e-6))
        counts.append(int((maximum_bipartite_matching(edges, perm_type="column") >= 0).sum()))
    return np.array(counts)


@given(SEEDS)
def test_detection_is_what_shapely_and_scipy_give(folder, seed):
    document = random_benchmark(seed)
    records = random_run(seed, document)
    benchmark = read(folder, document)
    scores = evaluate(benchmark, predictions_from(records, "run"), ["hbb", "obb"]).to_dict()
    truth = Truth(benchmark)
    by_query = {record["query_id"]: record for record in records}
    for kind, make in (("hbb", lambda b: box(*b)), ("obb", Polygon)):
        for task, found in scores[kind].items():
            tp, true, predicted = np.zeros(10, int), 0, 0
            for query in benchmark.queries:
                target = benchmark.target_by_id[query.target_id]
                if query.task != task or not query.is_positive or target.category_id == 1:
                    continue
                truths = [make(b) for b in getattr(truth, kind)(target.id)]
                answer = by_query.get(query.id, {})
                quads = np.array(answer.get("obb") or []).reshape(-1, 4, 2)
                given = quads if kind == "obb" else answer.get("hbb")
                if given is None:
                    given = np.hstack([quads.min(axis=1), quads.max(axis=1)])
                boxes = [make(b) for b in given]
                true, predicted = true + len(truths), predicted + len(boxes)
                if truths and boxes:
                    tp += shapely_counts(truths, boxes)
            assert found["tp_50"] == tp[0]
            assert found["fp_50"] == predicted - tp[0]
            assert found["fn_50"] == true - tp[0]
            f1 = 2 * tp / (true + predicted)
            assert found["mi_f1_50"] == pytest.approx(f1[0], abs=1e-12)
            assert found["mi_f1_50_95"] == pytest.approx(f1.mean(), abs=1e-12)


@given(SEEDS)
def test_presence_is_what_scikit_learn_gives(folder, seed):
    document = random_benchmark(seed)
    records = random_run(seed, document)
    scores = score(folder, document, records, modalities=["hbb"]).to_dict()
    by_query = {record["query_id"]: record for record in records}
    asked = [query for query in document["queries"] if query["task"] == "vocabulary"]
    if "vocabulary" not in scores["tasks"]:
        return
    true = [query["polarity"] == "positive" for query in asked]
    said = [
        bool(by_query.get(q["id"], {}).get("hbb") or by_query.get(q["id"], {}).get("obb"))
        for q in asked
    ]
    found = scores["presence"]["hbb"]["mcc"]
    if len(set(true)) == 1 or len(set(said)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(matthews_corrcoef(true, said), abs=1e-12)


def shuffled(document, rng):
    """The same benchmark with every list in another order."""
    return {
        key: [value[i] for i in rng.permutation(len(value))] if isinstance(value, list) else value
        for key, value in document.items()
    }


def shuffled_run(records, rng):
    mixed = []
    for record in (records[i] for i in rng.permutation(len(records))):
        record = dict(record)
        order = rng.permutation(len(record.get("obb") or record.get("hbb") or []))
        for key in ("hbb", "obb", "scores"):
            if record.get(key):
                record[key] = [record[key][i] for i in order]
        mixed.append(record)
    return mixed


@given(SEEDS)
def test_no_order_of_anything_changes_a_bit(folder, seed):
    document = random_benchmark(seed)
    records = random_run(seed, document)
    rng = np.random.default_rng([seed, 2])
    one = score(folder, document, records)
    other = score(folder, shuffled(document, rng), shuffled_run(records, rng))
    assert json.dumps(one.to_dict(), sort_keys=True) == json.dumps(other.to_dict(), sort_keys=True)
    assert list(map(json.dumps, one.per_query())) == list(map(json.dumps, other.per_query()))


def test_two_runs_may_share_what_was_derived_from_the_truth(tmp_path):
    benchmark = read(tmp_path, making.benchmark())
    truth = Truth(benchmark)
    runs = [predictions_from(truth_run(benchmark)) for _ in range(2)]
    first, second = (evaluate(benchmark, run, truth=truth).to_dict() for run in runs)
    assert first == second
