"""Answers kept on disk: found again by all that matters, whole or not at all, and bounded."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ovearth_core.collection.answer_cache import AnswerCache
from ovearth_core.collection.cache_tidying import tidy
from ovearth_core.collection.exchange import Answer, Request

REQUEST = Request("http://a.example/api", fields={"data": "x"})


def kept(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "other",
    [
        {"url": "http://b.example/api"}, {"url": "https://a.example/api"},
        {"fields": {"data": "y"}}, {"fields": None}, {"params": {"data": "x"}},
    ],
)  # fmt: skip
def test_another_server_query_or_method_has_an_answer_of_its_own(tmp_path, other):
    cache = AnswerCache(tmp_path)
    cache.put(REQUEST, Answer(b"1", "", ""))
    assert cache.get(REQUEST, "here").body == b"1"
    assert cache.get(replace(REQUEST, **other), "here") is None


def test_many_that_write_the_same_at_once_leave_it_whole(tmp_path):
    bodies = [bytes([number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda b: AnswerCache(tmp_path).put(REQUEST, Answer(b, "", "")), bodies))
    assert AnswerCache(tmp_path).get(REQUEST, "here").body in bodies
    assert len(kept(tmp_path)) == 1


class TestTidying:
    def fill(self, folder, number):
        cache = AnswerCache(folder)
        for n in range(number):
            cache.put(replace(REQUEST, fields={"data": str(n)}), Answer(b"x" * 935, "", ""))
        for age, path in enumerate(kept(folder)):
            os.utime(path, (time.time() - age * 1000,) * 2)
        return kept(folder)

    def test_old_ones_and_halves_are_removed(self, tmp_path):
        paths = self.fill(tmp_path, 3)
        half = paths[0].with_name(f".{paths[0].name}.abc")
        half.write_bytes(b"x")
        os.utime(half, (0, 0))
        tidy(tmp_path, time.time() - 1500, 1 << 30)
        assert kept(tmp_path) == sorted(paths[:2])

    def test_the_oldest_go_until_the_rest_is_small_enough(self, tmp_path):
        paths = self.fill(tmp_path, 5)
        tidy(tmp_path, 0, 3_500)
        assert kept(tmp_path) == sorted(paths[:3])

    def test_nothing_else_in_the_folder_is_touched(self, tmp_path):
        others = [
            tmp_path / "letter.txt", tmp_path / "ab" / "letter.txt",
            tmp_path / "photos" / ("a" * 62), tmp_path / ("b" * 62),
        ]  # fmt: skip
        for path in others:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x")
            os.utime(path, (0, 0))
        tidy(tmp_path, time.time(), 0)
        assert kept(tmp_path) == sorted(others)

    def test_a_folder_that_is_not_there_is_no_fault(self, tmp_path):
        tidy(tmp_path / "none", 0, 0)
        assert not (tmp_path / "none").exists()


def test_a_user_without_a_home_is_told_what_to_set():
    program = """
import os
import subprocess
import sys
from ovearth_core.collection.answer_cache import default_folder
from ovearth_core.errors import UsageError
for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "OVEARTH_CACHE"):
    os.environ.pop(name, None)
os.setuid(54321)
try:
    default_folder()
except UsageError as fault:
    print(fault)
"""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("only root may become nobody")
    command = [sys.executable, "-c", program]
    assert b"set $OVEARTH_CACHE" in subprocess.check_output(command, timeout=60)
