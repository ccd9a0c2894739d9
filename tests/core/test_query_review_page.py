"""What the page on judging texts shows is true: its commands run, by reviewers who fill in."""

import json
import shlex
from pathlib import Path

import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset.judging import QUESTIONS

from .shared import CHECKOUT
from .sheets import filled, rows_of

PAGE = (CHECKOUT / "docs" / "query-review.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]
YES, REMOVE = {"answer": "yes"}, {"decision": "remove", "reason": "it is there"}


@pytest.fixture
def demo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "build/demo"]) == 0
    return tmp_path


def fill_in():
    """What the reviewers do between the commands: two agree, one doesn't; then they disagree."""
    sheet = Path("texts.xlsx")
    first, second, *_ = (row["query id"] for row in rows_of(sheet))
    said = {
        "anna.xlsx": {first: YES, second: YES},
        "ben.csv": {first: YES, second: REMOVE},
        "cleo.csv": {first: REMOVE},
    }
    rows = rows_of(sheet)
    for name, answers in said.items():
        filled(sheet, Path(name), answers)
    return second, rows


def test_the_commands_run_one_after_the_other(demo, capsys):
    assert len(COMMANDS) == 7
    assert main(shlex.split(COMMANDS[0])[1:]) == 0
    contested, rows = fill_in()
    assert len(rows) == len({row["row id"] for row in rows})
    for command in COMMANDS[1:]:
        assert main(shlex.split(command)[1:]) == 0, command
        if "--contested" in command:
            open_rows = rows_of(Path("contested.xlsx"))
            assert [row["query id"] for row in open_rows] == [contested]
            filled(Path("contested.xlsx"), Path("mia.csv"), {contested: YES})
    numbers = json.loads(Path("numbers.json").read_text())
    assert sum(kind["contested"] for kind in numbers.values()) == 0
    assert sum(kind["decisions"]["texts"] for kind in numbers.values()) == 2


def test_the_questions_on_the_page_are_those_of_the_sheet():
    assert [question.sentence for question in QUESTIONS if question.sentence not in PAGE] == []


def test_what_a_reviewer_may_answer_is_all_named():
    for word in ("`yes`", "`no`", "`unsure`", "`accept`", "`edit`", "`remove`", "query_judgements"):
        assert word in PAGE
