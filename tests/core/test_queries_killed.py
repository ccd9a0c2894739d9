"""Jobs that are killed at any moment go on: nothing that was answered is asked again or lost."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from .killing import ANNOUNCING, hit_commit
from .language_peer import language_peer, sleeps
from .query_asking import generate, no_environment, verify  # noqa: F401 - a fixture
from .query_scenes import dataset_of, runs, texts

pytest.importorskip("openai", reason="needs pip install 'ovearth[queries]'")

COUNT = 6
RUN = "import sys; from ovearth_core.cli.main import run; run(sys.argv[1:])"


def started(stage, dataset, peer, *options, announcing=False):
    """The command in a process of its own."""
    program = (ANNOUNCING if announcing else "") + RUN
    command = [sys.executable, "-c", program, "queries", stage, str(dataset.folder),
               "--base-url", peer.url, "--model", "seer", *map(str, options)]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ))  # fmt: skip


def kept(folder):
    """How many replies lie in the cache, whole."""
    return len([p for p in (folder / "cache").rglob("*") if p.is_file() and p.name[0] != "."])


def wait_until(true, seconds=40):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def assert_whole(dataset):
    """Every target has its texts once, and is noted as done once."""
    assert Counter(t.target_id for t in texts(dataset)) == dict.fromkeys(range(1, COUNT + 1), 6)
    assert sorted(run.target_id for run in runs(dataset, stage="generate")) == list(
        range(1, COUNT + 1)
    )


@pytest.mark.parametrize("answered", [1, 3, 5])
def test_what_was_answered_is_not_asked_again(tmp_path, answered):
    dataset = dataset_of(tmp_path, COUNT)
    with language_peer() as peer:
        peer.hold_after = answered
        job = started("generate", dataset, peer, "--at-once", 2)
        under_way = min(2, COUNT - answered)
        wait_until(lambda: kept(tmp_path) == answered)
        wait_until(lambda: len(peer.asked) == answered + under_way)
        job.kill()
        job.communicate()
        peer.hold_after = None
        before = Counter(asked.token for asked in peer.asked)
        held = [asked.token for asked in peer.asked[answered:]]
        assert generate(dataset, peer) == 0
        after = Counter(asked.token for asked in peer.asked)
    assert_whole(dataset)
    for token, count in after.items():
        assert count == (2 if token in held else 1), (token, before, after)


@pytest.mark.parametrize("commits", range(1, COUNT + 1))
def test_killed_in_a_commit_nothing_is_asked_again_or_stored_twice(tmp_path, commits):
    dataset = dataset_of(tmp_path, COUNT)
    with language_peer() as peer:
        job = started("generate", dataset, peer, "--at-once", 1, announcing=True)
        for _ in range(commits):
            assert job.stdout.readline() == "commit\n"
        job.kill()
        job.communicate()
        asked = Counter(asked.token for asked in peer.asked)
        assert generate(dataset, peer) == 0
        again = Counter(asked.token for asked in peer.asked) - asked
    assert_whole(dataset)
    # One request may have been under way.
    assert sum((asked & again).values()) <= 1


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.3, 0.5])
def test_killed_at_any_moment_no_more_is_repeated_than_was_under_way(tmp_path, delay):
    dataset = dataset_of(tmp_path, COUNT)
    with language_peer() as peer:
        peer.tricks = [sleeps(0.1)] * 99
        job = started("generate", dataset, peer, "--at-once", 2)
        wait_until(lambda: peer.asked)
        time.sleep(delay)
        job.kill()
        job.communicate()
        peer.tricks = []
        assert generate(dataset, peer) == 0
        assert len(peer.asked) <= COUNT + 2
    assert_whole(dataset)
    assert not hit_commit(tmp_path)


def test_verification_goes_on_too(tmp_path):
    dataset = dataset_of(tmp_path, COUNT)
    with language_peer() as peer:
        assert generate(dataset, peer) == 0
        peer.asked.clear()
        peer.answered, peer.hold_after = 0, 3
        job = started("verify", dataset, peer, "--at-once", 1)
        wait_until(lambda: kept(tmp_path) == COUNT + 3 and len(peer.asked) == 4)
        job.kill()
        job.communicate()
        peer.hold_after = None
        assert verify(dataset, peer) == 0
        assert len(peer.asked) == COUNT + 1
    assert sum(t.verified_at is not None for t in texts(dataset)) == 3 * COUNT


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_by_hand_it_says_so_in_one_line_and_keeps_what_comes_in(tmp_path, how):
    dataset = dataset_of(tmp_path, COUNT)
    with language_peer() as peer:
        peer.tricks = [None, sleeps(1.5), sleeps(1.5), *[sleeps(20)] * 9]
        job = started("generate", dataset, peer, "--at-once", 2)
        wait_until(lambda: runs(dataset))
        job.send_signal(how)
        _, said = job.communicate(timeout=40)
        assert job.returncode == 130
        assert said.splitlines()[-1].startswith("error: stopped, 3 targets stored, ")
        assert said.count("error: ") == 1
        assert "Traceback" not in said
        asked = len(peer.asked)
        peer.tricks = []
        assert generate(dataset, peer) == 0
        assert len(peer.asked) == asked + COUNT - 3
    assert_whole(dataset)
