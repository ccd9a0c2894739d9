"""Everything that the README shows is true: its commands run, and print what it says."""

import re
import shlex

import pytest

from ovearth_core.cli.main import main

from .shared import CHECKOUT

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in README.splitlines() if line.startswith("$ ovearth ")]
DOCS = sorted((CHECKOUT / "docs").glob("*.md"))


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """A folder with the demo where the README's commands expect it."""
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "build/demo"]) == 0
    return tmp_path


def test_the_demo_prints_what_the_readme_shows(demo, capsys):
    capsys.readouterr()
    assert main(["demo", "build/demo"]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    block = re.search(r"```console\n\$ make demo\n(.*?)```", README, re.DOTALL)
    assert block[1].splitlines() == printed


def test_the_other_commands_run(demo):
    assert {shlex.split(command)[1] for command in COMMANDS} == {
        "score",
        "report",
        "check",
        "boxes",
        "requests",
        "taxonomy",
        *("init", "images", "stats", "review", "export"),
        *("pois", "patches", "queries"),
    }
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0, command


def test_what_the_taxonomy_page_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (CHECKOUT / "docs" / "taxonomy.md").read_text(encoding="utf-8")
    (tmp_path / "my-classes.txt").write_text("car\n")
    commands = [line[2:] for line in page.splitlines() if line.startswith("$ ovearth ")]
    assert len(commands) == 8
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
    own = re.search(r"```json\n(.*?)\n```", page, re.DOTALL)[1]
    (tmp_path / "own.json").write_text(own)
    assert main(["taxonomy", "show", "pier", "--taxonomy", "own.json"]) == 0


def test_the_record_is_one_and_the_python_runs(demo, capsys):
    record = re.search(r"```json\n(.*?)\n```", README, re.DOTALL)[1]
    (demo / "run.jsonl").write_text(record)
    assert main(["score", "build/demo/benchmark.json", "run.jsonl"]) == 0
    program = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    capsys.readouterr()
    exec(compile(program, "README.md", "exec"), {})
    assert float(capsys.readouterr().out) == pytest.approx(0.8074509259376713)


def test_every_page_is_named():
    pages = {path.name for path in DOCS}
    named = set()
    for path in (CHECKOUT / "README.md", *DOCS):
        named |= set(re.findall(r"\]\((?:docs/)?([\w-]+\.md)", path.read_text(encoding="utf-8")))
    assert pages <= named
    assert {"patches.md", "imagery.md", "points-of-interest.md"} <= set(
        re.findall(r"\]\(docs/([\w-]+\.md)", README)
    )


def test_make_knows_every_target_that_is_named():
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    named = set()
    for path in (CHECKOUT / "README.md", *DOCS):
        named |= set(re.findall(r"(?:`|\$ )make ([a-z-]+)", path.read_text(encoding="utf-8")))
    assert {"demo", "test"} <= named <= targets


def test_every_link_leads_to_a_file():
    for path in (CHECKOUT / "README.md", *DOCS):
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            if not link.startswith("https://"):
                assert (path.parent / link).exists(), f"{path.name}: {link}"
