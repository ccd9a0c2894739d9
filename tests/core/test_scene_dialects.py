"""Outputs without query ids, by image and class: COCO, DOTA, Ultralytics, LabelMe and CSV."""

import csv
import json

import numpy as np
import pytest
from pycocotools.coco import COCO

from ovearth_core.errors import InputError
from ovearth_core.geometry import Runs
from ovearth_core.predictions.dialects import DialectOptions, open_dialect
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from . import making
from .shared import DATA, needs_shared

SIDE = scene.SIDE
QUADS = [scene.corners(box) for box in scene.BOXES]


def write_coco(folder):
    results = [
        {
            "image_id": 1,
            "category_id": 1,
            "bbox": [x0, y0, x1 - x0, y1 - y0],
            "segmentation": scene.rle(np.array([x0, y0, x1, y1])),
            "score": 0.5,
            "area": 7,
        }
        for x0, y0, x1, y1 in scene.BOXES.tolist()
    ]
    (folder / "results.json").write_text(json.dumps(results, indent=1))
    return folder / "results.json", {}


def write_coco_polygons(folder):
    results = [
        {"image_id": 1, "category_id": 1, "segmentation": [quad], "score": 0.5} for quad in QUADS
    ]
    (folder / "results.json").write_text(json.dumps({"info": {}, "annotations": results}))
    return folder / "results.json", {}


def write_dota(folder, task="Task1"):
    out = folder / "dota"
    out.mkdir()
    rows = QUADS if task == "Task1" else scene.BOXES.tolist()
    lines = [" ".join(map(str, ["1", 0.5, *row])) for row in rows]
    (out / f"{task}_storage-tank.txt").write_text("\n".join(lines) + "\n")
    (out / f"{task}_greenhouse.txt").write_text("")
    return out, {}


def write_dota_upright(folder):
    return write_dota(folder, "Task2")


def write_ultralytics(folder, shape="detect"):
    out = folder / "runs" / "labels"
    out.mkdir(parents=True)
    (folder / "runs" / "classes.txt").write_text("greenhouse\nStorageTank\n")
    centres = (scene.BOXES[:, :2] + scene.BOXES[:, 2:]) / 2
    upright = np.hstack([centres, scene.BOXES[:, 2:] - scene.BOXES[:, :2]])
    # An outline with a vertex in the middle of its first side.
    outlines = [[*quad[:2], (quad[0] + quad[2]) / 2, *quad[1:]] for quad in QUADS]
    rows = {"detect": upright, "obb": np.array(QUADS), "segment": np.array(outlines)}[shape]
    lines = [" ".join(map(str, [1, *(row / SIDE).tolist(), 0.5])) for row in rows]
    (out / "1.txt").write_text("\n".join(lines) + "\n")
    return folder / "runs", {}


def write_ultralytics_obb(folder):
    return write_ultralytics(folder, "obb")


def write_ultralytics_segment(folder):
    return write_ultralytics(folder, "segment")


def write_labelme(folder):
    shapes = [
        {
            "label": "storage tank",
            "shape_type": "polygon",
            "points": np.reshape(quad, (4, 2)).tolist(),
            "score": 0.5,
            "flags": {},
        }
        for quad in QUADS
    ]
    document = {"imagePath": "1.tif", "imageWidth": SIDE, "imageHeight": SIDE, "shapes": shapes}
    (folder / "labelme.json").write_text(json.dumps(document))
    return folder / "labelme.json", {}


