"""What the page on reports shows is true: its commands run, its pictures are small."""

import re
import shlex

from ovearth_core.cli.main import main

from .shared import CHECKOUT

PAGE = (CHECKOUT / "docs" / "report.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


def test_the_commands_run_and_the_page_of_both_is_the_one_that_was_added_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "build/demo"]) == 0
    assert len(COMMANDS) == 3
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command
    pages = [
        (tmp_path / name / "index.html").read_text(encoding="utf-8")
        for name in ("report", "leaderboard")
    ]
    assert pages[0] == pages[1].replace("--out leaderboard", "--out report")
    assert (tmp_path / "build/demo/report/index.html").is_file()


def test_the_pictures_are_small():
    for name in re.findall(r"\]\((images/[^)]+)\)", PAGE):
        assert (CHECKOUT / "docs" / name).stat().st_size < 150_000
