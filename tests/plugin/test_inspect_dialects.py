"""Runs as models really gave them are added to Inspect, by mouse and keys, and read as chosen."""

import importlib
import json

import numpy as np
import pytest
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from .inspecting import add_run, choose, click, click_row, idle, open_benchmark, type_path

SIDE = 1024
BOX = [128, 256, 512, 768]


@pytest.fixture
def mine(tmp_path):
    """A benchmark with one tank on one image of 1024 by 1024 pixels."""
    x0, y0, x1, y1 = BOX
    document = {
        "info": {"format": "ovearth-benchmark/1"},
        "categories": [{"id": 1, "name": "storage tank"}],
        "images": [{"id": 1, "file_name": "images/1.tif", "width": SIDE, "height": SIDE,
                    "crs": "EPSG:32632", "transform": [0.5, 0, 500000, 0, -0.5, 5000000]}],
        "targets": [{"id": 1, "image_id": 1, "category_id": 1}],
        "annotations": [{"id": 1, "target_id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0,
                         "segmentation": [[x0, y0, x1, y0, x1, y1, x0, y1]]}],
        "queries": [{"id": "v1", "target_id": 1, "task": "vocabulary", "polarity": "positive",
                     "text": "tank"}],
    }  # fmt: skip
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def inspect(window, mine):
    """The window with that benchmark."""
    open_benchmark(window, mine)
    return window


def speak(window, title):
    choose(window.panel.runs.dialects.choice, title)
    return window.panel.runs.dialects


def answers(mine, *records, name="answers.jsonl"):
    path = mine.with_name(name)
    path.write_text("".join(json.dumps({"query_id": "v1", **each}) + "\n" for each in records))
    return path


def qwen(numbers):
    return {"text": f"```json\n{json.dumps([{'bbox_2d': numbers, 'label': 'tank'}])}\n```"}


def iou(window, kind="hbb"):
    (run,) = window.state.runs
    return run.document[kind]["vocabulary"]["mi_f1_50_95"]


def shown_fields(form):
    return [name for name, field in form.fields.items() if field.isVisible()]


def type_in(line, text):
    line.setFocus()
    QTest.keyClicks(line, str(text))


def test_the_list_has_every_dialect_of_the_core_with_a_plain_name(inspect, package):
    core = importlib.import_module("ovearth.ovearth_core.predictions.dialects")
    words = importlib.import_module("ovearth.ovearth_plugin.dialect_words")
    choice = inspect.panel.runs.dialects.choice
    names = [choice.itemData(place) for place in range(choice.count())]
    assert names == [None, *core.dialect_names()]
    assert tuple(core.dialect_names()) == words.DIALECTS
    titles = [choice.itemText(place) for place in range(choice.count())]
    assert titles[0] == "OVEarth run"
    assert len(set(titles)) == len(titles)
    assert not set(titles) & set(names)


def test_the_controls_are_those_that_the_dialect_takes(inspect):
    form = inspect.panel.runs.dialects
    assert not form.isVisible()
    for title, expected in (
        ("Qwen2.5-VL", ["input_size", "mapping", "lenient"]),
        ("Gemini", ["mapping", "lenient"]),
        ("Oriented boxes by angle (OpenRSD, mmrotate)", ["angle", "angle_unit", "mapping",
                                                         "lenient"]),
        ("COCO results", ["resize", "mapping", "lenient"]),
        ("Dense maps (CLIP, CAT-Seg, SegEarth-OV, SkySense-O …)",
         ["classes", "threshold", "resize", "mapping", "lenient"]),
        ("Map product (vector file, GeoTIFFs)",
         ["classes", "threshold", "duplicates", "modality", "mapping", "lenient"]),
    ):  # fmt: skip
        speak(inspect, title)
        assert shown_fields(form) == expected, title
        assert all(form.labels[name].isVisible() for name in expected)
    speak(inspect, "OVEarth run")
    assert not form.isVisible()
    assert shown_fields(form) == []


def test_a_control_names_every_option_of_the_core(inspect, package):
    core = importlib.import_module("ovearth.ovearth_core.predictions.dialects")
    fields = set(inspect.panel.runs.dialects.fields)
    for name in core.dialect_names():
        assert set(core.find_dialect(name).options) <= fields


def test_a_run_of_qwen_is_read_in_the_size_that_the_model_saw(inspect, mine):
    path = answers(mine, qwen([64, 128, 256, 384]))
    form = speak(inspect, "Qwen2.5-VL")
    for box in (form.fields["input_size"].width_px, form.fields["input_size"].height_px):
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "512")
    add_run(inspect, path)
    assert inspect.said() == []
    assert iou(inspect) == 1.0
    assert inspect.state.runs[0].document["other"] == {"dialect": "qwen2.5-vl"}
    click_row(inspect)


def test_read_as_something_else_it_takes_the_place_of_what_was_read(inspect, mine):
    path = answers(mine, qwen([125, 250, 500, 750]))
    speak(inspect, "Qwen3-VL")
    add_run(inspect, path)
    assert iou(inspect) == 1.0
    add_run(inspect, path)
    assert "already in the list" in inspect.said()[0]
    form = speak(inspect, "Qwen2.5-VL")
    for box in (form.fields["input_size"].width_px, form.fields["input_size"].height_px):
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "2000")
    add_run(inspect, path)
    assert len(inspect.state.runs) == 1
    assert iou(inspect) == 0.0


