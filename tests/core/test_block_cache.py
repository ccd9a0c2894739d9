"""GDAL's cache is limited in the processes that are ours, and left alone in anybody else's."""

import os
import subprocess
import sys

import pytest

from ovearth_core.engine import EngineChoice, open_engine

from . import rasters
from .shared import CHECKOUT

LIMIT = 128 << 20
IN_USE = "from rasterio.env import Env, get_gdal_config"
SAID = "with Env(): print(get_gdal_config('GDAL_CACHEMAX'))"


def limit_after(program, **environment):
    """GDAL's limit, in bytes, at the end of a program in a process of its own."""
    kept = {k: v for k, v in os.environ.items() if k != "GDAL_CACHEMAX"}
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{IN_USE}\n{SAID}"], check=True, text=True, timeout=60,
        capture_output=True, cwd=CHECKOUT, env={**kept, **environment},
    )  # fmt: skip
    return int(done.stdout.split()[-1])


def worker_limit(_):
    from rasterio.env import Env, get_gdal_config

    with Env():
        return get_gdal_config("GDAL_CACHEMAX")


def test_reading_imagery_in_a_process_of_others_leaves_its_cache_as_it_is(tmp_path):
    path = tmp_path / "a.tif"
    rasters.write(path, rasters.picture(64, 64), "EPSG:32633", (1, 0, 5e5, 0, -1, 5e6))
    program = f"""
from concurrent.futures import ThreadPoolExecutor
from ovearth_core.collection.imagery import ImagerySpec, open_source
def read(_):
    source = open_source(ImagerySpec({str(path)!r}))
    return source.read(source.own_frame(15.0, 45.16, 32, 32))
with ThreadPoolExecutor(4) as threads:
    list(threads.map(read, range(40)))
"""
    assert limit_after(program) == limit_after("") != LIMIT


@pytest.mark.parametrize(("named", "limit"), [({}, LIMIT), ({"GDAL_CACHEMAX": "300"}, 300 << 20)])
def test_the_command_line_limits_it_unless_somebody_has(named, limit):
    program = """
from ovearth_core.cli.main import run
try:
    run(["--version"])
except SystemExit:
    pass
"""
    assert limit_after(program, **named) == limit


def test_a_worker_limits_it(monkeypatch):
    monkeypatch.delenv("GDAL_CACHEMAX", raising=False)
    with open_engine(EngineChoice(jobs=2)) as workers:
        assert set(workers.in_order(worker_limit, range(4))) == {LIMIT}
