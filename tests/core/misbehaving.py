"""Small web servers on loopback that answer as they are told, well or badly."""

import re
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from ovearth_core.collection.exchange import Politeness

# As patient as tests can be: what is slow is slower than this, what is quick much quicker.
HASTY = Politeness(attempts=3, first_wait_s=0.001, longest_wait_s=2.0, silence_s=5.0, answer_s=20.0)


class Asked:
    """One request that came in."""

    def __init__(self, method, path, headers, body):
        self.method = method
        self.path = urlsplit(path).path
        self.query = {k: v[0] for k, v in parse_qs(urlsplit(path).query).items()}
        self.form = {k: v[0] for k, v in parse_qs(body.decode()).items()}
        self.headers = headers


def reply(body=b"", status=200, kind="application/json", **headers):
    """An answer that is what it says."""
    body = body.encode() if isinstance(body, str) else body

    def send(handler):
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def cut_off(body, after, status=200):
    """An answer that announces all of the body, and ends before; 206 for one about a range."""

    def send(handler):
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Range", f"bytes 0-{len(body) - 1}/{len(body)}")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:after])
        handler.close_connection = True

    return send


def hang_up(handler):
    """No answer at all."""
    handler.close_connection = True


def drip(body, pause_s, status=200):
    """A byte at a time, until the other side has enough; 206 for an answer about a range."""

    def send(handler):
        handler.send_response(status)
        handler.send_header("Content-Range", f"bytes 0-{len(body) - 1}/{len(body)}")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        try:
            for byte in body:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(pause_s)
        except OSError:
            handler.close_connection = True

    return send


def ranges_of(content, **headers):
    """A file in ranges, to be given as `answer` to `serving`."""

    def answer(asked):
        first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", asked.headers["Range"]).groups())
        last = min(last, len(content) - 1)
        shown = f"bytes {first}-{last}/{len(content)}"
        return reply(
            content[first : last + 1], 206, "application/x", Content_Range=shown, **headers
        )

    return answer


@contextmanager
def serving(answer, host="127.0.0.1"):
    """Serve on loopback; yields the address and the list of what was asked.

    answer: a list of replies, one for each request and the last for all further ones, or a
    function from Asked to a reply.
    """
    asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            length = int(self.headers.get("Content-Length", 0))
            asked.append(Asked(self.command, self.path, self.headers, self.rfile.read(length)))
            chosen = answer(asked[-1]) if callable(answer) else answer[: len(asked)][-1]
            chosen(self)

        def do_POST(self):
            self.do_GET()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer((host, 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
