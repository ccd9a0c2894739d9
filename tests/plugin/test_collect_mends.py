"""Collect when the map shows more than the world, and a hand isn't quite still."""

import importlib

import pytest
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest

from .collecting import (
    NONE,
    add_places,
    add_raster,
    choose_imagery,
    extract,
    images,
    make_raster,
    open_dataset,
    results,
    show_map,
    step,
    tick,
)
from .inspecting import LEFT, click, idle, wait_until
from .test_collect import PLACES, search_layer, vector_layer

SCHOOLS = [(9.5, 47.0, "here", "school"), (-170.0, -80.0, "south", "school")]


@pytest.fixture
def empty(core, tmp_path):
    """A dataset with the taxonomy's categories, and nothing else."""
    init = importlib.import_module("ovearth.ovearth_core.dataset.categories").init_dataset
    taxonomy = importlib.import_module("ovearth.ovearth_core.taxonomy").load()
    return init(tmp_path / "dataset", taxonomy)


@pytest.fixture
def opened(window, empty):
    """The window with that dataset open."""
    open_dataset(window, empty.folder)
    return window


@pytest.mark.parametrize(
    ("crs", "side", "found"),
    [("EPSG:4326", 400.0, {"here", "south"}), ("EPSG:3031", 2e7, {"south"})],
)
def test_a_map_that_shows_more_than_the_world_is_searched_as_far_as_there_is_any(
    opened, empty, crs, side, found
):
    layer = vector_layer("EPSG:4326", SCHOOLS)
    show_map(opened, -side, -side / 3, side, side / 3, crs)
    tick(opened, "school", "school")
    search_layer(opened, layer)
    assert opened.said() == []
    with empty.reading() as view:
        assert {poi.name for poi in view.pois()} == found


def test_a_search_that_fails_leaves_nothing_of_the_last_one(opened):
    layer = vector_layer("EPSG:4326", SCHOOLS)
    show_map(opened, 5.0, 45.0, 15.0, 50.0)
    tick(opened, "school", "school")
    search_layer(opened, layer)
    form = opened.dock.collect.search
    assert "1 new candidates" in form.said.text()
    form.source.layer.setLayer(None)
    click(form.start)
    idle(opened)
    assert "no layer is chosen" in " ".join(opened.said())
    assert form.said.text() == ""


def test_a_click_on_the_frame_moves_nothing(core, window, empty):
    add_places(core, empty, PLACES, "candidate")
    show_map(window, 5.0, 45.0, 15.0, 50.0)
    open_dataset(window, empty.folder)
    step(window)
    place = window.canvas.getCoordinateTransform().transform(*PLACES[0])
    at = QPoint(round(place.x()) + 20, round(place.y()) + 10)
    view = window.canvas.viewport()
    QTest.mousePress(view, LEFT, NONE, at)
    QTest.mouseMove(view, at + QPoint(1, 1))
    QTest.mouseRelease(view, LEFT, NONE, at + QPoint(1, 1))
    idle(window)
    with empty.reading() as reading:
        poi = reading.poi(1)
    assert (poi.lon, poi.lat) == PLACES[0]
    assert "found_at" not in poi.extra


def bare_raster(tmp_path):
    """Return a raster that lies somewhere in a CRS that it doesn't name."""
    path = make_raster(tmp_path / "scene.tif")
    there = gdal.Open(str(path))
    bare = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "bare.tif"), 1200, 1600, 3)
    bare.SetGeoTransform(there.GetGeoTransform())
    for band in (1, 2, 3):
        bare.GetRasterBand(band).WriteRaster(
            0, 0, 1200, 1600, there.GetRasterBand(band).ReadRaster()
        )
    bare.FlushCache()
    return tmp_path / "bare.tif"


def test_the_layers_crs_is_that_of_a_raster_which_names_none(core, window, empty, tmp_path):
    add_places(core, empty, PLACES)
    open_dataset(window, empty.folder)
    layer = add_raster(bare_raster(tmp_path), "bare")
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:32632"))
    choose_imagery(window, layer, 128)
    extract(window)
    assert window.said() == []
    assert [row[1] for row in results(window)] == ["outside", "patch", "patch", "patch", "patch"]
    assert {row.crs for row in images(empty)} == {"EPSG:32632"}


def test_a_layer_whose_crs_is_not_its_files_is_refused(core, window, empty, tmp_path):
    add_places(core, empty, PLACES)
    open_dataset(window, empty.folder)
    layer: QgsRasterLayer = add_raster(make_raster(tmp_path / "scene.tif"), "scene")
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:32633"))
    choose_imagery(window, layer, 128)
    extract(window)
    assert "was given the CRS EPSG:32633, its file says EPSG:32632" in " ".join(window.said())
    assert images(empty) == []


def shown_names(tree):
    found = []

    def walk(parent):
        for row in range(tree.model.rowCount(parent)):
            if not tree.view.isRowHidden(row, parent):
                index = tree.model.index(row, 0, parent)
                found.append(index.data())
                walk(index)

    walk(tree.view.rootIndex())
    return found


def test_what_was_typed_before_there_was_a_tree_filters_it_then(window, empty):
    tree = window.dock.collect.tree
    QTest.keyClicks(tree.search, "storrage tank")
    QTest.qWait(200)
    open_dataset(window, empty.folder)
    wait_until(lambda: "storage tank" in shown_names(tree))
    assert "car" not in shown_names(tree)


@pytest.mark.parametrize("text", ["many", "-3", "2.5", "99999999999", "1e3"])
def test_a_wanted_entry_that_is_no_number_is_refused_and_the_old_one_stays(opened, empty, text):
    tree = opened.dock.collect.tree
    (item,) = tree.model.findItems("fuel station", Qt.MatchFlag.MatchRecursive)
    wanted = tree.model.itemFromIndex(item.index().siblingAtColumn(2))
    wanted.setText("25")
    idle(opened)
    wait_until(lambda: tree._wanted == {"fuel-station": 25})
    wanted.setText(text)
    assert wanted.text() == "25"
    assert "whole number" in " ".join(opened.said())
    with empty.reading() as view:
        assert view.note("wanted") == {"fuel-station": 25}


def test_the_kinds_of_sources_are_whole_in_a_narrow_dock(opened):
    kind = opened.dock.collect.search.source.kind
    text = max(
        kind.fontMetrics().horizontalAdvance(kind.itemText(row)) for row in range(kind.count())
    )
    assert opened.dock.collect.minimumSizeHint().width() < 600
    opened.dock.collect.tabs.setCurrentIndex(0)
    opened.dock.resize(420, 800)
    assert kind.width() > text, opened.dock.minimumSizeHint()


def test_the_frame_leaves_the_map_to_another_tab_and_comes_back_with_its_own(core, window, empty):
    add_places(core, empty, [(9.5, 47.1)], "candidate")
    open_dataset(window, empty.folder)
    show_map(window, 9.4, 47.0, 9.6, 47.2)
    step(window)
    tool, tabs = window.dock.collect.stepper.tool, window.dock.tabs
    assert window.canvas.mapTool() is tool
    assert all(band.isVisible() for band in tool.bands)
    tabs.setCurrentWidget(window.dock.review)
    assert window.canvas.mapTool() is not tool
    assert not any(band.isVisible() for band in tool.bands)
    tabs.setCurrentWidget(window.dock.collect)
    assert window.canvas.mapTool() is tool
    assert all(band.isVisible() for band in tool.bands)
