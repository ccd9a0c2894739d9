"""The rules of scoring, one by one: what a run attempts, empty answers, boxes, truth, errors."""

import math

import numpy as np
import pytest
from pycocotools import mask as coco_mask

from ovearth_core.benchmark import Truth
from ovearth_core.errors import InputError, UsageError
from ovearth_core.predictions import predictions_from
from ovearth_core.scoring import evaluate

from . import making
from .making import read, score


class TestWhatARunAttempts:
    def test_what_occurs_in_a_record_is_attempted_a_null_too(self, tmp_path):
        scores = score(tmp_path, making.benchmark(), [{"query_id": "v1", "mask": None}]).to_dict()
        assert scores["modalities"] == ["mask"]
        assert scores["tasks"] == ["vocabulary"]
        assert set(scores["segmentation"]) == {"vocabulary"}
        assert "hbb" not in scores
        assert "obb" not in scores
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 0

    def test_a_header_declares_what_never_occurs(self, tmp_path):
        header = {"modalities": ["mask", "obb"], "tasks": ["referring"]}
        scores = score(tmp_path, making.benchmark(), [header]).to_dict()
        assert scores["modalities"] == ["mask", "obb"]
        assert set(scores["segmentation"]) == set(scores["obb"]) == {"referring"}
        assert scores["obb"]["referring"]["fn_50"] == 2
        assert "presence" not in scores

    def test_options_narrow_a_header(self, tmp_path):
        header = {"modalities": ["mask", "obb"], "tasks": ["vocabulary", "referring"]}
        scores = score(
            tmp_path, making.benchmark(), [header], modalities=["obb"], tasks=["referring"]
        ).to_dict()
        assert (scores["modalities"], scores["tasks"]) == (["obb"], ["referring"])

    def test_options_declare_where_there_is_no_header(self, tmp_path):
        scores = score(
            tmp_path, making.benchmark(), [{"query_id": "v1", "mask": None}], modalities=["hbb"]
        ).to_dict()
        assert scores["modalities"] == ["hbb"]

    def test_nothing_left_is_an_error(self, tmp_path):
        with pytest.raises(UsageError, match="no modality left"):
            score(tmp_path, making.benchmark(), [{"modalities": ["mask"]}], modalities=["obb"])
        with pytest.raises(UsageError, match="no task left"):
            score(tmp_path, making.benchmark(), [{"tasks": ["referring"]}], tasks=["reasoning"])

    def test_a_run_in_which_nothing_occurs_is_an_error(self, tmp_path):
        with pytest.raises(InputError, match="no record has a mask, hbb or obb"):
            score(tmp_path, making.benchmark(), [{"query_id": "v1"}])

    def test_answers_to_other_tasks_are_left_out_and_counted(self, tmp_path):
        records = [{"tasks": ["referring"]}, {"query_id": "v1", "mask": None}]
        scores = score(tmp_path, making.benchmark(), records, modalities=["mask"]).to_dict()
        assert scores["ignored_tasks_not_attempted"] == 1

    def test_a_task_without_positive_queries_on_instanceable_targets_is_absent_from_boxes(
        self, tmp_path
    ):
        header = {"modalities": ["mask", "hbb"], "tasks": ["reasoning"]}
        scores = score(tmp_path, making.benchmark(), [header]).to_dict()
        assert set(scores["segmentation"]) == {"reasoning"}
        assert scores["hbb"] == {}


