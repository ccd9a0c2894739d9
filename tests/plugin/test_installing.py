"""The plugin installs into a profile, and comes and goes there without a trace."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from qgis.core import QgsApplication, QgsProject

REPOSITORY = Path(__file__).parents[2]
TOOL = REPOSITORY / "tools/install_plugin.py"
needs_checkout = pytest.mark.skipif(
    not TOOL.exists(), reason="the tools of the checkout are not here"
)


def install(profiles, *more):
    done = subprocess.run(
        [sys.executable, TOOL, "--profiles", profiles, *more],
        check=False, capture_output=True, text=True, timeout=60, cwd=REPOSITORY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_checkout
def test_installing_puts_it_into_the_profile_and_turns_it_on(tmp_path):
    assert "installed and turned on" in install(tmp_path, "--profile", "mine")
    profile = tmp_path / "mine"
    assert (profile / "python/plugins/ovearth/metadata.txt").exists()
    assert "[PythonPlugins]\novearth=true" in (profile / "QGIS/QGIS3.ini").read_text()


@needs_checkout
def test_installing_again_replaces_the_plugin_and_keeps_all_other_settings(tmp_path):
    settings = tmp_path / "default/QGIS/QGIS3.ini"
    settings.parent.mkdir(parents=True)
    kept = "[UI]\nrecent=a, b\n\n[PythonPlugins]\nother=true\novearth=false\n\n[z]\nlast=\\x1\n"
    settings.write_text(kept)
    stale = tmp_path / "default/python/plugins/ovearth/stale.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    install(tmp_path)
    install(tmp_path)
    assert settings.read_text() == kept.replace("ovearth=false", "ovearth=true")
    assert not stale.exists()
    assert [path.name for path in stale.parents[1].iterdir()] == ["ovearth"]


def test_coming_and_going_leaves_nothing_behind(package, qgis_iface, qgis_processing):
    registry, manager = QgsApplication.processingRegistry(), QgsApplication.taskManager()
    window = qgis_iface.mainWindow()

    def state():
        return (
            sorted(provider.id() for provider in registry.providers()),
            sorted(child.objectName() for child in window.children()),
            manager.count(),
            QgsProject.instance().receivers(QgsProject.instance().cleared),
        )

    before = state()
    for _ in range(3):
        plugin = package.classFactory(qgis_iface)
        plugin.initGui()
        assert state() != before
        plugin.unload()
        assert state() == before


def test_reloading_runs_the_new_code(package, qgis_iface, qgis_processing):
    first = package.classFactory(qgis_iface)
    first.initGui()
    first.unload()
    # What QGIS and the Plugin Reloader do between two loads.
    for name in [n for n in sys.modules if n.split(".")[0] == "ovearth"]:
        del sys.modules[name]
    second = importlib.import_module("ovearth").classFactory(qgis_iface)
    second.initGui()
    assert type(second) is not type(first)
    assert QgsApplication.processingRegistry().algorithmById("ovearth:score") is not None
    second.unload()
