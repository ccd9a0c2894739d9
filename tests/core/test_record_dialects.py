"""Answers of numbers and masks: boxes, angles, RLE, arrays and pictures, one record a query."""

import math
import zipfile

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Picture
from pycocotools import mask as coco_mask

from ovearth_core.errors import InputError, UsageError
from ovearth_core.geometry import Runs, quad_iou
from ovearth_core.predictions.dialects import DialectOptions, open_dialect
from ovearth_core.predictions.dialects.oriented_boxes import corners_of
from ovearth_core.predictions.dialects.resampling import nearest_array
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from . import making

SIDE = scene.SIDE


def shares():
    centres = (scene.BOXES[:, :2] + scene.BOXES[:, 2:]) / 2
    return (np.hstack([centres, scene.BOXES[:, 2:] - scene.BOXES[:, :2]]) / SIDE).tolist()


def angled(turn, unit=1.0):
    """The boxes as centre, size and an angle, the longer side first where it is turned."""
    found = []
    for cx, cy, width, height in (np.array(shares()) * SIDE).tolist():
        sides = (width, height) if turn == 0 else (height, width)
        found.append([cx, cy, *sides, turn * unit])
    return found


def answers():
    """The scene in each dialect of numbers, with the options that it needs."""
    quads = [scene.corners(box) for box in scene.BOXES]
    masks = [scene.rle(box) for box in scene.BOXES]
    degrees = 180 / math.pi
    named = {"scores": [0.9, 0.8], "labels": ["tank", "tank"]}
    xywh = [[x0, y0, x1 - x0, y1 - y0] for x0, y0, x1, y1 in (scene.BOXES / SIDE).tolist()]
    sam = {"orig_img_h": SIDE, "orig_img_w": SIDE, "pred_scores": [0.9, 0.8]}
    counts = [mask["counts"] for mask in masks]
    return {
        "grounding-dino": ({"boxes": shares(), "logits": [0.9, 0.8], "phrases": ["a", "b"]}, {}),
        "xyxy": ({"boxes": scene.BOXES.tolist(), **named}, {}),
        "obb-angle le90": ({"boxes": angled(-math.pi / 2), **named}, {"angle": "le90"}),
        "obb-angle le135": (
            {"boxes": angled(math.pi / 2, degrees), **named},
            {"angle": "le135", "angle_unit": "degrees"},
        ),
        "obb-angle oc": ({"boxes": angled(0), **named}, {"angle": "oc"}),
        "obb-corners": ({"polys": quads, "scores": [0.9, 0.8], "texts": ["a", "b"]}, {}),
        "sam3": ({**sam, "pred_masks": counts, "pred_boxes": xywh, "presence": 0.99}, {}),
        "sam3 masks": ({"masks": masks, "scores": [0.9, 0.8]}, {}),
        "seg-token": ({"text": "They are [SEG] and [SEG].", "masks": masks}, {}),
    }


def empty(record):
    emptied = {key: [] for key, value in record.items() if isinstance(value, list)}
    return {**record, **emptied, **({"text": "None here."} if "text" in record else {})}


@pytest.mark.parametrize("name", answers())
def test_the_scene_scores_as_the_truth_does_in_every_dialect(tmp_path, name):
    record, options = answers()[name]
    records = [{"query_id": "v1", **record}, {"query_id": "n1", **empty(record)}]
    run = scene.opened(tmp_path, name.split()[0], records, **options)
    scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
    for modality in scores["modalities"]:
        assert scores["presence"][modality]["mcc"] == 1.0
        if modality == "mask":
            assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        else:
            assert scores[modality]["vocabulary"]["mi_f1_50_95"] == 1.0
    wanted = {"obb": ["hbb", "obb"], "sam": ["mask", "hbb"], "seg": ["mask"]}
    assert scores["modalities"] == wanted.get(name[:3], ["hbb"])
    found = next(iter(run.answers()))
    assert list(found.scores) == ([] if name == "seg-token" else [0.9, 0.8])