class TestEmptyAnswers:
    @pytest.mark.parametrize("empty", [None, [], {"size": [80, 100], "counts": [8000]}])
    def test_every_empty_mask_is_the_same(self, tmp_path, empty):
        records = [{"tasks": ["vocabulary"], "modalities": ["mask"]}]
        missing = score(tmp_path, making.benchmark(), records).to_dict()
        answered = score(
            tmp_path, making.benchmark(), [*records, {"query_id": "v1", "mask": empty}]
        ).to_dict()
        assert missing["segmentation"] == answered["segmentation"]
        assert missing["presence"] == answered["presence"]

    def test_it_adds_the_truth_to_the_union(self, tmp_path):
        document = making.benchmark()
        full = {"size": [80, 100], "counts": [0, 8000]}
        records = [{"query_id": "v1", "mask": full}]
        scores = score(tmp_path, document, records).to_dict()["segmentation"]["vocabulary"]
        assert scores["mi_iou"] == 800 / (8000 + 625)

    def test_a_polygon_that_covers_no_pixel_centre_is_an_empty_mask(self, tmp_path):
        tiny = {"polygons": {"type": "Polygon", "coordinates": [[[3, 3], [3.2, 3], [3, 3.2]]]}}
        scores = score(tmp_path, making.benchmark(), [{"query_id": "n1", "mask": tiny}])
        assert scores.to_dict()["presence"]["mask"]["fp"] == 0

    def test_a_box_of_zero_area_means_present_and_matches_nothing(self, tmp_path):
        records = [{"query_id": "v1", "hbb": [[10, 10, 10, 30]]}]
        scores = score(tmp_path, making.benchmark(), records).to_dict()
        assert scores["presence"]["hbb"]["tp"] == 1
        assert scores["hbb"]["vocabulary"]["tp_50"] == 0


