"""The embedded sample: what it promises to whoever tries OVEarth out, or builds tests on it."""

from __future__ import annotations

import gzip
import json
import time
from dataclasses import replace
from math import cos, degrees, radians

import numpy as np
import pytest

from ovearth_core.benchmark import MODALITIES, TASKS, Truth, read_benchmark
from ovearth_core.benchmark.truth import outline
from ovearth_core.checking.benchmark_file import check_benchmark
from ovearth_core.geometry import Runs, envelope, min_area_rect
from ovearth_core.predictions import predictions_from, read_predictions
from ovearth_core.sample import write_sample
from ovearth_core.sample.annotate import shown_in
from ovearth_core.sample.scene import HALL, HELIPAD, POND, POOL, ROAD, TANK, VEHICLE
from ovearth_core.sample.views import VIEWS
from ovearth_core.scoring import evaluate

rasterio = pytest.importorskip("rasterio")

VIEW = {view.name: view for view in VIEWS}
DOMAINS = {
    "plant", "business, service and residential", "industrial, mining and storage",
    "transportation", "terrain", "water infrastructure", "special",
}  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def benchmark(sample):
    return read_benchmark(sample.benchmark)


@pytest.fixture(scope="module")
def scores(sample, benchmark):
    return [evaluate(benchmark, read_predictions(run)).to_dict() for run in sample.runs]


@pytest.fixture(scope="module")
def pictures(sample, benchmark):
    found = {}
    for image in benchmark.images:
        with rasterio.open(sample.folder / image.file_name) as source:
            found[image.id] = source.read().astype(float)
    return found


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def targets_of(benchmark, image_name, category):
    """The instances of the one target of a category in an image, and its image."""
    (image,) = (i for i in benchmark.images if i.file_name == f"images/{image_name}.tif")
    (target,) = (
        t
        for t in benchmark.targets
        if t.image_id == image.id and benchmark.category_by_id[t.category_id].name == category
    )
    return image, target, benchmark.instances_by_target[target.id]


def mask_of(benchmark, instance):
    image = benchmark.image_by_id[instance.image_id]
    shape = outline(instance, image)
    if isinstance(shape, Runs):
        return shape
    return Runs.from_rings(shape, image.height, image.width)


def test_two_calls_write_the_same_bytes_in_a_few_seconds_and_megabytes(sample):
    first = contents(sample.folder)
    started = time.process_time()
    assert write_sample(sample.folder) == sample
    assert time.process_time() - started < 8
    assert contents(sample.folder) == first
    assert sum(map(len, first.values())) < 5_000_000
    assert {path.as_posix() for path in first} == {
        "benchmark.json",
        "runs/careful.jsonl",
        "runs/hasty.jsonl.gz",
        *(view.file_name for view in VIEWS),
    }


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="can't write it") as fault:
        write_sample(tmp_path / "file" / "demo")
    assert "\n" not in str(fault.value)


def test_images_lie_where_the_benchmark_says(sample, benchmark):
    for image in benchmark.images:
        with rasterio.open(sample.folder / image.file_name) as source:
            assert (source.width, source.height, source.count) == (image.width, image.height, 3)
            assert source.crs.to_string() == image.crs
            assert np.allclose(tuple(source.transform)[:6], image.transform, rtol=1e-12)
        assert image.gsd_m == image.frame().gsd()
        assert image.extra["attribution"] == "OVEarth embedded sample, drawn by program"
        assert image.extra["license"] in [entry["id"] for entry in benchmark.licenses]
        assert image.extra["date_captured"] in image.extra.values()


def test_images_come_in_every_kind_of_frame(benchmark):
    assert {i.crs for i in benchmark.images} == {
        f"EPSG:{c}" for c in (32632, 3857, 4326, 2056, 3034)
    }
    by_name = {image.file_name.split("/")[1][:-4]: image for image in benchmark.images}
    a, _, _, d, _, _ = by_name["market"].transform
    assert degrees(np.arctan2(d, a)) == pytest.approx(17)
    assert by_name["works-winter"].transform[4] > 0  # south-up
    a, _, _, _, e, _ = by_name["crossing"].transform
    assert abs(a) != abs(e)  # not square
    assert by_name["homes"].gsd_m == pytest.approx(0.44 * cos(radians(47.2)), rel=5e-3)
    groups = [image.extra.get("location_group") for image in benchmark.images]
    assert groups.count("works") == 2
    dates = {i.extra["date_captured"] for i in benchmark.images if i.extra.get("location_group")}
    assert len(dates) == 2


@pytest.mark.parametrize(
    ("first", "second", "category", "at_least"),
    [
        ("works-summer", "works-winter", TANK, 5),
        ("works-summer", "works-winter", HALL, 3),
        ("works-summer", "works-winter", HELIPAD, 1),
        ("works-summer", "crossing", HALL, 1),
    ],
)
def test_a_thing_in_two_images_has_the_same_longitude_and_latitude(
    first, second, category, at_least
):
    seen = []
    for name in (first, second):
        view = VIEW[name]
        inside = {}
        for thing, rings in shown_in(view, category):
            if len(rings[0]) == len(thing.rings[0]):
                inside[id(thing)] = view.frame.pixel_to_lonlat(rings[0])
        seen.append(inside)
    both = seen[0].keys() & seen[1].keys()
    assert len(both) >= at_least
    for key in both:
        assert np.abs(seen[0][key] - seen[1][key]).max() < 1e-6