class TestBoxes:
    @given(
        st.floats(-500, 500), st.floats(-500, 500), st.floats(0.5, 300), st.floats(0.5, 300),
        st.floats(-90, 135),
    )  # fmt: skip
    def test_corners_are_those_of_opencv(self, x, y, width, height, degrees):
        ours = corners_of(np.array([x, y, width, height, math.radians(degrees)]))
        theirs = cv2.boxPoints(((x, y), (width, height), degrees)).astype(float)
        assert quad_iou(ours[None], theirs[None])[0, 0] > 0.999

    @pytest.mark.parametrize(
        ("convention", "unit", "angle", "is_one"),
        [
            ("le90", None, -math.pi / 2, True),
            ("le90", None, 1.6, False),
            ("le135", None, 2.3, True),
            ("le135", None, -0.8, False),
            ("oc", None, 0.0, True),
            ("oc", None, -0.1, False),
            ("oc", "degrees", 90, True),
            ("le90", "degrees", 91, False),
            ("le90", None, 45, False),
        ],
    )
    def test_an_angle_must_be_one_of_its_convention(
        self, tmp_path, convention, unit, angle, is_one
    ):
        records = [{"query_id": "v1", "boxes": [[50, 50, 20, 10, angle]]}]
        run = scene.opened(tmp_path, "obb-angle", records, angle=convention, angle_unit=unit)
        if is_one:
            assert len(next(iter(run.answers())).obb) == 1
        else:
            with pytest.raises(InputError, match=f"none in {convention}"):
                list(run.answers())

    def test_the_convention_of_angles_must_be_named(self, tmp_path):
        with pytest.raises(UsageError, match="obb-angle needs a value, --angle"):
            scene.opened(tmp_path, "obb-angle", [{"query_id": "v1", "boxes": []}])

    @pytest.mark.parametrize(
        ("dialect", "record", "why"),
        [
            ("xyxy", {"boxes": [[5, 5, 4, 6]]}, "reversed"),
            ("xyxy", {"boxes": [[5, 5, 6]]}, "4 numbers"),
            ("xyxy", {"boxes": [[5, 5, 6, "7"]]}, "4 numbers"),
            ("xyxy", {"boxes": [[5, 5, 6, 1e300]]}, "not finite"),
            ("xyxy", {"boxes": [[0, 0, 1, 1]], "scores": ["high"]}, "a score is 'high'"),
            ("grounding-dino", {"boxes": [[512, 512, 20, 20]]}, "no share of the image"),
            ("grounding-dino", {"boxes": [[0.5, 0.5, -0.1, 0.1]]}, "negative"),
            ("obb-corners", {"polys": [[0, 0, 5, 5, 5, 0, 0, 5]]}, "cross"),
        ],
    )
    def test_a_malformed_box_is_refused_and_left_out_where_lenient(
        self, tmp_path, dialect, record, why
    ):
        records = [{"query_id": "v1", **record}]
        with pytest.raises(InputError, match=r"line 1, query v1, box 1") as fault:
            list(scene.opened(tmp_path, dialect, records).answers())
        assert why in str(fault.value)
        run = scene.opened(tmp_path, dialect, records, lenient=True)
        (found,) = run.answers()
        assert not len(found.hbb if found.hbb is not None else found.obb)
        assert run.told["left_out"] == {"boxes that are malformed": 1}

    @pytest.mark.parametrize(
        "line",
        ['{"query_id": "v1", "boxes": [[1, 2', "nonsense", '{"boxes": []}', '{"query_id": "v1"}',
         '{"query_id": "v1", "boxes": {}}',
         '{"query_id": "v1", "boxes": [[0, 0, 1, 1]], "scores": []}'],
    )  # fmt: skip
    def test_a_malformed_line_is_named_and_left_out_where_lenient(self, tmp_path, line):
        good = {"query_id": "n1", "boxes": [[0, 0, 1, 1]]}
        with pytest.raises(InputError, match="line 2"):
            list(scene.opened(tmp_path, "xyxy", [good, line]).answers())
        run = scene.opened(tmp_path, "xyxy", [good, line], lenient=True)
        assert [found.query_id for found in run.answers()] == ["n1"]
        assert run.told["left_out"] == {"lines that are no record": 1}


