"""Inspect's table, held against the core's own numbers query by query."""

import csv
import io
from collections import Counter

import numpy as np
import pytest
import shapely

from ovearth_core.dataset.blob import polygons_of_wkb
from ovearth_core.errors import InputError
from ovearth_core.frame import ImageFrame
from ovearth_core.inspection.image_files import ImageFiles
from ovearth_core.inspection.inspected import inspect_benchmark, inspect_run
from ovearth_core.inspection.outcomes import DEFAULT_STEP, NOT_ASKED, STEPS
from ovearth_core.inspection.query_csv import write_query_csv
from ovearth_core.inspection.query_filter import QueryFilter
from ovearth_core.inspection.query_table import Column, QueryTable
from ovearth_core.inspection.scene import TRUTH, SceneMaker, image_outline, pixel_at
from ovearth_core.inspection.summary import by_category, by_size, counts_at
from ovearth_core.sample.write import write_sample
from ovearth_core.scoring.error_kinds import KINDS
from ovearth_core.scoring.matching import match_pairs

MODALITIES = ("mask", "hbb", "obb")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def bench(sample):
    return inspect_benchmark(sample.benchmark)


@pytest.fixture(scope="module")
def careful(bench, sample):
    return inspect_run(bench, sample.runs[0])


@pytest.fixture(scope="module")
def hasty(bench, sample):
    return inspect_run(bench, sample.runs[1])


def table(bench, run, modality="hbb", step=DEFAULT_STEP, second=None):
    other = None if second is None else second.outcomes[modality]
    return QueryTable(bench.benchmark, bench.facts, run.outcomes[modality], step, other)


@pytest.mark.parametrize("modality", MODALITIES)
@pytest.mark.parametrize("step", range(len(STEPS)))
def test_the_error_kind_is_the_scores_own_at_every_step(hasty, modality, step):
    kinds = hasty.outcomes[modality].kinds(step)
    attempted = hasty.outcomes[modality].is_attempted
    for row in range(len(kinds)):
        said = None if kinds[row] == NOT_ASKED else KINDS[kinds[row]]
        if attempted[row]:
            assert said == hasty.scores.error_kind(modality, row, STEPS[step])
        else:
            assert said is None


@pytest.mark.parametrize("modality", ["hbb", "obb"])
@pytest.mark.parametrize("step", [0, 5, DEFAULT_STEP, len(STEPS) - 1])
def test_matched_boxes_are_those_of_the_matching_at_every_step(hasty, modality, step):
    outcomes = hasty.outcomes[modality]
    for row in np.flatnonzero(outcomes.is_asked):
        result = hasty.scores.box_result(modality, int(row))
        matched = len(match_pairs(result.pairs, STEPS[step]))
        assert outcomes.matched(step)[row] == matched
        assert outcomes.spurious(step)[row] == result.predictions - matched
        assert outcomes.missed(step)[row] == result.truths - matched


@pytest.mark.parametrize("modality", ["hbb", "obb"])
def test_the_counts_at_a_half_are_those_of_the_paper(bench, hasty, modality):
    document = hasty.scores.to_dict()
    for counts in counts_at(bench.facts, hasty.outcomes[modality], DEFAULT_STEP):
        task = document[modality][counts.task]
        assert (counts.matched, counts.spurious, counts.missed) == (
            task["tp_50"],
            task["fp_50"],
            task["fn_50"],
        )
        assert counts.f1 == task["mi_f1_50"]
        errors = document["errors"][modality][counts.task]
        assert dict(zip(KINDS, counts.kinds, strict=True)) == errors


def test_the_iou_of_a_mask_is_that_of_the_per_query_file(bench, careful):
    shown = table(bench, careful, "mask")
    for document in careful.scores.per_query():
        row = bench.benchmark.query_index[document["query_id"]]
        mask = document.get("mask")
        assert shown.value(Column.IOU, row) == (None if mask is None else mask["iou"])
        assert shown.value(Column.IS_PRESENT, row) == document["present"]["mask"]


