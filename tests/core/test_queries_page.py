"""What docs/queries.md shows is true: its commands run, against a model on loopback."""

import re
import shlex

import pytest

from ovearth_core.checking.finding import SEVERITIES
from ovearth_core.cli.main import main
from ovearth_core.queries.flags import OF_VERIFICATION

from .language_peer import language_peer
from .query_asking import no_environment  # noqa: F401 - a fixture
from .query_scenes import dataset_of, texts
from .shared import CHECKOUT

pytest.importorskip("openai", reason="needs pip install 'ovearth[queries]'")

PAGE = (CHECKOUT / "docs" / "queries.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]


def test_its_commands_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dataset = dataset_of(tmp_path, 3)
    assert len(COMMANDS) == 10
    with language_peer() as peer:
        for command in COMMANDS:
            if command.endswith("benchmark.json"):
                assert main(["export", "dataset", "benchmark.json", "--format", "benchmark"]) == 0
            text = command.replace("https://llm.example.org/v1", peer.url)
            # The peer says the same of every tank's use: the check finds that.
            assert main(shlex.split(text)[1:]) == int("check dataset" in command), command
        assert len(peer.asked) == 6
    assert {t.flags for t in texts(dataset) if t.task == "reasoning"} >= {("repeated-text",)}
    assert (tmp_path / "requests.jsonl").exists()


def test_it_names_every_kind_that_only_this_check_finds_and_every_flag():
    named = set(re.findall(r"`([a-z-]+)`", PAGE))
    table = (CHECKOUT / "docs" / "checking.md").read_text(encoding="utf-8")
    only_here = re.search(r"queries check`\]\([^)]*\) only \| (.*) \|", table)[1]
    kinds = set(re.findall(r"`([a-z-]+)`", only_here))
    assert kinds <= set(SEVERITIES)
    assert kinds | set(OF_VERIFICATION) <= named