class TestInstances:
    def test_their_union_is_pycocotools_and_boxes_without_one_lie_around_their_masks(
        self, tmp_path
    ):
        masks = [np.zeros((SIDE, SIDE), np.uint8, order="F") for _ in range(3)]
        masks[0][10:20, 30:50] = masks[1][15:40, 45:60] = 1
        rles = [coco_mask.encode(mask) for mask in masks]
        united = coco_mask.decode(coco_mask.merge(rles))
        texts = [{"size": rle["size"], "counts": rle["counts"].decode()} for rle in rles]
        run = scene.opened(tmp_path, "sam3", [{"query_id": "v1", "pred_masks": texts}])
        (found,) = run.answers()
        assert np.array_equal(Runs.from_rle(found.mask).to_array(), united.astype(bool))
        assert found.hbb.tolist() == [[30, 10, 50, 20], [45, 15, 60, 40]]

    def test_instances_below_the_threshold_are_left_out_of_masks_and_boxes(self, tmp_path):
        masks = [scene.rle(box) for box in scene.BOXES]
        records = [{"query_id": "v1", "pred_masks": masks, "pred_scores": [0.5, 0.49]}]
        run = scene.opened(tmp_path, "sam3", records, threshold=0.5)
        (found,) = run.answers()
        assert found.mask == masks[0]
        assert found.hbb.tolist() == [scene.BOXES[0].tolist()]
        assert run.told["left_out"] == {"instances with a score below the threshold": 1}

    def test_presence_is_kept_and_filters_nothing(self, tmp_path):
        records = [{"query_id": "v1", "pred_masks": [scene.rle(scene.BOXES[0])], "presence": 0.01}]
        (found,) = scene.opened(tmp_path, "sam3", records).answers()
        assert found.attributes == {"presence": 0.01}
        assert found.mask is not None

    def test_masks_of_another_size_are_refused_by_name_or_brought_to_it(self, tmp_path):
        small = Runs.from_array(scene.pixels()[8::16, 8::16]).to_rle()
        records = [{"query_id": "v1", "pred_masks": [small]}]
        with pytest.raises(InputError, match=r"size \[64, 64\], image 1 has \[1024, 1024\]"):
            list(scene.opened(tmp_path, "sam3", records).answers())
        run = scene.opened(tmp_path, "sam3", records, resize="nearest")
        (found,) = run.answers()
        assert np.array_equal(Runs.from_rle(found.mask).to_array(), scene.pixels())
        assert list(run.told["warnings"].values()) == [1]

    @given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 60), st.integers(1, 60))
    def test_nearest_takes_what_the_centre_lies_in_as_opencv_does(self, h, w, height, width):
        values = np.random.default_rng(0).integers(0, 255, (h, w)).astype(np.uint8)
        theirs = cv2.resize(values, (width, height), interpolation=cv2.INTER_NEAREST_EXACT)
        ours = nearest_array(values, height, width)
        # Where a centre lies on the edge between two cells, either is right.
        x = (np.arange(width) + 0.5) * w / width
        y = (np.arange(height) + 0.5) * h / height
        clear = np.ix_(y % 1 > 1e-9, x % 1 > 1e-9)
        assert np.array_equal(ours[clear], theirs[clear])


