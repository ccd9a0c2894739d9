"""Everything that the page on checking shows is true."""

import re
import shlex

from ovearth_core.checking.finding import SEVERITIES
from ovearth_core.cli.main import main

from .shared import CHECKOUT
from .test_dataset_check import sound

PAGE = (CHECKOUT / "docs" / "checking.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


def test_its_commands_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sound(tmp_path)
    assert len(COMMANDS) == 5
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
    assert (tmp_path / "boxes.csv").exists()
    assert (tmp_path / "figures" / "gsd.svg").exists()


def test_it_lists_every_kind_of_finding_and_no_other():
    table = PAGE.split("| kinds |")[1].split("\n\n")[0]
    assert sorted(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", table)) == sorted(SEVERITIES)


def test_every_kind_that_is_written_in_the_code_is_listed():
    folder = CHECKOUT / "ovearth_core"
    modules = [path for part in ("checking", "queries") for path in (folder / part).glob("*.py")]
    modules.append(folder / "dataset" / "loose.py")
    source = "".join(path.read_text(encoding="utf-8") for path in modules)
    for kind in SEVERITIES:
        assert source.count(f'"{kind}"') >= 2, kind