class TestBoxes:
    def test_horizontal_boxes_come_from_oriented_ones_where_they_are_absent_or_null(self, tmp_path):
        quad = [10, 10, 30, 10, 30, 30, 10, 30]
        header = {"modalities": ["hbb"], "tasks": ["vocabulary", "referring"]}
        for record in ({"obb": [quad]}, {"obb": [quad], "hbb": None}):
            scores = score(tmp_path, making.benchmark(), [header, {"query_id": "v1", **record}])
            assert scores.to_dict()["hbb"]["vocabulary"]["tp_50"] == 1

    def test_an_empty_list_of_horizontal_boxes_is_empty(self, tmp_path):
        quad = [10, 10, 30, 10, 30, 30, 10, 30]
        records = [{"query_id": "v1", "obb": [quad], "hbb": []}]
        scores = score(tmp_path, making.benchmark(), records).to_dict()
        assert scores["hbb"]["vocabulary"]["tp_50"] == 0
        assert scores["obb"]["vocabulary"]["tp_50"] == 1

    def test_min_score_drops_boxes_below_it_and_keeps_equal_ones(self, tmp_path):
        boxes = [[10, 10, 30, 30], [50, 10, 70, 30]]
        records = [{"query_id": "v1", "hbb": boxes, "scores": [0.5, 0.49]}]
        scores = score(tmp_path, making.benchmark(), records, min_score=0.5).to_dict()
        assert (scores["hbb"]["vocabulary"]["tp_50"], scores["min_score"]) == (1, 0.5)

    def test_min_score_leaves_masks_alone(self, tmp_path):
        full = {"size": [80, 100], "counts": [0, 8000]}
        records = [{"query_id": "v1", "mask": full, "hbb": [[0, 0, 9, 9]], "scores": [0.1]}]
        scores = score(tmp_path, making.benchmark(), records, min_score=0.5).to_dict()
        assert scores["presence"]["mask"]["tp"] == 1
        assert scores["presence"]["hbb"]["tp"] == 0

    def test_min_score_needs_scores(self, tmp_path):
        records = [{"query_id": "v1", "hbb": [[0, 0, 9, 9]]}]
        with pytest.raises(InputError, match="boxes without scores"):
            score(tmp_path, making.benchmark(), records, min_score=0.5)

    def test_a_map_axis_box_on_a_rotated_image_matches_its_own_truth(self, tmp_path):
        cos, sin = 0.3 * math.cos(math.radians(5)), 0.3 * math.sin(math.radians(5))
        place = {"crs": "EPSG:32632", "transform": [cos, sin, 512000, sin, -cos, 4323000]}
        benchmark = read(tmp_path, making.benchmark(images=[making.image(1, **place)]))
        frame = benchmark.images[0].frame()
        corners = np.array([[10.0, 10], [30, 10], [30, 30], [10, 30]])
        on_map = frame.pixel_to_map(corners)
        hbb = [[*on_map.min(axis=0), *on_map.max(axis=0)]]
        records = [{"coordinates": "map"}, {"query_id": "v1", "hbb": hbb}]
        result = evaluate(benchmark, predictions_from(records))
        pairs = result.box_result("hbb", benchmark.query_index["v1"]).pairs
        assert pairs[:, 2].max() == pytest.approx(1.0, abs=1e-9)

    def test_envelopes_of_oriented_boxes_do_not_go_around_the_world(self, tmp_path):
        place = {"crs": "EPSG:4326", "transform": [1e-5, 0, 179.9996, 0, -1e-5, -17.5]}
        benchmark = read(tmp_path, making.benchmark(images=[making.image(1, **place)]))
        frame = benchmark.images[0].frame()
        corners = [[[30, 10], [70, 10], [70, 30], [30, 30]]]
        lonlat = frame.pixel_to_lonlat(np.array(corners[0], float))
        lonlat[:, 0] = (lonlat[:, 0] + 180) % 360 - 180
        header = {"coordinates": "map", "crs": "EPSG:4326", "modalities": ["hbb", "obb"]}
        record = {"query_id": "v1", "obb": [lonlat.reshape(-1).tolist()]}
        document = making.benchmark(images=[making.image(1, **place)])
        document["annotations"][0]["segmentation"] = [[30, 10, 70, 10, 70, 30, 30, 30]]
        del document["annotations"][1]
        scores = score(tmp_path, document, [header, record]).to_dict()
        assert scores["hbb"]["vocabulary"]["mi_f1_50"] == 1.0
        assert scores["obb"]["vocabulary"]["mi_f1_50"] == 1.0

    def test_the_operations_named_do_not_depend_on_the_order_of_records(self, tmp_path):
        places = ((10, 50), (24, 38))
        document = making.benchmark(
            images=[
                making.image(n, crs="EPSG:4230", transform=[1e-5, 0, lon, 0, -1e-5, lat])
                for n, (lon, lat) in enumerate(places, 1)
            ]
        )
        document["targets"][1].update(image_id=2, category_id=1)
        document["annotations"][2].update(image_id=2, category_id=1)
        records = [
            {"query_id": name, "hbb": [[lon, lat - 2e-4, lon + 2e-4, lat]]}
            for name, (lon, lat) in zip(("v1", "v2"), places, strict=True)
        ]
        header = {"coordinates": "map", "crs": "EPSG:4326"}
        frames = [
            score(tmp_path, document, [header, *order]).to_dict()["frame"]
            for order in (records, records[::-1])
        ]
        assert frames[0] == frames[1]
        assert len(frames[0]["operations"]["EPSG:4230 to EPSG:4326"]) == 2

    def test_an_image_without_a_crs_that_is_not_answered_stays_empty_in_a_map_run(self, tmp_path):
        place = {"crs": "EPSG:32632", "transform": [1, 0, 5e5, 0, -1, 5e6]}
        document = making.benchmark(images=[making.image(1, **place), making.image(2)])
        document["targets"][1].update(image_id=2, category_id=1)
        document["annotations"][2].update(image_id=2, category_id=1)
        records = [{"coordinates": "map"}, {"query_id": "v1", "hbb": [[0, 0, 1, 1]]}]
        counts = score(tmp_path, document, records).to_dict()["hbb"]["vocabulary"]
        assert (counts["fp_50"], counts["fn_50"]) == (1, 3)

    def test_a_faulty_outline_stops_only_a_run_that_needs_it(self, tmp_path):
        document = making.benchmark()
        corners = [10, 10, 30, 10, 30, 30, 10, 30]
        faulty = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
        document["annotations"] = [making.annotation(1, 1, None, obb=corners, geometry=faulty)]
        by_corners = {"query_id": "v1", "obb": [corners]}
        scores = score(tmp_path, document, [by_corners]).to_dict()
        assert scores["obb"]["vocabulary"]["mi_f1_50"] == 1.0
        assert "hbb" not in scores
        with pytest.raises(InputError, match="LineString"):
            score(tmp_path, document, [by_corners, {"query_id": "n1", "hbb": []}])


