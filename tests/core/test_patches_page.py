"""What docs/patches.md shows runs."""

import shlex

from ovearth_core.cli.main import main

from .patch_jobs import dataset_at, imagery, images
from .shared import CHECKOUT
from .test_patch_jobs import _table


def test_the_commands_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (CHECKOUT / "docs" / "patches.md").read_text(encoding="utf-8")
    commands = [line[2:] for line in page.splitlines() if line.startswith("$ ovearth ")]
    dataset = dataset_at(tmp_path, [(800, 600)])
    dataset.folder.rename("my-dataset")
    imagery(tmp_path)
    _table(tmp_path)
    assert len(commands) == 5
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
    dataset.__init__(tmp_path / "my-dataset")
    assert images(dataset)
