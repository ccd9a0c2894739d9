"""What the page on dialects shows is true: its commands run, and it tells of every dialect."""

import importlib.util
import json
import re
import shlex

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.predictions.dialects import Dialect, dialect_names

from . import dialect_scene as scene
from . import making
from .shared import CHECKOUT
from .test_map_dialect import tank, write_vector
from .test_scene_dialects import write_coco

PAGE = (CHECKOUT / "docs" / "dialects.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what the page's reader has."""
    monkeypatch.chdir(tmp_path)
    making.write_benchmark(tmp_path, scene.document())
    scene.write(tmp_path, scene.texts()["qwen3-vl"], "answers.jsonl")
    scene.write(tmp_path, [{"query_id": "v1", "text": "<|box_start|><1><2>"}], "cut-off.jsonl")
    write_coco(tmp_path)
    (tmp_path / "maps").mkdir()
    np.save(tmp_path / "maps" / "0001.npy", np.where(scene.pixels(), 0.9, 0.1))
    (tmp_path / "mapping.csv").write_text("output,query\n0001,v1\n")
    write_vector(tmp_path / "tanks.gpkg", [tank(0), tank(1)])
    return tmp_path


def test_the_commands_run_one_after_the_other(folder):
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command


def test_the_record_shown_is_one(folder, capsys):
    record = json.loads(re.search(r"```json\n(.*?)\n```", PAGE, re.DOTALL)[1])
    scene.write(folder, [{**record, "query_id": "v1"}], "a.jsonl")
    assert main(["score", "benchmark.json", "a.jsonl", "--from", "qwen2.5-vl"]) == 0


def test_it_tells_of_every_dialect_as_the_registry_has_it():
    """`tools/dialect_table.py` writes those sections."""
    spec = importlib.util.spec_from_file_location("table", CHECKOUT / "tools/dialect_table.py")
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    assert table.page() == PAGE
    assert re.findall(r"^### (.*)$", PAGE, re.MULTILINE) == dialect_names()


def test_the_dialect_of_your_own_is_one():
    code = re.search(r"```python\n(.*?)\n```", PAGE, re.DOTALL)[1]
    made = {}
    exec(compile(code, "the page", "exec"), made)  # our own page's text
    assert isinstance(made["DIALECT"], Dialect)
