"""Small servers of our own on loopback: they answer as they are told, and count."""

import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import rasterio
from rasterio.io import MemoryFile


class Answer:
    """What to send: length is what is announced, None for what there is."""

    def __init__(self, body=b"", status=200, kind="image/png", headers=(), length=None, drip_s=0.0):
        self.body, self.status, self.kind = body, status, kind
        self.headers, self.length, self.drip_s = dict(headers), length, drip_s


class Served:
    """A running server: its address, and the paths that were asked for."""

    def __init__(self, url):
        self.url = url
        self.asked = []
        self.agents = []
        self.logins = []
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()

    @contextmanager
    def counting(self, path):
        with self._lock:
            self.asked.append(path)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Clients that go away are no news."""


def _part(said, wanted):
    """Return what is sent of an answer when only a range of it is asked for."""
    found = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "")
    if found is None or said.status != 200:
        return said
    first, last = int(found[1]), min(int(found[2]), len(said.body) - 1)
    headers = {**said.headers, "Content-Range": f"bytes {first}-{last}/{len(said.body)}"}
    return Answer(said.body[first : last + 1], 206, said.kind, headers)


@contextmanager
def serving(answer):
    """Serve `answer(path, body) -> Answer` while the block runs."""
    import time

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            length = int(self.headers.get("Content-Length") or 0)
            sent = self.rfile.read(length)
            served.logins.append(self.headers.get("Proxy-Authorization"))
            with served.counting(self.path):
                said = answer(self.path, sent)
                said = _part(said, self.headers.get("Range"))
                self.send_response(said.status)
                self.send_header("Content-Type", said.kind)
                size = len(said.body) if said.length is None else said.length
                self.send_header("Content-Length", str(size))
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "HEAD":
                    return
                if said.drip_s:
                    for start in range(0, len(said.body), 64):
                        self.wfile.write(said.body[start : start + 64])
                        self.wfile.flush()
                        time.sleep(said.drip_s)
                else:
                    self.wfile.write(said.body)
                if size != len(said.body):
                    self.close_connection = True

        def do_POST(self):
            self.do_GET()

        def do_HEAD(self):
            self.do_GET()

        def log_message(self, *_):
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    served = Served(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def encoded(values, driver="PNG", **options):
    """Return the bytes of a picture (B,h,w)."""
    profile = {
        "driver": driver, "count": len(values), "height": values.shape[1],
        "width": values.shape[2], "dtype": values.dtype,
    }  # fmt: skip
    import warnings

    with warnings.catch_warnings(), MemoryFile() as file:
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with file.open(**profile, **options) as out:
            out.write(values)
        return file.read()


def png(values):
    """Return a PNG of values (B,h,w)."""
    return encoded(values)


def noise(seed, bands=3, size=256):
    """Return a tile of noise (B,size,size), another one for each seed."""
    return np.random.default_rng(seed).integers(0, 255, (bands, size, size), dtype=np.uint8)


__all__ = ["Answer", "Served", "encoded", "noise", "png", "serving"]
