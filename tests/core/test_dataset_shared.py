"""Several programs at one dataset: all of their work is there, and none waits without a word."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from ovearth_core.dataset import Dataset, QueryRow
from ovearth_core.errors import OutputError

from .datasets import SQUARE, TANK, image_row, made
from .shared import CHECKOUT

EACH = 60

WRITER = f"""
import sys
from pathlib import Path
from ovearth_core.dataset import Dataset
from tests.core.datasets import SQUARE, TANK
dataset = Dataset.open(Path(sys.argv[1]))
for number in range({EACH}):
    with dataset.writing(sys.argv[2]) as edit:
        edit.add_instance(1, TANK, SQUARE, origin_note=str(number))
    print(number, flush=True)
"""


def mode_of(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA journal_mode").fetchone()[0]


def set_mode(path, mode):
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode = " + mode).fetchone()[0] == mode


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_two_writers_at_once_lose_nothing_and_leave_the_journal_mode(tmp_path, mode):
    dataset, _ = made(tmp_path)
    set_mode(dataset.path, mode)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(dataset.folder), who],
            cwd=CHECKOUT, stdout=subprocess.PIPE, text=True,
        )
        for who in ("anna", "max")
    ]  # fmt: skip
    seen = 0
    while any(writer.poll() is None for writer in writers):
        with dataset.reading() as view:
            count = sum(1 for _ in view.instances())
        assert count >= seen
        seen = count
        time.sleep(0.01)
    assert [writer.communicate()[0].split() for writer in writers] == [
        [str(number) for number in range(EACH)]
    ] * 2
    with dataset.reading() as view:
        drawn = [(row.created_by, row.origin_note) for row in view.instances()]
    assert sorted(drawn) == sorted(
        (who, str(number)) for who in ("anna", "max") for number in range(EACH)
    )
    assert mode_of(dataset.path) == mode


def test_a_block_of_reading_sees_one_state_while_others_write(tmp_path):
    dataset, _ = made(tmp_path)
    set_mode(dataset.path, "wal")
    with dataset.reading() as view:
        assert view.counts()["images"] == 1
        with dataset.writing() as edit:
            edit.add(image_row("images/b.tif"))
        assert view.counts()["images"] == 1
        assert len(list(view.images())) == 1
    with dataset.reading() as view:
        assert view.counts()["images"] == 2


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_file_that_another_program_holds_is_said_to_be_held(tmp_path, mode):
    made(tmp_path)
    dataset = Dataset(tmp_path / "dataset", patience_s=0.2)
    set_mode(dataset.path, mode)
    with closing(sqlite3.connect(dataset.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with (
            pytest.raises(OutputError, match=r"another program holds the dataset, .*Save Layer"),
            dataset.writing() as edit,
        ):
            edit.add(image_row("images/b.tif"))
        other.execute("ROLLBACK")
    with dataset.writing() as edit:
        edit.add(image_row("images/b.tif"))


def test_a_reader_elsewhere_that_never_ends_is_said_to_hold_the_file(tmp_path):
    made(tmp_path)
    dataset = Dataset(tmp_path / "dataset", patience_s=0.2)
    with closing(sqlite3.connect(dataset.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM images").fetchone()
        with (
            pytest.raises(OutputError, match="another program holds the dataset"),
            dataset.writing() as edit,
        ):
            edit.add(image_row("images/b.tif"))
    with dataset.reading() as view:
        assert view.counts()["images"] == 1


def test_bulk_work_lets_others_write_in_between(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing() as edit:
        target = edit.add_instance(image.id, TANK, SQUARE).target_id

    def items():
        for number in range(4000):
            if number == 2000:
                # Nothing may be held while the bulk waits for its own source.
                child = subprocess.run(
                    [sys.executable, "-c", WRITER, str(dataset.folder), "other"],
                    cwd=CHECKOUT, check=True, capture_output=True, timeout=60,
                )  # fmt: skip
                assert len(child.stdout.split()) == EACH
            yield QueryRow(str(number), target, "vocabulary", "positive", "tank")

    assert dataset.write_all(items(), lambda edit, row: edit.add(row)) == 4000
    with dataset.reading() as view:
        assert view.counts()["queries"] == 4000
        assert view.counts()["instances"] == EACH + 1
