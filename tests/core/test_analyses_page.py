"""What the page on analyses shows is true: its commands and its Python run."""

import re
import shlex

import pytest

from ovearth_core.cli.main import main
from ovearth_core.report.analyses import ANALYSES

from .shared import CHECKOUT

PAGE = (CHECKOUT / "docs" / "analyses.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the demo and the page's file of attributes."""
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "build/demo"]) == 0
    (tmp_path / "models.csv").write_text(re.search(r"```csv\n(.*?)```", PAGE, re.DOTALL)[1])
    return tmp_path


def test_the_commands_and_the_python_run(folder, capsys):
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
    assert "\\toprule" in (folder / "stability.tex").read_text()
    assert len(list((folder / "hardest").glob("mask-vocabulary-*.png"))) == 5
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    capsys.readouterr()
    exec(compile(program, "analyses.md", "exec"), {})
    assert "Over 2 models" in capsys.readouterr().out


def test_every_analysis_is_named():
    named = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert named == list(ANALYSES)
