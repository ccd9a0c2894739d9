"""What a host is asked for at once does not grow with the processes of a job."""

import threading
import time

import pytest

from ovearth_core.collection.imagery.host_gate import gate_of, share_hosts
from ovearth_core.engine import EngineChoice

from .loopback import Answer, png, serving
from .patch_jobs import dataset_at, images, run
from .tile_worlds import numbers, tile

pytest.importorskip("httpx", reason="tiles need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("morecantile", reason="tiles need morecantile")

SPREAD = [(100 + 260 * column, 100 + 300 * row) for row in range(4) for column in range(6)]


def slow_world(path, _):
    """Tiles that take a moment, so that requests of two processes meet."""
    time.sleep(0.05)
    return Answer(png(tile(*numbers(path))))


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_processes_of_a_job_share_the_limit_of_a_host(tmp_path, jobs):
    dataset = dataset_at(tmp_path, SPREAD)
    with serving(slow_world) as served:
        address = f"xyz:{served.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=17&per_host=2"
        run(dataset, address, EngineChoice(jobs=jobs), size_px=200, keep_duplicates=True)
    assert len(images(dataset)) == len(SPREAD)
    assert served.most_at_once == 2


def test_more_processes_than_the_limit_have_one_request_each():
    gate, stop = gate_of("shared.example.org"), threading.Event()
    entered = threading.Event()

    def second():
        with gate.turn(4, stop):
            entered.set()

    thread = threading.Thread(target=second)
    share_hosts(9)
    try:
        with gate.turn(4, stop):
            thread.start()
            assert not entered.wait(0.2)
        assert entered.wait(10)
    finally:
        share_hosts(1)
        thread.join()
