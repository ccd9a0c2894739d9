"""How sure is a presence MCC: against a plain loop, and where it is undefined."""

import json

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef

from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.presence_counts import mcc_of
from ovearth_core.analysis.resampling import interval, paired_tests
from ovearth_core.analysis.significance import significance
from ovearth_core.report.analyses import ANALYSES
from ovearth_core.scoring.presence import mcc

from .made_runs import made_run, random_runs


@pytest.fixture(scope="module")
def four(paper):
    return random_runs(paper, 4, seed=21)


def test_intervals_and_tests_are_those_of_a_plain_loop(four):
    found = significance(four, seed=6, resamples=200)["presence"]["mask"]
    rows = four.queries("vocabulary")
    positive = four.benchmark.columns.queries.is_positive[rows]
    images, image = np.unique(four.facts.image_places[rows], return_inverse=True)
    assert found["images"] == len(images)
    drawn = np.random.default_rng(6).integers(0, len(images), (200, len(images)))
    of_image = [np.flatnonzero(image == number) for number in range(len(images))]
    picks = [np.concatenate([of_image[number] for number in some]) for some in drawn]
    values, own = {}, {}
    for run in four.runs:
        present = run.present["mask"][rows]
        own[run.model] = matthews_corrcoef(positive, present)
        values[run.model] = np.array(
            [matthews_corrcoef(positive[pick], present[pick]) for pick in picks]
        )
    assert [run["model"] for run in found["runs"]] == sorted(own, key=lambda name: -own[name])
    for run in found["runs"]:
        low, high = np.percentile(values[run["model"]], [2.5, 97.5])
        assert run["score"] == pytest.approx(own[run["model"]])
        assert (run["low"], run["high"]) == (pytest.approx(low), pytest.approx(high))
        assert run["undefined"] == 0
    for pair in found["pairs"]:
        delta = own[pair["first"]] - own[pair["second"]]
        far = np.abs(values[pair["first"]] - values[pair["second"]] - delta) >= abs(delta) - 1e-12
        assert pair["delta"] == pytest.approx(delta)
        assert pair["p"] == (1 + far.sum()) / 201


def test_a_run_whose_mcc_is_undefined_is_left_out_and_said(paper):
    every = np.ones(len(paper.queries), dtype=bool)
    runs = random_runs(paper, 2).runs
    yes = made_run(paper, "says yes", np.full(len(every), 0.5), present=every)
    found = significance(Evaluated(paper, (*runs, yes)), resamples=50)
    assert [run["model"] for run in found["presence"]["mask"]["runs"]] != []
    assert "says yes" not in str(found["presence"])
    assert "presence, mask: MCC undefined, left out: says yes" in found["notes"]


def test_resamples_without_an_mcc_are_counted_and_left_out(paper):
    """Of one absence only, in one image, a third of the resamples have none."""
    columns = paper.columns.queries
    places = random_runs(paper, 1).facts.image_places
    present = columns.is_positive | (np.arange(len(columns.is_positive)) % 2 == 0)
    few = np.isin(places, np.unique(places[~columns.is_positive])[:3])
    absent = np.flatnonzero(few & ~columns.is_positive)
    present[absent] = True
    present[absent[0]] = False
    runs = [made_run(paper, name, np.full(len(places), 0.5), present=present) for name in "ab"]
    found = significance(Evaluated(paper, tuple(runs)).within(few), resamples=400)
    (run, _) = found["presence"]["mask"]["runs"]
    assert 60 < run["undefined"] < 220
    assert None not in (run["low"], run["high"])
    assert found["presence"]["mask"]["pairs"][0]["p"] == 1.0
    json.dumps(found, allow_nan=False)


def test_no_resample_with_an_mcc_has_no_interval():
    nothing = np.full(5, np.nan)
    assert interval(nothing) == (None, None)
    (pair,) = paired_tests(["a", "b"], np.array([0.5, 0.1]), np.array([nothing, nothing]))
    assert pair["p"] == 1.0


def test_mcc_of_counts_is_that_of_the_scores_also_of_very_many():
    counts = np.array([[40, 6, 46, 1], [0, 0, 5, 5], [10**6, 2 * 10**5, 10**6, 3 * 10**5]], float)
    found = mcc_of(counts.T[None])[0]
    expected = [mcc(*map(int, each)) for each in counts]
    assert expected[1] is None and np.isnan(found[1])
    assert found[[0, 2]] == pytest.approx([expected[0], expected[2]])
    assert float(mcc_of(counts[0])) == pytest.approx(expected[0])


def test_they_are_shown_in_tables_of_their_own_and_drawn(four):
    analysis = ANALYSES["significance"]
    document = analysis.document(four)
    tables = {table.name: table for table in analysis.tables(document)}
    shown = tables["significance-presence"]
    assert shown.headings == ("presence by", "model", "MCC", "2.5 %", "97.5 %", "undefined")
    assert len(shown.rows) == 4
    assert len(tables["significance-presence-pairs"].rows) == 6
    assert b"presence, mask" in analysis.figure(document, "svg")
    pairs = sum(len(tables[name].rows) for name in tables if name.endswith("pairs"))
    assert f"of {pairs} differences" in analysis.sentence(document)