def test_the_iou_of_boxes_is_the_mean_of_the_best_of_each_truth(bench, hasty):
    outcomes = hasty.outcomes["hbb"]
    for row in np.flatnonzero(outcomes.is_asked):
        result = hasty.scores.box_result("hbb", int(row))
        best = [0.0] * result.truths
        for truth, _, iou in result.pairs.tolist():
            best[int(truth)] = max(best[int(truth)], iou)
        assert outcomes.iou[row] == pytest.approx(sum(best) / result.truths)


def test_worst_first_begins_with_what_is_all_wrong_and_ends_with_what_is_right(bench, hasty):
    rows = table(bench, hasty).rows(QueryFilter())
    quality = hasty.outcomes["hbb"].quality(DEFAULT_STEP)[rows]
    known = quality[~np.isnan(quality)]
    assert known[0] == 0.0
    assert known[-1] == 1.0
    assert (np.diff(known) >= 0).all()
    assert np.isnan(quality[len(known) :]).all()


@pytest.mark.parametrize("column", list(Column))
@pytest.mark.parametrize("descending", [False, True])
def test_every_column_sorts_with_the_unasked_last(bench, hasty, careful, column, descending):
    shown = table(bench, hasty, second=careful)
    rows = shown.rows(QueryFilter(), column, descending)
    keys = shown.key(column)[rows].astype(float)
    known = keys[~np.isnan(keys)]
    steps = np.diff(known)
    assert ((steps <= 0) if descending else (steps >= 0)).all()
    assert np.isnan(keys[len(known) :]).all()


@pytest.mark.parametrize(
    ("name", "column", "word"),
    [
        ("tasks", Column.TASK, "referring"),
        ("sizes", Column.SIZE, "medium"),
        ("kinds", Column.ERROR, "hallucinated"),
        ("kinds", Column.ERROR, "badly placed"),
    ],
)
def test_a_filter_lets_through_all_that_has_the_word_and_nothing_else(
    bench, hasty, name, column, word
):
    shown = table(bench, hasty)
    everything = shown.rows(QueryFilter()).tolist()
    wanted = {row for row in everything if shown.value(column, row) == word}
    assert wanted
    assert set(shown.rows(QueryFilter(**{name: [word]})).tolist()) == wanted


def test_every_domain_and_category_can_be_filtered_by(bench, careful):
    shown = table(bench, careful, "mask")
    for names, name, column in (
        (bench.facts.domain_names, "domains", Column.DOMAIN),
        (bench.facts.category_names, "categories", Column.CATEGORY),
    ):
        found = [shown.rows(QueryFilter(**{name: [word]})) for word in names]
        for word, rows in zip(names, found, strict=True):
            assert {shown.value(column, row) for row in rows.tolist()} == {word}
        assert sum(map(len, found)) == len(shown.rows(QueryFilter()))


def test_better_shows_only_queries_at_which_the_second_run_is_better(bench, hasty, careful):
    shown = table(bench, hasty, second=careful)
    rows = shown.rows(QueryFilter(is_better=True)).tolist()
    assert rows
    first, second = (run.outcomes["hbb"].quality(DEFAULT_STEP) for run in (hasty, careful))
    assert set(rows) == set(np.flatnonzero(second > first).tolist())


def test_a_run_shows_no_query_of_a_task_that_it_does_not_attempt(bench, hasty):
    shown = table(bench, hasty)
    tasks = {shown.value(Column.TASK, row) for row in shown.rows(QueryFilter()).tolist()}
    assert tasks == set(hasty.scores.tasks) == {"vocabulary", "referring"}


def test_the_slices_by_category_hold_every_positive_query_once(bench, careful):
    outcomes = careful.outcomes["mask"]
    for slices in (by_category(bench.facts, outcomes), by_size(bench.facts, outcomes)):
        assert sum(one.queries for one in slices) == np.count_nonzero(outcomes.is_asked)
        total = sum(one.queries * one.iou for one in slices)
        assert total == pytest.approx(np.nansum(outcomes.iou))