class TestTruth:
    def test_the_targets_own_segmentation_wins_over_its_instances(self, tmp_path):
        document = making.benchmark()
        document["targets"][0]["segmentation"] = {"size": [80, 100], "counts": [0, 8000]}
        assert Truth(read(tmp_path, document)).mask(1).area == 8000

    def test_geometry_wins_over_segmentation_and_may_have_holes(self, tmp_path):
        rings = [
            [[0, 0], [20, 0], [20, 20], [0, 20], [0, 0]],
            [[5, 5], [15, 5], [15, 15], [5, 15], [5, 5]],
        ]
        document = making.benchmark()
        document["annotations"][0]["geometry"] = {"type": "Polygon", "coordinates": rings}
        truth = Truth(read(tmp_path, document))
        assert truth.mask(1).area == 300 + 400
        assert truth.hbb(1)[0].tolist() == [0, 0, 20, 20]

    def test_a_given_box_wins_over_a_derived_one_in_pixels(self, tmp_path):
        document = making.benchmark()
        document["annotations"][0].update(bbox=[1, 2, 3, 4], obb=[1, 2, 4, 2, 4, 6, 1, 6])
        truth = Truth(read(tmp_path, document))
        assert truth.hbb(1)[0].tolist() == [1, 2, 4, 6]
        assert truth.obb(1)[0].tolist() == [[1, 2], [4, 2], [4, 6], [1, 6]]

    def test_boxes_of_rle_instances_enclose_the_outer_corners_of_their_pixels(self, tmp_path):
        pixels = np.zeros((80, 100), np.uint8)
        pixels[20:30, 40:45] = 1
        rle = coco_mask.encode(np.asfortranarray(pixels))
        rle["counts"] = rle["counts"].decode()
        document = making.benchmark(annotations=[making.annotation(1, 1, rle)])
        truth = Truth(read(tmp_path, document))
        assert truth.hbb(1).tolist() == [[40, 20, 45, 30]]
        assert truth.obb(1)[0].tolist() == [[40, 20], [45, 20], [45, 30], [40, 30]]

    def test_a_crowd_joins_the_mask_but_not_the_boxes_and_is_counted(self, tmp_path):
        document = making.benchmark()
        document["annotations"][1]["iscrowd"] = 1
        benchmark = read(tmp_path, document)
        truth = Truth(benchmark)
        assert truth.mask(1).area == 800
        assert len(truth.hbb(1)) == len(truth.obb(1)) == 1
        assert benchmark.counts()["crowd"] == 1

    def test_missing_masks_are_an_error_only_when_masks_are_scored(self, tmp_path):
        document = making.benchmark()
        for item in document["annotations"]:
            x, y = item["segmentation"][0][:2]
            item.update(segmentation=None, bbox=[x, y, 20, 20])
        hbb = [{"query_id": "v1", "hbb": [[10, 10, 30, 30]]}]
        assert score(tmp_path, document, hbb).to_dict()["hbb"]["vocabulary"]["tp_50"] == 1
        with pytest.raises(InputError, match=r"2 targets have an empty mask or none \(id 1, 2\)"):
            score(tmp_path, document, [{"query_id": "v1", "mask": None}])
        with pytest.raises(InputError, match=r"1 target has no obb, or one of no area \(id 1\)"):
            score(tmp_path, document, [{"query_id": "v1", "obb": []}])

    def test_missing_truth_of_a_task_that_is_not_attempted_is_no_error(self, tmp_path):
        document = making.benchmark()
        document["annotations"] = document["annotations"][:2]
        document["queries"] = [q for q in document["queries"] if q["id"] != "v2"]
        records = [{"query_id": "v1", "mask": None}]
        assert score(tmp_path, document, records).to_dict()["tasks"] == ["vocabulary"]
        with pytest.raises(InputError, match="empty mask"):
            score(tmp_path, document, records, tasks=["reasoning"], modalities=["mask"])

    def test_boxes_of_zero_area_are_an_error_when_boxes_are_scored(self, tmp_path):
        document = making.benchmark()
        document["annotations"][0]["bbox"] = [10, 10, 0, 5]
        with pytest.raises(InputError, match="no area"):
            score(tmp_path, document, [{"query_id": "v1", "hbb": []}])
        assert score(tmp_path, document, [{"query_id": "v1", "mask": None}]).to_dict()["records"]


