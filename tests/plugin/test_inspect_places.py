"""Inspect at the ends of the world: across the 180th meridian, and at a pole."""

import json
import math

import numpy as np
import pytest
from osgeo import gdal, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

from .inspecting import add_run, choose, click, click_row, open_benchmark, shapes

SIDE_PX = 400
# Name: CRS, and where the image's middle lies in it; each is a kilometre wide, turned by 20°.
PLACES = {
    "dateline": ("EPSG:3832", (3339584.72, 0.0)),
    "antarctica": ("EPSG:3031", (0.0, 0.0)),
    "arctic": ("EPSG:3413", (0.0, 0.0)),
    "fiji": ("EPSG:32701", (180044, 8151223)),
}
TORN = [("dateline", "EPSG:4326"), ("dateline", "EPSG:3857"), ("antarctica", "EPSG:4326"),
        ("arctic", "EPSG:3857"), ("fiji", "EPSG:4326")]  # fmt: skip
WHOLE = [("dateline", "EPSG:3832"), ("dateline", "EPSG:3031"), ("antarctica", "EPSG:3031"),
         ("arctic", "EPSG:3413"), ("arctic", "EPSG:3995"), ("fiji", "EPSG:3832")]  # fmt: skip


def transform(middle):
    a, b = 2.5 * math.cos(math.radians(20)), 2.5 * math.sin(math.radians(20))
    half = SIDE_PX / 2
    return [a, b, middle[0] - half * (a + b), b, -a, middle[1] - half * (b - a)]


@pytest.fixture
def far(tmp_path):
    """A benchmark with a square in the middle of each image, and a run that is off by 8 pixels."""
    images, targets, annotations, queries, lines = [], [], [], [], []
    for n, (name, (crs, middle)) in enumerate(PLACES.items()):
        images.append({"id": n, "file_name": f"{name}.tif", "width": SIDE_PX, "height": SIDE_PX,
                       "crs": crs, "transform": transform(middle)})  # fmt: skip
        targets.append({"id": n, "image_id": n, "category_id": 1})
        square = [160, 160, 240, 160, 240, 240, 160, 240]
        annotations.append({"id": n, "target_id": n, "image_id": n, "category_id": 1,
                            "segmentation": [square]})  # fmt: skip
        queries.append({"id": name, "target_id": n, "task": "vocabulary", "polarity": "positive",
                        "text": name})  # fmt: skip
        lines.append({"query_id": name, "hbb": [[168, 168, 248, 248]]})
    document = {
        "info": {"format": "ovearth-benchmark/1"}, "categories": [{"id": 1, "name": "thing"}],
        "images": images, "targets": targets, "annotations": annotations, "queries": queries,
    }  # fmt: skip
    (tmp_path / "far.json").write_text(json.dumps(document))
    (tmp_path / "far.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def look_at(window, far, place, crs):
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem(crs))
    window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    open_benchmark(window, far / "far.json")
    add_run(window, far / "far.jsonl")
    choose(window.panel.threshold.modality, "Horizontal boxes")
    rows = [window.panel.queries.model.row_at(line) for line in range(len(PLACES))]
    click_row(window, rows.index(list(PLACES).index(place)))


@pytest.mark.parametrize("place, crs", WHOLE)
def test_the_map_goes_to_an_image_at_the_end_of_the_world(window, far, place, crs):
    look_at(window, far, place, crs)
    own = QgsCoordinateReferenceSystem(PLACES[place][0])
    to_project = QgsCoordinateTransform(
        own, QgsCoordinateReferenceSystem(crs), QgsProject.instance()
    )
    (matched,) = shapes(window)["matched"]
    geometry = matched.geometry()
    geometry.transform(to_project)
    shown = window.canvas.extent()
    assert shown.contains(geometry.boundingBox())
    # The box is a fifth of the image: the map isn't zoomed out to the world.
    assert shown.height() < 30 * geometry.boundingBox().height()
    assert window.panel.zoom.isEnabled()


@pytest.mark.parametrize("place", PLACES)
def test_boxes_there_lie_on_the_image_to_a_millionth_of_a_pixel(window, far, place):
    look_at(window, far, place, PLACES[place][0])
    frame = window.panel.scene.scene.image.frame()
    (matched,) = shapes(window)["matched"]
    corners = [[v.x(), v.y()] for v in matched.geometry().vertices()][:4]
    pixels = frame.map_to_pixel(corners)
    assert abs(pixels - [[168, 168], [248, 168], [248, 248], [168, 248]]).max() < 1e-6


@pytest.mark.parametrize("place, crs", TORN)
def test_a_project_crs_that_tears_the_image_is_said_with_the_one_to_choose(window, far, place, crs):
    window.canvas.setExtent(QgsRectangle(0, 0, 1, 1))
    look_at(window, far, place, crs)
    assert any(f"choose {PLACES[place][0]} for the project" in text for text in window.said())
    assert window.canvas.extent().width() < 100
    window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem(PLACES[place][0]))
    click(window.panel.zoom)
    (matched,) = shapes(window)["matched"]
    assert window.canvas.extent().contains(matched.geometry().boundingBox())


def write_turned(path, bands, says_where, is_table=False):
    """Write a bright image of Fiji that is turned by 20°, and says so, or nothing of its place."""
    file = gdal.GetDriverByName("GTiff").Create(str(path), SIDE_PX, SIDE_PX, bands)
    if says_where:
        a, b, west, d, e, north = transform(PLACES["fiji"][1])
        file.SetGeoTransform((west, a, b, north, d, e))
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(32701)
        file.SetProjection(reference.ExportToWkt())
    if is_table:
        # GDAL's own corners have the first index.
        table = gdal.ColorTable()
        for index in range(256):
            table.SetColorEntry(index, (index, index, index, 255))
        file.GetRasterBand(1).SetRasterColorTable(table)
    for number in range(bands):
        values = np.full((SIDE_PX, SIDE_PX), 180 if number < 3 else 255, np.uint8)
        # No image of one value: its contrast would be stretched to nothing.
        values[:8] -= 60 if number < 3 else 0
        file.GetRasterBand(number + 1).WriteRaster(0, 0, SIDE_PX, SIDE_PX, values.tobytes())
    file.FlushCache()


@pytest.mark.parametrize(("bands", "is_table"), [(1, False), (3, False), (4, False), (1, True)])
@pytest.mark.parametrize("says_where", [True, False])
def test_beside_a_turned_image_the_map_shows_what_lies_below(
    window, far, bands, is_table, says_where
):
    write_turned(far / "fiji.tif", bands, says_where, is_table)
    look_at(window, far, "fiji", "EPSG:32701")
    layer = window.panel.scene.layers.image
    settings = QgsMapSettings(window.canvas.mapSettings())
    settings.setLayers([layer])
    settings.setExtent(layer.extent())
    settings.setOutputSize(QSize(200, 200))
    settings.setBackgroundColor(QColor("magenta"))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    for x, y in ((3, 3), (196, 3), (3, 196), (196, 196)):
        assert image.pixelColor(x, y).name() == "#ff00ff"
    middle = image.pixelColor(60, 120)
    assert middle.red() == middle.green() == middle.blue() > 150
    # The image fills its outline: nothing of it is lost at its edges.
    shown = sum(image.pixelColor(x, y).name() != "#ff00ff" for x in range(200) for y in range(200))
    turned = math.radians(20)
    share = 1 / (math.cos(turned) + math.sin(turned)) ** 2
    assert shown / 200**2 == pytest.approx(share, abs=0.01)
