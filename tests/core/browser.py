"""Chromium without a window, driven over a pipe by its own protocol: no driver, no network.

https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import select
import shutil
import signal
import sys
from contextlib import contextmanager, suppress

import pytest

CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        if (found := shutil.which(name))
    ),
    None,
)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or sys.platform == "win32",
    reason="no Chromium here: apt-get install chromium",
)
_LONG_S = 90
_KEYS = {"Tab": 9, "Enter": 13, " ": 32}
_TEXTS = {"Enter": "\r", " ": " "}


class Browser:
    """One page. errors: what its scripts, policies and console complained of. asked: addresses."""

    def __init__(self, to_browser, from_browser):
        self._to, self._from = to_browser, from_browser
        self._number = 0
        self._session = None
        self._rest = b""
        self._loaded = False
        self.errors, self.asked = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self):
        while b"\0" not in self._rest:
            assert select.select([self._from], [], [], _LONG_S)[0], "the browser is silent"
            chunk = os.read(self._from, 1 << 16)
            assert chunk, "the browser is gone"
            self._rest += chunk
        whole, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(whole)
        self._note(message)
        return message

    def _note(self, message):
        params = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(params["exceptionDetails"]["text"])
            case "Log.entryAdded":
                self.errors.append(params["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.errors.append("a dialog opened")

    def open(self, path, width=1366, height=900, is_phone=False, scripts=True):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=is_phone,
        )  # fmt: skip
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not self._loaded:
            self._next()
        return self

    def run(self, script):
        found = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def click(self, selector):
        place = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{place}.scrollIntoView({{block: 'center'}})")
        x, y = self.run(
            f"(() => {{ const r = {place}.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        common = {"key": key, "code": "Space" if key == " " else key}
        common["windowsVirtualKeyCode"] = _KEYS[key]
        text = {"text": _TEXTS[key]} if key in _TEXTS else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path, whole=False):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def printed(self):
        whole = self.call(
            "Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.7
        )
        return base64.b64decode(whole["data"])


@contextmanager
def open_browser(profile):
    """Start Chromium with a new profile in a folder, and end it."""
    reads, to_browser = os.pipe()
    from_browser, writes = os.pipe()

    options = (
        "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
        "--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
    )  # fmt: skip
    # It reads from 3 and writes to 4; higher ones first, since a pipe's end may be 3 or 4 itself.
    moves = [(reads, 60), (writes, 61), (60, 3), (61, 4)]
    nowhere = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in (0, 1, 2)]
    process = os.posix_spawn(
        CHROMIUM,
        [CHROMIUM, *options],
        os.environ,
        file_actions=nowhere + [(os.POSIX_SPAWN_DUP2, *move) for move in moves],
    )
    os.close(reads)
    os.close(writes)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        for end in (to_browser, from_browser):
            with suppress(OSError):
                os.close(end)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