def test_angles_are_asked_for_before_any_file(inspect, mine):
    cx, cy, w, h = 320, 512, 384, 512
    path = answers(mine, {"boxes": [[cx, cy, h, w, -90]], "scores": [0.5]})
    form = speak(inspect, "Oriented boxes by angle (OpenRSD, mmrotate)")
    click(inspect.panel.runs.add)
    assert inspect.said() == ["First choose: Angles."]
    assert inspect.focusWidget() is form.fields["angle"]
    choose(form.fields["angle"], "le90: -90° to 90°")
    choose(form.fields["angle_unit"], "degrees")
    add_run(inspect, path)
    assert iou(inspect, "obb") == 1.0


def test_a_folder_of_maps_is_added_with_a_class_list_and_a_threshold(inspect, mine):
    folder = mine.with_name("maps")
    folder.mkdir()
    scores = np.full((SIDE, SIDE), 0.25, np.float32)
    x0, y0, x1, y1 = BOX
    scores[y0:y1, x0:x1] = 0.75
    np.save(folder / "v1.npy", scores)
    form = speak(inspect, "Dense maps (CLIP, CAT-Seg, SegEarth-OV, SkySense-O …)")
    type_in(form.fields["threshold"], "0.5")
    assert inspect.panel.runs.add_masks.text() == "Add folder…"
    click(inspect.panel.runs.add_masks)
    type_path(inspect, folder)
    idle(inspect)
    (run,) = inspect.state.runs
    assert run.document["segmentation"]["vocabulary"]["ma_iou"] == 1.0
    np.save(folder / "1.npy", (scores > 0.5).astype(np.uint8))
    (folder / "v1.npy").unlink()
    (mine.with_name("classes.txt")).write_text("ground\nstorage tank\n")
    form.fields["threshold"].clear()
    click(form.fields["classes"].choose)
    type_path(inspect, mine.with_name("classes.txt"))
    assert form.fields["classes"].path.text() == str(mine.with_name("classes.txt"))
    click(inspect.panel.runs.add_masks)
    type_path(inspect, folder)
    idle(inspect)
    (run,) = inspect.state.runs
    assert run.document["segmentation"]["vocabulary"]["ma_iou"] == 1.0
    speak(inspect, "OVEarth run")
    assert inspect.panel.runs.add_masks.text() == "Add masks…"


def test_what_is_malformed_is_a_sentence_and_lenient_says_what_was_left_out(inspect, mine):
    text = qwen([125, 250, 500, 750])["text"] + '[{"bbox_2d": [1, 2'
    path = answers(mine, {"text": text})
    form = speak(inspect, "Qwen3-VL")
    add_run(inspect, path)
    (said,) = inspect.said()
    assert "cut off inside an object" in said
    assert "tick “Keep what is whole”" in said
    assert inspect.state.runs == []
    QTest.keyClick(form.fields["lenient"], Qt.Key.Key_Space)
    add_run(inspect, path)
    assert iou(inspect) == 1.0
    assert inspect.said()[0] == (
        "answers.jsonl: left out, or to be looked at: 1 broken or cut-off boxes"
    )


def test_a_mapping_file_says_what_belongs_to_which_query(inspect, mine):
    path = mine.with_name("named.jsonl")
    path.write_text(json.dumps({**qwen([125, 250, 500, 750]), "query_id": "0001"}) + "\n")
    mine.with_name("mapping.csv").write_text("output,query\n0001,v1\n")
    form = speak(inspect, "Qwen3-VL")
    type_in(form.fields["mapping"].path, mine.with_name("mapping.csv"))
    add_run(inspect, path)
    assert inspect.said() == []
    assert iou(inspect) == 1.0
    # The mapping is part of the run: changed, it is read again.
    mine.with_name("mapping.csv").write_text("output,query\n0001,\n")
    add_run(inspect, path)
    assert len(inspect.state.runs) == 1
    assert "already" not in "".join(inspect.said())


def test_the_overlay_of_such_a_run_is_written_as_it_was_read(inspect, mine, tmp_path):
    speak(inspect, "Qwen3-VL")
    add_run(inspect, answers(mine, qwen([125, 250, 500, 750])))
    inspect.panel.exporter.overlay(tmp_path / "overlay.gpkg")
    idle(inspect)
    assert "Written" in inspect.said()[0]
    assert (tmp_path / "overlay.gpkg").exists()


def test_a_dialect_that_cannot_be_loaded_is_said_and_not_chosen(window):
    form = window.panel.runs.dialects
    form.choice.addItem("A package's own", "unheard-of")
    choose(form.choice, "OVEarth run")
    form.choice.setFocus()
    QTest.keyClick(form.choice, Qt.Key.Key_End)
    assert form.choice.currentText() == "OVEarth run"
    assert "unknown dialect 'unheard-of'" in window.said()[0]
