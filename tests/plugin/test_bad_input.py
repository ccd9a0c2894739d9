"""Odd layers, odd models, two people at one target: a sentence, and a way on."""

import os
import subprocess
from pathlib import Path

import pytest
from osgeo import gdal
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsPointXY, QgsProject
from qgis.PyQt.QtCore import Qt

from .collecting import (
    add_places,
    add_raster,
    choose_imagery,
    extract,
    images,
    results,
    show_map,
    tick,
)
from .collecting import open_dataset as open_for_collecting
from .conftest import CLI
from .inspecting import click, wait_until
from .reviewing import draw_polygon, idle, instances, log, press, target, told
from .test_collect import PLACES, empty, places, search_layer, vector_layer  # noqa: F401 - fixtures
from .test_review import CORNERS, drawing, pictured, review  # noqa: F401 - fixtures
from .test_review_masks import choose_model, clicking, model_idle  # noqa: F401 - a fixture

# Of nobody's list: equal areas about Berne, and one that lies nowhere on earth.
OWN = "+proj=laea +lat_0=46.95 +lon_0=7.44 +x_0=100000 +y_0=50000 +ellps=bessel +units=m"
NOWHERE = (
    'LOCAL_CS["a building site",LOCAL_DATUM["stake",0],UNIT["metre",1],AXIS["x",EAST],'
    'AXIS["y",NORTH]]'
)


def own_crs():
    crs = QgsCoordinateReferenceSystem.fromProj(OWN)
    assert crs.isValid()
    return crs


class TestALayerInACRSOfTheUsersOwn:
    def test_is_searched_where_it_lies(self, window, empty):  # noqa: F811
        open_for_collecting(window, empty.folder)
        show_map(window, 7.0, 46.0, 8.0, 47.5)
        layer = vector_layer("EPSG:2056", [(100000, 50000, "here", "fuel-station")])
        layer.setCrs(own_crs())
        tick(window, "petrol station", "fuel station")
        search_layer(window, layer)
        assert "1 new candidates" in window.dock.collect.search.said.text()
        to_lonlat = QgsCoordinateTransform(
            own_crs(), QgsCoordinateReferenceSystem("EPSG:4326"), QgsProject.instance()
        )
        judge = to_lonlat.transform(QgsPointXY(100000, 50000))
        with empty.reading() as view:
            (poi,) = view.pois()
        assert (poi.lon, poi.lat) == pytest.approx((judge.x(), judge.y()), abs=1e-6)

    def test_and_an_area_of_the_map_in_it_is_that_area(self, window, empty):  # noqa: F811
        open_for_collecting(window, empty.folder)
        show_map(window, 7.0, 46.0, 8.0, 47.5)
        window.canvas.setDestinationCrs(own_crs())
        window.canvas.zoomToFullExtent()
        from qgis.core import QgsRectangle

        window.canvas.setExtent(QgsRectangle(90000, 40000, 110000, 60000))
        layer = vector_layer("EPSG:4326", [
            (7.44, 46.95, "middle", "fuel-station"), (9.0, 46.95, "far", "fuel-station"),
        ])  # fmt: skip
        tick(window, "petrol station", "fuel station")
        search_layer(window, layer)
        with empty.reading() as view:
            assert [poi.name for poi in view.pois()] == ["middle"]

    def test_gives_patches(self, core, window, empty, tmp_path):  # noqa: F811
        path = tmp_path / "own.tif"
        image = gdal.GetDriverByName("GTiff").Create(str(path), 400, 400, 3)
        image.SetGeoTransform((99600, 2, 0, 50400, 0, -2))
        image.SetProjection(own_crs().toWkt())
        for band in (1, 2, 3):
            values = bytes((x * 7 + y * 3 + band) % 251 for y in range(400) for x in range(400))
            image.GetRasterBand(band).WriteRaster(0, 0, 400, 400, values)
        image.FlushCache()
        del image
        add_places(core, empty, [(7.44, 46.95)])
        open_for_collecting(window, empty.folder)
        choose_imagery(window, add_raster(path, "own"), 64)
        extract(window)
        assert window.said() == []
        assert [row[1] for row in results(window)] == ["patch"]
        assert len(images(empty)) == 1


