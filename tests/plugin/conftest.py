"""The plugin as it is packed: build/ovearth/, imported as QGIS imports it."""

import importlib
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from qgis.core import QgsApplication, QgsProject, QgsVectorLayer, QgsWkbTypes
from qgis.PyQt.QtTest import QTest

from .inspecting import Window, add_run, choose, idle, open_benchmark, wait_until

REPOSITORY = Path(__file__).parents[2]
BUILD = REPOSITORY / "build"
CLI = os.environ.get("OVEARTH_CLI", str(REPOSITORY / ".venv/bin/ovearth"))


# Debian's pyproj looks for PROJ's data under sys.prefix, which in QGIS is /usr and here is that of
# the environment. Not by PROJ_DATA: the headless command line, a child process, has its own PROJ.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyproj.datadir
pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))


KINDS = {
    "images": QgsWkbTypes.Polygon,
    "instances": QgsWkbTypes.MultiPolygon,
    "pois": QgsWkbTypes.Point,
    "hbb": QgsWkbTypes.Polygon,
    "obb": QgsWkbTypes.Polygon,
    "targets": QgsWkbTypes.NoGeometry,
    "queries": QgsWkbTypes.NoGeometry,
    "reviews": QgsWkbTypes.NoGeometry,
    "categories": QgsWkbTypes.NoGeometry,
}
SQUARE = np.array([[10.0, 10.0], [50.5, 10.0], [50.5, 40.25], [10.0, 40.25]])
TANK = 7
TRIES = 200


class Sample(NamedTuple):
    """The embedded sample on disk."""

    benchmark: Path
    runs: list[Path]
    dataset: Path


@pytest.fixture(scope="session")
def build() -> Path:
    """Where `make package` puts the zip and its files."""
    return BUILD


