"""Serves a folder's files on loopback, whole or by ranges, and counts the bytes that it sends.

`/bytes-sent` says how many, `/asked` what was asked for: a path and the login that came with it.
After `/refuse/403/N` all requests for files but the next N are refused with that status.
"""

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar


class Ranges(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sent = 0
    asked: ClassVar[set] = set()
    refusal, whole_ones = 0, 0

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        if self.path == "/bytes-sent":
            self._send(200, str(Ranges.sent).encode(), {})
        elif self.path == "/asked":
            self._send(200, "\n".join(sorted(Ranges.asked)).encode(), {})
        elif self.path.startswith("/refuse/"):
            Ranges.refusal, Ranges.whole_ones = map(int, self.path.split("/")[2:])
            self._send(200, b"", {})
        else:
            self._answer(with_body=True)

    def _answer(self, with_body):
        Ranges.asked.add(f"{self.path} {self.headers.get('Authorization', '')}")
        Ranges.whole_ones -= 1
        if Ranges.refusal and Ranges.whole_ones < 0:
            self._send(Ranges.refusal, b"", {})
            return
        path = Path(sys.argv[1]) / Path(self.path.split("?")[0]).name
        if not path.is_file():
            self._send(404, b"", {})
            return
        whole = path.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            self._send(200, whole, {}, with_body)
            return
        start, end = int(wanted[1]), min(int(wanted[2] or len(whole)) + 1, len(whole))
        about = {"Content-Range": f"bytes {start}-{end - 1}/{len(whole)}"}
        self._send(206, whole[start:end], about, with_body)

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


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    print(server.server_port, flush=True)  # noqa: T201 - whoever started it reads it
    server.serve_forever()