@pytest.mark.parametrize(
    ("image_name", "category", "looks_right"),
    [
        ("works-summer", TANK, lambda r, g, b: min(r, g, b) > 170),
        ("works-winter", TANK, lambda r, g, b: min(r, g, b) > 170),
        ("market", HALL, lambda r, g, b: r > 130),
        ("homes", POOL, lambda r, g, b: b > 1.5 * r),
        ("homes", "residential building", lambda r, g, b: r > 1.4 * b),
        ("farm", "cropland", lambda r, g, b: r > 1.5 * b),
        ("farm", POND, lambda r, g, b: b > r and r < 80),
        ("crossing", ROAD, lambda r, g, b: max(r, g, b) - min(r, g, b) < 20),
    ],
)
def test_every_instance_lies_on_its_object_in_the_picture(
    benchmark, pictures, image_name, category, looks_right
):
    image, _, instances = targets_of(benchmark, image_name, category)
    for instance in instances:
        pixels = mask_of(benchmark, instance).to_array()
        red, green, blue = np.median(pictures[image.id][:, pixels], axis=1)
        assert looks_right(red, green, blue), (instance.id, red, green, blue)


def test_a_tank_yard_is_brighter_inside_its_outlines_than_just_outside(benchmark, pictures):
    image, _, instances = targets_of(benchmark, "works-summer", TANK)
    assert len(instances) == 6
    rows, columns = np.indices((image.height, image.width)) + 0.5
    for instance in instances:
        (ring,) = instance.segmentation
        assert len(ring) == 36
        middle, radius = ring.mean(axis=0), np.ptp(ring[:, 0]) / 2
        distance = np.hypot(columns - middle[0], rows - middle[1])
        inside = pictures[image.id][:, distance < radius - 1].mean()
        around = pictures[image.id][:, (distance > radius + 1) & (distance < radius + 4)].mean()
        assert inside > around + 30


def test_every_shape_that_a_benchmark_may_hold_occurs(benchmark):
    with_holes = [i for i in benchmark.instances if i.geometry is not None]
    assert {len(i.geometry["coordinates"]) for i in with_holes} == {2}
    assert {benchmark.category_by_id[i.category_id].name for i in with_holes} >= {HALL, "cropland"}
    (crowd,) = (i for i in benchmark.instances if i.is_crowd)
    assert "counts" in crowd.segmentation
    assert crowd.geometry is None
    (pond,) = targets_of(benchmark, "farm", POND)[2]
    assert "counts" in pond.segmentation
    _, _, cars = targets_of(benchmark, "market", VEHICLE)
    assert len(cars) > 15
    for instance in benchmark.instances:
        assert instance.extra["area"] == mask_of(benchmark, instance).area > 0
    assert len([i for i in benchmark.instances if i.bbox is not None]) > 5
    assert len([i for i in benchmark.instances if i.obb is not None]) > 5


def test_a_target_with_its_own_mask_has_the_union_of_its_instances(benchmark):
    (own,) = (t for t in benchmark.targets if t.segmentation is not None)
    truth = Truth(benchmark)
    assert truth.mask(own.id) == truth.union_of_instances(own.id)


def test_given_boxes_are_those_that_would_be_derived(benchmark):
    truth = Truth(benchmark)
    for instance in benchmark.instances:
        image = benchmark.image_by_id[instance.image_id]
        bare = replace(instance, bbox=None, obb=None)
        for derived, given in (
            (truth.instance_hbb(bare, image), truth.instance_hbb(instance, image)),
            (truth.instance_obb(bare, image), truth.instance_obb(instance, image)),
        ):
            assert np.allclose(derived, given, atol=1e-9)


def test_things_that_are_counted_are_whole_and_only_areas_reach_the_edges(benchmark):
    at_edge = set()
    for instance in benchmark.instances:
        image = benchmark.image_by_id[instance.image_id]
        hbb = Truth(benchmark).instance_hbb(replace(instance, bbox=None), image)
        if min(hbb[0], hbb[1], image.width - hbb[2], image.height - hbb[3]) <= 0:
            at_edge.add(benchmark.category_by_id[instance.category_id].name)
    assert at_edge == {ROAD}


def test_the_benchmark_passes_its_own_check(benchmark):
    assert list(check_benchmark(benchmark)) == []


def test_categories_span_the_domains_and_queries_are_of_all_kinds(benchmark):
    assert {category.domain for category in benchmark.categories} == DOMAINS
    assert all(category.branch for category in benchmark.categories)
    assert not all(category.instanceable for category in benchmark.categories)
    assert 12 <= len(benchmark.targets) <= 20
    assert len(benchmark.queries) > 60
    for target in benchmark.targets:
        asked = [query for query in benchmark.queries if query.target_id == target.id]
        kinds = [(query.task, query.is_positive) for query in asked]
        assert kinds.count(("vocabulary", True)) == 2
        assert kinds.count(("vocabulary", False)) in (2, 3)
        category = benchmark.category_by_id[target.category_id].name
        for query in asked:
            if query.task == "reasoning":
                assert category not in query.text.lower()
    ids = {query.id for query in benchmark.queries}
    assert {"works-tanks-voc-1", "works-tanks-neg-1", "works-tanks-ref-1"} <= ids
    texts = [(query.target_id, query.text) for query in benchmark.queries]
    assert len(set(texts)) == len(texts)