class TestSegTokens:
    def test_no_mask_counts_without_a_token(self, tmp_path):
        records = [{"query_id": "v1", "text": "Nothing.", "masks": [scene.rle(scene.BOXES[0])]}]
        (found,) = scene.opened(tmp_path, "seg-token", records).answers()
        assert (found.mask, found.given) == (None, {"mask"})

    def test_fewer_masks_than_tokens_are_refused(self, tmp_path):
        records = [{"query_id": "v1", "text": "[SEG] [SEG]", "masks": [scene.rle(scene.BOXES[0])]}]
        with pytest.raises(InputError, match=r"2 \[SEG\] tokens and 1 masks"):
            list(scene.opened(tmp_path, "seg-token", records).answers())
        run = scene.opened(tmp_path, "seg-token", records, lenient=True)
        assert next(iter(run.answers())).mask == scene.rle(scene.BOXES[0])
        assert run.told["left_out"] == {"[SEG] tokens without a mask": 1}

    @pytest.mark.parametrize("ending", [".npy", ".npz", ".png", ".tif", ".jpg", "rows", "rle"])
    def test_masks_come_as_arrays_pictures_rows_and_rle(self, tmp_path, ending):
        mask = scene.pixels()
        value = f"one{ending}"
        if ending == ".npy":
            np.save(tmp_path / value, mask)
        elif ending == ".npz":
            np.savez_compressed(tmp_path / value, mask[None].astype(np.float32))
        elif ending == "rows":
            value = mask.astype(int).tolist()
        elif ending == "rle":
            value = Runs.from_array(mask).to_rle()
        else:
            # What LISA writes: a JPEG of 0 and 100.
            Picture.fromarray(mask.astype(np.uint8) * 100).save(tmp_path / value)
        records = [{"query_id": "v1", "text": "[SEG]", "mask": value}]
        run = scene.opened(tmp_path, "seg-token", records)
        (found,) = run.answers()
        ours = Runs.from_rle(found.mask).to_array()
        assert np.array_equal(ours, mask) or ending == ".jpg"
        assert (ours & mask).sum() / (ours | mask).sum() > 0.999
        assert bool(run.told["warnings"]) == (ending == ".jpg")

    def test_a_jpeg_of_nothing_is_nothing(self, tmp_path):
        noise = np.random.default_rng(0).integers(0, 3, (SIDE, SIDE)).astype(np.uint8)
        Picture.fromarray(noise).save(tmp_path / "none.jpg")
        records = [{"query_id": "v1", "text": "[SEG]", "masks": ["none.jpg"]}]
        assert next(iter(scene.opened(tmp_path, "seg-token", records).answers())).mask is None

    @pytest.mark.parametrize(
        ("value", "why"),
        [
            ("../out.png", "leaves its folder"),
            ("missing.png", "no such mask file"),
            ("pickled.npy", "can't be read"),
            ("huge.npy", "bytes"),
            ("bomb.npz", "bytes"),
            ("text.png", "can't be read"),
            ([[0, 1], [1]], "not equally long"),
            ([[0, "a"]], "not equally long"),
            (5, "a mask is 5"),
            ({"size": [SIDE, SIDE], "counts": [5]}, ""),
        ],
    )
    def test_a_malformed_mask_is_refused_in_one_line(self, tmp_path, value, why):
        write_bad_mask(tmp_path, value)
        records = [{"query_id": "v1", "text": "[SEG]", "masks": [value]}]
        with pytest.raises(InputError, match="line 1, query v1, mask 1") as fault:
            list(scene.opened(tmp_path, "seg-token", records).answers())
        assert why in str(fault.value) or value == "huge.npy"
        assert "\n" not in str(fault.value)
        run = scene.opened(tmp_path, "seg-token", records, lenient=True)
        assert next(iter(run.answers())).mask is None
        assert run.told["left_out"] == {"masks that are malformed": 1}


def write_bad_mask(folder, name):
    """Write a file that is no mask, or claims to be far too large a one."""
    if name == "pickled.npy":
        np.save(folder / name, np.array([{}], object), allow_pickle=True)
    elif name == "huge.npy":
        header = np.lib.format.header_data_from_array_1_0(np.zeros(1))
        with (folder / name).open("wb") as file:
            np.lib.format.write_array_header_1_0(file, {**header, "shape": (1 << 40,)})
    elif name == "bomb.npz":
        with (
            zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, True, 1) as packed,
            packed.open("a.npy", "w", force_zip64=True) as file,
        ):
            for _ in range(1025):
                file.write(bytes(1 << 20))
    elif name == "text.png":
        (folder / name).write_text("no picture")


def dense(tmp_path, **options):
    return open_dialect(
        tmp_path / "maps", "dense", scene.benchmark(tmp_path), DialectOptions(**options)
    )


@pytest.fixture
def maps(tmp_path):
    (tmp_path / "maps").mkdir()
    return tmp_path / "maps"


