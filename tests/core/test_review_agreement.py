"""How far two people agree, and what the second would score as a model."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasterio.features import rasterize

from ovearth_core.benchmark import read_benchmark, write_benchmark
from ovearth_core.benchmark.model import Benchmark, Query
from ovearth_core.dataset import QueryRow
from ovearth_core.dataset.review import (
    Said,
    agreement,
    agreements,
    answered_part,
    human_ceiling,
)
from ovearth_core.dataset.review.truth import truth_of
from ovearth_core.errors import InputError
from ovearth_core.predictions import read_predictions
from ovearth_core.scoring import evaluate

from .datasets import FIELD, SQUARE, TANK, made
from .reviewing import ANNA, BEN, GOOD, MIA, acted, drawn_by, moved, shifted, target, twice_drawn

# On a grid: nothing lies within the rounding of 1e-6 pixel that scoring does and rasterio doesn't.
NUMBERS = st.integers(-20 * 64, 120 * 64).map(lambda number: number / 64)
RINGS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=8, unique=True)


def compared(dataset, first, second):
    with dataset.reading() as view:
        return agreement(view, view.target(first), view.target(second))


def rasterized_iou(one, other, height=800, width=1000):
    masks = [
        rasterize([{"type": "Polygon", "coordinates": [[*map(tuple, r), tuple(r[0])]]}],
                  out_shape=(height, width)).astype(bool)
        for r in (one, other)
    ]  # fmt: skip
    union = (masks[0] | masks[1]).sum()
    return (masks[0] & masks[1]).sum() / union if union else None


@settings(max_examples=40, deadline=None)
@given(RINGS, RINGS)
def test_agreement_is_rasterio_s_iou_and_the_same_the_other_way_round(one, other):
    with tempfile.TemporaryDirectory() as folder:
        dataset, image = made(Path(folder))
        first = drawn_by(dataset, image, ANNA, shape=np.array(one))
        second = acted(dataset, BEN, "open_second", first).id
        with dataset.writing("ben") as edit:
            edit.add_instance(image.id, TANK, np.array(other), target_id=second)
        there, back = compared(dataset, first, second), compared(dataset, second, first)
        assert (there.mask_iou, there.hbb_f1, there.obb_f1) == (
            back.mask_iou, back.hbb_f1, back.obb_f1)  # fmt: skip
        assert there.mask_iou == rasterized_iou(one, other)
        assert compared(dataset, first, first).mask_iou in (1.0, None)


def test_equal_drawings_agree_wholly(tmp_path):
    dataset, first, other = twice_drawn(tmp_path)
    found = compared(dataset, first, other)
    assert (found.mask_iou, found.hbb_f1, found.obb_f1) == (1, 1, 1)
    assert found.same_category


def test_boxes_that_one_person_missed_lower_their_agreement_and_areas_have_none(tmp_path):
    dataset, first, other = twice_drawn(tmp_path, shifted(1))
    with dataset.writing("Anna") as edit:
        edit.add_instance(1, TANK, shifted(200), target_id=first)
    found = compared(dataset, first, other)
    assert (found.hbb_f1, found.obb_f1) == (2 / 3, 2 / 3)
    moved(dataset, MIA, "return", other, Said("other"))
    acted(dataset, BEN, "recategorise", other, FIELD)
    found = compared(dataset, first, other)
    assert (found.hbb_f1, found.obb_f1, found.same_category) == (None, None, False)


def test_a_draft_is_not_compared_yet(tmp_path):
    dataset, _, other = twice_drawn(tmp_path)
    moved(dataset, BEN, "withdraw", other)
    assert list(agreements(dataset)) == []


def exported(dataset):
    """The benchmark of a dataset's approved targets."""
    with dataset.reading() as view:
        truth = truth_of(view, list(view.targets(state="approved"))).benchmark
        queries = tuple(
            Query(q.id, q.target_id, q.task, q.polarity == "positive", q.text)
            for q in view.queries()
        )
    return Benchmark(truth.categories, truth.images, truth.targets, truth.instances, queries)


def written(folder, dataset):
    ceiling = human_ceiling(dataset)
    path = folder / "human.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in ceiling.lines))
    return ceiling, path