def test_a_layer_whose_crs_lies_nowhere_on_earth_is_a_sentence_and_a_way_on(
    window,
    empty,  # noqa: F811
):
    open_for_collecting(window, empty.folder)
    show_map(window, 7.0, 46.0, 8.0, 47.5)
    layer = vector_layer("EPSG:4326", [(7.44, 46.95, "here", "fuel-station")])
    layer.setCrs(QgsCoordinateReferenceSystem.fromWkt(NOWHERE))
    tick(window, "petrol station", "fuel station")
    search_layer(window, layer)
    said = " ".join(window.said())
    assert "CRS" in said
    assert "unexpected" not in said
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    search_layer(window, layer)
    assert "1 new candidates" in window.dock.collect.search.said.text()


def spoilt(folder, model, kind):
    """Return what a person might choose in the place of a model."""
    names = sorted(path.name for path in Path(model).glob("*.onnx"))
    for name in names:
        (folder / name).write_bytes((Path(model) / name).read_bytes())
    first = folder / names[0]
    whole = first.read_bytes()
    if kind == "a text":
        first.write_text("Where is the model?")
    elif kind == "truncated":
        first.write_bytes(whole[: len(whole) // 2])
    elif kind == "two of the same half":
        (folder / names[1]).write_bytes(whole)
    elif kind == "a folder without any":
        for name in names:
            (folder / name).unlink()
    elif kind == "a folder for a file":
        (folder / "encoder").mkdir()
        return f"{folder / 'encoder'},{folder / names[1]}"
    return folder


@pytest.mark.parametrize(
    ("kind", "says"),
    [("a text", "not an ONNX model"), ("truncated", "not an ONNX model"),
     ("two of the same half", ".onnx"), ("a folder without any", "no ONNX file in the folder"),
     ("a folder for a file", "no such model file")],
)  # fmt: skip
def test_a_model_that_is_something_else_is_a_sentence_and_another_one_works(
    clicking,  # noqa: F811
    model,
    tmp_path,
    kind,
    says,
):
    choose_model(clicking, spoilt(tmp_path, model, kind))
    assert told(clicking, says), clicking.said()
    assert not told(clicking, "unexpected")
    row = clicking.dock.review.drawing.model
    assert row.isVisible()
    choose_model(clicking, model)
    assert told(clicking, "The model is ready")
    press(clicking, Qt.Key.Key_K)
    model_idle(clicking)
    assert not row.isVisible()


def as_another_process(dataset, *steps, who="anna", role="annotator"):
    """Do a step of Review on the command line, in a process of its own."""
    command = [CLI, "review", *steps[:1], str(dataset.folder), *steps[1:], "--who", who]
    done = subprocess.run([*command, "--role", role], check=False, capture_output=True, text=True,
                          timeout=60, env={**os.environ})  # fmt: skip
    assert done.returncode == 0, done.stderr


GOOD = ("--right-category", "--good-boundary", "--nothing-missed")


@pytest.mark.skipif(not Path(CLI).exists(), reason="there is no command line here: OVEARTH_CLI")
def test_a_target_that_another_process_decided_meanwhile_is_said_and_kept_as_it_is(
    drawing,  # noqa: F811
    pictured,  # noqa: F811
):
    panel = drawing.dock.review
    as_another_process(pictured, "submit", "1")
    as_another_process(pictured, "approve", "1", *GOOD, who="mia", role="manager")
    draw_polygon(drawing, *CORNERS)
    idle(drawing)
    assert told(drawing, "it is approved")
    assert len(instances(pictured)) == 1
    press(drawing, Qt.Key.Key_U)
    click(panel.drawing.submit)
    idle(drawing)
    assert target(pictured, 1).state == "approved"
    # The way on: a manager sends it back, and it can be drawn again.
    as_another_process(pictured, "return", "1", "--comment", "once more", who="mia", role="manager")
    panel.state.refresh()
    idle(drawing)
    # N goes to the image that nothing is drawn on, and to what came back.
    press(drawing, Qt.Key.Key_N)
    if panel.state.sample.target is None:
        press(drawing, Qt.Key.Key_N)
    assert panel.state.sample.target.state == "returned"
    if drawing.canvas.mapTool() is not drawing.drawing_tool:
        click(panel.drawing.draw)
        idle(drawing)
    draw_polygon(drawing, *CORNERS)
    wait_until(lambda: not panel.committer.is_waiting)
    idle(drawing)
    assert len(instances(pictured)) == 2
    steps = [line[:2] for line in log(pictured, 1)]
    assert steps[-1] == ("drew", "anna")
