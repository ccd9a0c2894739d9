"""The plugin loads and unloads without a trace, whatever else is installed."""

import importlib
import sys
from types import ModuleType

import processing
from qgis.core import QgsApplication


def providers():
    return {provider.id() for provider in QgsApplication.processingRegistry().providers()}


def loaded(prefix):
    return [name for name in sys.modules if name.startswith(prefix)]


def test_importing_the_package_imports_nothing_else(package):
    assert loaded("ovearth.") == []


def test_loading_the_plugin_leaves_the_core_alone(plugin):
    assert loaded("ovearth.ovearth_plugin")
    assert loaded("ovearth.ovearth_core") == []


def test_the_provider_lists_its_algorithms_and_has_an_icon(plugin):
    provider = QgsApplication.processingRegistry().providerById("ovearth")
    assert {a.name() for a in provider.algorithms()} >= {
        "deriveboxes", "checkdataset", "exportbenchmark", "score", "overlaypredictions",
    }  # fmt: skip
    assert not provider.icon().isNull()
    assert not provider.icon().pixmap(32, 32).isNull()


def test_unloading_leaves_the_registry_as_it_was_and_loading_again_works(
    package, qgis_iface, qgis_processing
):
    before = providers()
    for _ in range(2):
        plugin = package.classFactory(qgis_iface)
        plugin.initGui()
        assert providers() == before | {"ovearth"}
        plugin.unload()
        assert providers() == before
        plugin.unload()  # QGIS may ask twice


def test_unloading_has_qgis_forget_every_module(package, qgis_iface, monkeypatch):
    from qgis import utils

    # As QGIS does when it lists and unloads a plugin.
    monkeypatch.setattr(utils, "available_plugins", [*utils.available_plugins, "ovearth"])
    plugin = package.classFactory(qgis_iface)
    plugin.initGui()
    plugin.dock_button.action.trigger()
    importlib.import_module("ovearth.ovearth_core.predictions.dialects.coco_results")
    assert len(loaded("ovearth.")) > 100
    plugin.unload()
    utils._unloadPluginModules("ovearth")
    assert loaded("ovearth.") == []


def test_another_ovearth_core_already_imported_is_not_taken_for_ours(
    tmp_path, monkeypatch, plugin, sample
):
    other = ModuleType("ovearth_core")
    other.__path__ = []  # a package without a single module: whoever asks it for one fails
    monkeypatch.setitem(sys.modules, "ovearth_core", other)
    scores = tmp_path / "scores.json"
    processing.run(
        "ovearth:score",
        {
            "BENCHMARK": str(sample.benchmark),
            "PREDICTIONS": [str(run) for run in sample.runs],
            "SCORES": str(scores),
        },
    )
    assert scores.exists()


class Bar:
    """A window with nothing but a message bar."""

    def __init__(self):
        self.said = []

    def messageBar(self):
        return self

    def pushWarning(self, title, text):
        self.said.append(f"{title}: {text}")


def test_an_old_python_is_told_so_in_the_message_bar(package, monkeypatch):
    window = Bar()
    with monkeypatch.context() as old:
        old.setattr(sys, "version_info", (3, 9, 5, "final", 0))
        plugin = package.classFactory(window)
    plugin.initGui()
    plugin.initProcessing()
    plugin.unload()
    (said,) = window.said
    assert "needs Python 3.10" in said
    assert "runs on Python 3.9" in said
    assert loaded("ovearth.") == []
