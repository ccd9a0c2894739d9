"""Inspect writes the report that the command line writes, from what QGIS ships."""

import importlib.util
import json
import sys

import pytest

from .inspecting import click, idle, type_path

NOT_IN_QGIS = ("shapely", "rasterio", "fiona", "geopandas")


# Debian forky's QGIS brings no SciPy.
needs_report = pytest.mark.skipif(
    any(
        importlib.util.find_spec(name) is None for name in ("matplotlib", "jinja2", "scipy", "PIL")
    ),
    reason="what a report needs is not installed here",
)


class Blocked:
    """Finds none of the packages named, whether or not they are installed."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            raise ImportError(f"No module named {name!r}")


@pytest.fixture
def without(monkeypatch):
    def block(*names):
        for name in [found for found in sys.modules if found.split(".")[0] in names]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [Blocked(names), *sys.meta_path])

    return block


def export(window, folder):
    folder.mkdir(exist_ok=True)
    window.panel.tabs.setCurrentIndex(1)
    click(window.panel.scores.export_report)
    type_path(window, folder)
    # Seventeen figures: ten seconds of a processor, which others may want too.
    idle(window, 300)


def kept(path):
    """Return the lines of a per-query file; its header without who wrote it: two Pythons did."""
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    header = json.loads(header)
    assert set(header["settings"].pop("versions")) >= {"ovearth", "numpy", "pyproj"}
    return header, lines


@needs_report
def test_the_report_keeps_what_the_command_keeps(both, here, tmp_path, command_line, without):
    without(*NOT_IN_QGIS)
    export(both, tmp_path / "here")
    runs = [here.parent / "runs/careful.jsonl", here.parent / "runs/hasty.jsonl.gz"]
    command_line("report", here, *runs, "--out", tmp_path / "there")
    # Of the run in pixels: PROJ's versions carry map coordinates over with other last digits.
    found, told = (tmp_path / where / "per-query/careful.jsonl" for where in ("here", "there"))
    assert kept(found) == kept(told)
    page = (tmp_path / "here/index.html").read_text(encoding="utf-8")
    assert page.count("data:image/jpeg;base64,") == 32
    assert str(tmp_path) not in page
    assert any("index.html" in text for text in both.said())


@needs_report
def test_images_that_moved_are_found_where_one_said(careful, here, tmp_path):
    (here.parent / "images").rename(tmp_path / "moved")
    careful.state.look_in(tmp_path / "moved")
    export(careful, tmp_path / "report")
    gallery = json.loads((tmp_path / "report/gallery/careful.json").read_text(encoding="utf-8"))
    assert gallery["pictures"]
    assert gallery["notes"] == []


def test_a_missing_package_is_named_with_its_line_and_nothing_is_written(
    careful, tmp_path, without
):
    without("jinja2")
    export(careful, tmp_path / "report")
    (said,) = [text for text in careful.said() if "Jinja2" in text]
    assert "install" in said and "jinja2" in said
    assert list((tmp_path / "report").iterdir()) == []


@needs_report
def test_a_page_of_someone_elses_is_not_replaced(careful, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("mine")
    export(careful, tmp_path / "site")
    assert (tmp_path / "site/index.html").read_text() == "mine"
    assert any("name another folder" in text for text in careful.said())


@needs_report
def test_canceling_leaves_nothing_behind(careful, tmp_path):
    folder = tmp_path / "report"
    making = importlib.import_module("ovearth.ovearth_core.report.page.making")
    wanted = importlib.import_module("ovearth.ovearth_core.report.page.wanted").Wanted
    state = careful.state

    def stop(share, what):
        if share > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        making.make_report(
            wanted(state.inspected.path, [state.first.path], folder), [state.first.scores], stop
        )
    assert not folder.exists()
