"""Analyses of boxes: the same questions by F1, one modality at will, and refused by name."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from ovearth_core.analysis.presence import presence
from ovearth_core.analysis.query_forms import query_forms
from ovearth_core.analysis.stability import _subsets, stability
from ovearth_core.cli.main import main
from ovearth_core.errors import UsageError
from ovearth_core.report.analyses import ANALYSES, Wishes
from ovearth_core.sample import write_sample

from .made_runs import random_runs

ALL = ("mask", "hbb", "obb")
OF_ONE = ("stability", "query-forms", "presence")
OF_ALL = ("composition", "significance", "slices")
OF_MASKS = ("aggregation", "instanceability")


@pytest.fixture(scope="module")
def six(paper):
    return random_runs(paper, 6, seed=3, modalities=ALL)


def boxes_of(evaluated, task, modality="hbb"):
    """One line for each positive query of an instanceable target and each model."""
    rows = evaluated.asked(task, modality)
    return pd.concat(
        pd.DataFrame(
            {
                "model": run.model, "twice": 2.0 * run.boxes[modality].tp[rows, 0],
                "both": run.boxes[modality].truths[rows] + run.boxes[modality].predictions[rows],
                "category": evaluated.facts.category_ids[rows],
                "target": evaluated.facts.target_ids[rows],
            }
        )
        for run in evaluated.runs
    )  # fmt: skip


def f1(frame):
    summed = frame.groupby("model")[["twice", "both"]].sum()
    return summed.twice / summed.both


def test_subsets_of_boxes_pool_their_counts(six):
    found = stability(six, seed=5, subsets=40, sizes=(7,), modality="hbb")
    frame = boxes_of(six, "vocabulary")
    full = f1(frame)
    categories = np.unique(frame.category)
    assert found["categories"] == len(categories)
    assert (found["modality"], found["metric"]) == ("hbb", "mi_f1_50")
    assert found["full_ranking"] == sorted(full.index, key=lambda name: (-full[name], name))
    rhos, kept = [], []
    for chosen in _subsets(5, 7, 40, len(categories)):
        part = f1(frame[frame.category.isin(categories[chosen > 0])])
        rhos.append(spearmanr(part, full).statistic)
        kept.append(len(set(part.nlargest(5).index) & set(full.nlargest(5).index)) / 5)
    assert found["sizes"]["7"]["rho"]["median"] == pytest.approx(np.median(rhos))
    assert found["sizes"]["7"]["top5_recovery"]["p2_5"] == pytest.approx(np.percentile(kept, 2.5))


def test_forms_of_queries_are_compared_on_targets_that_have_boxes(six):
    pair = query_forms(six, "obb")["pairs"][0]
    frames = [boxes_of(six, task, "obb") for task in ("vocabulary", "referring")]
    shared = set(frames[0].target) & set(frames[1].target)
    assert pair["targets"] == len(shared)
    one, other = (f1(frame[frame.target.isin(shared)]) for frame in frames)
    for run in pair["runs"]:
        assert run["first"] == pytest.approx(one[run["model"]])
        assert run["second"] == pytest.approx(other[run["model"]])
    assert pair["rho"] == pytest.approx(spearmanr(*map(f1, frames)).statistic)


def test_presence_stands_beside_the_boxes_own_score(six):
    found = presence(six, "hbb")
    scores = f1(boxes_of(six, "vocabulary"))
    for run in found["runs"]:
        assert run["mi_f1_50"] == pytest.approx(scores[run["model"]])
        assert run["tp"] + run["fn"] == 1067
    mcc = [run["mcc"] for run in found["runs"]]
    assert found["rho"] == pytest.approx(spearmanr(scores.to_numpy(), mcc).statistic)


@pytest.mark.parametrize("name", OF_ONE)
def test_one_is_compared_at_a_time_masks_unless_no_run_has_any(paper, six, name):
    assert ANALYSES[name].document(six)["modality"] == "mask"
    assert ANALYSES[name].document(six, Wishes(modality="obb"))["modality"] == "obb"
    boxes = random_runs(paper, 3, modalities=("obb",))
    document = ANALYSES[name].document(boxes)
    assert document["modality"] == "obb"
    assert "mi-F1 50" in " ".join(
        heading
        for table in ANALYSES[name].tables(document)
        for heading in (*table.headings, table.title)
    )


@pytest.mark.parametrize("name", OF_ALL)
def test_all_are_looked_at_unless_one_is_asked_for(six, name):
    def looked_at(document):
        found = document["slices"]["domain"] if name == "slices" else document["modalities"]
        return list(found)

    every, one = (ANALYSES[name].document(six, Wishes(modality=m)) for m in (None, "hbb"))
    assert looked_at(every) == list(ALL)
    assert looked_at(one) == ["hbb"]
    if name == "composition":
        assert one["modalities"]["hbb"] == every["modalities"]["hbb"]


@pytest.mark.parametrize("name", OF_MASKS)
def test_what_boxes_do_not_answer_is_refused_by_name(six, name):
    with pytest.raises(UsageError, match=f"{name} looks at masks only, since boxes"):
        ANALYSES[name].document(six, Wishes(modality="hbb"))
    assert ANALYSES[name].document(six, Wishes(modality="mask")) == ANALYSES[name].document(six)


@pytest.mark.parametrize("name", ANALYSES)
def test_a_modality_that_is_none_or_no_runs_is_refused(paper, name):
    evaluated = random_runs(paper, 2, modalities=("hbb",))
    with pytest.raises(UsageError, match="no modality 'boxes'"):
        ANALYSES[name].document(evaluated, Wishes(modality="boxes"))
    if name not in OF_MASKS:
        with pytest.raises(UsageError, match="no run answers with oriented boxes"):
            ANALYSES[name].document(evaluated, Wishes(modality="obb"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    sample = write_sample(tmp_path_factory.mktemp("sample"))
    return [str(sample.benchmark), *map(str, sample.runs)]


class TestCommand:
    @pytest.mark.parametrize("name", ANALYSES)
    def test_the_option_is_everywhere(self, sample, tmp_path, name, capsys):
        out = tmp_path / "a.json"
        code = main(["analyze", name, *sample, "--modality", "hbb", "--json", str(out)])
        said = capsys.readouterr().err
        if name in OF_MASKS:
            assert code == 2
            assert said.startswith(f"error: {name} looks at masks only") and said.count("\n") == 1
            return
        assert code == 0
        json.loads(out.read_text(), parse_constant=pytest.fail)

    @pytest.mark.parametrize(
        ("name", "option"), [("stability", "--subsets"), ("significance", "--resamples")]
    )
    def test_more_draws_than_fit_into_memory_are_refused(self, sample, capsys, name, option):
        assert main(["analyze", name, *sample, option, "1000000000"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("error: ") and said.count("\n") == 1
        assert "100000" in said
