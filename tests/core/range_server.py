"""Serves a folder's files on loopback, whole or by ranges, and counts the bytes that it sends.

`/bytes-sent` says how many, `/asked` what was asked for: a path and the login that came with it.
After `/refuse/HOW/N` all requests for files but the next N are refused: with a status, or as a word
says (see `MISBEHAVIOUR`); of HEAD only with a status.
"""

import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar


class Ranges(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sent = 0
    asked: ClassVar[set] = set()
    refusal, whole_ones = "0", 0

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        if self.path == "/bytes-sent":
            self._send(200, str(Ranges.sent).encode(), {})
        elif self.path == "/asked":
            self._send(200, "\n".join(sorted(Ranges.asked)).encode(), {})
        elif self.path.startswith("/refuse/"):
            Ranges.refusal, whole_ones = self.path.split("/")[2:]
            Ranges.whole_ones = int(whole_ones)
            self._send(200, b"", {})
        else:
            self._answer(with_body=True)

    def _answer(self, with_body):
        Ranges.asked.add(f"{self.path} {self.headers.get('Authorization', '')}")
        Ranges.whole_ones -= 1
        if Ranges.refusal.endswith("-once"):
            self._send(int(Ranges.refusal.removesuffix("-once")), b"", {}, with_body)
            Ranges.refusal = "0"
            return
        is_refused = Ranges.refusal != "0" and Ranges.whole_ones < 0
        if is_refused and Ranges.refusal.isdigit():
            self._send(int(Ranges.refusal), b"", {}, with_body)
            return
        path = Path(sys.argv[1]) / Path(self.path.split("?")[0]).name
        if not path.is_file():
            self._send(404, b"", {})
            return
        whole = path.read_bytes()
        misbehave = MISBEHAVIOUR.get(Ranges.refusal if is_refused and with_body else "")
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            misbehave(self, whole, {}) if misbehave else self._send(200, whole, {}, with_body)
            return
        start, end = int(wanted[1]), min(int(wanted[2] or len(whole)) + 1, len(whole))
        about = {"Content-Range": f"bytes {start}-{end - 1}/{len(whole)}"}
        if misbehave:
            misbehave(self, whole[start:end], about)
            return
        self._send(206, whole[start:end], about, with_body)

    def hang_up(self, *_):
        self.close_connection = True

    def send_half(self, content, about):
        self._send(206, content, about, with_body=False)
        self.wfile.write(content[: len(content) // 2])
        self.close_connection = True

    def send_slowly(self, content, about):
        self._send(206, content, about, with_body=False)
        for byte in content:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(0.2)

    def send_a_page(self, *_):
        page = b"<!DOCTYPE html><html><body>Please log in</body></html>"
        self._send(200, page, {"Content-Type": "text/html"})

    def ask_to_wait(self, *_):
        self._send(429, b"", {"Retry-After": "1"})

    def _send(self, status, content, about, with_body=True):
        self.send_response(status)
        for name, value in {"Accept-Ranges": "bytes", **about}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if with_body:
            if self.path not in ("/bytes-sent", "/asked"):
                Ranges.sent += len(content)
            self.wfile.write(content)

    def log_message(self, *_):
        pass


MISBEHAVIOUR = {
    "hang-up": Ranges.hang_up, "half": Ranges.send_half, "slow": Ranges.send_slowly,
    "page": Ranges.send_a_page, "wait": Ranges.ask_to_wait,
}  # fmt: skip


class Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Clients that go away are no news."""


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Ranges)
    print(server.server_port, flush=True)  # noqa: T201 - whoever started it reads it
    server.serve_forever()