@pytest.fixture(scope="session")
def command_line():
    """The headless command line, in its own environment, as a function."""
    if not Path(CLI).exists():
        pytest.skip(f"there is no headless environment here, {CLI}")

    def run(*arguments: str | Path) -> None:
        command = [CLI, *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture(scope="session")
def sample(tmp_path_factory, request) -> Sample:
    """The sample as `ovearth demo` writes it, made now unless OVEARTH_SAMPLE says where it is."""
    folder = tmp_path_factory.mktemp("demo")
    if "OVEARTH_SAMPLE" in os.environ:
        shutil.copytree(os.environ["OVEARTH_SAMPLE"], folder, dirs_exist_ok=True)
    else:
        # QGIS's own Python has no rasterio to do it with.
        request.getfixturevalue("command_line")("demo", folder)
    runs = sorted((folder / "runs").glob("*.jsonl*"))
    return Sample(folder / "benchmark.json", runs, folder / "dataset")


@pytest.fixture(scope="session")
def model(tmp_path_factory) -> Path:
    """A folder with a small pair like SAM 2's, made now unless OVEARTH_MODEL says where it is."""
    pytest.importorskip("onnxruntime")
    if "OVEARTH_MODEL" in os.environ:
        return Path(os.environ["OVEARTH_MODEL"])
    folder = tmp_path_factory.mktemp("model")
    # The package `onnx` is in the headless environment only.
    command = [Path(CLI).with_name("python"), Path(__file__).with_name("make_model.py"), folder]
    done = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    if done.returncode:
        pytest.skip(f"no model could be made: {done.stderr[-300:]}")
    return folder


@pytest.fixture
def package(monkeypatch) -> ModuleType:
    """The package `ovearth`, imported anew, as after starting QGIS."""
    for name in [n for n in sys.modules if n.split(".")[0] == "ovearth"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(BUILD))
    return importlib.import_module("ovearth")


@pytest.fixture
def plugin(package, qgis_iface, qgis_processing):
    """The plugin, started in a window and stopped after the test."""
    started = package.classFactory(qgis_iface)
    started.initGui()
    yield started
    started.unload()


@pytest.fixture
def algorithm(plugin):
    """The algorithm `ovearth:score` as the registry hands it out."""
    return QgsApplication.processingRegistry().createAlgorithmById("ovearth:score")


@pytest.fixture
def profile_home(tmp_path) -> Path:
    """A home folder whose new QGIS profile has the plugin unpacked and enabled."""
    profile = tmp_path / ".local/share/QGIS/QGIS3/profiles/default"
    shutil.unpack_archive(BUILD / "ovearth.zip", profile / "python/plugins")
    settings = profile / "QGIS/QGIS3.ini"
    settings.parent.mkdir()
    settings.write_text("[PythonPlugins]\novearth=true\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def qgis_process(profile_home):
    """qgis_process in a new profile that has the plugin, as a function."""

    def run(*arguments: str, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
        # Debian 12's wrapper is broken; the binary behind it is sound.
        binary = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
        # Nothing of this test's environment may help: no venv, no PYTHONPATH, no user's profile.
        environment = {
            "HOME": str(profile_home),
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
        }
        done = subprocess.run(
            [binary, *arguments],
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert may_fail or done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def core(package):
    """The core's module for datasets, as it lies in the plugin."""
    return importlib.import_module("ovearth.ovearth_core.dataset")


@pytest.fixture
def dataset(core, tmp_path):
    """A dataset with one image in Swiss coordinates and one tank on it."""
    frames = importlib.import_module("ovearth.ovearth_core.frame")
    bare = frames.ImageFrame("EPSG:2056", (0.1, 0, 2600000, 0, -0.1, 1200000), 1000, 800)
    made = core.Dataset.create(tmp_path / "dataset", [
        core.CategoryRow(0, "field", "Field", instanceable=False),
        core.CategoryRow(TANK, "storage-tank", "Storage tank", "Industry"),
    ])  # fmt: skip
    with made.writing("anna", "annotator") as edit:
        operation = bare.operation_to("EPSG:4326").proj
        edit.add(core.ImageRow(None, "images/a.tif", 1000, 800, bare.crs, bare.transform,
                               operation, bare.gsd()))  # fmt: skip
        target = edit.add_instance(1, TANK, SQUARE).target_id
        edit.add(core.QueryRow("q", target, "vocabulary", "positive", "tank"))
        edit.add(core.PoiRow(None, 7.4, 46.9, TANK, "a tank"))
    return made


@pytest.fixture
def layers(dataset):
    """All layers of the dataset in a project, named as QGIS names them."""
    found = {}
    for name in KINDS:
        layer = QgsVectorLayer(f"{dataset.path}|layername={name}", f"dataset — {name}", "ogr")
        QgsProject.instance().addMapLayer(layer)
        found[name] = layer
    yield found
    QgsProject.instance().clear()


def commit(layer):
    """Commit as a person would who is told that the file is held: again."""
    for _ in range(TRIES):
        if layer.commitChanges():
            return
        time.sleep(0.01)
    pytest.fail(f"could not commit: {layer.commitErrors()}")


@pytest.fixture
def window(package, qgis_new_project):
    """The dock in a window of its own, over an empty project."""
    shown = Window(package)
    shown.show()
    QTest.qWaitForWindowExposed(shown)
    yield shown
    shown.stop()
    shown.tasks.stop()
    wait_until(lambda: shown.tasks.running == 0)
    QgsProject.instance().clear()
    shown.close()
    shown.deleteLater()


@pytest.fixture
def here(sample, tmp_path):
    """The sample in a folder of the test's own."""
    for name in ("images", "runs"):
        shutil.copytree(sample.benchmark.parent / name, tmp_path / name)
    return Path(shutil.copy(sample.benchmark, tmp_path))


@pytest.fixture
def careful(window, here):
    """The window with the sample and its run `careful`."""
    open_benchmark(window, here)
    add_run(window, here.parent / "runs/careful.jsonl")
    return window


@pytest.fixture
def both(careful, here):
    """The window with hasty as A and careful as B."""
    add_run(careful, here.parent / "runs/hasty.jsonl.gz")
    choose(careful.panel.runs.first, "hasty")
    choose(careful.panel.runs.second, "careful")
    idle(careful)
    return careful
