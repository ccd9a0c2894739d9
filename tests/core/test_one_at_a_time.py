"""A lock is held by one at a time, and goes with its holder."""

import subprocess
import sys

import pytest

from ovearth_core.errors import OutputError, UsageError
from ovearth_core.one_at_a_time import held

COUNT = """
import sys
from pathlib import Path
from ovearth_core.errors import UsageError
from ovearth_core.one_at_a_time import held
folder, times = Path(sys.argv[1]), int(sys.argv[2])
while times:
    try:
        with held(folder / "lock", UsageError("held")):
            number = int((folder / "number").read_text())
            (folder / "number").write_text(str(number + 1))
    except UsageError:
        continue
    times -= 1
"""


def test_what_several_processes_count_in_turn_is_counted_in_full(tmp_path):
    # Each holder removes the file while others are opening it.
    (tmp_path / "number").write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path), "150"]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(timeout=120) for process in processes] == [0] * 4
    assert (tmp_path / "number").read_text() == "600"
    assert [path.name for path in tmp_path.iterdir()] == ["number"]


def test_trying_again_in_the_same_process_leaves_the_lock_where_it_is(tmp_path):
    command = [sys.executable, "-c", COUNT, str(tmp_path), "1"]
    (tmp_path / "number").write_text("0")
    with held(tmp_path / "lock", UsageError("held")):
        for _ in range(3):
            with pytest.raises(UsageError), held(tmp_path / "lock", UsageError("held")):
                pass
        other = subprocess.Popen(command)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(timeout=2)
    assert other.wait(timeout=60) == 0


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path):
    with (
        pytest.raises(OutputError, match="can't be written to"),
        held(tmp_path / "nowhere" / "lock", UsageError("held")),
    ):
        pass