def test_negative_phrases_name_nothing_that_is_asked_for_in_their_image(benchmark):
    wanted = {}
    for query in benchmark.queries:
        image_id = benchmark.target_by_id[query.target_id].image_id
        wanted.setdefault((image_id, query.is_positive), set()).add(query.text)
    for image in benchmark.images:
        assert not wanted[image.id, True] & wanted[image.id, False]


def test_every_table_is_filled_and_every_mcc_defined(scores):
    for run, tasks in zip(scores, (TASKS, ("vocabulary", "referring")), strict=True):
        for table in ("segmentation", "hbb", "obb"):
            assert tuple(run[table]) == tasks
            assert all(entry["queries"] > 0 for entry in run[table].values())
        assert tuple(run["presence"]) == MODALITIES
        assert all(entry["mcc"] is not None for entry in run["presence"].values())


def test_the_careful_run_is_clearly_better_and_neither_is_perfect(scores):
    careful, hasty = scores
    for task in ("vocabulary", "referring"):
        assert 0.95 > careful["segmentation"][task]["ma_iou"] > 0.7
        assert 0.2 < hasty["segmentation"][task]["ma_iou"] < 0.6
        for modality in ("hbb", "obb"):
            for key in ("mi_f1_50", "mi_f1_50_95"):
                better, worse = careful[modality][task][key], hasty[modality][task][key]
                assert 1 > better > worse + 0.2 > 0.3
    for modality in MODALITIES:
        assert careful["presence"][modality]["mcc"] > hasty["presence"][modality]["mcc"] + 0.3


def test_every_kind_of_error_occurs_in_both_runs(scores):
    for run in scores:
        for modality in MODALITIES:
            totals = dict.fromkeys(("hallucinated", "missed", "badly placed", "good"), 0)
            for counts in run["errors"][modality].values():
                for kind, count in counts.items():
                    totals[kind] += count
            assert min(totals.values()) > 0, (run["model"], modality, totals)


def test_runs_say_what_they_are(sample):
    careful, hasty = (read_predictions(run).header for run in sample.runs)
    assert not careful.in_map
    assert careful.tasks == TASKS
    assert careful.attributes["interface"] == "mllm"
    assert careful.attributes["mllm"] is True
    assert careful.attributes["eo_specific"] is False
    assert hasty.in_map
    assert hasty.crs == "EPSG:4326"
    assert hasty.tasks == ("vocabulary", "referring")
    assert careful.modalities == hasty.modalities == MODALITIES
    with gzip.open(sample.runs[1], "rt", encoding="utf-8") as lines:
        next(lines)
        records = [json.loads(line) for line in lines]
    boxes = np.array([box for record in records for box in record["hbb"]])
    assert (np.abs(boxes[:, [0, 2]] - 8.0) < 0.01).all()
    assert (np.abs(boxes[:, [1, 3]] - 47.2) < 0.01).all()
    masks = [record["mask"] for record in records if record["mask"]]
    assert all("polygons" in mask for mask in masks)


@pytest.mark.parametrize("crs", [None, "EPSG:4326"])
def test_the_truth_as_a_run_scores_one_everywhere(benchmark, crs):
    truth = Truth(benchmark)
    header = {"model": "truth", "coordinates": "pixel", "modalities": [*MODALITIES]}
    if crs:
        header |= {"coordinates": "map", "crs": crs}
    records = []
    for query in benchmark.queries:
        target = benchmark.target_by_id[query.target_id]
        frame = benchmark.image_by_id[target.image_id].frame()
        record = {"query_id": query.id, "mask": None, "hbb": [], "obb": []}
        if query.is_positive:
            mask = truth.mask(target.id)
            hbb, obb = truth.hbb(target.id, crs), truth.obb(target.id)
            if not benchmark.is_instanceable(target):
                corners = mask.corner_points()
                hbb = [envelope(frame.pixel_to_crs(corners, crs) if crs else corners)]
                obb = [min_area_rect(corners)]
            if crs:
                obb = [frame.pixel_to_crs(box, crs) for box in obb]
            record["mask"] = mask.to_rle()
            record["hbb"] = [np.asarray(box).tolist() for box in hbb]
            record["obb"] = [np.asarray(box).reshape(-1).tolist() for box in obb]
        records.append(record)
    scored = evaluate(benchmark, predictions_from([header, *records])).to_dict()
    for table in ("segmentation", "hbb", "obb"):
        for entry in scored[table].values():
            metrics = [value for value in entry.values() if isinstance(value, float)]
            assert metrics
            assert set(metrics) == {1.0}
    assert {entry["mcc"] for entry in scored["presence"].values()} == {1.0}
