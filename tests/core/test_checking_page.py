"""Everything that the page on checking shows is true."""

import re
import shlex

from ovearth_core.checking import (
    benchmark_file,
    boxes,
    dataset_rows,
    files,
    frames,
    masks,
    near_duplicates,
    outlines,
    overlaps,
    rings,
    texts,
)
from ovearth_core.cli.main import main
from ovearth_core.dataset import loose

from .shared import CHECKOUT
from .test_dataset_check import sound

PAGE = (CHECKOUT / "docs" / "checking.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]
MODULES = (benchmark_file, boxes, dataset_rows, files, frames, loose, masks, near_duplicates,
           outlines, overlaps, rings, texts)  # fmt: skip


def test_its_commands_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sound(tmp_path)
    assert len(COMMANDS) == 5
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
    assert (tmp_path / "boxes.csv").exists()
    assert (tmp_path / "figures" / "gsd.svg").exists()


def test_it_lists_every_kind_of_finding_and_no_other():
    table = PAGE.split("| kinds |")[1].split("\n\n")[0]
    listed = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", table))
    written = set()
    for module in MODULES:
        source = open(module.__file__, encoding="utf-8").read()
        called = r"(?:Finding\(|_at\(\s*\w+,|at_\w+\(\s*\w+,)(?:\s*\w+,)?\s*\"([a-z-]+)\""
        written |= set(re.findall(called, source))
        written |= set(re.findall(r"\(\s*\"((?:no|not)-[a-z-]+)\",", source))
        written |= set(re.findall(r"yield \"([a-z-]+)\"", source))
    assert written == listed
