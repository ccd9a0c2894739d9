"""An overlay shows what scoring counted, where it lies on the map."""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import fiona
import numpy as np
import pytest
from shapely.geometry import shape

from ovearth_core.benchmark import Truth
from ovearth_core.errors import InputError, OutputError, UsageError
from ovearth_core.frame import ImageFrame
from ovearth_core.geometry import Runs
from ovearth_core.overlay import AnswerShelf, QueryOverlay, overlay_features, overlay_files
from ovearth_core.predictions import read_predictions
from ovearth_core.sample.write import write_sample
from ovearth_core.scoring import THRESHOLDS, evaluate

from . import making

# UTM, turned by 30 degrees, of pixels that are no squares.
TURNED = [0.4, 0.2, 500000.0, 0.3, -0.5, 5200000.0]
PLACED = making.image(1, crs="EPSG:32632", transform=TURNED)
TANKS = [[10, 10, 30, 30], [50, 10, 70, 30]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture
def benchmark(tmp_path):
    return making.write_benchmark(tmp_path, making.benchmark(images=[PLACED]))


def scored(folder, records, **lists):
    return making.score(folder, making.benchmark(images=[PLACED], **lists), records)


def shown(scores, threshold=0.5):
    return list(overlay_features(scores, threshold))


def runs_of(feature, image=PLACED):
    rings = [list(polygon) for polygon in feature.polygons]
    return Runs.from_rings(rings, image["height"], image["width"])


def layers_of(path):
    # QGIS looks for styles under the name that it gave their table.
    return set(fiona.listlayers(path)) - {"layer_styles"}


def test_pixels_of_the_three_outcomes_are_those_that_scoring_counted(sample):
    from ovearth_core.benchmark import read_benchmark

    benchmark = read_benchmark(sample.benchmark)
    for path in sample.runs:
        scores = evaluate(benchmark, read_predictions(path), ["mask"])
        pixels = Counter()
        for feature in shown(scores):
            image = benchmark.image_by_id[feature.image_id]
            area = Runs.from_rings(
                [list(rings) for rings in feature.polygons], image.height, image.width
            ).area
            pixels[feature.query_id, feature.outcome] = area
        for index, query in enumerate(benchmark.queries):
            matched, spurious, missed = (
                pixels[query.id, outcome] for outcome in ("matched", "spurious", "missed")
            )
            if not query.is_positive:
                assert matched == missed == 0
                assert bool(spurious) == bool(scores.table.present["mask"][index])
                continue
            result = scores.mask_result(index)
            assert (matched, matched + spurious, matched + missed) == (
                result.intersection, result.predicted, result.true,
            )  # fmt: skip


def test_boxes_match_at_every_threshold_as_they_were_scored(sample):
    from ovearth_core.benchmark import read_benchmark

    benchmark = read_benchmark(sample.benchmark)
    for path in sample.runs:
        scores = evaluate(benchmark, read_predictions(path))
        overlay, answers = QueryOverlay.of_scores(scores), AnswerShelf(scores.predictions)
        asked = benchmark.has_boxes & benchmark.columns.queries.of_tasks(scores.tasks)
        for index in np.flatnonzero(asked).tolist():
            query_id = benchmark.queries[index].id
            for modality in ("hbb", "obb"):
                found = overlay.compared_boxes(query_id, answers.get(query_id), modality)
                result = scores.box_result(modality, index)
                assert np.array_equal(found.pairs, result.pairs.reshape(-1, 3))
                counts = [found.counts(threshold) for threshold in THRESHOLDS]
                assert tuple(matched for matched, _, _ in counts) == result.tp
                assert counts[0][1] + counts[0][0] == result.predictions
                assert counts[0][2] + counts[0][0] == result.truths


def test_outcomes_ious_and_scores_of_boxes_are_said_one_by_one(tmp_path):
    records = [
        {"query_id": "v1", "hbb": [[10, 10, 30, 30], [52, 10, 72, 30], [0, 70, 5, 75]],
         "scores": [0.9, 0.8, 0.1]},
        {"query_id": "n1", "hbb": [[1, 1, 2, 2]], "scores": [0.3]},
    ]  # fmt: skip
    found = [
        (f.query_id, f.outcome, round(f.iou, 6), f.score)
        for f in shown(scored(tmp_path, records), 0.9)
    ]
    assert sorted(found, key=str) == sorted([
        ("v1", "matched", 1.0, 0.9),
        ("v1", "spurious", round(18 / 22, 6), 0.8),
        ("v1", "spurious", 0.0, 0.1),
        ("v1", "missed", round(18 / 22, 6), None),
        ("n1", "spurious", 0.0, 0.3),
    ], key=str)  # fmt: skip


def test_the_threshold_moves_a_box_between_outcomes(tmp_path):
    scores = scored(tmp_path, [{"query_id": "v1", "hbb": [[52, 10, 72, 30]]}])
    at = {t: Counter(f.outcome for f in shown(scores, t)) for t in (0.5, 18 / 22, 0.9)}
    assert at[0.5] == at[18 / 22] == {"matched": 1, "missed": 1}
    assert at[0.9] == {"spurious": 1, "missed": 2}


def test_queries_that_a_run_does_not_answer_are_missed(tmp_path):
    header = {"modalities": ["mask", "hbb", "obb"], "tasks": ["vocabulary"]}
    found = Counter((f.query_id, f.modality, f.outcome) for f in shown(scored(tmp_path, [header])))
    assert found == {
        ("v1", "mask", "missed"): 1, ("v1", "hbb", "missed"): 2, ("v1", "obb", "missed"): 2,
        ("v2", "mask", "missed"): 1,
    }  # fmt: skip


@pytest.mark.parametrize("crs", ["EPSG:32632", "EPSG:32633", "EPSG:4326", "EPSG:3857"])
def test_boxes_given_on_the_map_are_shown_where_they_were_given(tmp_path, crs):
    frame = ImageFrame("EPSG:32632", tuple(TURNED), 100, 80)
    corners = frame.pixel_to_crs(np.array([[10, 10], [30, 10], [30, 30], [10, 30]]), crs)
    box = [*corners.min(axis=0), *corners.max(axis=0)]
    records = [{"coordinates": "map", "crs": crs}, {"query_id": "v1", "hbb": [box]}]
    predicted = next(f for f in shown(scored(tmp_path, records)) if f.outcome == "matched")
    assert predicted.iou > 0.9
    ring = predicted.polygons[0][0]
    xs, ys = frame.pixel_to_crs(ring, crs).T
    wanted_x, wanted_y = [box[k] for k in (0, 2, 2, 0, 0)], [box[k] for k in (1, 1, 3, 3, 1)]
    unit = 1e-6 if crs != "EPSG:4326" else 1e-11
    np.testing.assert_allclose(xs, wanted_x, rtol=0, atol=unit)
    np.testing.assert_allclose(ys, wanted_y, rtol=0, atol=unit)


def test_lonlat_leads_back_to_the_pixels_within_a_millionth(tmp_path):
    scores = scored(tmp_path, [{"query_id": "v1", "mask": making.FULL, "obb": []}])
    frame = scores.benchmark.images[0].frame()
    for feature in shown(scores):
        for rings, carried in zip(feature.polygons, feature.in_lonlat(frame), strict=True):
            for ring, lonlat in zip(rings, carried, strict=True):
                np.testing.assert_allclose(frame.lonlat_to_pixel(lonlat), ring, rtol=0, atol=1e-6)


def test_areas_without_instances_are_asked_no_boxes(tmp_path):
    header = {"modalities": ["obb"]}
    found = shown(scored(tmp_path, [header, {"query_id": "v2", "obb": [[0, 0, 9, 0, 9, 9, 0, 9]]}]))
    assert {f.query_id for f in found} == {"v1"}


class TestTheFile:
    def test_it_has_the_layers_of_the_run_and_the_fields_of_the_format(self, benchmark, tmp_path):
        run = making.write_run(
            tmp_path, {"query_id": "v1", "mask": making.FULL, "hbb": TANKS, "scores": [1, 0.5]}
        )
        counts = overlay_files(benchmark, run, 0.5, tmp_path / "out.gpkg")
        assert counts.features["hbb"] == {"matched": 2}
        assert layers_of(tmp_path / "out.gpkg") == {"mask", "hbb"}
        for layer in ("mask", "hbb"):
            with fiona.open(tmp_path / "out.gpkg", layer=layer) as source:
                assert source.crs.to_epsg() == 4326
                assert list(source.schema["properties"]) == [
                    "query_id", "category", "outcome", "iou", "score",
                ]  # fmt: skip
                rows = list(source)
        assert [row.properties["score"] for row in rows] == [1.0, 0.5]
        assert {row.properties["category"] for row in rows} == {"tank"}

    def test_its_geometry_is_the_overlays(self, benchmark, tmp_path):
        run = making.write_run(tmp_path, {"query_id": "v1", "mask": making.FULL, "hbb": TANKS})
        overlay_files(benchmark, run, 0.5, tmp_path / "out.gpkg")
        from ovearth_core.benchmark import read_benchmark

        scores = evaluate(read_benchmark(benchmark), read_predictions(run))
        frame = scores.benchmark.images[0].frame()
        wanted = [f.in_lonlat(frame) for f in shown(scores) if f.modality == "mask"]
        with fiona.open(tmp_path / "out.gpkg", layer="mask") as source:
            for row, polygons in zip(source, wanted, strict=True):
                found = [[np.array(ring) for ring in rings] for rings in row.geometry.coordinates]
                for rings, expected in zip(found, polygons, strict=True):
                    for ring, other in zip(rings, expected, strict=True):
                        assert np.array_equal(ring, other)
                assert shape(row.geometry).is_valid

    def test_it_carries_a_style_by_outcome_and_a_spatial_index(self, benchmark, tmp_path):
        run = making.write_run(tmp_path, {"query_id": "v1", "hbb": TANKS})
        overlay_files(benchmark, run, 0.5, tmp_path / "out.gpkg")
        with sqlite3.connect(tmp_path / "out.gpkg") as database:
            ((qml, default),) = database.execute("SELECT styleQML, useAsDefault FROM layer_styles")
            (indexed,) = database.execute("SELECT count(*) FROM rtree_hbb_geom").fetchone()
        assert 'attr="outcome"' in qml
        assert default
        assert indexed == 2

    def test_images_that_lie_nowhere_are_left_out_and_counted(self, tmp_path):
        two = making.benchmark(images=[PLACED, making.image(2)])
        two["targets"].append({"id": 3, "image_id": 2, "category_id": 1})
        two["annotations"].append(making.annotation(4, 3, making.square(1, 1, 5), image_id=2))
        two["queries"].append(making.query("v3", 3))
        path = making.write_benchmark(tmp_path, two)
        run = making.write_run(tmp_path, {"query_id": "v3", "hbb": [[1, 1, 6, 6]]})
        counts = overlay_files(path, run, 0.5, tmp_path / "out.gpkg")
        assert counts.images_left_out == 1
        assert "1 image(s) without a place left out" in str(counts)

    def test_bad_use_is_refused_and_nothing_is_written(self, benchmark, tmp_path):
        run = making.write_run(tmp_path, {"query_id": "v1", "hbb": TANKS})
        before = benchmark.read_bytes()
        for threshold in (0.0, 1.1, float("nan")):
            with pytest.raises(UsageError, match="threshold"):
                overlay_files(benchmark, run, threshold, tmp_path / "out.gpkg")
        for name in (benchmark, tmp_path / "out.shp"):
            with pytest.raises(UsageError, match="an overlay is a GeoPackage"):
                overlay_files(benchmark, run, 0.5, name)
        with pytest.raises(OutputError):
            overlay_files(benchmark, run, 0.5, tmp_path)
        other = making.write_run(
            tmp_path, {"query_id": "unknown", "hbb": TANKS}, name="other.jsonl"
        )
        with pytest.raises(InputError, match="unknown query id"):
            overlay_files(benchmark, other, 0.5, tmp_path / "out.gpkg")
        assert benchmark.read_bytes() == before
        assert not (tmp_path / "out.gpkg").exists()

    def test_the_command_writes_it_and_says_what_is_in_it(self, benchmark, tmp_path):
        run = making.write_run(tmp_path, {"query_id": "v1", "hbb": TANKS})
        out = tmp_path / "out.gpkg"
        done = subprocess.run(
            [sys.executable, "-m", "ovearth_core.cli", "overlay", benchmark, run,
             "--threshold", "0.75", "--out", out],
            check=False, capture_output=True, text=True, timeout=120,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert "hbb: 2 matched" in done.stdout
        assert layers_of(out) == {"hbb"}


class TestAnswersOneByOne:
    def test_a_file_is_read_where_the_answer_stands(self, tmp_path):
        path = making.write_run(
            tmp_path, {"modalities": ["hbb"]}, "", {"query_id": "é", "hbb": TANKS},
            {"query_id": "v2", "hbb": []},
        )  # fmt: skip
        shelf = AnswerShelf(read_predictions(path))
        assert len(shelf) == 2
        assert shelf.get("é").hbb.tolist() == TANKS
        assert shelf.get("v2").hbb.tolist() == []
        assert shelf.get("other") is None

    def test_a_file_that_changed_in_the_meantime_is_said(self, tmp_path):
        path = making.write_run(tmp_path, {"query_id": "v1"}, {"query_id": "v2"})
        shelf = AnswerShelf(read_predictions(path))
        path.write_text(json.dumps({"query_id": "longer"}) + "\n" + json.dumps({"query_id": "x"}))
        with pytest.raises(InputError, match="has changed"):
            shelf.get("v2")
        path.unlink()
        with pytest.raises(InputError, match="can't be read"):
            shelf.get("v1")

    def test_packed_runs_are_kept(self, sample):
        packed = next(path for path in sample.runs if path.suffix == ".gz")
        run = read_predictions(packed)
        shelf = AnswerShelf(run)
        for record in run:
            assert shelf.get(record.query_id).line == record.line


def test_truth_put_over_itself_is_all_matched(sample):
    from ovearth_core.benchmark import read_benchmark
    from ovearth_core.predictions import predictions_from

    benchmark = read_benchmark(sample.benchmark)
    truth = Truth(benchmark)
    records = [
        {"query_id": query.id, "mask": truth.mask(query.target_id).to_rle(),
         "obb": truth.obb(query.target_id).reshape(-1, 8).tolist()}
        for query in benchmark.queries if query.is_positive
    ]  # fmt: skip
    found = shown(evaluate(benchmark, predictions_from(records)), 1.0)
    assert {feature.outcome for feature in found} == {"matched"}
    assert {feature.iou for feature in found if feature.modality == "mask"} == {1.0}