class TestErrorKinds:
    def kinds(self, tmp_path, **answer):
        query_id = answer.pop("query_id", "v1")
        run = [{"tasks": ["vocabulary"]}, {"query_id": query_id, **answer}]
        scores = score(tmp_path, making.benchmark(), run)
        lines = {line["query_id"]: line["error"] for line in scores.per_query()}
        return lines[query_id]

    def test_an_answer_to_a_negative_query_is_hallucinated(self, tmp_path):
        found = self.kinds(tmp_path, query_id="n1", hbb=[[0, 0, 1, 1]])
        assert found == {"hbb": "hallucinated"}
        assert self.kinds(tmp_path, query_id="n1", hbb=[]) == {"hbb": "good"}

    def test_none_or_none_that_touches_is_missed(self, tmp_path):
        assert self.kinds(tmp_path, hbb=[]) == {"hbb": "missed"}
        assert self.kinds(tmp_path, hbb=[[80, 60, 90, 70]]) == {"hbb": "missed"}

    def test_some_overlap_below_the_threshold_is_badly_placed(self, tmp_path):
        two = [[10, 10, 30, 30], [50, 10, 70, 30]]
        assert self.kinds(tmp_path, hbb=two[:1]) == {"hbb": "badly placed"}
        assert self.kinds(tmp_path, hbb=[*two, [0, 0, 5, 5]]) == {"hbb": "badly placed"}
        assert self.kinds(tmp_path, hbb=two) == {"hbb": "good"}
        small = {"polygons": {"type": "Polygon", "coordinates": [[[10, 10], [20, 10], [20, 20]]]}}
        assert self.kinds(tmp_path, mask=small) == {"mask": "badly placed"}

    def test_boxes_are_not_asked_of_targets_without_instances(self, tmp_path):
        assert self.kinds(tmp_path, query_id="v2", hbb=[[10, 50, 35, 75]]) == {}


def test_per_query_lines_hold_every_pair_that_overlaps(tmp_path):
    boxes = [[12, 10, 32, 30], [50, 10, 70, 30], [90, 70, 95, 75]]
    scores = score(tmp_path, making.benchmark(), [{"query_id": "v1", "hbb": boxes}])
    line = next(line for line in scores.per_query() if line["query_id"] == "v1")
    assert line["hbb"]["truths"] == 2
    assert line["hbb"]["predictions"] == 3
    assert line["hbb"]["pairs"] == [[0, 0, pytest.approx(360 / 440)], [1, 1, 1.0]]
    assert line["hbb"]["tp"] == [2] * 7 + [1] * 3


def test_mcc_of_counts_beyond_64_bits_is_exact():
    from ovearth_core.scoring.presence import mcc

    assert mcc(10**9, 0, 10**9, 0) == 1.0
    assert mcc(0, 70_000, 0, 70_000) == -1.0
    assert mcc(90, 30, 170, 10) == pytest.approx(0.7216878364870322, abs=1e-12)
    assert mcc(1067, 2168, 0, 0) is None