class TestDenseMaps:
    @pytest.mark.parametrize("ending", [".npy", ".npz", ".png", ".tif"])
    def test_masks_are_named_after_their_query(self, tmp_path, maps, ending):
        for name, mask in (("v1", scene.pixels()), ("n1", np.zeros((SIDE, SIDE), bool))):
            if ending == ".npy":
                np.save(maps / f"{name}.npy", mask)
            elif ending == ".npz":
                np.savez_compressed(maps / f"{name}.npz", mask)
            else:
                Picture.fromarray(mask.astype(np.uint8) * 255).save(maps / f"{name}{ending}")
        scores = evaluate(scene.benchmark(tmp_path), dense(tmp_path)).to_dict()
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["presence"]["mask"]["mcc"] == 1.0

    def test_scores_need_the_methods_own_threshold(self, tmp_path, maps):
        np.save(maps / "v1.npy", np.where(scene.pixels(), 0.4, 0.3999).astype(np.float32))
        with pytest.raises(InputError, match=r"holds scores.*--threshold"):
            list(dense(tmp_path).answers())
        (found,) = dense(tmp_path, threshold=np.float32(0.4).item()).answers()
        assert np.array_equal(Runs.from_rle(found.mask).to_array(), scene.pixels())

    def test_maps_of_every_class_are_named_after_their_image(self, tmp_path, maps):
        (tmp_path / "classes.txt").write_text("background\nStorage-Tanks,oil tank\ngreenhouse\n")
        np.save(maps / "1.npy", scene.pixels().astype(np.uint8))
        run = dense(tmp_path, classes=tmp_path / "classes.txt")
        scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["presence"]["mask"] == {"tp": 1, "fp": 0, "tn": 1, "fn": 0, "mcc": 1.0}

    def test_the_largest_score_wins_where_it_reaches_the_threshold(self, tmp_path, maps):
        (tmp_path / "classes.txt").write_text("storage tank\ngreenhouse\n")
        scores = np.full((2, SIDE, SIDE), 0.1, np.float32)
        scores[0][scene.pixels()] = 0.8
        np.save(maps / "1.npy", scores)
        run = dense(tmp_path, classes=tmp_path / "classes.txt", threshold=0.5)
        by_id = {found.query_id: found.mask for found in run.answers()}
        assert np.array_equal(Runs.from_rle(by_id["v1"]).to_array(), scene.pixels())
        assert by_id["n1"] is None
        run = dense(tmp_path, classes=tmp_path / "classes.txt")
        assert Runs.from_rle(next(iter(run.answers())).mask).area == SIDE * SIDE

    def test_small_maps_are_refused_by_name_or_brought_to_their_image(self, tmp_path, maps):
        np.save(maps / "v1.npy", scene.pixels()[32::64, 32::64])
        with pytest.raises(InputError, match=r"its map has size \[16, 16\].*--resize nearest"):
            list(dense(tmp_path).answers())
        (found,) = dense(tmp_path, resize="nearest").answers()
        assert np.array_equal(Runs.from_rle(found.mask).to_array(), scene.pixels())

    def test_a_mapping_file_says_whose_a_file_is(self, tmp_path, maps):
        np.save(maps / "out_0001.npy", scene.pixels())
        np.save(maps / "out_0002.npy", scene.pixels())
        (tmp_path / "map.csv").write_text("output,query\nout_0001,v1\nout_0001,n1\nout_0002,\n")
        found = list(dense(tmp_path, mapping=tmp_path / "map.csv").answers())
        assert [answer.query_id for answer in found] == ["v1", "n1"]

    @pytest.mark.parametrize(
        ("values", "why"),
        [
            (np.full((SIDE, SIDE), 7, np.uint8), "the value 7 is no class of the 2"),
            (np.full((SIDE, SIDE), 0.5), "no whole number"),
            (np.zeros((3, SIDE, SIDE)), "scores of 3 classes, --classes has 2"),
            (np.full((2, SIDE, SIDE), np.nan), "NaN"),
            (np.zeros((2, 2, 3, 3)), ""),
        ],
    )
    def test_what_is_no_class_is_refused(self, tmp_path, maps, values, why):
        (tmp_path / "classes.txt").write_text("storage tank\ngreenhouse\n")
        np.save(maps / "1.npy", values)
        with pytest.raises(InputError) as fault:
            list(dense(tmp_path, classes=tmp_path / "classes.txt").answers())
        assert why in str(fault.value)
        run = dense(tmp_path, classes=tmp_path / "classes.txt", lenient=True)
        assert not list(run.answers())
        assert run.told["left_out"] == {"files that are malformed": 1}

    def test_a_class_that_occurs_and_means_nothing_is_refused(self, tmp_path, maps):
        (tmp_path / "classes.txt").write_text("storage tank\nairport\n")
        np.save(maps / "1.npy", scene.pixels().astype(np.uint8))
        with pytest.raises(InputError, match="'airport' is no category"):
            list(dense(tmp_path, classes=tmp_path / "classes.txt").answers())
        np.save(maps / "1.npy", np.zeros((SIDE, SIDE), np.uint8))
        assert list(dense(tmp_path, classes=tmp_path / "classes.txt").answers())