def write_csv(folder, header, rows):
    with (folder / "out.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return folder / "out.csv", {}


def write_csv_boxes(folder):
    header = ["image_path", "xmin", "ymin", "xmax", "ymax", "score", "label", "height_m"]
    rows = [["1.tif", *box, 0.5, "oil tank", 12] for box in scene.BOXES.tolist()]
    return write_csv(folder, header, rows)


def write_csv_of_queries(folder):
    header = ["query_id", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4", "confidence"]
    return write_csv(folder, header, [["v1", *quad, 0.5] for quad in QUADS])


def write_csv_wkt(folder):
    rings = [np.reshape([*quad, *quad[:2]], (5, 2)) for quad in QUADS]
    rows = [
        ["v1", f"POLYGON(({','.join(f'{x} {y}' for x, y in ring)}))", 0.5, "brick"]
        for ring in rings
    ]
    return write_csv(folder, ["query_id", "wkt", "score", "made_of"], [*rows, ["n1", "", "", ""]])


WRITERS = {
    "coco": (write_coco, {"mask", "hbb"}),
    "coco polygons": (write_coco_polygons, {"mask", "hbb"}),
    "dota": (write_dota, {"hbb", "obb"}),
    "dota upright": (write_dota_upright, {"hbb"}),
    "ultralytics": (write_ultralytics, {"hbb"}),
    "ultralytics obb": (write_ultralytics_obb, {"hbb", "obb"}),
    "ultralytics segment": (write_ultralytics_segment, {"mask", "hbb"}),
    "labelme": (write_labelme, {"mask", "hbb"}),
    "csv": (write_csv_boxes, {"hbb"}),
    "csv of queries": (write_csv_of_queries, {"hbb", "obb"}),
    "csv wkt": (write_csv_wkt, {"mask", "hbb", "obb"}),
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_scene_scores_as_the_truth_does(tmp_path, name):
    write, modalities = WRITERS[name]
    source, options = write(tmp_path)
    run = open_dialect(
        source, name.split()[0], scene.benchmark(tmp_path), DialectOptions(**options)
    )
    scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
    assert set(scores["modalities"]) == modalities
    for modality in modalities - {"mask"}:
        assert scores[modality]["vocabulary"]["mi_f1_50_95"] == 1.0
        assert scores["presence"][modality]["mcc"] == 1.0
    if "mask" in modalities:
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
    found = {answer.query_id: answer for answer in run.answers()}
    assert list(found["v1"].scores) == [0.5, 0.5]
    assert run.told == {"left_out": {}, "warnings": {}}


def test_what_outputs_say_besides_is_kept(tmp_path):
    source, _ = write_csv_boxes(tmp_path)
    (found,) = open_dialect(source, "csv", scene.benchmark(tmp_path)).answers()
    assert found.attributes == {"objects": [{"height_m": "12"}, {"height_m": "12"}]}
    assert found.labels == ["oil tank", "oil tank"]


@pytest.mark.parametrize("name", ["coco", "csv", "dota", "labelme", "ultralytics"])
def test_a_source_with_nothing_in_it_says_that_nothing_is_there(tmp_path, name):
    source, _ = WRITERS[name][0](tmp_path)
    if name == "coco":
        source.write_text("[]")
    elif name == "csv":
        source.write_text(source.read_text().splitlines()[0] + "\n")
    elif name == "labelme":
        source.write_text(json.dumps({**json.loads(source.read_text()), "shapes": []}))
    else:
        for path in source.rglob("*.txt"):
            if path.name != "classes.txt":
                path.write_text("")
    run = open_dialect(source, name, scene.benchmark(tmp_path))
    scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
    assert scores["hbb"]["vocabulary"]["fn_50"] == 2
    assert scores["presence"]["hbb"] == {"tp": 0, "fp": 0, "tn": 1, "fn": 1, "mcc": None}


class TestWhichQueries:
    """A positive vocabulary query is answered by its category, others by what their text names."""

    def document(self):
        document = scene.document()
        document["categories"][0]["synonyms"] = ["oil tank"]
        texts = {"n2": "greenhouses", "n3": "a warehouse", "n4": "OilTank"}
        document["queries"] = [
            {**making.query("v1", 1), "text": "round white things"},
            *({**making.query(k, 1, polarity="negative"), "text": t} for k, t in texts.items()),
            {**making.query("f1", 1, "referring"), "text": "the tank by the road"},
            {**making.query("s1", 1, "reasoning"), "text": "where fuel is kept"},
        ]
        return document

    def answered(self, tmp_path, rows, **options):
        header = ["image", "xmin", "ymin", "xmax", "ymax", "label"]
        source, _ = write_csv(tmp_path, header, [["1", 1, 2, 3, 4, label] for label in rows])
        benchmark = making.read(tmp_path, self.document())
        run = open_dialect(source, "csv", benchmark, DialectOptions(**options))
        return [found.query_id for found in run.answers()], run

    @pytest.mark.parametrize(
        ("label", "queries"),
        [
            ("storage tank", ["v1", "n4"]),
            ("oil_tanks", ["v1", "n4"]),
            ("1", ["v1", "n4"]),
            ("greenhouse", ["n2"]),
            ("A Warehouse", ["n3"]),
            ("the tank by the road", ["f1"]),
            ("where fuel is kept", ["s1"]),
        ],
    )
    def test_they_are_found_by_category_synonym_id_and_phrase(self, tmp_path, label, queries):
        assert self.answered(tmp_path, [label])[0] == queries

    def test_an_unknown_class_is_refused_with_the_nearest(self, tmp_path):
        with pytest.raises(InputError, match=r"'bridge' is no category.*line 2.*--mapping"):
            self.answered(tmp_path, ["bridge"])
        queries, run = self.answered(tmp_path, ["bridge", "greenhouse"], lenient=True)
        assert queries == ["n2"]
        assert run.told["left_out"] == {"outputs of classes that are no category and no phrase": 1}

    def test_a_mapping_file_says_what_classes_are(self, tmp_path):
        mapping = tmp_path / "classes.json"
        mapping.write_text('{"3": "storage tank", "4": ["greenhouse", 1], "5": null}')
        queries, run = self.answered(tmp_path, ["3", "5"], mapping=mapping)
        assert queries == ["v1", "n4"]
        assert run.told["left_out"] == {"outputs of classes that the mapping file leaves out": 1}
        assert self.answered(tmp_path, ["4"], mapping=mapping)[0] == ["v1", "n2", "n4"]
        mapping.write_text('{"3": "storage tnak"}')
        with pytest.raises(InputError, match=r"'storage tnak' is no category.*classes.json"):
            self.answered(tmp_path, ["3"], mapping=mapping)


PUBLISHED = DATA / "predictions"
SEGMENTED = PUBLISHED / "instances_val2014_fakesegm100_results.json"


def own_size(result):
    return result["segmentation"]["size"]


@needs_shared
class TestPublishedResults:
    """The COCO results of others, over benchmarks made for them."""

    def benchmark(self, tmp_path, results, size_of):
        images = {result["image_id"]: size_of(result) for result in results}
        categories = sorted({result["category_id"] for result in results})
        annotations = [
            {
                "id": number,
                "image_id": result["image_id"],
                "category_id": result["category_id"],
                "segmentation": result["segmentation"],
                "area": 1,
                "iscrowd": 0,
            }
            for number, result in enumerate(results, 1)
        ]
        document = {
            "images": [
                {"id": k, "file_name": f"{k}.jpg", "width": w, "height": h}
                for k, (h, w) in images.items()
            ],
            "categories": [{"id": k, "name": f"class {k}"} for k in categories],
            "annotations": annotations,
        }
        return making.read(tmp_path, document), document

    def test_results_over_their_own_truth_score_one(self, tmp_path):
        results = json.loads(SEGMENTED.read_text())
        benchmark, _ = self.benchmark(tmp_path, results, own_size)
        run = open_dialect(SEGMENTED, "coco", benchmark)
        scores = evaluate(benchmark, run).to_dict()
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["hbb"]["vocabulary"]["mi_f1_50"] == 1.0

    def test_boxes_around_masks_are_pycocotools(self, tmp_path):
        results = json.loads(SEGMENTED.read_text())
        benchmark, document = self.benchmark(tmp_path, results, own_size)
        judge = COCO()
        judge.dataset = document
        judge.createIndex()
        loaded = judge.loadRes(str(SEGMENTED))
        ours = {}
        for answer in open_dialect(SEGMENTED, "coco", benchmark).answers():
            ours.setdefault(answer.query_id, []).extend(answer.hbb.tolist())
        theirs = {}
        for found in loaded.dataset["annotations"]:
            x, y, w, h = found["bbox"]
            key = f"{found['image_id']}:{found['category_id']}"
            theirs.setdefault(key, []).append([x, y, x + w, y + h])
        assert ours == theirs

    def test_masks_of_another_size_are_refused_by_name_unless_resized(self, tmp_path):
        path = PUBLISHED / "PicoSAM2_Distilled_pred.json"
        results = json.loads(path.read_text())
        truths = [
            {**found, "segmentation": [[10, 10, 90, 10, 90, 90, 10, 90]]} for found in results
        ]
        benchmark, _ = self.benchmark(tmp_path, truths, lambda found: (480, 640))
        with pytest.raises(InputError, match=r"size \[96, 96\].*\[480, 640\].*--resize nearest"):
            list(open_dialect(path, "coco", benchmark))
        run = open_dialect(path, "coco", benchmark, DialectOptions(resize="nearest"))
        answers = list(run.answers())
        assert sum(len(answer.scores) for answer in answers) == len(
            [found for found in results if Runs.from_rle(found["segmentation"]).area]
        )
        assert run.told["warnings"] == {
            "masks of another size than their image, brought to it by nearest": len(results)
        }
        lenient = open_dialect(path, "coco", benchmark, DialectOptions(lenient=True))
        assert not any(len(answer.scores) for answer in lenient.answers())
        assert lenient.told["left_out"] == {"results that are malformed": len(results)}

    def test_a_detectors_csv_is_read_as_it_is(self, tmp_path):
        name = "2018_SJER_3_252000_4107000_image_477"
        path = PUBLISHED / f"{name}_detections.csv"
        image = making.image(1, 300, 300) | {"file_name": f"{name}.tif"}
        document = making.benchmark(
            images=[image],
            categories=[{"id": 3, "name": "tree"}],
            targets=[{"id": 1, "image_id": 1, "category_id": 3}],
            annotations=[making.annotation(1, 1, making.square(10, 10, 20), category_id=3)],
            queries=[making.query("v1", 1)],
        )
        (tmp_path / "mapping.csv").write_text("class,category\n0,tree\n")
        benchmark = making.read(tmp_path, document)
        options = DialectOptions(mapping=tmp_path / "mapping.csv")
        (found,) = open_dialect(path, "csv", benchmark, options).answers()
        rows = list(csv.DictReader(path.open()))
        assert list(found.scores) == [float(row["scores"]) for row in rows]
        assert found.hbb[:, 0].tolist() == [float(row["xmin"]) for row in rows]


class TestMalformed:
    @pytest.mark.parametrize(
        ("name", "content", "why"),
        [
            ("coco", '[{"image_id": 1, "category_id": 1, "bbox": [1, 2', "cut off"),
            ("coco", "{}", "no 'annotations'"),
            ("coco", '"text"', "neither a JSON list"),
            ("coco", '[{"image_id": 9, "category_id": 1, "bbox": [1, 2, 3, 4]}]', "image 9"),
            ("coco", '[{"image_id": 1, "category_id": 9, "bbox": [1, 2, 3, 4]}]', "class '9'"),
            ("coco", '[{"image_id": 1, "category_id": 1}]', "neither 'bbox'"),
            ("coco", '[{"image_id": 1, "category_id": 1, "bbox": [1, 2, -3, 4]}]', "negative"),
            ("coco", "[5]", "expected a JSON object"),
            ("dota", "1 0.5 1 2 3", "3 numbers of a box"),
            ("dota", "1 0.5 1 2 3 four", "'four' is not a finite number"),
            ("dota", "9 0.5 1 2 3 4", "no image '9'"),
            ("dota", "1 0.5 5 2 3 4", "reversed"),
            ("csv", "image,xmin,ymin,xmax,ymax,label\n1,1,2,3,x,storage tank\n", "'x' is not"),
            ("csv", "image,label\n1,storage tank\n", "no column that says what is there"),
            ("csv", "xmin,ymin,xmax,ymax\n1,2,3,4\n", "which query it is for"),
            ("csv", "query_id,wkt\nv1,POLYGON((1\n", "no WKT"),
            ("csv", 'query_id,wkt\nv1,"POINT(1 2)"\n', "Point has no area"),
        ],
    )
    def test_what_is_malformed_is_refused_with_its_line(self, tmp_path, name, content, why):
        endings = {"coco": "out.json", "dota": "Task2_storage-tank.txt", "csv": "out.csv"}
        source = tmp_path / endings[name]
        source.write_text(content)
        with pytest.raises(InputError) as fault:
            list(open_dialect(source, name, scene.benchmark(tmp_path)).answers())
        assert why in str(fault.value)
        assert str(source) in str(fault.value)
        assert "\n" not in str(fault.value)

    def test_a_malformed_line_is_left_out_where_lenient(self, tmp_path):
        source = tmp_path / "Task2_storage-tank.txt"
        source.write_text("1 0.5 1 2 3 4\n1 0.5 1 2 3\n9 0.5 1 2 3 4\n1 0.5 2 2 3 4\n")
        run = open_dialect(source, "dota", scene.benchmark(tmp_path), DialectOptions(lenient=True))
        (found,) = run.answers()
        assert found.hbb.tolist() == [[1, 2, 3, 4], [2, 2, 3, 4]]
        assert run.told["left_out"] == {
            "lines that are malformed": 1,
            "outputs about images that the benchmark doesn't have": 1,
        }

    def test_four_positions_are_corners_unless_they_are_said_to_be_outlines(self, tmp_path):
        source, _ = write_ultralytics_obb(tmp_path)
        benchmark = scene.benchmark(tmp_path)
        run = open_dialect(source, "ultralytics", benchmark, DialectOptions(modality="mask"))
        scores = evaluate(benchmark, run).to_dict()
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert "obb" not in scores