@pytest.mark.parametrize("modality", ["hbb", "obb"])
@pytest.mark.parametrize("step", [0, DEFAULT_STEP, len(STEPS) - 1])
def test_a_scene_shows_as_many_boxes_as_the_table_counts(bench, hasty, modality, step):
    outcomes, maker = hasty.outcomes[modality], SceneMaker(hasty)
    for row in np.flatnonzero(outcomes.is_asked).tolist():
        scene = maker.scene(row, modality, STEPS[step])
        shown = Counter(shape.outcome for shape in scene.shapes)
        assert shown["matched"] == outcomes.matched(step)[row]
        assert shown["spurious"] == outcomes.spurious(step)[row]
        assert shown["missed"] == outcomes.missed(step)[row]
        truths = [polygons_of_wkb(s.wkb)[0] for s in scene.shapes if s.outcome == TRUTH]
        assert sum(map(len, truths)) == outcomes.true[row]


def test_the_areas_of_a_scene_are_the_pixels_of_the_table(bench, careful):
    outcomes, maker = careful.outcomes["mask"], SceneMaker(careful)
    for row in np.flatnonzero(outcomes.is_asked).tolist()[:12]:
        scene = maker.scene(row, "mask", 0.5)
        a, b, _, d, e, _ = scene.image.transform
        pixel = abs(a * e - b * d)
        areas = {shape.outcome: area(shape.wkb) / pixel for shape in scene.shapes}
        for outcome, pixels in (
            ("matched", outcomes.matched(0)[row]),
            ("spurious", outcomes.spurious(0)[row]),
            ("missed", outcomes.missed(0)[row]),
        ):
            assert areas.get(outcome, 0.0) == pytest.approx(float(pixels), abs=1e-3)


def area(wkb):
    polygons, _ = polygons_of_wkb(wkb)
    return sum(shapely.Polygon(rings[0], rings[1:]).area for rings in polygons)


def test_an_image_without_a_place_is_drawn_where_qgis_shows_it():
    frame = ImageFrame(None, None, 30, 20)
    assert image_outline(frame).tolist() == [[0, 0], [30, 0], [30, -20], [0, -20], [0, 0]]
    assert pixel_at(frame, 4.0, -7.0) == (4.0, 7.0)


def test_a_place_on_the_map_leads_back_to_its_pixel(bench):
    for image in bench.benchmark.images:
        frame = image.frame()
        x, y = frame.pixel_to_map([[12.25, 34.5]])[0]
        assert pixel_at(frame, x, y) == pytest.approx((12.25, 34.5), abs=1e-6)


def test_the_scores_are_those_of_the_command(bench, careful, hasty, sample):
    from ovearth_core.scoreboard import score_files

    by_command = score_files(sample.benchmark, sample.runs).to_dict()
    assert [careful.document, hasty.document] == by_command["runs"]


def test_a_run_of_another_benchmark_is_named_as_that(bench, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text('{"query_id": "elsewhere-1", "hbb": []}\n')
    with pytest.raises(InputError, match=r"answers another benchmark.*elsewhere-1") as error:
        inspect_run(bench, other)
    assert "other.jsonl" in str(error.value)


def test_a_csv_has_the_rows_of_the_table_in_its_order(bench, hasty, careful):
    shown = table(bench, hasty, second=careful)
    rows = shown.rows(QueryFilter(kinds=["missed"]), Column.CATEGORY).tolist()
    out = io.StringIO()
    write_query_csv(shown, rows, out)
    lines = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [line["query_id"] for line in lines] == [
        bench.benchmark.columns.queries.ids[row] for row in rows
    ]
    assert {line["error"] for line in lines} == {"missed"}
    assert [float(line["iou"]) for line in lines] == [shown.value(Column.IOU, r) for r in rows]


def test_images_are_found_beside_the_benchmark_and_in_folders_named_later(bench, sample, tmp_path):
    image = bench.benchmark.images[0]
    files = ImageFiles(sample.benchmark)
    assert files.path(image) == sample.folder / image.file_name
    moved = tmp_path / "images" / image.file_name.split("/")[-1]
    moved.parent.mkdir()
    moved.write_bytes(b"")
    away = ImageFiles(tmp_path / "elsewhere" / "benchmark.json")
    assert away.path(image) is None
    assert away.also_in(tmp_path).path(image) == moved
    assert away.also_in(moved.parent).path(image) == moved
