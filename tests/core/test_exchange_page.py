"""What the page on import and export shows is true: its commands run."""

import json
import shlex

import pytest

from ovearth_core.cli.main import main

from . import making
from .placed_images import write_image
from .shared import CHECKOUT

PAGE = (CHECKOUT / "docs" / "exchange.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what the page's reader has: a COCO file, its pictures, and a mapping."""
    monkeypatch.chdir(tmp_path)
    write_image(tmp_path / "pictures" / "one.tif")
    document = making.benchmark(images=[making.image(1) | {"file_name": "one.tif"}])
    coco = {name: document[name] for name in ("categories", "images", "annotations")}
    (tmp_path / "coco.json").write_text(json.dumps(coco))
    (tmp_path / "classes.csv").write_text("tank,storage tank\nfield,")
    return tmp_path


def test_the_commands_run_one_after_the_other(folder):
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
    assert (folder / "v1.0" / "SHA256SUMS").is_file()
    written = json.loads((folder / "again.json").read_text())
    assert written == json.loads((folder / "build/demo/benchmark.json").read_text())
