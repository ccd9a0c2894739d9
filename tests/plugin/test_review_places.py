"""Review on images of any CRS: polygons land on the pixels that one sees, however shown."""

import importlib
from dataclasses import replace

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsProject,
    QgsRasterLayer,
)
from qgis.PyQt.QtTest import QTest

from .conftest import TANK
from .inspecting import click
from .reviewing import (
    be,
    draw_polygon,
    give_drawing_tool,
    idle,
    instances,
    open_dataset,
    project_crs,
    write_image,
)

CORNERS = [(100, 100), (300, 100), (300, 250), (100, 250)]
# Of the CRSs in which a plain inverse or another operation is off.
PLACES = {
    5514: (-740000.0, 0.5, 0, -1040000.0, 0, -0.5),
    27700: (530000.0, 0.5, 0, 180000.0, 0, -0.5),
    32632: (500000.0, 0.5, 0, 5200000.0, 0, -0.5),
}
# Fiji, across 180 degrees.
ACROSS = (32760, (819250.0, 0.5, 0, 8118200.0, 0, -0.5))


@pytest.fixture
def reviewed(window, package, core, tmp_path):
    """Make a dataset of one image at a place, open it, and go to the image."""

    def make(epsg, geotransform, project="EPSG:3857"):
        made = core.Dataset.create(
            tmp_path / "dataset", [core.CategoryRow(TANK, "storage-tank", "Storage tank")]
        )
        write_image(made.folder / "images/a.tif", epsg, geotransform, 1000, 800)
        made.add_image(made.folder / "images/a.tif", "anna")
        give_drawing_tool(window, package)
        project_crs(window, QgsCoordinateReferenceSystem(project))
        open_dataset(window, made)
        be(window, "anna")
        window.dock.review.state.go_to(1)
        idle(window)
        return made

    yield make
    window.canvas.unsetMapTool(window.canvas.mapTool())


@pytest.mark.parametrize("epsg", PLACES)
@pytest.mark.parametrize("project", ["own", "EPSG:3857", "EPSG:4326", "EPSG:3035"])
def test_what_is_drawn_lies_on_the_pixels_that_one_sees(window, reviewed, epsg, project):
    crs = f"EPSG:{epsg}" if project == "own" else project
    dataset = reviewed(epsg, PLACES[epsg], crs)
    panel = window.dock.review
    panel.state.choose_category(next(c.row for c in panel.drawing.category._choices))
    click(panel.drawing.draw)
    idle(window)
    # What one sees is the raster, which QGIS carries by itself: the clicks go by it.
    carry = QgsCoordinateTransform(
        panel.scene.image.layer.crs(), window.canvas.mapSettings().destinationCrs(),
        QgsProject.instance(),
    )  # fmt: skip
    a, b, _, d, _, f = PLACES[epsg]
    seen = [carry.transform(a + b * x, d + f * y) for x, y in CORNERS]
    tool = window.drawing_tool
    feature = importlib.import_module("qgis.core").QgsFeature(tool.layer().fields())
    geometry = importlib.import_module("qgis.core").QgsGeometry.fromPolygonXY([seen])
    # As the tool carries its clicks to the layer, finer than a pixel of the screen.
    geometry.transform(
        QgsCoordinateTransform(carry.destinationCrs(), tool.layer().crs(), QgsProject.instance())
    )
    feature.setGeometry(geometry)
    tool.digitizingCompleted.emit(feature)
    idle(window)
    (row,) = instances(dataset)
    assert np.abs(row.polygons[0][0][:4] - CORNERS).max() < 1e-3
    context = QgsProject.instance().transformContext()
    with dataset.reading() as view:
        operation = view.image(1).operation
    own = QgsCoordinateReferenceSystem(f"EPSG:{epsg}")
    lonlat = QgsCoordinateReferenceSystem("EPSG:4326")
    assert context.calculateCoordinateOperation(own, lonlat) == operation