@pytest.mark.parametrize("category", [TANK, FIELD])
def test_the_second_annotator_scores_as_a_model_what_the_two_agree(tmp_path, category):
    dataset, first, other = twice_drawn(tmp_path, shifted(3, 1), category)
    moved(dataset, MIA, "choose", first, GOOD)
    ceiling, run = written(tmp_path, dataset)
    write_benchmark(exported(dataset), tmp_path / "benchmark.json")
    whole = read_benchmark(tmp_path / "benchmark.json")
    part = answered_part(whole, ceiling)
    scores = evaluate(part, read_predictions(run)).to_dict()
    assert scores["model"] == "human"
    agreed = compared(dataset, first, other)
    assert scores["segmentation"]["vocabulary"]["ma_iou"] == agreed.mask_iou < 1
    assert [query.id for query in part.queries] == ["v"]
    if category == TANK:
        assert scores["obb"]["vocabulary"]["mi_f1_50"] == agreed.obb_f1 == 1
        assert scores["hbb"]["vocabulary"]["tp_50"] == 1
    else:
        assert "obb" not in scores
    assert scores["presence"]["mask"]["mcc"] is None


def test_the_one_that_was_not_chosen_is_the_second_whoever_began(tmp_path):
    dataset, _, other = twice_drawn(tmp_path, shifted(3))
    moved(dataset, MIA, "choose", other, GOOD)
    ceiling, _ = written(tmp_path, dataset)
    mask = ceiling.lines[1]["mask"]
    with dataset.reading() as view:
        truth = truth_of(view, [view.target(1)])
    assert mask == truth.mask(1).to_rle()
    assert ceiling.query_ids == ("v",)


def test_a_ceiling_without_queries_says_that_they_lack(tmp_path):
    dataset, _, other = twice_drawn(tmp_path)
    moved(dataset, MIA, "choose", other, GOOD)
    with dataset.writing() as edit:
        for query in list(edit.queries()):
            edit.remove_query(query.id)
    with pytest.raises(InputError, match="nothing positive is asked of the 1 approved targets"):
        human_ceiling(dataset)


def test_only_finished_second_annotations_of_approved_targets_count(tmp_path):
    dataset, first, other = twice_drawn(tmp_path)
    with pytest.raises(InputError, match="no approved target has a finished second"):
        written(tmp_path, dataset)
    moved(dataset, MIA, "approve", first, GOOD)
    assert written(tmp_path, dataset)[0].targets == 1
    moved(dataset, MIA, "reject", other, Said("sloppy"))
    assert written(tmp_path, dataset)[0].targets == 1  # what people get wrong counts too
    begun = drawn_by(dataset, dataset_image(dataset), ANNA, FIELD, SQUARE)
    acted(dataset, BEN, "open_second", begun)
    assert written(tmp_path, dataset)[0].undecided == 1
    moved(dataset, ANNA, "submit", begun)
    moved(dataset, MIA, "approve", begun, GOOD)
    ceiling = written(tmp_path, dataset)[0]
    assert (ceiling.targets, ceiling.undecided, ceiling.unfinished) == (1, 0, 1)
    assert target(dataset, begun).state == "approved"


def dataset_image(dataset):
    with dataset.reading() as view:
        return view.image(1)


def test_texts_that_were_removed_are_not_answered(tmp_path):
    dataset, first, _ = twice_drawn(tmp_path)
    moved(dataset, MIA, "choose", first, GOOD)
    with dataset.writing() as edit:
        edit.add(QueryRow("r", first, "referring", "positive", "the tank", state="removed"))
        edit.add(QueryRow("p", first, "reasoning", "positive", "which", state="proposed"))
    ceiling, _ = written(tmp_path, dataset)
    assert ceiling.query_ids == ("v",)
    assert ceiling.lines[0]["tasks"] == ["vocabulary"]


def test_a_benchmark_of_another_dataset_is_refused(tmp_path):
    dataset, first, _ = twice_drawn(tmp_path)
    moved(dataset, MIA, "choose", first, GOOD)
    ceiling, _ = written(tmp_path, dataset)
    other = replace(exported(dataset), queries=())
    with pytest.raises(InputError, match=r"1 answered queries are not in the benchmark \(v\)"):
        answered_part(other, ceiling)
