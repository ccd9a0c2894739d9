"""Ctrl-C ends a job at once, whatever it waits for; whole files stay, and no more is said."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import rasterio

from ovearth_core.daemons import DaemonPool, awaited, leavable
from ovearth_core.engine_daemons import DaemonThreads

from .loopback import noise, png
from .patch_jobs import dataset_at, images
from .shared import CHECKOUT
from .tile_worlds import numbers

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
# Much longer than it may take, much shorter than a server is waited for.
GUARD_S = 25


@contextmanager
def stalling(is_dripping, whole=0):
    """Serve so many whole tiles, then nothing, or a byte now and then; yields (url, stalled)."""
    stalled, over = threading.Event(), threading.Event()
    left = iter(range(whole))

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.do_GET()

        def do_GET(self):
            if next(left, None) is not None:
                body = png(noise(numbers(self.path)))
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                return
            if is_dripping:
                self.send_response(200)
                self.send_header("Content-Length", "100000")
                self.end_headers()
            stalled.set()
            try:
                while not over.wait(0.1):
                    if is_dripping:
                        self.wfile.write(b"x")
            except OSError:
                self.close_connection = True

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", stalled
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def interrupted(dataset, spec, stalled, *options):
    """Run a job, interrupt it once the server has stalled, and return what it said."""
    arguments = ["patches", str(dataset.folder), "--imagery", spec, "--size", "64", *options]
    job = subprocess.Popen(
        [sys.executable, "-m", "ovearth_core.cli", *arguments],
        stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=CHECKOUT,
    )  # fmt: skip
    try:
        assert stalled.wait(GUARD_S)
        os.killpg(job.pid, signal.SIGINT)
        said = job.communicate(timeout=GUARD_S)[1]
    finally:
        job.kill()
        job.wait()
    assert job.returncode == 130, said
    return [line for line in said.strip().splitlines() if not line.startswith("warning: ")]


@pytest.mark.parametrize("is_dripping", [False, True])
@pytest.mark.parametrize("tail", ["xyz", "raster"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_server_that_never_answers_is_left_at_once(tmp_path, is_dripping, tail, jobs):
    dataset = dataset_at(tmp_path, [(800, 600)])
    with stalling(is_dripping) as (url, stalled):
        spec = f"{url}/scene.tif" if tail == "raster" else f"xyz:{url}/{{z}}/{{x}}/{{y}}.png"
        said = interrupted(dataset, spec, stalled, "--jobs", jobs)
    assert len(said) == 1
    assert said[0].startswith("error: ")
    assert images(dataset) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_done_before_the_server_fell_silent_is_kept(tmp_path, jobs):
    dataset = dataset_at(tmp_path, [(x * 20_000, 600) for x in range(16)])
    # The first looks take a few tiles, each patch some more.
    with stalling(True, whole=12) as (url, stalled):
        spec = f"xyz:{url}/{{z}}/{{x}}/{{y}}.png#zoom=16"
        said = interrupted(dataset, spec, stalled, "--jobs", jobs)
    assert said[-1].startswith("error: stopped after ")
    assert len(said) == 2
    rows = images(dataset)
    assert 0 < len(rows) < 16
    names = {file.name for file in (dataset.folder / "images").iterdir()}
    assert names == {row.file_name.split("/")[1] for row in rows}
    for row in rows:
        with rasterio.open(dataset.image_path(row)) as file:
            file.read()


class TestDaemonPool:
    def test_work_is_done_and_faults_are_the_waiting_ones(self):
        pool = DaemonPool(2, "test")
        assert [f.result() for f in [pool.submit(pow, n, 2) for n in range(9)]] == [
            n * n for n in range(9)
        ]
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        pool.shutdown()
        with pytest.raises(RuntimeError):
            pool.submit(pow, 1, 1)

    def test_what_has_not_begun_can_be_cancelled(self):
        pool, gate = DaemonPool(1, "test"), threading.Event()
        first, second = pool.submit(gate.wait), pool.submit(pow, 2, 2)
        pool.shutdown(wait=False, cancel_futures=True)
        gate.set()
        assert first.result() in (True, None) or first.cancelled()
        assert second.cancelled()

    def test_its_threads_end_when_it_is_dropped(self):
        pool = DaemonPool(1, "dropped")
        thread = pool.submit(threading.current_thread).result()
        assert thread.daemon
        del pool
        thread.join(GUARD_S)
        assert not thread.is_alive()

    def test_leavable_returns_and_raises_as_the_function_does(self):
        assert leavable(pow, 2, 5) == 32
        with pytest.raises(ZeroDivisionError):
            leavable(divmod, 1, 0)

    def test_a_ctrl_c_that_wakes_nobody_is_heard(self):
        """Another thread gets the signal: Python notes it, and the main thread sleeps on.

        So it does where the signal comes just before a wait, which can't be had at will.
        """
        begun, never = threading.Event(), Future()

        def press():
            begun.wait(GUARD_S)
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=press)
        thread.start()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        guard = threading.Timer(GUARD_S, never.set_result, [None])
        guard.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                begun.set()
                awaited(never)
            assert not never.done()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            guard.cancel()
            thread.join()

    def test_what_is_awaited_is_returned_and_raised_as_it_is(self):
        with DaemonPool(1, "test") as pool:
            assert awaited(pool.submit(pow, 2, 5)) == 32
            with pytest.raises(ZeroDivisionError):
                awaited(pool.submit(divmod, 1, 0))

    def test_leavable_is_left_by_what_its_check_raises_and_by_nothing_else(self):
        class StopError(Exception):
            pass

        gate = threading.Event()

        def stop():
            raise StopError

        with pytest.raises(StopError):
            leavable(gate.wait, check=stop)
        gate.set()
        assert leavable(pow, 2, 5, check=stop) == 32
        with pytest.raises(ZeroDivisionError):
            leavable(divmod, 1, 0, check=stop)

    def test_an_engine_of_such_threads_is_left_by_its_check(self):
        gate, looks = threading.Event(), iter("ab")

        def check():
            if next(looks, None) is None:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), DaemonThreads(check) as engine:
            list(engine.in_order(gate.wait, [None]))
        gate.set()
        assert next(looks, None) is None
