"""What docs/click-to-mask.md shows runs: its commands, its Python and its server."""

import os
import re
import shlex
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.service_errors import UnreachableError
from ovearth_core.segment import open_model

from .sam_models import spec, write_pair
from .shared import CHECKOUT

PAGE = (CHECKOUT / "docs" / "click-to-mask.md").read_text(encoding="utf-8")
CLICKS, SERVER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the demo, and a model where the page expects one."""
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "build/demo"]) == 0
    write_pair(tmp_path / "models" / "sam2.1", "sam2-samexporter")
    return tmp_path


def test_the_commands_and_the_python_run(folder, capsys):
    commands = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]
    assert len(commands) == 2
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
    capsys.readouterr()
    exec(compile(CLICKS, "click-to-mask.md", "exec"), {})
    assert capsys.readouterr().out == "Polygon 0.95 sam2-samexporter\n"


def test_the_server_answers_as_the_model_itself_does(tmp_path):
    (tmp_path / "serve_masks.py").write_text(SERVER)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    pair = spec(tmp_path, "sam")
    command = [sys.executable, str(tmp_path / "serve_masks.py"), pair, str(port)]
    path = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    with subprocess.Popen(command, env=path, stderr=subprocess.DEVNULL) as server:
        try:
            pixels = np.random.default_rng(0).integers(0, 256, (60, 90, 3), dtype=np.uint8)
            served, own = open_model(f"http://127.0.0.1:{port}"), open_model(pair)
            _when_it_runs(lambda: served.set_image(pixels))
            own.set_image(pixels)
            for prompt in (([[40, 30]], [1]), ([[40, 30], [50, 30]], [1, 0], [10, 5, 80, 50])):
                found, judge = served.predict(*prompt), own.predict(*prompt)
                assert (found[0] == judge[0]).all()
                assert (found[1] == judge[1]).all()
        finally:
            server.terminate()


def _when_it_runs(ask):
    for _ in range(600):
        try:
            return ask()
        except UnreachableError:
            time.sleep(0.05)
    return ask()
