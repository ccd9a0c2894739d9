"""Ctrl-C ends a search at once, whatever server it waits for."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from .misbehaving import ranges_of, serving
from .shared import CHECKOUT
from .test_pois_features import write_overture

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
# Much longer than it may take, much shorter than a server is waited for.
GUARD_S = 15


@pytest.mark.parametrize("whole", [0, 2, 4])
def test_a_server_of_geoparquet_that_falls_silent_is_left_at_once(tmp_path, whole):
    """At the file's size, at its description, and in the midst of its row groups."""
    lonlat = np.column_stack([np.linspace(0, 20, 400), np.full(400, 45.0)])
    path = write_overture(tmp_path / "places.parquet", lonlat, row_group_size=50)
    mapping = tmp_path / "mapping.json"
    mapping.write_text(
        '{"column": "categories.primary", "values": {"gas_station": "fuel-station"}}'
    )
    answer, stalled, over = ranges_of(path.read_bytes()), threading.Event(), threading.Event()
    count = []

    def answered(asked):
        count.append(1)
        if len(count) > whole:
            stalled.set()
            over.wait(GUARD_S * 2)
        return answer(asked)

    with serving(answered) as (url, _):
        job = subprocess.Popen(
            [sys.executable, "-m", "ovearth_core.cli", "pois", "search",
             "--category", "fuel-station", "--bbox", "0", "40", "20", "50",
             "--source", f"{url}/places.parquet",
             "--mapping", str(mapping), "--out", str(tmp_path / "out.csv")],
            stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=CHECKOUT,
        )  # fmt: skip
        try:
            assert stalled.wait(GUARD_S), job.poll() is not None and job.stderr.read()
            os.killpg(job.pid, signal.SIGINT)
            said = job.communicate(timeout=GUARD_S)[1]
        finally:
            job.kill()
            job.wait()
            over.set()
    assert job.returncode == 130, said
    assert len(said.strip().splitlines()) == 1
    assert not (tmp_path / "out.csv").exists()
