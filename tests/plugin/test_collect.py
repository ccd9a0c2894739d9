"""Collect in a window of its own: search, step, cut; by mouse and keys."""

import importlib
import json

import numpy as np
import pytest
from pyproj import Geod
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtTest import QTest

from .collecting import (
    LIECHTENSTEIN,
    add_places,
    add_raster,
    choose_imagery,
    drag,
    extract,
    images,
    make_raster,
    needs_osm,
    open_dataset,
    press,
    read,
    results,
    search_file,
    show_map,
    states,
    step,
    tick,
)
from .inspecting import choose, click, idle, wait_until

PLACES = [(9.451, 47.305), (9.4535, 47.306), (9.455, 47.303), (9.46, 47.301), (9.52, 47.299)]


@pytest.fixture
def empty(core, tmp_path):
    """A dataset with the taxonomy's categories, and nothing else."""
    init = importlib.import_module("ovearth.ovearth_core.dataset.categories").init_dataset
    taxonomy = importlib.import_module("ovearth.ovearth_core.taxonomy").load()
    return init(tmp_path / "dataset", taxonomy)


@pytest.fixture
def places(core, window, empty):
    """The window with a dataset of five undecided places."""
    add_places(core, empty, PLACES, "candidate")
    show_map(window, 5.0, 45.0, 15.0, 50.0)
    open_dataset(window, empty.folder)
    return window


@needs_osm
def test_a_search_of_an_extract_fills_the_layer_as_the_command_line_does(
    window, empty, command_line, tmp_path
):
    pytest.importorskip("osmium.filter", reason="osmium 4 is not installed here")
    open_dataset(window, empty.folder)
    show_map(window, 9.4, 47.0, 9.7, 47.3)
    tick(window, "petrol station", "fuel station")
    search_file(window, LIECHTENSTEIN, 4)
    said = window.dock.collect.search.said.text()
    assert "4 new candidates" in said, window.said()
    assert "over the limit" in said
    extent = window.canvas.extent()
    sides = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
    out = tmp_path / "places.geojson"
    command_line("pois", "search", "--category", "fuel-station", "--bbox", *map(str, sides),
                 "--source", LIECHTENSTEIN, "--limit", "4", "--out", out)  # fmt: skip
    wanted = {f["properties"]["reference"] for f in json.loads(out.read_text())["features"]}
    layer = window.dock.open_dataset.layers.layer("pois")
    assert {feature["source_id"] for feature in layer.getFeatures()} == wanted
    assert {feature["state"] for feature in layer.getFeatures()} == {"candidate"}
    tree = window.dock.collect.tree
    (item,) = tree.model.findItems("fuel station", Qt.MatchFlag.MatchRecursive)
    row = tree.model.itemFromIndex(item.index().siblingAtColumn(1))
    wait_until(lambda: row.text() == "0 + 4")


def test_keys_on_the_map_decide_and_take_back_and_the_dataset_has_it_at_once(places, empty):
    step(places)
    assert places.dock.collect.state.poi.id == 1
    assert places.canvas.mapTool() is places.dock.collect.stepper.tool
    press(places, Qt.Key.Key_A)
    assert states(empty) == ["accepted"] + ["candidate"] * 4
    assert places.dock.collect.state.poi.id == 2
    press(places, Qt.Key.Key_R)
    press(places, Qt.Key.Key_N)
    assert places.dock.collect.state.poi.id == 4
    assert states(empty) == ["accepted", "rejected"] + ["candidate"] * 3
    press(places, Qt.Key.Key_U)
    assert states(empty) == ["accepted"] + ["candidate"] * 4
    assert places.dock.collect.state.poi.id == 2
    press(places, Qt.Key.Key_U)
    assert states(empty) == ["candidate"] * 5
    assert not places.dock.collect.stepper.undo.isEnabled()
    assert "(A)" in places.dock.collect.stepper.accept.toolTip()


