"""Real detections, labels and COCO polygons, scored as anyone would score theirs."""

import csv
import json

import numpy as np
import pytest
import rasterio

from ovearth_core.benchmark import Truth, read_benchmark
from ovearth_core.cli.main import main

from . import making
from .shared import DATA, KNOWN_VALUES, needs_shared

pytestmark = needs_shared

NAME = "2018_SJER_3_252000_4107000_image_477"


def boxes_of(path):
    """Boxes by column name: the columns of the two files stand in different orders."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    corners = [[float(row[key]) for key in ("xmin", "ymin", "xmax", "ymax")] for row in rows]
    return corners, [float(row["scores"]) for row in rows if "scores" in row]


def trees(as_polygons):
    """The benchmark of the seven labelled trees, as polygons or as bare boxes."""
    truths, _ = boxes_of(DATA / "labels" / f"{NAME}_truth.csv")
    with rasterio.open(DATA / "images" / f"{NAME}.tif") as source:
        place = {"crs": source.crs.to_string(), "transform": list(source.transform)[:6]}
        size = source.width, source.height
    annotations = []
    for number, (x0, y0, x1, y1) in enumerate(truths):
        shape = [[x0, y0, x1, y0, x1, y1, x0, y1]] if as_polygons else None
        bbox = None if as_polygons else [x0, y0, x1 - x0, y1 - y0]
        annotations.append(making.annotation(number, 0, shape, bbox=bbox))
    return {
        "categories": [{"id": 1, "name": "tree"}],
        "images": [making.image(1, *size, **place)],
        "targets": [{"id": 0, "image_id": 1, "category_id": 1}],
        "annotations": annotations,
        "queries": [making.query("trees", 0)],
    }


def detections_on_map(benchmark):
    """The detections in longitude and latitude: each box the envelope there of its corners."""
    boxes, scores = boxes_of(DATA / "predictions" / f"{NAME}_detections.csv")
    frame = benchmark.images[0].frame()
    lonlat = []
    for x0, y0, x1, y1 in boxes:
        corners = frame.pixel_to_lonlat(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        lonlat.append([*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()])
    return lonlat, scores


@pytest.mark.parametrize("as_polygons", [True, False])
@pytest.mark.parametrize("in_map", [False, True])
def test_a_real_detector_has_5_of_7_trees_in_pixels_and_on_the_map(tmp_path, as_polygons, in_map):
    path = making.write_benchmark(tmp_path, trees(as_polygons))
    boxes, scores = boxes_of(DATA / "predictions" / f"{NAME}_detections.csv")
    header = {"model": "detector"}
    if in_map:
        boxes, scores = detections_on_map(read_benchmark(path))
        header |= {"coordinates": "map", "crs": "EPSG:4326"}
    run = making.write_run(tmp_path, header, {"query_id": "trees", "hbb": boxes, "scores": scores})
    out, per_query = tmp_path / "scores.json", tmp_path / "per-query"
    assert main(["score", *map(str, [path, run, "--json", out, "--per-query", per_query])]) == 0
    known = json.loads(KNOWN_VALUES.read_text())["real_detections"][0]
    found = json.loads(out.read_text())["runs"][0]["hbb"]["vocabulary"]
    assert (found["tp_50"], found["fp_50"], found["fn_50"]) == (5, 2, 2)
    assert found["mi_f1_50"] == pytest.approx(known["mi_f1_50"], abs=known["tolerance"])
    assert found["mi_f1_50_95"] == pytest.approx(known["mi_f1_50_95"], abs=known["tolerance"])
    header, line = map(json.loads, (per_query / "detector.jsonl").read_text().splitlines())
    assert header["format"] == "ovearth-perquery/1"
    assert line["hbb"]["tp"] == known["true_positives"]


def test_boxes_of_the_six_coco_polygons_contain_them_and_are_minimal(tmp_path):
    path = DATA / "labels" / "coco_sample_file.json"
    benchmark = read_benchmark(path)
    truth = Truth(benchmark)
    assert len(benchmark.instances) == 6
    for instance in benchmark.instances:
        image = benchmark.image_by_id[instance.image_id]
        points = np.concatenate(instance.segmentation)
        hbb = truth.instance_hbb(instance, image)
        assert hbb.tolist() == [*points.min(axis=0), *points.max(axis=0)]
        obb = truth.instance_obb(instance, image)
        assert _farthest_outside(obb, points) < 1e-6
        assert _area(obb) <= _least_area_by_turning(points) * (1 + 1e-6)


def test_ids_of_zero_and_plain_coco_score(tmp_path):
    path = DATA / "labels" / "coco_sample_file.json"
    benchmark = read_benchmark(path)
    run = making.write_run(tmp_path, *({"query_id": q.id, "mask": None} for q in benchmark.queries))
    assert main(["score", str(path), str(run)]) == 0


def _area(corners):
    return float(np.linalg.norm(corners[1] - corners[0]) * np.linalg.norm(corners[2] - corners[1]))


def _farthest_outside(corners, points):
    """How far the farthest point lies outside of any side, positive area on the inside."""
    farthest = 0.0
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        inward = np.array([-along[1], along[0]])
        farthest = max(farthest, float(-((points - start) @ inward).min()))
    return farthest


def _least_area_by_turning(points):
    """The smallest enclosing rectangle over a fine scan of angles."""
    angles = np.linspace(0, np.pi / 2, 20001)
    local = points - points[0]
    along = np.outer(np.cos(angles), local[:, 0]) + np.outer(np.sin(angles), local[:, 1])
    across = np.outer(np.cos(angles), local[:, 1]) - np.outer(np.sin(angles), local[:, 0])
    return float((np.ptp(along, axis=1) * np.ptp(across, axis=1)).min())
