"""Answers in text: each dialect's numbers land on their pixels, and no text whatever hurts."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from supervision.detection import vlm

from ovearth_core.errors import InputError
from ovearth_core.geometry import Runs
from ovearth_core.predictions.dialects import (
    DialectOptions,
    Reading,
    deepseek_vl2,
    florence_2,
    gemini,
    json_objects,
    locate_anything,
    open_dialect,
    paligemma,
    qwen,
    rex_omni,
)
from ovearth_core.predictions.dialects.grid import Grid
from ovearth_core.predictions.dialects.items import BOX, BROKEN, KINDS
from ovearth_core.predictions.dialects.text import Found
from ovearth_core.predictions.dialects.text4seg import PatchesError, patches_of
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from . import making

SCANS = {
    "rex-omni": rex_omni.scan,
    "locate-anything": locate_anything.scan,
    "qwen": qwen.scan,
    "gemini": gemini.scan,
    "deepseek-vl2": deepseek_vl2.scan,
    "paligemma": paligemma.scan,
    "florence-2": florence_2.scan,
}
# Of an image of 100 by 80 pixels.
SAMPLES = [
    (
        "rex-omni",
        "<|object_ref_start|>tank<|object_ref_end|><|box_start|><0><0><999><999><|box_end|>",
        [[0, 0, 100, 80]],
    ),
    ("rex-omni", "<|box_start|><333><0><666><333><|box_end|>", [[100 / 3, 0, 200 / 3, 80 / 3]]),
    ("locate-anything", "<ref>a</ref><box><0><500><1000><1000></box>", [[0, 40, 100, 80]]),
    ("qwen3-vl", '[{"bbox_2d": [0, 500, 1000, 1000], "label": "x"}]', [[0, 40, 100, 80]]),
    ("qwen2.5-vl", '{"bbox_2d": [14, 28, 28, 56], "label": "x"}', [[50, 40, 100, 80]]),
    ("gemini", '[{"box_2d": [500, 0, 1000, 250], "label": "x"}]', [[0, 40, 25, 80]]),
    ("deepseek-vl2", "<|ref|>x<|/ref|><|det|>[[0, 0, 333, 999]]<|/det|>", [[0, 0, 100 / 3, 80]]),
    ("paligemma", "<loc0512><loc0000><loc1023><loc0256> x", [[0, 40, 25, 1023 / 1024 * 80]]),
    ("florence-2", "x<loc_0><loc_499><loc_999><loc_999>", [[0.05, 39.96, 99.95, 79.96]]),
]
CUT_OFF = [
    (
        "rex-omni",
        "<|object_ref_start|>a<|object_ref_end|><|box_start|><100><100><200><200>, <300><30",
    ),
    ("rex-omni", "<|box_start|><100><100><200><200>, <300>"),
    ("locate-anything", "<ref>a</ref><box><100><100><200><200></box><box><300><30"),
    ("locate-anything", "<ref>a</ref><box><100><100><200><200></box><bo"),
    ("qwen3-vl", '[{"bbox_2d": [100, 100, 200, 200], "label": "a"}, {"bbox_2d": [300, 30'),
    ("qwen3-vl", '```json\n[{"bbox_2d": [100, 100, 200, 200], "label": "a}"}, {"bbox_2d": [1], "'),
    (
        "qwen3-vl",
        '{"o": [{"bbox_2d": [100, 100, 200, 200]}, {"bbox_2d": [1, 2, 3, 4], "a": {"b": 1}',
    ),
    ("gemini", '[{"box_2d": [100, 100, 200, 200], "label": "a"}, {"box_2d": [300, 30'),
    ("deepseek-vl2", "<|ref|>a<|/ref|><|det|>[[100, 100, 200, 200], [300, 30"),
    ("paligemma", "<loc0100><loc0100><loc0200><loc0200> a ; <loc0300><loc0300>"),
    ("paligemma", "<loc0100><loc0100><loc0200><loc0200> a ; <loc0300><loc03"),
    ("florence-2", "a<loc_100><loc_100><loc_200><loc_200>b<loc_300><loc_300>"),
    ("florence-2", "a<loc_100><loc_100><loc_200><loc_200>b<loc_300><loc_3"),
]
MALFORMED = [
    ("rex-omni", "<|box_start|><200><100><100><200><|box_end|>", "reversed"),
    ("rex-omni", "<|box_start|><0><0><1000><1000><|box_end|>", "1000 is not between 0 and 999"),
    ("rex-omni", "<|box_start|><0><0><10><|box_end|>", "3 numbers"),
    ("rex-omni", "<|box_start|><0><0><ten><10><|box_end|>", "among the numbers"),
    ("rex-omni", "<|box_start|>0 0 10 10<|box_end|>", "among the numbers"),
    ("locate-anything", "<box><0><0><1001><5></box>", "1001 is not between 0 and 1000"),
    ("locate-anything", "<box><5><0><4><5></box>", "reversed"),
    ("locate-anything", "<box><5><0><4></box>", "3 numbers"),
    ("locate-anything", "<box>nowhere</box>", "'nowhere'"),
    ("locate-anything", "<box><1><2><3><4><box><1><2><3><4></box>", "no </box>"),
    ("qwen3-vl", '[{"bbox_2d": [0, 0, 1001, 5]}]', "1001 is not between"),
    ("qwen3-vl", '[{"bbox_2d": [-1, 0, 10, 5]}]', "-1 is not between"),
    ("qwen3-vl", '[{"bbox_2d": [9, 0, 8, 5]}]', "reversed"),
    ("qwen3-vl", '[{"bbox_2d": ["9", 0, 8, 5]}]', "not four numbers"),
    ("qwen3-vl", '[{"bbox_2d": [1, 2, 3]}]', "not four numbers"),
    ("qwen3-vl", '[{"bbox_2d": [1, 2, 3, NaN]}]', "NaN"),
    ("qwen3-vl", "[{'bbox_2d': [1, 2, 3, 4]}]", "no JSON"),
    ("gemini", '[{"box_2d": [9, 0, 8, 5]}]', "reversed"),
    ("gemini", '[{"box_2d": [1, 0, 8, 5], "mask": [[1, 2], 3]}]', "'mask'"),
    ("deepseek-vl2", "<|det|>[[1, 2, 3]]<|/det|>", "not four numbers"),
    ("deepseek-vl2", "<|det|>[[1, 2, 3, 1000]]<|/det|>", "1000 is not between"),
    ("deepseek-vl2", "<|det|>(1, 2, 3, 4)<|/det|>", "among the boxes"),
    (
        "paligemma",
        "<loc0100><loc0100><loc0200> a ; <loc0000><loc0000><loc0001><loc0001> b",
        "3 loc",
    ),
    ("paligemma", "<loc0100><loc0100><loc1024><loc0200> a", "1024 is not between"),
    ("florence-2", "a<loc_1><loc_2><loc_3>b<loc_1><loc_2><loc_3><loc_4>", "3 location"),
    ("florence-2", "a<loc_1><loc_2><loc_3><loc_1000>", "1000 is not between"),
]


def size_of(dialect):
    return {"input_size": (28, 56)} if dialect == "qwen2.5-vl" else {}


def boxes_of(folder, dialect, answer, **options):
    """The boxes of one answer about image 1 of `making.benchmark`, and what was left out."""
    path = making.write_run(folder, {"query_id": "v1", "text": answer})
    benchmark = making.read(folder, making.benchmark())
    run = open_dialect(path, dialect, benchmark, DialectOptions(**size_of(dialect), **options))
    (found,) = run.answers()
    return found, dict(run.told["left_out"])


class TestTheScene:
    @pytest.mark.parametrize("dialect", scene.texts())
    def test_it_scores_as_the_truth_does_in_every_dialect(self, tmp_path, dialect):
        run = scene.opened(tmp_path, dialect, scene.texts()[dialect])
        scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
        assert scores["hbb"]["vocabulary"]["mi_f1_50_95"] == 1.0
        assert scores["presence"]["hbb"] == {"tp": 1, "fp": 0, "tn": 1, "fn": 0, "mcc": 1.0}
        assert scores["other"] == {"dialect": dialect}

    @pytest.mark.parametrize("count", [16, 32, 64])
    def test_it_scores_as_the_truth_does_in_rows_of_labels(self, tmp_path, count):
        records = scene.text(scene.patches(count), "There is no greenhouse.")
        run = scene.opened(tmp_path, "text4seg", records)
        scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
        assert scores["segmentation"]["vocabulary"]["ma_iou"] == 1.0
        assert scores["presence"]["mask"]["mcc"] == 1.0


class TestSamples:
    @pytest.mark.parametrize(("dialect", "answer", "boxes"), SAMPLES)
    def test_numbers_land_on_their_pixels(self, tmp_path, dialect, answer, boxes):
        found, left_out = boxes_of(tmp_path, dialect, answer)
        np.testing.assert_allclose(found.hbb, boxes, atol=1e-9)
        assert not left_out

    @pytest.mark.parametrize("dialect", [*scene.texts(), "text4seg"])
    @pytest.mark.parametrize("answer", ["", "There is nothing of that.", 'No {set} [1], "a" {b.'])
    def test_an_answer_without_a_box_is_absence(self, tmp_path, dialect, answer):
        found, left_out = boxes_of(tmp_path, dialect, answer)
        assert found.hbb is None or not len(found.hbb)
        assert found.mask is None
        assert not left_out

    @pytest.mark.parametrize(("dialect", "answer"), CUT_OFF)
    def test_a_cut_off_answer_is_refused_and_its_whole_boxes_kept_where_lenient(
        self, tmp_path, dialect, answer
    ):
        with pytest.raises(InputError, match=r"cut off.*line 1, query v1, character \d+"):
            boxes_of(tmp_path, dialect, answer)
        found, left_out = boxes_of(tmp_path, dialect, answer, lenient=True)
        assert len(found.hbb) == 1
        assert left_out == {"broken or cut-off boxes": 1}

    @pytest.mark.parametrize(("dialect", "answer", "why"), MALFORMED)
    def test_malformed_numbers_are_refused_by_name(self, tmp_path, dialect, answer, why):
        with pytest.raises(InputError) as fault:
            boxes_of(tmp_path, dialect, answer)
        assert why in str(fault.value)
        assert "\n" not in str(fault.value)
        _, left_out = boxes_of(tmp_path, dialect, answer, lenient=True)
        assert left_out == {"broken or cut-off boxes": 1}

    @pytest.mark.parametrize(
        ("dialect", "answer"),
        [
            ("rex-omni", "<|box_start|><10><10><|box_end|>"),
            ("locate-anything", "<ref>a</ref><box><10><10></box>"),
            ("qwen3-vl", '[{"point_2d": [10, 10], "label": "a"}]'),
            ("gemini", '[{"point": [10, 10], "label": "a"}]'),
        ],
    )
    def test_points_are_left_out_and_counted(self, tmp_path, dialect, answer):
        found, left_out = boxes_of(tmp_path, dialect, answer)
        assert not len(found.hbb)
        assert left_out == {"points, which have no area": 1}

    @pytest.mark.parametrize(
        ("dialect", "answer"),
        [
            ("rex-omni", "<|box_start|><0><0><999><0><999><999><|box_end|>"),
            ("gemini", '[{"box_2d": [0,0,1000,1000], "mask": [[0, 0], [1000, 0], [1000, 1000]]}]'),
        ],
    )
    def test_polygons_become_masks_and_their_envelopes_boxes(self, tmp_path, dialect, answer):
        found, _ = boxes_of(tmp_path, dialect, answer)
        assert found.given == {"mask", "hbb"}
        (rings,) = found.mask["polygons"]["coordinates"]
        np.testing.assert_allclose(rings[0], [[0, 0], [100, 0], [100, 80]])
        np.testing.assert_allclose(found.hbb, [[0, 0, 100, 80]])

    def test_florence_marks_polygons_and_unites_those_of_one_object(self, tmp_path):
        one = "<loc_0><loc_0><loc_499><loc_0><loc_499><loc_499>"
        two = "<loc_500><loc_500><loc_999><loc_500><loc_999><loc_999>"
        found, _ = boxes_of(tmp_path, "florence-2", f"tank<poly>{one}<sep>{two}</poly>")
        assert len(found.mask["polygons"]["coordinates"]) == 2
        np.testing.assert_allclose(found.hbb, [[0.05, 0.04, 99.95, 79.96]])
        assert found.labels == ["tank"]

    def test_several_boxes_may_follow_one_label_and_labels_do_not_filter(self, tmp_path):
        answer = "<ref>a</ref><box><0><0><9><9></box><box><1><1><9><9></box><ref>b</ref><box>"
        found, _ = boxes_of(tmp_path, "locate-anything", answer + "<2><2><9><9></box>")
        assert found.labels == ["a", "a", "b"]
        assert len(found.hbb) == 3

    def test_scores_and_other_fields_of_an_answer_are_kept(self, tmp_path):
        item = '{"bbox_2d": [0, 0, 9, 9], "label": "a", "confidence": 0.25}'
        records = [{"query_id": "v1", "text": f"[{item}]", "seconds": 1.5, "note": "ä"}]
        run = scene.opened(tmp_path, "qwen3-vl", records)
        (found,) = run.answers()
        assert found.document()["scores"] == [0.25]
        assert found.document()["attributes"] == {"seconds": 1.5, "note": "ä"}

    def test_the_size_that_the_model_saw_is_needed_where_numbers_are_its_pixels(self, tmp_path):
        records = [{"query_id": "v1", "text": "[]"}]
        with pytest.raises(InputError, match="'input_size' is missing"):
            list(scene.opened(tmp_path, "qwen2.5-vl", records).answers())
        assert list(scene.opened(tmp_path, "qwen2.5-vl", records, input_size=(8, 9)).answers())
        for wrong in ([0, 5], [1.5, 5], [5], "5x5"):
            with pytest.raises(InputError, match="input_size"):
                list(
                    scene.opened(
                        tmp_path, "qwen2.5-vl", [{**records[0], "input_size": wrong}]
                    ).answers()
                )


class TestRowsOfLabels:
    def test_a_pixel_is_in_the_patch_that_its_centre_is_in(self, tmp_path):
        found, _ = boxes_of(
            tmp_path, "text4seg", "<seg>a *1| others *2\n others *3\n others *3</seg>"
        )
        mask = Runs.from_rle(found.mask).to_array()
        # 100 by 80 pixels in 3 by 3 patches: 33.33 and 26.67 wide and high.
        assert mask.sum() == 33 * 27
        assert mask[:27, :33].all()

    @pytest.mark.parametrize(
        ("answer", "why"),
        [
            ("<seg>a *2\n others *2", "cut off"),
            ("<seg>a *2\n others *1| b", "row 2"),
            ("<seg>a *2\n others *3</seg>", "row 2 of the labels is 3 labels long"),
            ("<seg>a *2</seg>", "1 rows of 2 labels"),
            ("<seg>a *2\n a *2\n a *2</seg>", "3 rows of 2 labels"),
            ("<seg>a *99999</seg>", "row 1"),
            ("<seg>a *0</seg>", "row 1"),
            ("<seg>a</seg>", "row 1"),
            ("<seg>", "cut off"),
        ],
    )
    def test_a_malformed_grid_is_refused_by_its_row(self, tmp_path, answer, why):
        if answer == "<seg>a *2\n others *2":
            answer = "<seg>a *3\n others *3"
        with pytest.raises(InputError) as fault:
            boxes_of(tmp_path, "text4seg", answer)
        assert why in str(fault.value)

    def test_whole_rows_are_kept_where_lenient_and_the_rest_counted(self, tmp_path):
        found, left_out = boxes_of(
            tmp_path, "text4seg", "<seg>a *4\n others *4\n oth", lenient=True
        )
        assert left_out == {"rows of labels that are malformed or cut off": 1}
        assert Runs.from_rle(found.mask).area == 100 * 20


class TestJudges:
    """Supervision's parsers give the same boxes, where it has one for the dialect."""

    WH = (scene.SIDE, scene.SIDE)

    def ours(self, tmp_path, dialect):
        records = scene.texts()[dialect]
        found = next(iter(scene.opened(tmp_path, dialect, records).answers()))
        return records[0]["text"], found.hbb

    @pytest.mark.parametrize(
        ("dialect", "judge"),
        [
            ("qwen3-vl", vlm.from_qwen_3_vl),
            ("gemini", vlm.from_google_gemini_2_0),
            ("deepseek-vl2", vlm.from_deepseek_vl_2),
            ("paligemma", vlm.from_paligemma),
        ],
    )
    def test_it_agrees(self, tmp_path, dialect, judge):
        answer, boxes = self.ours(tmp_path, dialect)
        np.testing.assert_allclose(boxes, judge(answer, self.WH)[0], atol=1e-3)

    def test_it_agrees_on_pixels_of_the_image_that_the_model_saw(self, tmp_path):
        records = scene.texts()["qwen2.5-vl"]
        answer = records[0]["text"].partition("\n")[2]
        judged = vlm.from_qwen_2_5_vl(answer, (896, 896), self.WH)[0]
        found = next(iter(scene.opened(tmp_path, "qwen2.5-vl", records).answers()))
        np.testing.assert_allclose(found.hbb, judged)

    def test_it_agrees_on_florence_but_for_the_middle_of_a_bin(self, tmp_path):
        answer = "tank<loc_125><loc_250><loc_500><loc_750>"
        judged = vlm.from_florence_2({"<REGION_TO_CATEGORY>": answer}, self.WH)[0]
        records = [{"query_id": "v1", "text": answer}]
        found = next(iter(scene.opened(tmp_path, "florence-2", records).answers()))
        np.testing.assert_allclose(found.hbb, judged + scene.SIDE / 2000, atol=1e-3)

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(
            st.tuples(*[st.integers(0, 999)] * 4).map(
                lambda b: [min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3])]
            ),
            min_size=1,
            max_size=5,
        )
    )
    def test_any_boxes_come_back_from_the_text_that_says_them(self, boxes):
        said = {
            "rex-omni": "<|box_start|>"
            + ",".join("".join(f"<{n}>" for n in box) for box in boxes)
            + "<|box_end|>",
            "locate-anything": "".join(
                f"<box>{''.join(f'<{n}>' for n in box)}</box>" for box in boxes
            ),
            "qwen": json.dumps([{"bbox_2d": box, "label": '}{"[' * 3} for box in boxes]),
            "deepseek-vl2": f"<|det|>{boxes}<|/det|>",
            "paligemma": " ; ".join("".join(f"<loc{n:04d}>" for n in b) + " a" for b in boxes),
            "florence-2": "".join("a" + "".join(f"<loc_{n}>" for n in b) for b in boxes),
        }
        for name, text in said.items():
            found = list(SCANS[name](text))
            assert [item.kind for item in found] == [BOX] * len(boxes), name
            assert [list(item.numbers) for item in found] == boxes, name


