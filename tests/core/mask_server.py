"""A server of masks on loopback, as docs/click-to-mask.md has it, which misbehaves when told to."""

import base64
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import rasterio
from rasterio.io import MemoryFile

from ovearth_core.geometry import Runs


class MaskServer:
    """Boxes are answered with themselves, points with a disc of `radius` pixels.

    key: what it wants as a bearer token. replies: bytes, a status, or a function of the honest
    answer, by the action ("image", "predict"); used up one after the other.
    """

    radius = 10.0

    def __init__(self, key=None):
        self.key = key
        self.images = {}
        self.asked = []
        self.tokens = []
        self.replies = {"image": [], "predict": []}
        self.url = ""

    def forget(self):
        self.images.clear()

    def actions(self):
        return [action for action, _ in self.asked]

    def answer(self, action, document):
        self.asked.append((action, document))
        if action == "image":
            import warnings

            with warnings.catch_warnings(), MemoryFile(base64.b64decode(document["png"])) as file:
                warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
                with file.open() as png:
                    pixels = np.moveaxis(png.read(), 0, 2)
            name = f"image-{len(self.asked)}"
            self.images[name] = pixels
            return 200, {"image": name}
        pixels = self.images.get(document["image"])
        if pixels is None:
            return 404, {"error": "no such image"}
        y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]] + 0.5
        mask = np.ones(pixels.shape[:2], bool)
        if document["box"]:
            left, top, right, bottom = document["box"]
            mask &= (x > left) & (x < right) & (y > top) & (y < bottom)
        for (px, py), label in zip(document["points"], document["labels"], strict=True):
            disc = np.hypot(x - px, y - py) < self.radius
            mask &= disc if label else ~disc
        thin = np.zeros_like(mask)
        return 200, {
            "masks": [Runs.from_array(thin).to_rle(), Runs.from_array(mask).to_rle()],
            "scores": [0.25, 0.75],
        }


@contextmanager
def mask_server(key=None):
    served = MaskServer(key)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            served.tokens.append(self.headers.get("Authorization"))
            action = self.path.rpartition("/")[2]
            if served.key and self.headers.get("Authorization") != f"Bearer {served.key}":
                return self.say(401, b"{}")
            status, document = served.answer(action, json.loads(body))
            whole = json.dumps(document).encode()
            if served.replies[action]:
                reply = served.replies[action].pop(0)
                if isinstance(reply, bytes):
                    whole = reply
                elif isinstance(reply, int):
                    status = reply
                elif isinstance(reply, float):
                    time.sleep(reply)
                else:
                    whole = json.dumps(reply(document)).encode()
            return self.say(status, whole)

        def say(self, status, whole):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(whole)))
            self.end_headers()
            self.wfile.write(whole)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            """Clients that go away are no news."""

    server = Server(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_address[1]}/sam"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