def test_after_the_last_one_it_says_that_none_is_left(places, empty):
    step(places)
    for _ in range(5):
        press(places, Qt.Key.Key_A)
    assert states(empty) == ["accepted"] * 5
    assert places.dock.collect.state.poi is None
    assert "No undecided place" in places.dock.collect.stepper.about.text()


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857", "EPSG:32632", "EPSG:2056", "EPSG:3035"])
def test_the_frame_is_as_large_on_the_ground_in_any_crs(places, crs):
    show_map(places, 5.0, 45.0, 15.0, 50.0)
    places.canvas.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    form = places.dock.collect.patches.imagery
    form.size.setValue(512)
    form.gsd.setValue(0.7)
    step(places)
    ((ring,),) = places.dock.collect.stepper.tool.bands[0].asGeometry().asMultiPolygon()
    to_degrees = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(crs), QgsCoordinateReferenceSystem("EPSG:4326"),
        QgsProject.instance(),
    )  # fmt: skip
    corners = [to_degrees.transform(point) for point in ring]
    area, _ = Geod(ellps="WGS84").polygon_area_perimeter(
        [p.x() for p in corners], [p.y() for p in corners]
    )
    assert abs(area) == pytest.approx((512 * 0.7) ** 2, rel=2e-3)
    poi = places.dock.collect.state.poi
    assert np.mean([p.x() for p in corners[:-1]]) == pytest.approx(poi.lon, abs=1e-5)
    assert np.mean([p.y() for p in corners[:-1]]) == pytest.approx(poi.lat, abs=1e-5)
    # The map shows it at patch scale.
    assert places.canvas.extent().contains(
        places.dock.collect.stepper.tool.bands[0].asGeometry().boundingBox()
    )
    assert places.canvas.extent().height() < 5 * (
        places.dock.collect.stepper.tool.bands[0].asGeometry().boundingBox().height()
    )


def test_the_frame_is_dragged_by_the_mouse_and_put_back(places, empty):
    step(places)
    lon, lat = PLACES[0]
    drag(places, (lon, lat), (lon + 0.001, lat - 0.0005))
    with empty.reading() as view:
        moved = view.poi(1)
    assert (moved.lon, moved.lat) == pytest.approx((lon + 0.001, lat - 0.0005), abs=5e-5)
    assert moved.extra["found_at"] == [lon, lat]
    assert moved.state == "candidate"
    # A press beside the frame drags nothing.
    extent = places.canvas.extent()
    corner = (extent.xMinimum() + 1e-5, extent.yMinimum() + 1e-5)
    drag(places, corner, (lon, lat))
    press(places, Qt.Key.Key_U)
    with empty.reading() as view:
        back = view.poi(1)
    assert (back.lon, back.lat) == (lon, lat)
    assert "found_at" not in back.extra


def test_keys_pressed_while_another_program_holds_the_file_follow_in_their_order(places, empty):
    import sqlite3

    step(places)
    other = sqlite3.connect(empty.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    places.canvas.setFocus()
    for key in (Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_U):
        QTest.keyClick(places.canvas, key)
    QTest.qWait(50)
    assert states(empty) == ["candidate"] * 5
    other.execute("ROLLBACK")
    other.close()
    idle(places)
    assert states(empty) == ["accepted", "rejected"] + ["candidate"] * 3


def test_a_wanted_number_is_kept_with_the_dataset(places, empty):
    tree = places.dock.collect.tree
    (item,) = tree.model.findItems("fuel station", Qt.MatchFlag.MatchRecursive)
    tree.view.expandAll()
    index = item.index().siblingAtColumn(2)
    tree.view.scrollTo(index)
    tree.view.edit(index)
    editor = tree.view.findChild(type(tree.search), "", Qt.FindChildOption.FindChildrenRecursively)
    editors = tree.view.viewport().findChildren(type(tree.search))
    QTest.keyClicks(editors[0] if editors else editor, "25")
    QTest.keyClick(editors[0] if editors else editor, Qt.Key.Key_Return)
    wait_until(lambda: tree.model.itemFromIndex(index).text() == "25")
    idle(places)
    with empty.reading() as view:
        assert view.note("wanted") == {"fuel-station": 25}


def vector_layer(crs, features, fields="field=name:string&field=category:string"):
    layer = QgsVectorLayer(f"Point?{f'crs={crs}&' if crs else ''}{fields}", "mine", "memory")
    if not crs:
        layer.setCrs(QgsCoordinateReferenceSystem())
    made = []
    for x, y, *values in features:
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(x, y)))
        feature.setAttributes(values)
        made.append(feature)
    layer.dataProvider().addFeatures(made)
    QgsProject.instance().addMapLayer(layer)
    return layer


def search_layer(window, layer):
    form = window.dock.collect.search
    choose(form.source.kind, form.source.kind.itemText(1))
    form.source.layer.setLayer(layer)
    click(form.start)
    idle(window)


