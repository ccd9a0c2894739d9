"""Each analysis against a direct recomputation, and on benchmarks where the answer is known."""

import itertools
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap, false_discovery_control, spearmanr

from ovearth_core.analysis.aggregation import aggregation
from ovearth_core.analysis.composition import composition
from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.instanceability import instanceability
from ovearth_core.analysis.presence import presence
from ovearth_core.analysis.query_forms import query_forms
from ovearth_core.analysis.resampling import holm
from ovearth_core.analysis.significance import significance
from ovearth_core.benchmark import TASKS
from ovearth_core.errors import MissingPackageError, UsageError
from ovearth_core.report.analyses import ANALYSES

from .made_runs import made_run, random_runs


@pytest.fixture(scope="module")
def eight(paper):
    return random_runs(paper, 8, seed=11)


def frame_of(evaluated, task):
    """One line for each positive query and model."""
    rows = evaluated.positive(task)
    facts = evaluated.facts
    return pd.concat(
        pd.DataFrame(
            {
                "model": run.model, "iou": run.iou[rows],
                "target": facts.target_ids[rows], "category": facts.category_ids[rows],
                "image": facts.image_places[rows], "thing": facts.is_instanceable[rows],
            }
        )
        for run in evaluated.runs
    )  # fmt: skip


def macro(frame, by):
    return frame.groupby(["model", by]).iou.mean().groupby("model").mean()


class TestAggregation:
    def test_scores_and_correlations_are_those_of_pandas_and_scipy(self, eight):
        found = aggregation(eight)["tasks"]
        for task in TASKS:
            frame = frame_of(eight, task)
            by_query = frame.groupby("model").iou.mean()
            for key, metric in (("target", "ann_miou"), ("category", "cat_miou")):
                expected = macro(frame, key)
                scores = {run["model"]: run[metric] for run in found[task]["runs"]}
                assert scores == pytest.approx(expected.to_dict())
                rho = spearmanr(by_query, expected).statistic
                assert found[task]["rho"][key] == pytest.approx(rho)

    def test_runs_stand_best_first_with_their_ranks(self, eight):
        for found in aggregation(eight)["tasks"].values():
            scores = [run["ma_iou"] for run in found["runs"]]
            assert scores == sorted(scores, reverse=True)
            assert [run["ranks"]["ma_iou"] for run in found["runs"]] == list(range(1, 9))

    def test_the_overlap_of_the_top_ten_is_counted(self, paper):
        evaluated = random_runs(paper, 14, seed=5)
        found = aggregation(evaluated)["tasks"]["vocabulary"]
        frame = frame_of(evaluated, "vocabulary")
        first = set(frame.groupby("model").iou.mean().nlargest(10).index)
        assert found["top"] == 10
        for key in ("target", "category"):
            second = set(macro(frame, key).nlargest(10).index)
            assert found["top_overlap"][key] == len(first & second)

    def test_one_target_asked_often_moves_only_the_average_over_queries(self, paper):
        often = paper.columns.queries.target_ids == 0
        good = made_run(paper, "good at one target", np.where(often, 1.0, 0.1))
        even = made_run(paper, "even", np.full(len(often), 0.15))
        runs = aggregation(Evaluated(paper, (good, even)))["tasks"]["vocabulary"]["runs"]
        scores = {run["model"]: run for run in runs}
        assert scores["even"]["ma_iou"] == pytest.approx(0.15)
        assert scores["even"]["ann_miou"] == scores["even"]["cat_miou"]
        assert scores["good at one target"]["ann_miou"] == pytest.approx((1 + 589 * 0.1) / 590)

    def test_one_run_has_scores_and_no_correlation(self, paper):
        found = aggregation(random_runs(paper, 1))
        assert found["tasks"]["vocabulary"]["rho"] == {"target": None, "category": None}
        assert "vocabulary: rank correlations need two runs, there is 1" in found["notes"]


