"""What is missing is named feature by feature, with the line that installs it, and only shown."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture
def dependencies(package):
    return importlib.import_module("ovearth.ovearth_plugin.dependencies")


def feature(dependencies, key):
    return next(found for found in dependencies.features() if found.key == key)


@pytest.mark.parametrize("where, line, place", [
    ("debian", ("sudo apt install python3-httpx && /usr/bin/python3 -m pip install --user"
               " --break-system-packages pystac-client"), "terminal"),
    ("windows", "python -m pip install --user httpx pystac-client", "OSGeo4W Shell"),
    ("other", "python3 -m pip install --user httpx pystac-client", "terminal"),
    ("flatpak", ("flatpak run --devel --command=pip3 org.qgis.qgis install --user httpx"
                " pystac-client"), "terminal"),
])  # fmt: skip
def test_the_line_is_that_of_the_system(dependencies, where, line, place):
    packages = [
        package for package in feature(dependencies, "collect").packages
        if package.module in ("httpx", "pystac_client")
    ]  # fmt: skip
    packages.sort(key=lambda package: package.pypi)
    found, window = dependencies.install_line(packages, where)
    assert found == line
    assert place in window


def test_no_line_calls_what_runs_this(dependencies, monkeypatch):
    monkeypatch.setattr(sys, "executable", "C:/QGIS/bin/qgis-bin.exe")
    for where in ("debian", "windows", "macos", "flatpak", "other"):
        for each in dependencies.features():
            assert "qgis-bin" not in dependencies.install_line(each.packages, where)[0]


def test_names_with_versions_are_quoted(dependencies):
    line, _ = dependencies.install_line(feature(dependencies, "parquet").packages, "windows")
    assert line.endswith('"pyarrow>=15" "shapely>=2"')


@pytest.mark.parametrize("text, found", [
    ('ID=debian\n', "debian"), ('ID=ubuntu\nID_LIKE=debian\n', "debian"),
    ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', "debian"), ('ID=fedora\n', "other"),
])  # fmt: skip
def test_the_system_is_known_by_its_own_word(dependencies, tmp_path, monkeypatch, text, found):
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "os-release").write_text(text)
    assert dependencies.system(tmp_path / "os-release") == found
    assert dependencies.system(tmp_path / "nowhere") == "other"


def test_what_is_there_is_not_missing_and_asking_imports_nothing(dependencies):
    present = dependencies.Feature("x", "X", (dependencies.Package("antigravity", "x"),))
    absent = dependencies.Feature("y", "Y", (dependencies.Package("not_there_at_all", "y-1"),))
    assert dependencies.missing(present) is None
    assert "antigravity" not in sys.modules
    lacking = dependencies.missing(absent)
    assert "Y needs y-1." in str(lacking)
    assert lacking.line in str(lacking)


def test_features_need_what_the_extras_of_the_same_name_bring(dependencies):
    text = PYPROJECT.read_text(encoding="utf-8")
    for each in dependencies.features():
        (listed,) = re.findall(rf"^{each.key} = \[(.*)\]$", text, re.MULTILINE)
        extra = {re.split("[<>=]", name)[0].lower() for name in re.findall(r'"([^"]+)"', listed)}
        named = {package.name for package in each.packages}
        # Shapely is in the base of the headless installation, which a QGIS is without.
        assert named - {"shapely"} == extra


@pytest.mark.parametrize("fault, line", [
    (("rasters need rasterio", "a.tif", "pip install rasterio"),
     "sudo apt install python3-rasterio"),
    (("needs pystac", "here", "pip install pystac, or name no catalogue"),
     "/usr/bin/python3 -m pip install --user --break-system-packages pystac"),
    (("needs new things", "", "pip install new-thing>=2"),
     '/usr/bin/python3 -m pip install --user --break-system-packages "new-thing>=2"'),
])  # fmt: skip
def test_a_fault_of_the_core_gives_the_line_for_this_system(dependencies, monkeypatch, fault, line):
    errors = importlib.import_module("ovearth.ovearth_core.errors")
    monkeypatch.setattr(dependencies, "system", lambda: "debian")
    said = dependencies.sentence_of(errors.MissingPackageError(*fault))
    assert said.startswith(fault[0])
    assert fault[1] in said
    assert said.endswith(f". In a terminal: {line}")


def test_another_way_that_the_core_knows_is_kept(dependencies):
    errors = importlib.import_module("ovearth.ovearth_core.errors")
    fault = errors.MissingPackageError("x needs y", mend="pip install y-1, or export geojson")
    assert dependencies.sentence_of(fault).startswith("x needs y, or export geojson. In ")


def test_an_extra_stands_for_the_packages_that_are_not_here(dependencies, monkeypatch):
    errors = importlib.import_module("ovearth.ovearth_core.errors")
    monkeypatch.setattr(dependencies, "system", lambda: "other")
    monkeypatch.setattr(dependencies, "is_there", lambda module: module != "onnxruntime")
    fault = errors.MissingPackageError(
        "masks by clicks need a runtime", mend="pip install 'ovearth[segment]'"
    )
    assert dependencies.sentence_of(fault).endswith(": python3 -m pip install --user onnxruntime")


def test_a_module_that_python_misses_is_named_with_its_line_where_it_is_known(
    dependencies, monkeypatch
):
    monkeypatch.setattr(dependencies, "system", lambda: "debian")
    known = ModuleNotFoundError("No module named 'owslib.wms'", name="owslib.wms")
    assert dependencies.sentence_of(known).endswith(
        "In a terminal: sudo apt install python3-owslib"
    )
    unknown = ModuleNotFoundError("No module named 'strange'", name="strange")
    assert dependencies.sentence_of(unknown) == "A package is missing: No module named 'strange'"


def test_nothing_is_started(dependencies, monkeypatch):
    def refuse(*_, **__):
        pytest.fail("something was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert all(str(found) for found in dependencies.all_missing())
