"""The plugin as it is packed: build/ovearth/, imported as QGIS imports it."""

import importlib
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from qgis.core import QgsApplication

REPOSITORY = Path(__file__).parents[2]
BUILD = REPOSITORY / "build"
CLI = os.environ.get("OVEARTH_CLI", str(REPOSITORY / ".venv/bin/ovearth"))


# Debian's pyproj looks for PROJ's data under sys.prefix, which in QGIS is /usr and here is that of
# the environment. Not by PROJ_DATA: the headless command line, a child process, has its own PROJ.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyproj.datadir
pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))


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

    def run(*arguments: str | Path) -> None:
        command = [CLI, *arguments]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture(scope="session")
def sample(tmp_path_factory, command_line) -> Sample:
    """The sample as `ovearth demo` writes it: QGIS's own Python has no rasterio to do it with."""
    folder = tmp_path_factory.mktemp("demo")
    command_line("demo", folder)
    return Sample(
        folder / "benchmark.json", sorted((folder / "runs").glob("*.jsonl*")), folder / "dataset"
    )


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

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
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
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        return done

    return run
