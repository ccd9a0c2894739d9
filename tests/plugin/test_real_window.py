"""The zip in a new profile of a real QGIS: its window loads it, shows a run, and closes."""

import json
import os
import shutil
import subprocess

import pytest

# Run inside QGIS, which has no test library: what it finds goes into a file.
SCRIPT = """
import json, os, sys, traceback
from qgis.PyQt.QtCore import QTimer
from qgis.core import QgsApplication, QgsProject
from qgis.utils import iface, plugins

found = {"failures": []}

def fail(*fault):
    found["failures"].append("".join(traceback.format_exception(*fault)))

sys.excepthook = fail

def end():
    plugins["ovearth"].unload()
    with open(os.environ["OVEARTH_FOUND"], "w") as file:
        json.dump(found, file)
    os._exit(0)

def wait(is_so, then):
    QTimer.singleShot(20, lambda: then() if is_so() else wait(is_so, then))

def begin():
    plugin = plugins["ovearth"]
    plugin.dock_button.action.trigger()
    dock = plugin.dock_button.dock
    panel = dock.inspect
    dock.tabs.setCurrentWidget(panel)
    found["is_visible"] = panel.isVisible()
    from ovearth.ovearth_plugin.keys import taken_by_qgis
    keys = [*dock.collect.keys.keys, *dock.review.keys.keys]
    taken = {key.name: taken_by_qgis(key.sequence, iface.mainWindow()) for key in keys}
    found["keys"] = len(keys)
    found["taken"] = {name: owner for name, owner in taken.items() if owner}
    provider = QgsApplication.processingRegistry().providerById("ovearth")
    found["algorithms"] = len(provider.algorithms())
    panel.loader.open_benchmark(PATH("benchmark.json"))
    wait(lambda: panel.state.inspected, lambda: add(plugin, panel))

def add(plugin, panel):
    panel.loader.add_runs([PATH("runs/careful.jsonl")])
    wait(lambda: panel.state.first, lambda: select(plugin, panel))

def select(plugin, panel):
    panel.state.select(0)
    wait(lambda: panel.scene.scene and not plugin.tasks.running, lambda: tell(panel))

def tell(panel):
    layers = QgsProject.instance().mapLayers().values()
    found["layers"] = sorted(type(layer).__name__ for layer in layers)
    found["caption"] = panel.scene.caption.text()
    # QGIS has messages of its own, such as a font that the system lacks.
    items = [item for item in iface.messageBar().items() if item.title() == "OVEarth"]
    found["said"] = [item.text() for item in items]
    end()

def PATH(name):
    from pathlib import Path
    return Path(os.environ["OVEARTH_SAMPLE_HERE"]) / name

wait(lambda: "ovearth" in plugins and iface.mainWindow().isVisible(), begin)
QTimer.singleShot(90000, end)
"""


@pytest.fixture
def screen():
    """A screen of its own where Xvfb is installed, else Qt's own offscreen one."""
    if shutil.which("Xvfb") is None:
        # QGIS 3.44 only asks whether a display is named.
        yield {"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}
        return
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24", "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as told:
        display = told.readline().strip()
    yield {"DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
    server.terminate()
    server.wait(20)


@pytest.mark.skipif(shutil.which("qgis") is None, reason="there is no QGIS window here")
def test_a_real_qgis_loads_the_zip_and_shows_a_run(profile_home, here, screen, tmp_path):
    script = tmp_path / "look.py"
    script.write_text(SCRIPT, encoding="utf-8")
    profiles = profile_home / ".local/share/QGIS/QGIS3"
    environment = {
        "HOME": str(profile_home), "PATH": os.defpath, "LANG": "C.UTF-8",
        "OVEARTH_FOUND": str(tmp_path / "found.json"), "OVEARTH_SAMPLE_HERE": str(here.parent),
        **screen,
    }  # fmt: skip
    done = subprocess.run(
        ["qgis", "--profiles-path", profiles, "--nologo", "--noversioncheck", "--code", script],
        check=False, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Traceback" not in said
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found["failures"] == []
    assert found["is_visible"]
    assert found["algorithms"] >= 5
    # R is "Stream Digitizing": see tests of the tab Collect for whose it is when.
    assert found["keys"] == 16
    assert set(found["taken"]) <= {"collect/reject"}
    assert found["layers"] == ["QgsRasterLayer", "QgsVectorLayer"]
    assert found["caption"]
    assert found["said"] == []