class TestQueryForms:
    def test_scores_on_shared_targets_are_those_of_pandas(self, eight):
        pairs = query_forms(eight)["pairs"]
        frames = {task: frame_of(eight, task) for task in TASKS}
        for pair, names in zip(pairs, itertools.combinations(TASKS, 2), strict=True):
            assert (pair["first"], pair["second"]) == names
            first, second = (frames[name] for name in names)
            shared = set(first.target) & set(second.target)
            assert pair["targets"] == len(shared)
            a, b = (
                frame[frame.target.isin(shared)].groupby("model").iou.mean()
                for frame in (first, second)
            )
            for run in pair["runs"]:
                assert run["first"] == pytest.approx(a[run["model"]])
                assert run["second"] == pytest.approx(b[run["model"]])
                assert run["delta"] == run["second"] - run["first"]
            assert pair["first_higher"] == int((a > b).sum())
            assert pair["first_lower"] == int((a < b).sum())
            overall = [frame.groupby("model").iou.mean() for frame in (first, second)]
            assert pair["rho"] == pytest.approx(spearmanr(*overall).statistic)

    def test_a_model_is_compared_only_on_what_it_ran(self, paper):
        all_three = random_runs(paper, 2).runs
        two = random_runs(paper, 3, tasks=("vocabulary", "reasoning")).runs[2]
        pairs = query_forms(Evaluated(paper, (*all_three, two)))["pairs"]
        assert [pair["models"] for pair in pairs] == [2, 3, 2]

    def test_equal_scores_are_neither_higher_nor_lower(self, paper):
        evaluated = Evaluated(paper, (made_run(paper, "flat", np.full(len(paper.queries), 0.5)),))
        for pair in query_forms(evaluated)["pairs"]:
            counts = (pair["first_higher"], pair["first_lower"], pair["equal"])
            assert counts == (0, 0, 1)
            assert pair["rho"] is None

    def test_what_is_asked_of_other_targets_does_not_count(self, paper):
        columns = paper.columns.queries
        referring = columns.target_ids[columns.of_task("referring")]
        iou = np.where(np.isin(columns.target_ids, referring), 0.5, 1.0)
        pair = query_forms(Evaluated(paper, (made_run(paper, "a", iou),)))["pairs"][0]
        assert pair["runs"][0]["first"] == pair["runs"][0]["second"] == 0.5


class TestInstanceability:
    def test_both_parts_are_those_of_pandas(self, eight):
        for task, found in instanceability(eight)["tasks"].items():
            expected = frame_of(eight, task).groupby(["model", "thing"]).iou.mean()
            for run in found["runs"]:
                assert run["instanceable"] == pytest.approx(expected[run["model"], True])
                assert run["non_instanceable"] == pytest.approx(expected[run["model"], False])
                assert run["delta"] == run["non_instanceable"] - run["instanceable"]

    def test_a_part_without_queries_is_none_and_said(self, eight):
        things = eight.within(eight.facts.is_instanceable)
        found = instanceability(things)
        run = found["tasks"]["vocabulary"]["runs"][0]
        assert run["non_instanceable"] is run["delta"] is None
        assert "vocabulary: no query of a non-instanceable target" in found["notes"]


class TestPresence:
    def test_rho_is_scipys_over_the_models_with_a_defined_mcc(self, paper):
        evaluated = random_runs(paper, 9, seed=2)
        every = np.ones(len(paper.queries), dtype=bool)
        always = made_run(paper, "says yes", np.full(len(every), 0.9), present=every)
        found = presence(evaluated.with_runs([*evaluated.runs, always]))
        assert found["runs"][-1]["mcc"] is None
        assert "MCC undefined, left out of ρ: says yes" in found["notes"]
        both = [(run["ma_iou"], run["mcc"]) for run in found["runs"][:-1]]
        assert found["models"] == 9
        assert found["rho"] == pytest.approx(spearmanr(*zip(*both, strict=True)).statistic)

    def test_who_knows_what_is_there_has_mcc_1(self, paper):
        positive = paper.columns.queries.is_positive
        run = made_run(paper, "knows", np.full(len(positive), 0.1), present=positive)
        (found,) = presence(Evaluated(paper, (run,)))["runs"]
        assert found["mcc"] == 1.0
        assert (found["tp"], found["tn"], found["fp"], found["fn"]) == (1067, 2168, 0, 0)


def with_attributes(paper):
    """Five models whose scores are 10, 20 … 50 %."""
    said = [
        {"interface": "ovs", "mllm": False, "eo_specific": True, "family": "F", "variant": "8B"},
        {"interface": "mllm", "mllm": True, "eo_specific": False, "family": "F", "variant": "10B"},
        {"interface": "mllm", "mllm": True, "eo_specific": False, "baseline": "m1"},
        {"interface": "grounding", "mllm": True, "eo_specific": True, "baseline": "elsewhere"},
        {},
    ]
    count = len(paper.queries)
    return Evaluated(
        paper,
        tuple(
            made_run(paper, f"m{number}", np.full(count, (number + 1) / 10), **attributes)
            for number, attributes in enumerate(said)
        ),
    )