def test_any_vector_layer_of_the_project_is_a_source_in_its_own_crs(window, empty):
    open_dataset(window, empty.folder)
    show_map(window, 7.0, 46.0, 8.0, 47.5)
    layer = vector_layer("EPSG:2056", [
        (2600000, 1200000, "here", "fuel-station"), (2600000, 1200000.5, "same", "fuel-station"),
        (2601000, 1200000, "other kind", "school"), (2900000, 1200000, "far", "fuel-station"),
    ])  # fmt: skip
    tick(window, "petrol station", "fuel station")
    search_layer(window, layer)
    assert "1 new candidates" in window.dock.collect.search.said.text()
    assert "1 duplicate" in window.dock.collect.search.said.text()
    with empty.reading() as view:
        (poi,) = view.pois()
    assert (poi.lon, poi.lat) == pytest.approx((7.43863, 46.95108), abs=1e-4)
    assert poi.source == "mine"


def test_a_layer_without_a_crs_is_a_sentence_and_a_way_on(window, empty):
    open_dataset(window, empty.folder)
    show_map(window, 7.0, 46.0, 8.0, 47.5)
    layer = vector_layer("", [(7.4, 46.9, "here", "fuel-station")])
    tick(window, "petrol station", "fuel station")
    search_layer(window, layer)
    assert "the layer has no CRS, set it" in " ".join(window.said())
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    search_layer(window, layer)
    assert "1 new candidates" in window.dock.collect.search.said.text()


def test_an_area_across_the_antimeridian_is_searched_on_both_sides(window, empty):
    open_dataset(window, empty.folder)
    show_map(window, 179.0, -18.0, 181.0, -16.0)
    layer = vector_layer("EPSG:4326", [
        (179.5, -17, "west of it", "school"), (-179.5, -17, "east of it", "school"),
        (0.0, -17, "far", "school"),
    ])  # fmt: skip
    tick(window, "school", "school")
    search_layer(window, layer)
    with empty.reading() as view:
        assert {poi.name for poi in view.pois()} == {"west of it", "east of it"}
    for _ in range(2):
        step(window)
        poi = window.dock.collect.state.poi
        box = window.dock.collect.stepper.tool.bands[0].asGeometry().boundingBox()
        assert box.width() < 0.1
        assert box.contains(QgsPointXY(poi.lon, poi.lat))


def test_patches_of_a_local_raster_are_those_of_the_command_line_bit_by_bit(
    core, window, empty, command_line, tmp_path
):
    raster = make_raster(tmp_path / "scene.tif")
    add_places(core, empty, PLACES)
    open_dataset(window, empty.folder)
    panel = choose_imagery(window, add_raster(raster, "scene"), 128)
    click(panel.estimate)
    idle(window)
    said = panel.said.text()
    assert said.startswith("4 patches, ")
    assert "about 1 place outside of the imagery" in said
    assert "No licence is known" in said and "write the licence" in said and "--" not in said
    assert images(empty) == []
    extract(window)
    made = images(empty)
    assert len(made) == 4
    assert [row[1] for row in results(window)] == ["outside", "patch", "patch", "patch", "patch"]
    other = tmp_path / "other"
    command_line("init", other)
    theirs = importlib.import_module("ovearth.ovearth_core.dataset").Dataset.open(other)
    add_places(core, theirs, PLACES)
    command_line("patches", other, "--imagery", raster, "--size", "128")
    assert {row.file_name for row in made} == {row.file_name for row in images(theirs)}
    for row in made:
        mine, its = read(empty.folder / row.file_name), read(other / row.file_name)
        assert np.array_equal(mine[0], its[0])
        assert mine[1] == its[1]
        for tag in ("POI_REFERENCE", "CATEGORY", "GSD_M", "SOURCE", "RESAMPLING"):
            assert mine[2][tag] == its[2][tag]
    # And the command line has nothing left to do here.
    command_line("patches", empty.folder, "--imagery", raster, "--size", "128")
    assert images(empty) == made
    wait_until(lambda: any(g.name() == "OVEarth patches" for g in groups()))


def groups():
    return QgsProject.instance().layerTreeRoot().findGroups(True)


def test_running_again_does_only_what_is_left(core, window, empty, tmp_path):
    raster = make_raster(tmp_path / "scene.tif")
    add_places(core, empty, PLACES[:3])
    open_dataset(window, empty.folder)
    panel = choose_imagery(window, add_raster(raster, "scene"), 128)
    extract(window)
    first = {row.file_name: row.sha256 for row in images(empty)}
    assert len(first) == 3
    add_places(core, empty, PLACES[3:4], first=3)
    extract(window)
    assert panel.said.text().startswith("1 patch, 3 there already")
    assert first.items() <= {row.file_name: row.sha256 for row in images(empty)}.items()


