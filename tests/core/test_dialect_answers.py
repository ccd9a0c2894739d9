"""Answers in another syntax, answers that say nothing is there, and what boxes are said to be."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import InputError
from ovearth_core.predictions.dialects.likeness import looks_like

from . import dialect_scene as scene

FOREIGN = {name: records[0]["text"] for name, records in scene.texts().items()}
FOREIGN["text4seg"] = "<seg>others *1| tank *1\n others *2</seg>"
TEXT = [*scene.texts(), "text4seg"]
QWENS = {"qwen2.5-vl", "qwen3-vl"}


def only(run):
    (answer,) = run.answers()
    return answer


def opened(folder, dialect, text, **options):
    record = {"query_id": "v1", "text": text}
    if dialect == "qwen2.5-vl":
        record["input_size"] = [1024, 1024]
    return scene.opened(folder, dialect, [record], **options)


class TestAnotherSyntax:
    @pytest.mark.parametrize("dialect", TEXT)
    @pytest.mark.parametrize("spoken", TEXT)
    def test_an_answer_of_another_family_is_never_taken_for_absence(
        self, tmp_path, dialect, spoken
    ):
        if dialect == spoken or {dialect, spoken} <= QWENS:
            return
        with pytest.raises(InputError) as fault:
            only(opened(tmp_path, dialect, FOREIGN[spoken]))
        assert f"no box of {dialect} in it, but it looks like an answer of " in fault.value.what
        assert spoken in fault.value.what
        assert "line 1, query v1" in fault.value.where
        run = opened(tmp_path, dialect, FOREIGN[spoken], lenient=True)
        answer = only(run)
        assert answer.mask is None
        assert answer.hbb is None or len(answer.hbb) == 0
        assert run.reading.left_out == {"answers in which no box was understood": 1}

    @pytest.mark.parametrize(
        "text", ["Box: [12, 30, 200, 310]", "(12,30),(200,310)", "<1><2><3><4>"]
    )
    def test_numbers_of_a_box_in_no_known_syntax_are_refused(self, tmp_path, text):
        with pytest.raises(InputError, match="it looks like"):
            only(opened(tmp_path, "qwen3-vl", text))

    @pytest.mark.parametrize("text", ["", "There is none.", "In 2024, 3 of 4 were gone (1, 2)."])
    def test_prose_is_absence(self, tmp_path, text):
        for dialect in TEXT:
            answer = only(opened(tmp_path, dialect, text))
            assert answer.mask is None
            assert answer.hbb is None or len(answer.hbb) == 0

    def test_a_mask_without_a_token_is_counted(self, tmp_path):
        record = {"query_id": "v1", "text": "Sure.", "masks": [scene.rle(scene.BOXES[0])]}
        run = scene.opened(tmp_path, "seg-token", [record])
        assert only(run).mask is None
        assert run.told["left_out"] == {
            "masks of answers without a [SEG] token, which say that nothing is there": 1
        }

    def test_boxes_where_masks_belong_are_refused(self, tmp_path):
        with pytest.raises(InputError, match="looks like an answer of qwen"):
            only(opened(tmp_path, "seg-token", FOREIGN["qwen3-vl"]))

    @pytest.mark.parametrize(
        "token", ["[SEG]", "[seg]", "[SEG0]", "[SEG:0]", "<SEG>", "<|seg|>", "<|mt_start|>"]
    )
    def test_every_spelling_of_the_token_is_one(self, tmp_path, token):
        record = {"query_id": "v1", "text": f"It is {token}.", "masks": [scene.rle(scene.BOXES[0])]}
        assert only(scene.opened(tmp_path, "seg-token", [record])).mask is not None

    @given(st.text(alphabet="<>[](){}|_0123456789,. boxlcdet2\n٣", max_size=300))
    def test_any_text_is_looked_at(self, text):
        assert (
            looks_like(text, "gemini") is None
            or "<" in text
            or "[" in text
            or "(" in text
            or ("_2d" in text or "{" in text)
        )


class TestNothing:
    @pytest.mark.parametrize("box", ["[]", "null", '"none"', '""', '"None"'])
    @pytest.mark.parametrize(("dialect", "key"), [("qwen3-vl", "bbox_2d"), ("gemini", "box_2d")])
    def test_an_empty_box_is_absence(self, tmp_path, dialect, key, box):
        answer = only(opened(tmp_path, dialect, f'[{{"{key}": {box}, "label": "tank"}}]'))
        assert answer.hbb.shape == (0, 4)

    def test_zeros_are_absence_where_their_label_says_so_and_else_a_box(self, tmp_path):
        text = '[{"bbox_2d": [0, 0, 0, 0], "label": "%s"}]'
        assert len(only(opened(tmp_path, "qwen3-vl", text % "None")).hbb) == 0
        assert len(only(opened(tmp_path, "qwen3-vl", text % "tank")).hbb) == 1


class TestWhatIsSaidOfBoxes:
    @pytest.mark.parametrize(("dialect", "key"), [("qwen3-vl", "bbox_2d"), ("gemini", "box_2d")])
    def test_all_of_it_is_kept(self, tmp_path, dialect, key):
        said = {"color": "red", "sub_label": ["a"], "box_3d": [1, 2, 3]}
        objects = [{key: [1, 1, 2, 2], "label": "tank", "score": 0.5, **said}]
        answer = only(opened(tmp_path, dialect, json.dumps(objects)))
        assert answer.attributes == {"objects": [said]}
        assert answer.labels == ["tank"]
        assert answer.scores == [0.5]

    def test_scores_of_some_boxes_are_kept_as_attributes_and_said(self, tmp_path):
        objects = [{"bbox_2d": [1, 1, 2, 2], "score": 0.5}, {"bbox_2d": [3, 3, 4, 4]}]
        run = opened(tmp_path, "qwen3-vl", json.dumps(objects))
        answer = only(run)
        assert list(answer.scores) == []
        assert answer.attributes == {"objects": [{"score": 0.5}, {}]}
        (warning,) = run.told["warnings"]
        assert "scores only in part" in warning

    @pytest.mark.parametrize("score", ['"0.7"', "true", "1e400", "[1]"])
    def test_a_score_that_is_no_number_is_an_error(self, tmp_path, score):
        text = f'[{{"bbox_2d": [1, 1, 2, 2], "score": {score}}}]'
        with pytest.raises(InputError, match="'score' is"):
            only(opened(tmp_path, "qwen3-vl", text))


class TestFlorenceOutlines:
    BOXES = "tank" + "".join(f"<loc_{n}>" for n in (100, 100, 300, 500, 400, 100, 500, 300))
    TEXT = "tank" + "".join(f"<loc_{n}>" for n in (100, 100, 300, 100, 300, 500, 100, 500))

    def test_unmarked_tokens_are_boxes_unless_told(self, tmp_path):
        answer = only(opened(tmp_path, "florence-2", self.BOXES))
        assert answer.given == {"hbb"}
        assert len(answer.hbb) == 2

    def test_the_records_task_says_that_they_are_an_outline(self, tmp_path):
        task = "<REFERRING_EXPRESSION_SEGMENTATION>"
        records = [{"query_id": "v1", "text": self.TEXT, "task": task}]
        self.assert_outline(only(scene.opened(tmp_path, "florence-2", records)))

    def test_an_option_says_that_they_are_an_outline(self, tmp_path):
        self.assert_outline(only(opened(tmp_path, "florence-2", self.TEXT, modality="mask")))

    def test_four_of_them_stay_a_box(self, tmp_path):
        text = "tank<loc_100><loc_100><loc_300><loc_500>"
        answer = only(opened(tmp_path, "florence-2", text, modality="mask"))
        assert len(answer.hbb) == 1
        assert answer.mask is None

    def assert_outline(self, answer):
        assert answer.given == {"hbb", "mask"}
        expected = (np.array([100, 100, 300, 500]) + 0.5) / 1000 * scene.SIDE
        np.testing.assert_allclose(answer.hbb, [expected])
        ((ring,),) = answer.mask["polygons"]["coordinates"]
        assert len({tuple(position) for position in ring}) == 4


def test_digits_of_other_scripts_are_no_numbers(tmp_path):
    text = "<box><١٠٠><١٠٠><٢٠٠><٢٠٠></box>"
    with pytest.raises(InputError, match="in a box"):
        only(opened(tmp_path, "locate-anything", text))
