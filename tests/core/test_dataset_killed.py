"""A dataset whose writer dies at any moment: it opens, with the last committed work and no more."""

import os
import random
import sqlite3
import statistics
import subprocess
import sys
import time
from contextlib import closing

import pytest

from ovearth_core.dataset import Dataset, TargetRow

from .datasets import CATEGORIES, SQUARE, TANK, made
from .killing import ANNOUNCING, hit_commit, read_commits
from .shared import CHECKOUT

FULL = bool(os.environ.get("OVEARTH_TEST_FULL"))
KILLS = 120 if FULL else 8
BATCH = 5
LONGEST_S = 0.25

# Each transaction is one target with BATCH polygons; its number is said once it is committed.
WRITER = f"""
{ANNOUNCING}
import sys
from pathlib import Path
from tests.core.datasets import SQUARE, TANK
from ovearth_core.dataset import Dataset, TargetRow
dataset = Dataset.open(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    with dataset.writing("anna", "annotator") as edit:
        target = edit.add(TargetRow(None, 1, TANK))
        for _ in range({BATCH}):
            edit.add_instance(1, TANK, SQUARE, target_id=target.id)
        edit.set_state(target.id, "submitted")
    print(target.id, flush=True)
"""

MAKER = """
import sys
from pathlib import Path
from ovearth_core.dataset import CategoryRow, Dataset
print("ready", flush=True)
Dataset.create(Path(sys.argv[1]), [CategoryRow(n, str(n), str(n)) for n in range(20_000)])
"""


def killed_while_it_runs(script, folder, after_s, at_commit=0):
    """Run a script, kill it some time after it is ready, and return what it had said.

    at_commit: of a number of its commits, count the time from when that one begins.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    said = read_commits(child.stdout, at_commit) if at_commit else []
    time.sleep(after_s)
    child.kill()
    said += child.stdout.read().splitlines()
    child.stdout.close()
    # Zero where it was done before.
    assert child.wait(20) in {0, -9}
    return said


def assert_sound(dataset):
    with closing(sqlite3.connect(dataset.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        drawn = {n for (n,) in connection.execute("SELECT id FROM instances")}
        assert {n for (n,) in connection.execute("SELECT id FROM rtree_instances_geom")} == drawn


def commit_s(folder):
    """The middle of how long a writer's commits take, as they are seen from outside."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    )
    times = []
    for _ in range(20):
        read_commits(child.stdout, 1)
        start = time.perf_counter()
        child.stdout.readline()
        times.append(time.perf_counter() - start)
    child.kill()
    child.communicate()
    return statistics.median(times)


@pytest.mark.parametrize("is_aimed", [False, True], ids=["at any moment", "inside COMMIT"])
def test_a_killed_writer_loses_nothing_committed_and_leaves_nothing_half(
    tmp_path, record_property, is_aimed
):
    made(tmp_path / "timed")
    longest_s = commit_s(tmp_path / "timed" / "dataset") if is_aimed else LONGEST_S
    dataset, _ = made(tmp_path)
    moments = random.Random(5)
    in_the_middle = hits = last = 0
    for _ in range(KILLS):
        said = killed_while_it_runs(
            WRITER, dataset.folder, moments.uniform(0, longest_s), is_aimed * moments.randint(1, 9)
        )
        # What is left beside the file is a transaction that was going on.
        in_the_middle += (dataset.folder / "dataset.gpkg-journal").exists()
        hits += hit_commit(dataset.folder)
        committed = [int(line) for line in said if line.isdigit()]
        assert committed == sorted(committed)
        last = committed[-1] if committed else last
        with Dataset.open(dataset.folder).reading() as view:
            targets = [target.id for target in view.targets(state="submitted")]
            counts = view.counts()
        # The kill may come between COMMIT and the word of it: one more at most.
        assert len(targets) in {last, last + 1}
        assert targets == list(range(1, len(targets) + 1))
        assert counts["targets"] == len(targets)
        assert counts["instances"] == BATCH * len(targets)
        assert counts["reviews"] == 2 * len(targets)
        last = len(targets)
        assert_sound(dataset)
    record_property("kills", f"{KILLS}, {in_the_middle} inside a transaction, {hits} inside COMMIT")
    if FULL:
        assert in_the_middle > KILLS // 4
        # How many hit depends on how busy the machine is; what is left is right after each.
        assert hits > KILLS // 20 or not is_aimed
    with dataset.writing() as edit:
        edit.add_instance(1, TANK, SQUARE, target_id=edit.add(TargetRow(None, 1, TANK)).id)


@pytest.mark.parametrize("seed", range(20 if FULL else 3))
def test_a_dataset_killed_while_it_is_made_is_whole_or_is_not_there(tmp_path, seed):
    folder = tmp_path / "dataset"
    killed_while_it_runs(MAKER, folder, random.Random(seed).uniform(0, 0.5))
    if (folder / "dataset.gpkg").exists():
        with Dataset.open(folder).reading() as view:
            assert view.counts()["categories"] == 20_000
    else:
        with Dataset.create(folder, CATEGORIES).reading() as view:
            assert view.counts()["categories"] == len(CATEGORIES)
