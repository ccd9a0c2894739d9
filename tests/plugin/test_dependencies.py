"""What is missing is named feature by feature, with the line that installs it, and only shown."""

import importlib
import subprocess
import sys

import pytest


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
    assert line.endswith('pyarrow "shapely>=2"')


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


def test_nothing_is_started(dependencies, monkeypatch):
    def refuse(*_, **__):
        pytest.fail("something was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert all(str(found) for found in dependencies.all_missing())