def test_across_the_antimeridian_an_image_is_shown_in_its_own_crs_and_drawn_on(window, reviewed):
    epsg, geotransform = ACROSS
    dataset = reviewed(epsg, geotransform)
    # The 180th meridian runs through the column 403.
    across = [(300, 100), (500, 100), (500, 250), (300, 250)]
    panel = window.dock.review
    own = QgsCoordinateReferenceSystem(f"EPSG:{epsg}")
    assert panel.scene.place.is_split
    assert window.canvas.mapSettings().destinationCrs() == own
    assert QgsProject.instance().crs() == own
    panel.state.choose_category(next(c.row for c in panel.drawing.category._choices))
    click(panel.drawing.draw)
    idle(window)
    draw_polygon(window, *across)
    idle(window)
    assert window.said()[1:] == []
    (row,) = instances(dataset)
    coarse = window.canvas.mapUnitsPerPixel() / 0.5
    assert np.abs(row.polygons[0][0][:4] - across).max() < coarse
    assert panel.problems.findings == []
    with dataset.reading() as view:
        (state,) = view.instance_states([row.id]).values()
        footprint = view.frame(1).footprint()
    lon = np.array(state.geojson()["coordinates"][0][0])[:, 0]
    assert footprint[:, 0].min() < lon.min() < lon.max() < footprint[:, 0].max()
    assert drawn_pixels(window) > 50
    window.dock.open_dataset.close()
    idle(window)
    assert QgsProject.instance().crs().authid() == "EPSG:3857"


def test_in_a_project_without_a_crs_an_image_is_shown_in_its_own_and_drawn_on(window, reviewed):
    dataset = reviewed(32632, PLACES[32632], "")
    assert QgsProject.instance().crs().authid() == "EPSG:32632"
    panel = window.dock.review
    panel.state.choose_category(next(c.row for c in panel.drawing.category._choices))
    click(panel.drawing.draw)
    idle(window)
    draw_polygon(window, *CORNERS)
    idle(window)
    (row,) = instances(dataset)
    coarse = window.canvas.mapUnitsPerPixel() / 0.5
    assert np.abs(row.polygons[0][0][:4] - CORNERS).max() < coarse
    window.dock.open_dataset.close()
    idle(window)
    assert not QgsProject.instance().crs().isValid()


def drawn_pixels(window):
    """How many pixels of the map, as it is on the screen, have the colour of lit polygons."""
    window.canvas.setLayers(QgsProject.instance().layerTreeRoot().layerOrder())
    window.canvas.refresh()
    window.canvas.waitWhileRendering()
    QTest.qWait(50)
    image = window.canvas.grab().toImage()
    found = 0
    for y in range(image.height()):
        for x in range(image.width()):
            colour = image.pixelColor(x, y)
            found += colour.red() > 180 and colour.blue() < 100
    return found


def test_lit_polygons_are_told_from_the_image(window, reviewed):
    dataset = reviewed(32632, PLACES[32632])
    assert drawn_pixels(window) == 0
    with dataset.writing("anna", "annotator") as edit:
        edit.add_instance(1, TANK, np.array(CORNERS))
    window.dock.open_dataset.wrote("instances")
    window.dock.review.state.go_to(1, 1)
    idle(window)
    assert drawn_pixels(window) > 50


def test_a_raster_added_later_does_not_hide_what_is_drawn(window, reviewed, tmp_path):
    dataset = reviewed(32632, PLACES[32632])
    write_image(tmp_path / "more" / "scene.tif", 32632, PLACES[32632], 1000, 800)
    scene = QgsRasterLayer(str(tmp_path / "more" / "scene.tif"), "scene")
    QgsProject.instance().addMapLayer(scene)
    with dataset.writing("anna", "annotator") as edit:
        edit.add_instance(1, TANK, np.array(CORNERS))
        second = edit.image(1)
        edit.add(replace(second, id=None, file_name="images/b.tif"))
    write_image(dataset.folder / "images/b.tif", 32632, PLACES[32632], 1000, 800)
    window.dock.open_dataset.wrote("instances", "images")
    window.dock.review.state.go_to(2)
    idle(window)
    window.dock.review.state.go_to(1, 1)
    idle(window)
    order = [layer.name() for layer in QgsProject.instance().layerTreeRoot().layerOrder()]
    assert order.index("dataset — instances") < order.index("scene")
    assert drawn_pixels(window) > 50
    # A person's own order stays where nothing is hidden.
    assert scene.id() in QgsProject.instance().mapLayers()


def test_polygons_wholly_beyond_180_are_seen_too(window, reviewed):
    epsg, geotransform = ACROSS
    dataset = reviewed(epsg, geotransform)
    with dataset.writing("anna", "annotator") as edit:
        frame = edit.frame(1)
        lonlat = frame.pixel_to_lonlat([[50, 400], [950, 400]])
        east = 950 if lonlat[1, 0] > 180 else 50
        edit.add_instance(1, TANK, np.array(CORNERS) * 0.2 + [east - 40, 380])
    (row,) = instances(dataset)
    window.dock.open_dataset.wrote("instances")
    window.dock.review.state.go_to(1, row.target_id)
    idle(window)
    assert drawn_pixels(window) > 20
