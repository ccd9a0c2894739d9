"""What boxes, statistics and checks say of a dataset is what they say of its export."""

import json

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import QueryRow

from .datasets import FIELD, SQUARE
from .test_dataset_check import draw, sound

pytest.importorskip("ovearth_core.dataset.exchange.exporting")


@pytest.fixture
def both(tmp_path):
    dataset, image, tank = sound(tmp_path)
    holed = [SQUARE + np.array([0, 100]), np.array([[20.0, 120], [20, 130], [30, 130], [30, 120]])]
    area = draw(dataset, image, (tuple(holed),), FIELD)
    draw(dataset, image, SQUARE + np.array([60, 5]), target_id=tank.target_id)
    draw(dataset, image, SQUARE + np.array([100, 60]), target_id=tank.target_id, is_crowd=True)
    with dataset.writing("max") as edit:
        edit.set_state(area.target_id, "approved")
        edit.add(QueryRow("n", tank.target_id, "vocabulary", "negative", "ship"))
        edit.add(QueryRow("p", tank.target_id, "reasoning", "positive", "x", state="proposed"))
    draw(dataset, image, SQUARE + np.array([150, 100]))
    out = tmp_path / "benchmark.json"
    assert main(["export", str(dataset.folder), str(out), "--format", "benchmark"]) == 0
    return dataset.folder, out


def test_statistics_are_the_same(both, tmp_path):
    documents = []
    for place in both:
        out = tmp_path / "statistics.json"
        assert main(["stats", str(place), "--json", str(out)]) == 0
        documents.append(json.loads(out.read_text()))
    assert documents[0] == documents[1]
    assert documents[0]["boxes"] == 2


@pytest.mark.parametrize("frame", ["pixel", "map", "ground"])
def test_boxes_are_the_same(both, tmp_path, frame):
    tables = []
    for place in both:
        out = tmp_path / "boxes.jsonl"
        assert main(["boxes", str(place), "--frame", frame, "--out", str(out)]) == 0
        tables.append([json.loads(line) for line in out.read_text().splitlines()])
    assert tables[0] == tables[1]
    assert len(tables[0]) == 2


def test_a_sound_dataset_is_a_sound_benchmark(both):
    for place in both:
        assert main(["check", str(place)]) == 0