class TestComposition:
    @pytest.fixture
    def found(self, paper):
        return composition(with_attributes(paper))

    def test_groups_are_counted_and_their_gaps_known(self, found):
        groups = found["modalities"]["mask"]["reasoning"]["groups"]
        told = {
            group["group"]: (group["models"], group["best"], round(group["gap"], 9))
            for group in groups["interface"]
        }
        assert told == {
            "ovs": (1, "m0", 0.4), "mllm": (2, "m2", 0.2), "grounding": (1, "m3", 0.1),
            "unknown": (1, "m4", 0.0),
        }  # fmt: skip
        eo = {group["group"]: group["best"] for group in groups["eo_specific"]}
        assert eo == {"EO-specific": "m3", "general": "m2", "unknown": "m4"}

    def test_the_best_two_of_each_interface_stand_with_their_metrics(self, found):
        best = found["modalities"]["mask"]["vocabulary"]["best_of_interface"]
        assert [(run["interface"], run["place"], run["model"]) for run in best] == [
            ("ovs", 1, "m0"), ("mllm", 1, "m2"), ("mllm", 2, "m1"), ("grounding", 1, "m3"),
        ]  # fmt: skip
        assert best[1]["ma_iou"] == pytest.approx(0.3)
        assert best[1]["ma_p"] == 1.0

    def test_variants_are_in_the_order_of_their_numbers(self, found):
        (pair,) = found["modalities"]["mask"]["vocabulary"]["families"]
        assert (pair["from"], pair["to"], round(pair["delta"], 9)) == ("m0", "m1", 0.1)

    def test_baselines_are_subtracted_and_those_that_lack_said(self, found):
        (pair,) = found["modalities"]["mask"]["vocabulary"]["baselines"]
        assert (pair["model"], pair["baseline"], round(pair["delta"], 9)) == ("m2", "m1", 0.1)
        assert "the baseline 'elsewhere' of m3 is no run here" in found["notes"]
        assert "interface unknown: m4" in found["notes"]

    def test_only_the_top_ten_count_as_top(self, paper):
        evaluated = random_runs(paper, 13, interface="ovs")
        found = composition(evaluated)["modalities"]["mask"]["vocabulary"]
        (group,) = found["groups"]["interface"]
        assert (group["models"], group["in_top"], found["top"]) == (13, 10, 10)

    def test_boxes_are_compared_by_their_own_metric(self, paper):
        evaluated = random_runs(paper, 4, modalities=("hbb",))
        found = composition(evaluated)["modalities"]
        assert list(found) == ["hbb"]
        rows = evaluated.asked("referring", "hbb")
        scores = {}
        for run in evaluated.runs:
            boxes = run.boxes["hbb"]
            both = boxes.truths[rows].sum() + boxes.predictions[rows].sum()
            scores[run.model] = 2 * boxes.tp[rows, 0].sum() / both
        ranking = {run["model"]: run["score"] for run in found["hbb"]["referring"]["ranking"]}
        assert ranking == pytest.approx(scores)
        assert list(ranking) == sorted(scores, key=lambda name: -scores[name])