PIECES = [
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|im_end|>"),
    *("<ref>", "</ref>", "<box>", "</box>", "none", "<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>"),
    *("<loc0012>", "<loc_12>", "<loc", "<loc_", "<seg001>", "<poly>", "</poly>", "<sep>", "<12>"),
    *("<", ">", "{", "}", "[", "]", '"', "\\", ",", ";", "|", "*", "\n", " ", "1", "-1", "1e999"),
    *('{"bbox_2d": [1, 2, 3, 4]}', '"bbox_2d"', '"box_2d"', '"mask"', ":", "[1, 2, 3, 4]", "```"),
    *("<seg>", "</seg>", "others *3", "a *1", "é", "\ud800", "\0", "９", "١"),
]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES)).map("".join))


class TestAnyText:
    @settings(max_examples=400, deadline=None)
    @given(TEXTS)
    @example("{" * 5000)
    @example("[" * 5000)
    @example('{"bbox_2d": ' + "[" * 20000 + "]" * 20000 + "}")
    @example('{"bbox_2d": [' + "9" * 6000 + ", 1, 2, 3]}")
    @example("<|box_start|><" + "9" * 6000 + "><1><2><3><|box_end|>")
    def test_no_text_crashes_a_scanner(self, text):
        for name, scan in SCANS.items():
            for item in scan(text):
                assert item.kind in KINDS, name
                assert 0 <= item.at <= len(text), name
        try:
            patches_of(text)
        except PatchesError as fault:
            assert fault.count >= 1

    @settings(max_examples=100, deadline=None)
    @given(TEXTS)
    def test_no_text_stops_a_lenient_reading(self, text):
        class Asked:
            width, height = 100, 80

        reading = Reading(None, DialectOptions(lenient=True))
        for scan in SCANS.values():
            found = Found(Grid(highest=999, per=999), Asked(), None)
            for item in scan(text):
                found.take_or_refuse(item, reading, "here")
            answer = found.answer("v1", 1, {})
            assert np.isfinite(answer.hbb).all()
            assert len(answer.labels) == len(answer.hbb)

    @pytest.mark.parametrize(
        "piece",
        [
            *("{", "}", "[", '"', "\\", "<", "<loc0012>", "<loc_12>", "<12>", "<box>", "<|det|>"),
            *(
                "<|box_start|>",
                "<|box_start|><1>",
                "<ref>",
                "{}",
                '{"',
                "[[",
                "<1>,",
                "a *1|",
                "\n",
            ),
            *('{"bbox_2d": [1, 2, 3, 4]}', "<loc0012> ", "a<loc_1>", "<poly>", "<seg001>", "\n"),
        ],
    )
    def test_long_texts_end(self, piece):
        """What took the square of the length would not, before the test is ended for its time."""
        text = piece * (300_000 // len(piece))
        for begun in (text, "<|box_start|><|det|><box><poly>{" + text):
            for scan in SCANS.values():
                assert sum(1 for _ in scan(begun)) <= len(begun)
        for begun in (text, "<seg>" + text):
            with suppress(PatchesError):
                patches_of(begun)

    @pytest.mark.parametrize(
        "text",
        [
            '{"objects": [{"bbox_2d": [1, 2, 3, 4]}], "count": 1}',
            '[{"bbox_2d": [1, 2, 3, 4], "label": "a", "looks": {"colour": "{red}"}}]',
            '{"a": {"b": {"c": [[{"bbox_2d": [1, 2, 3, 4]}]]}}}',
            '{"objects": [{"bbox_2d": [1, 2, 3, 4], "looks": {"colour": "red"}}], ',
            'Of {many} things: {"bbox_2d": [1, 2, 3, 4]} "and" so on',
        ],
    )
    def test_boxes_are_found_however_deep_they_stand(self, text):
        (found,) = qwen.scan(text)
        assert (found.kind, found.numbers) == (BOX, (1, 2, 3, 4))

    def test_what_is_broken_is_told_apart_from_what_is_whole(self):
        text = '[{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": 5}, {"a": {"bbox_2d": [1, 2, 3, 4]}}]'
        assert [item.kind for item in qwen.scan(text)] == [BOX, BROKEN, BOX]


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text('a{}[]"\\,:', max_size=4))
JSONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["bbox_2d", "a", "{"]), inner, max_size=3),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(JSONS, st.text('a{}[]" `', max_size=5), st.text('a{}[]" `', max_size=5))
@example([{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": [1, 2, 3, 4]}], "```json", "```")
def test_the_quick_way_finds_what_the_careful_way_finds(value, before, after):
    text = before + json.dumps(value) + after
    quick = json_objects._of_one_list(text)
    if quick is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_objects, "_of_one_list", lambda _: None)
            assert quick == list(json_objects.objects_in(text, ("bbox_2d",)))