def test_a_raster_without_a_crs_is_a_sentence(core, window, empty, tmp_path):
    from osgeo import gdal

    path = tmp_path / "bare.tif"
    gdal.GetDriverByName("GTiff").Create(str(path), 64, 64, 1).FlushCache()
    add_places(core, empty, PLACES)
    open_dataset(window, empty.folder)
    choose_imagery(window, add_raster(path, "bare"))
    extract(window)
    assert "has no CRS" in " ".join(window.said())
    assert images(empty) == []


def test_a_folder_that_was_moved_is_a_sentence_for_every_button(places, empty, tmp_path):
    step(places)
    empty.folder.rename(tmp_path / "moved")
    press(places, Qt.Key.Key_A)
    assert "no longer in" in " ".join(places.said())
    assert not places.dock.collect.stepper.accept.isEnabled()
    moved = open_dataset(places, tmp_path / "moved")
    step(places)
    press(places, Qt.Key.Key_A)
    assert states(moved) == ["accepted"] + ["candidate"] * 4


def test_a_key_that_an_action_of_qgis_has_too_is_ours_in_the_tab_and_on_the_map(places, empty):
    """As R is QGIS's for stream digitising while one draws: Qt alone would do neither."""
    theirs = []
    compat = importlib.import_module("ovearth.ovearth_plugin.compat")
    action = compat.QAction("Stream Digitizing", places)
    action.setShortcut(QKeySequence("R"))
    action.triggered.connect(lambda: theirs.append(1))
    places.addAction(action)
    panel = places.dock.collect
    step(places)
    press(places, Qt.Key.Key_R)
    idle(places)
    assert states(empty)[0] == "rejected"
    panel.tree.view.setFocus()
    QTest.keyClick(panel.tree.view, Qt.Key.Key_R)
    idle(places)
    assert states(empty)[:2] == ["rejected", "rejected"]
    assert theirs == []
    # Elsewhere it is theirs.
    places.canvas.unsetMapTool(places.canvas.mapTool())
    before = states(empty)
    QTest.keyClick(places.canvas, Qt.Key.Key_R)
    idle(places)
    assert states(empty) == before
    # Back to a default is always allowed.
    assert panel.keys.set(panel.keys.keys[1], QKeySequence("R")) == ""
    assert "Stream Digitizing" in panel.keys.set(panel.keys.keys[0], QKeySequence("R")) or (
        panel.keys.keys[1].title in panel.keys.set(panel.keys.keys[0], QKeySequence("R"))
    )


def test_a_key_is_changed_in_the_dialog_and_one_that_is_taken_is_refused(places, empty):
    click(places.dock.collect.stepper.change_keys)
    module = importlib.import_module("ovearth.ovearth_plugin.keys_dialog")
    (dialog,) = places.findChildren(module.KeysDialog)
    edit = dialog.edits["collect/accept"]
    try:
        for key, said in ((Qt.Key.Key_R, "Reject"), (Qt.Key.Key_J, "")):
            edit.setFocus()
            edit.clear()
            QTest.keyClick(edit, key)
            edit.editingFinished.emit()
            assert said in dialog.said.text()
        dialog.accept()
        places.activateWindow()
        QTest.qWaitForWindowActive(places)
        step(places)
        press(places, Qt.Key.Key_J)
        assert states(empty)[0] == "accepted"
        assert "(J)" in places.dock.collect.stepper.accept.toolTip()
    finally:
        keys = places.dock.collect.keys
        keys.set(keys.keys[0], QKeySequence("A"))


@pytest.mark.parametrize("button", ["estimate", "extract"])
def test_a_server_that_never_answers_is_left_when_a_person_cancels(places, empty, button):
    """Before, the job waited for it: up to minutes, for each attempt."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        panel = choose_imagery(places, None, 64)
        choose(panel.imagery.kind, panel.imagery.kind.itemText(1))
        address = f"http://127.0.0.1:{server.getsockname()[1]}/scene.tif"
        QTest.keyClicks(panel.imagery.text, address)
        choose(panel.places, panel.places.itemText(1))
        click(getattr(panel, button))
        server.settimeout(20)
        waiting, _ = server.accept()
        click(panel.cancel)
        idle(places, 10)
        waiting.close()
    assert panel.said.text() == "Stopped; what was cut is kept."
    assert images(empty) == []
    assert not list(empty.folder.glob(".patches*"))