class TestSignificance:
    def test_intervals_are_scipys_within_the_noise_of_drawing(self, paper):
        evaluated = random_runs(paper, 2, seed=8)
        found = significance(evaluated, resamples=4000)["modalities"]["mask"]["reasoning"]
        frame = frame_of(evaluated, "reasoning")
        for run in found["runs"]:
            own = frame[frame.model == run["model"]].groupby("image").iou
            sums, counts = own.sum().to_numpy(), own.count().to_numpy()
            judge = bootstrap(
                (sums, counts), lambda s, n, axis: s.sum(axis) / n.sum(axis), paired=True,
                vectorized=True, n_resamples=4000, method="percentile", rng=1,
            ).confidence_interval  # fmt: skip
            width = judge.high - judge.low
            assert run["low"] == pytest.approx(judge.low, abs=0.1 * width)
            assert run["high"] == pytest.approx(judge.high, abs=0.1 * width)
            assert run["score"] == pytest.approx(sums.sum() / counts.sum())

    def test_tests_are_those_of_a_plain_loop(self, paper):
        evaluated = random_runs(paper, 3, seed=9)
        found = significance(evaluated, seed=4, resamples=300)["modalities"]["mask"]["referring"]
        frame = frame_of(evaluated, "referring")
        images = np.unique(frame.image)
        drawn = np.random.default_rng(4).integers(0, len(images), (300, len(images)))
        sums = frame.groupby(["model", "image"]).iou.sum().unstack()
        counts = frame[frame.model == "model 00"].groupby("image").iou.count().to_numpy()
        overall = frame.groupby("model").iou.mean()
        for pair in found["pairs"]:
            a, b = (sums.loc[pair[key]].to_numpy() for key in ("first", "second"))
            delta = overall[pair["first"]] - overall[pair["second"]]
            assert pair["delta"] == pytest.approx(delta)
            differences = [(a[some] - b[some]).sum() / counts[some].sum() for some in drawn]
            far = np.abs(np.array(differences) - delta) >= abs(delta) - 1e-12
            assert pair["p"] == (1 + far.sum()) / 301

    def test_the_same_answers_differ_by_nothing_and_better_ones_surely(self, paper):
        rng = np.random.default_rng(0)
        iou = 0.2 + 0.3 * rng.random(len(paper.queries))
        runs = [
            made_run(paper, "b", iou),
            made_run(paper, "a", iou),
            made_run(paper, "c", iou + 0.2),
        ]
        found = significance(Evaluated(paper, tuple(runs)))
        pairs = {
            (pair["first"], pair["second"]): pair
            for pair in found["modalities"]["mask"]["vocabulary"]["pairs"]
        }
        assert list(pairs) == [("c", "a"), ("c", "b"), ("a", "b")]
        assert (pairs["a", "b"]["p"], pairs["a", "b"]["is_significant"]) == (1.0, False)
        assert pairs["c", "a"]["p"] == 1 / (1 + found["resamples"])
        assert pairs["c", "a"]["is_significant"]

    def test_a_seed_gives_the_same_again(self, paper):
        evaluated = random_runs(paper, 3)
        once, again = (significance(evaluated, seed=3, resamples=99) for _ in range(2))
        assert once == again
        assert once != significance(evaluated, seed=4, resamples=99)

    def test_any_difference_of_many_pairs_can_be_significant(self, paper):
        found = significance(random_runs(paper, 14))
        assert found["resamples"] == 40 * 91
        few = significance(random_runs(paper, 14), resamples=500)
        assert "500 resamples: too few for any of 91 pairs to be significant" in few["notes"]

    def test_queries_of_one_image_have_no_intervals(self, paper):
        evaluated = random_runs(paper, 2)
        one = evaluated.within(evaluated.facts.image_places == 3)
        found = significance(one)
        run = found["modalities"]["mask"]["vocabulary"]["runs"][0]
        assert (run["low"], run["high"]) == (None, None)
        assert any("all queries are of one image" in note for note in found["notes"])

    def test_fewer_than_two_runs_are_refused(self, paper):
        with pytest.raises(UsageError, match="fewer than two runs"):
            significance(random_runs(paper, 1))

    @given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20))
    def test_holm_lies_between_the_plain_value_and_bonferronis(self, chances):
        corrected = holm(chances)
        for chance, found in zip(chances, corrected, strict=True):
            assert chance <= found <= min(1.0, len(chances) * chance) + 1e-12
        # It is the stricter of the two step-wise corrections.
        milder = false_discovery_control(chances)
        assert all(a >= b - 1e-12 for a, b in zip(corrected, milder, strict=True))
        order = np.argsort(chances, kind="stable")
        assert (np.diff(np.array(corrected)[order]) >= 0).all()

    def test_holm_is_as_computed_by_hand(self):
        assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


ODD_RUNS = {
    "one run": {"models": 1},
    "boxes only": {"models": 2, "modalities": ("obb",)},
    "reasoning only": {"models": 2, "tasks": ("reasoning",)},
}


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.parametrize("odd", ODD_RUNS)
def test_runs_that_attempt_little_are_shown_or_refused(paper, name, odd):
    evaluated = random_runs(paper, **ODD_RUNS[odd])
    analysis = ANALYSES[name]
    try:
        document = analysis.document(evaluated)
    except UsageError as fault:
        assert "fewer than two runs" in str(fault)
        assert name in ("stability", "significance")
        return
    json.dumps(document, allow_nan=False)
    assert all(table.title for table in analysis.tables(document))
    assert analysis.sentence(document).endswith(".")
    assert analysis.figure(document, "svg").startswith(b"<?xml")


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.parametrize("models", [2, 6])
def test_ties_and_constant_scores_never_put_nan_into_anything(paper, name, models):
    flat = np.full(len(paper.queries), 0.25)
    evaluated = Evaluated(
        paper, tuple(made_run(paper, f"m{n}", flat, ("vocabulary",)) for n in range(models))
    )
    analysis = ANALYSES[name]
    document = analysis.document(evaluated)
    json.dumps(document, allow_nan=False)
    for table in analysis.tables(document):
        for row in table.rows:
            assert all("nan" not in cell.text.lower() for cell in row)
    assert "nan" not in analysis.sentence(document)


@pytest.mark.parametrize("package", ["scipy.stats", "matplotlib.figure"])
def test_a_missing_package_is_named_with_its_install_line(eight, monkeypatch, package):
    analysis = ANALYSES["presence"]
    document = analysis.document(eight)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError, match=r"pip install 'ovearth\[report\]'"):
        analysis.figure(document, "png") if "figure" in package else analysis.document(eight)


def test_nothing_heavy_is_imported_before_it_is_needed():
    heavy = ["scipy", "matplotlib", "pandas", "shapely", "rasterio", "fiona"]
    program = (
        "import sys, ovearth_core.report.analyses, ovearth_core.cli.analyze;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"
