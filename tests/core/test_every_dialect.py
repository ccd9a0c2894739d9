"""Every dialect there is tells the same scene with the same scores, and no text hurts it.

A dialect that is added to the registry fails here until it has a sample.
"""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from ovearth_core.errors import OVEarthError
from ovearth_core.predictions import predictions_from
from ovearth_core.predictions.dialects import (
    DialectOptions,
    dialect_names,
    find_dialect,
    open_dialect,
)
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from .test_dialect_files import NAMES
from .test_map_dialect import tank, write_vector
from .test_record_dialects import answers, empty
from .test_scene_dialects import WRITERS
from .test_text_dialects import SCANS, TEXTS

TEXT = [name for name in dialect_names() if find_dialect(name).kind == "text"]


def told(records):
    return lambda folder: (scene.write(folder, records), {})


def written_records(name):
    record, options = answers()[name]
    records = [{"query_id": "v1", **record}, {"query_id": "n1", **empty(record)}]
    return lambda folder: (scene.write(folder, records), options)


def write_maps(folder):
    (folder / "maps").mkdir()
    np.save(folder / "maps" / "v1.npy", scene.pixels())
    np.save(folder / "maps" / "n1.npy", np.zeros_like(scene.pixels()))
    return folder / "maps", {}


def write_map(folder):
    return write_vector(folder / "tanks.gpkg", [tank(0), tank(1)]), {}


SAMPLES = {
    **{name: told(records) for name, records in scene.texts().items()},
    "text4seg": told(scene.text(scene.patches(32), "There is none.")),
    **{name: written_records(name) for name in answers()},
    **{name: write for name, (write, _) in WRITERS.items()},
    "dense": write_maps,
    "map": write_map,
}


@pytest.fixture(scope="module")
def truth(tmp_path_factory):
    """The scores of the scene as a run of ours has it."""
    quads = [scene.corners(box) for box in scene.BOXES]
    masks = [scene.rle(box) for box in scene.BOXES]
    run = predictions_from(
        [
            {"query_id": "v1", "mask": masks, "hbb": scene.BOXES.tolist(), "obb": quads},
            {"query_id": "n1", "mask": None, "hbb": [], "obb": []},
        ]
    )
    return evaluate(scene.benchmark(tmp_path_factory.mktemp("truth")), run).to_dict()


def test_every_dialect_has_a_sample():
    assert {name.split()[0] for name in SAMPLES} == set(dialect_names())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_scene_has_the_scores_of_a_run_of_ours(tmp_path, name, truth):
    source, options = SAMPLES[name](tmp_path)
    benchmark = scene.benchmark(tmp_path)
    run = open_dialect(source, name.split()[0], benchmark, DialectOptions(**options))
    scores = evaluate(benchmark, run).to_dict()
    assert scores["modalities"]
    for modality in scores["modalities"]:
        assert scores["presence"][modality] == truth["presence"][modality]
        table = "segmentation" if modality == "mask" else modality
        assert scores[table] == truth[table]


class TestAnyText:
    def test_every_dialect_of_text_has_its_scanner_tried(self):
        tried = {*SCANS, "text4seg"}
        assert {"qwen" if name.startswith("qwen") else name for name in TEXT} == tried

    @pytest.mark.parametrize("dialect", [*TEXT, "seg-token"])
    @settings(
        max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(text=TEXTS)
    def test_no_answer_hurts_a_reading(self, tmp_path, dialect, text):
        record = {"query_id": "v1", "text": text, "masks": [], "input_size": [100, 100]}
        source = scene.write(tmp_path, [record])
        benchmark = scene.benchmark(tmp_path)
        for lenient in (True, False):
            with suppress(OVEarthError):
                for answer in open_dialect(
                    source, dialect, benchmark, DialectOptions(lenient=lenient)
                ).answers():
                    json.dumps(answer.document(), allow_nan=False)

    @pytest.mark.parametrize(
        "piece",
        [
            *("{", '"', "[[", "<1>", "1 ", "1,", '{"query_id": "v1", "text": "', "\n", "a,b\n"),
            *('{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}, ', "POLYGON((", "0.5 1\n"),
        ],
    )
    @pytest.mark.parametrize("dialect", dialect_names())
    def test_a_long_file_of_anything_ends(self, tmp_path, dialect, piece):
        """What took the square of the length would not, before the test is ended for its time."""
        benchmark = scene.benchmark(tmp_path)
        (tmp_path / "classes.txt").write_text("storage tank\n")
        text = piece * (200_000 // len(piece))
        angle = "oc" if dialect == "obb-angle" else None
        size = (100, 100) if dialect == "qwen2.5-vl" else None
        options = DialectOptions(lenient=True, angle=angle, input_size=size)
        source = tmp_path / NAMES.get(dialect, "a.jsonl")
        in_record = json.dumps({"query_id": "v1", "text": text, "boxes": text, "masks": [text]})
        for content in (text, "[" + text, in_record):
            source.write_text(content)
            with suppress(OVEarthError):
                for _ in open_dialect(source, dialect, benchmark, options).answers():
                    pass