def test_a_folder_holds_one_answer_a_file(tmp_path):
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "v1.txt").write_text("<box><0><0><500><500></box>")
    (folder / "n%31.json").write_text('{"text": "<box>none</box>", "seconds": 2}')
    benchmark = making.read(tmp_path, making.benchmark())
    run = open_dialect(folder, "locate-anything", benchmark)
    by_id = {found.query_id: found for found in run.answers()}
    assert by_id["v1"].hbb.tolist() == [[0, 0, 50, 40]]
    assert by_id["n1"].attributes == {"seconds": 2}
    assert len(run.sha256) == 64


class TestRowsThatEndWithTheirScore:
    """As mmdet 2 (SLIP-RS) and mmrotate 0 give them."""

    @pytest.mark.parametrize("key", ["det_bboxes", "dets"])
    def test_the_last_number_of_a_row_is_its_score(self, tmp_path, key):
        rows = [[*box, 0.5] for box in scene.BOXES.tolist()]
        (found,) = scene.opened(tmp_path, "xyxy", [{"query_id": "v1", key: rows}]).answers()
        assert found.hbb.tolist() == scene.BOXES.tolist()
        assert found.scores == [0.5, 0.5]
        turned = [[*box, 0.25] for box in angled(-math.pi / 2)]
        record = {"query_id": "v1", key: turned}
        (found,) = scene.opened(tmp_path, "obb-angle", [record], angle="le90").answers()
        assert found.scores == [0.25, 0.25]
        assert np.allclose(found.hbb, scene.BOXES)

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"dets": [[1, 1, 2, 2]]}, "not 5 numbers, the last of them a score"),
            ({"dets": [7]}, "not 5 numbers"),
            ({"dets": [[1, 1, 2, 2, 0.5]], "scores": [0.5]}, "scores beside those in 'dets'"),
            ({"dets": [[1, 1, 2, 2, "a"]]}, "a score is"),
            ({"boxes": [[1, 1, 2, 2, 0.5]]}, "not 4 numbers"),
        ],
    )
    def test_nothing_is_guessed(self, tmp_path, fields, said):
        run = scene.opened(tmp_path, "xyxy", [{"query_id": "v1", **fields}])
        with pytest.raises(InputError, match=said):
            list(run.answers())

    def test_class_lists_may_have_semicolons_where_names_have_commas(self, tmp_path):
        np.save(tmp_path / "1.npy", np.where(scene.pixels(), 1, 0).astype(np.uint8))
        (tmp_path / "classes.txt").write_text("background\ntank, steel; storage tank\n")
        (tmp_path / "maps").mkdir()
        (tmp_path / "1.npy").rename(tmp_path / "maps" / "1.npy")
        run = dense(tmp_path, classes=tmp_path / "classes.txt")
        (found,) = [each for each in run.answers() if each.query_id == "v1"]
        assert Runs.from_rle(found.mask).area == scene.pixels().sum()
