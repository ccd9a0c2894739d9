"""Category subsets, against a loop of pandas and SciPy, and by laws."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.ranking import (
    best_first,
    levels,
    rank_correlations,
    ranks,
    spearman,
)
from ovearth_core.analysis.stability import _subsets, stability
from ovearth_core.errors import UsageError
from ovearth_core.scoring.segmentation import mean

from .made_runs import made_run, random_runs

SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.75, 1.0]), min_size=2, max_size=12)


def by_pandas(evaluated, seed, size, subsets):
    """ρ and recovery on each subset, the slow and plain way."""
    rows = evaluated.positive("vocabulary")
    frame = pd.DataFrame({run.model: run.iou[rows] for run in evaluated.runs})
    category = evaluated.facts.category_ids[rows]
    categories = np.unique(category)
    full = frame.mean()
    best = set(sorted(full.index, key=lambda name: (-full[name], name))[:5])
    rhos, recoveries = [], []
    for chosen in _subsets(seed, size, subsets, len(categories)):
        part = frame[np.isin(category, categories[chosen > 0])].mean()
        rhos.append(spearmanr(part, full).statistic)
        top = sorted(part.index, key=lambda name: (-part[name], name))[:5]
        recoveries.append(len(best & set(top)) / min(5, len(full)))
    return rhos, recoveries


@pytest.mark.parametrize("models", [3, 12])
def test_subsets_agree_as_pandas_and_scipy_say(paper, models):
    evaluated = random_runs(paper, models, seed=models)
    found = stability(evaluated, seed=7, subsets=60, sizes=(5, 40))
    for size in (5, 40):
        rhos, recoveries = by_pandas(evaluated, 7, size, 60)
        for key, values in (("rho", rhos), ("top5_recovery", recoveries)):
            spread = found["sizes"][str(size)][key]
            expected = np.percentile(values, [50, 2.5, 97.5])
            assert [spread[name] for name in ("median", "p2_5", "p97_5")] == pytest.approx(expected)


def test_the_document_is_as_the_format_says(paper):
    found = stability(random_runs(paper, 7), subsets=20)
    assert (found["seed"], found["subsets"]) == (0, 20)
    assert list(found["sizes"]) == ["5", "10", "20", "50", "100", "150"]
    for each in found["sizes"].values():
        for measure in ("rho", "top5_recovery"):
            assert list(each[measure]) == ["median", "p2_5", "p97_5"]


def test_all_categories_give_the_main_ranking_exactly(paper):
    evaluated = random_runs(paper, 20, seed=3)
    found = stability(evaluated, subsets=3, sizes=(172,))["sizes"]["172"]
    assert set(found["rho"].values()) == set(found["top5_recovery"].values()) == {1.0}


def test_the_full_ranking_is_that_of_the_scores(paper):
    evaluated = random_runs(paper, 9, seed=4)
    rows = evaluated.positive("vocabulary")
    scores = {run.model: mean(run.iou[rows].tolist()) for run in evaluated.runs}
    expected = sorted(scores, key=lambda name: (-scores[name], name))
    assert stability(evaluated, subsets=1)["full_ranking"] == expected


def test_subsets_are_of_their_size_without_repeats_and_reach_every_category():
    drawn = _subsets(0, 5, 2000, 40)
    assert (drawn.sum(axis=1) == 5).all()
    # Each of 40 is in an eighth of the subsets: 250 of 2000, give or take 15.
    assert np.abs(drawn.sum(axis=0) - 250).max() < 75


def test_one_seed_gives_one_answer_and_another_seed_another(paper):
    evaluated = random_runs(paper, 8)
    once, again = (stability(evaluated, seed=1, subsets=50) for _ in range(2))
    assert once == again
    assert once["sizes"] != stability(evaluated, seed=2, subsets=50)["sizes"]


def test_the_order_of_runs_does_not_matter(paper):
    evaluated = random_runs(paper, 8)
    turned = evaluated.with_runs(evaluated.runs[::-1])
    assert stability(evaluated, subsets=40) == stability(turned, subsets=40)


def test_leaving_a_size_out_changes_no_other(paper):
    evaluated = random_runs(paper, 6)
    both = stability(evaluated, subsets=30, sizes=(5, 20))["sizes"]
    assert stability(evaluated, subsets=30, sizes=(20,))["sizes"]["20"] == both["20"]


def test_a_size_above_the_categories_is_skipped_and_said(paper):
    found = stability(random_runs(paper, 3), subsets=5, sizes=(5, 172, 173))
    assert (list(found["sizes"]), found["skipped"]) == (["5", "172"], [173])
    assert "K = 173 left out: 172 categories have a positive query" in found["notes"]


def test_scores_the_same_for_all_leave_rho_undefined_counted_and_said(paper):
    flat = np.full(len(paper.queries), 0.5)
    evaluated = Evaluated(paper, tuple(made_run(paper, name, flat) for name in "cab"))
    found = stability(evaluated, subsets=9, sizes=(5,))
    assert found["sizes"]["5"]["rho"] == dict.fromkeys(("median", "p2_5", "p97_5"))
    assert found["sizes"]["5"]["undefined"] == 9
    assert found["full_ranking"] == ["a", "b", "c"]
    assert set(found["sizes"]["5"]["top5_recovery"].values()) == {1.0}
    assert any("is the same for all runs" in note for note in found["notes"])


def test_fewer_than_two_runs_are_refused(paper):
    with pytest.raises(UsageError, match="fewer than two runs"):
        stability(random_runs(paper, 1))


def test_a_run_without_vocabulary_is_left_out_and_said(paper):
    evaluated = random_runs(paper, 3)
    other = random_runs(paper, 4, tasks=("reasoning",)).runs[3]
    found = stability(evaluated.with_runs([*evaluated.runs, other]), subsets=3)
    assert found["models"] == 3
    assert "vocabulary, mask: model 03 left out, not attempted" in found["notes"]


def test_sums_that_differ_by_their_order_alone_are_equal(paper):
    thirds = np.array([0.1, 0.2, 0.3, 0.7])
    assert levels([sum(thirds), sum(thirds[::-1]), thirds.sum() + 1e-9]).tolist() == [0, 0, 1]


@given(SCORES, st.randoms(use_true_random=False))
def test_rank_correlation_is_scipys(scores, random):
    other = list(scores)
    random.shuffle(other)
    found = spearman(scores, other)
    if len(set(scores)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(scores, other).statistic, abs=1e-12)


@given(SCORES)
def test_a_ranking_agrees_with_itself_exactly_and_with_its_opposite(scores):
    if len(set(scores)) > 1:
        assert spearman(scores, scores) == 1.0
        assert spearman(scores, [-score for score in scores]) == pytest.approx(-1.0)
        assert spearman(scores, np.exp(scores).tolist()) == 1.0


@given(SCORES)
def test_ranks_are_scipys_from_the_best(scores):
    expected = rankdata([-score for score in scores], method="min").astype(int).tolist()
    assert ranks(scores) == expected


@given(SCORES)
def test_the_best_come_first_and_ties_by_name(scores):
    names = [f"m{number:02d}" for number in range(len(scores))][::-1]
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], names[place]))
    assert best_first(names, scores) == expected


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 60), st.integers(1, 20))
def test_many_correlations_at_once_are_those_one_by_one(seed, models, rows):
    rng = np.random.default_rng(seed)
    many, one = rng.integers(0, 5, (rows, models)), rng.integers(0, 5, models)
    found = rank_correlations(levels(many), levels(one))
    for number in range(rows):
        alone = spearman(many[number].tolist(), one.tolist())
        assert (alone is None) == bool(np.isnan(found[number]))
        if alone is not None:
            assert found[number] == alone
            assert -1.0 <= alone <= 1.0
