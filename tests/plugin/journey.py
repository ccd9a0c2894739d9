"""From an empty folder to a scored run and back, as a person goes: by mouse, keys and dialogs.

Every step is one thing that a person does in the dock, and works in a window of the tests' own and
in QGIS's own window alike.
"""

import importlib
import json

import numpy as np
from osgeo import gdal, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProject,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from . import collecting, reviewing
from .collecting import (
    LIECHTENSTEIN,
    add_raster,
    choose_imagery,
    extract,
    search_file,
    show_map,
    states,
    step,
    tick,
    wms,
    wms_layer,
)
from .inspecting import add_run, choose, click, click_row, open_benchmark, type_path, wait_until
from .reviewing import be, click_map, draw_polygon, idle, press, type_category

# Vaduz, with five fuel stations of the extract.
AREA = (9.512, 47.122, 9.528, 47.147)
ACCEPTED, SIZE, PIXEL_M = 3, 256, 1.0
# Of the disc that the scene shows at each place, and that the small model answers a click with.
RADIUS_M, SIDE_M = 25.0, 50.0
SQUARE = [(103, 103), (153, 103), (153, 153), (103, 153)]
WIDER = [(93, 93), (163, 93), (163, 163), (93, 163)]
MIDDLE = SIZE / 2


def make_dataset(window, folder):
    """Make a dataset by the button New… and the dialog behind it."""
    folder.mkdir(exist_ok=True)
    shared, heard = window.dock.open_dataset, []
    shared.opened.connect(lambda: heard.append(1))
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    click(window.dock.collect.dataset_row.make)
    type_path(window, folder)
    wait_until(lambda: heard and window.dock.collect.state.taxonomy is not None)
    collecting.idle(window)
    to_front(window)
    return shared.dataset


def to_front(window):
    """Make the window active: without a window manager, a dialog leaves none active behind it."""
    window.activateWindow()
    QTest.qWaitForWindowActive(window)


def search_places(window, limit=5):
    """Search the extract for fuel stations in the area that the map shows."""
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    show_map(window, *AREA)
    tick(window, "petrol station", "fuel station")
    search_file(window, LIECHTENSTEIN, limit)


def accept_places(window, dataset):
    """Step to undecided places, and accept by key until there are enough; reject what is left."""
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    step(window)
    while window.dock.collect.state.poi is not None:
        before = states(dataset)
        is_enough = before.count("accepted") >= ACCEPTED
        collecting.press(window, Qt.Key.Key_R if is_enough else Qt.Key.Key_A)
        assert states(dataset) != before, window.said()


def write_scene(path, dataset):
    """Write a raster of one metre that covers the places: fields, and a bright disc at each."""
    path.parent.mkdir(exist_ok=True)
    own, lonlat = map(QgsCoordinateReferenceSystem, ("EPSG:32632", "EPSG:4326"))
    carry = QgsCoordinateTransform(lonlat, own, QgsProject.instance())
    with dataset.reading() as view:
        places = np.array([tuple(carry.transform(row.lon, row.lat)) for row in view.pois()])
    west, south = np.floor(places.min(axis=0)) - SIZE
    east, north = np.ceil(places.max(axis=0)) + SIZE
    y, x = np.mgrid[north - 0.5 : south : -PIXEL_M, west + 0.5 : east : PIXEL_M]
    noise = np.random.default_rng(3).integers(0, 24, x.shape)
    stripes = (np.floor((x + 0.4 * y) / 60.0) + np.floor((y - 0.3 * x) / 90.0)) % 3
    is_lit = np.zeros(x.shape, bool)
    for place in places:
        is_lit |= np.hypot(x - place[0], y - place[1]) < RADIUS_M
    # Put beside it and renamed: half a file would be taken for whole after a kill.
    half = path.with_suffix(".half.tif")
    file = gdal.GetDriverByName("GTiff").Create(str(half), x.shape[1], x.shape[0], 3, gdal.GDT_Byte)
    file.SetGeoTransform((west, PIXEL_M, 0.0, north, 0.0, -PIXEL_M))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    file.SetProjection(reference.ExportToWkt())
    for number, base in enumerate(((70, 50, 95), (95, 120, 100), (55, 45, 60))):
        values = np.where(is_lit, 225, np.choose(stripes.astype(int), base)) + noise
        raw = np.clip(values, 0, 255).astype(np.uint8).tobytes()
        file.GetRasterBand(number + 1).WriteRaster(0, 0, x.shape[1], x.shape[0], raw)
    file.FlushCache()
    del file
    return half.replace(path)


def winter(scene):
    """Answer as a WMS that shows the scene with its light and dark turned about."""

    def paint(bounds, width, height):
        seen = gdal.Warp(
            "", str(scene), format="MEM", dstSRS="EPSG:3857", outputBounds=bounds,
            width=width, height=height, dstAlpha=True, resampleAlg="cubic",
        )  # fmt: skip
        raw = np.frombuffer(seen.ReadRaster(), np.uint8).reshape(4, height, width)
        return np.moveaxis(np.concatenate([255 - raw[:3], raw[3:]]), 0, 2)

    return wms(paint)


def cut_from_raster(window, path):
    """Cut patches out of a file that is a layer of the project."""
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    choose_imagery(window, add_raster(path, "scene"), SIZE)
    extract(window)


def cut_from_server(window, served):
    """Cut patches out of a WMS that is a layer of the project."""
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    choose_imagery(window, wms_layer(served), SIZE, PIXEL_M)
    extract(window)


def review_as(window, name, role="annotator"):
    """Go to Review, and say who is at work."""
    to_front(window)
    window.dock.tabs.setCurrentWidget(window.dock.review)
    idle(window)
    be(window, name, role)


def take_next(window):
    """Go to the next that needs this person, by key; return the sample."""
    press(window, Qt.Key.Key_N)
    return window.dock.review.state.sample


def draw(window, corners, category=None):
    """Draw with QGIS's own tool, by mouse; on a new image, say what it is."""
    panel = window.dock.review
    panel.tabs.setCurrentWidget(panel.drawing)
    click(panel.drawing.draw)
    idle(window)
    draw_polygon(window, *corners)
    idle(window)
    if category is not None:
        type_category(window, category)
        idle(window)


def click_polygon(window, model, x, y, category):
    """Click a polygon with a model, and take it by Return."""
    panel = window.dock.review
    panel.tabs.setCurrentWidget(panel.drawing)
    if panel.drawing.clicking.model.spec != str(model):
        click(panel.drawing.choose_model)
        panel.drawing.model.spec.clear()
        QTest.keyClicks(panel.drawing.model.spec, str(model))
        QTest.keyClick(panel.drawing.model.spec, Qt.Key.Key_Return)
        model_idle(window)
    type_category(window, category)
    click(panel.drawing.click)
    model_idle(window)
    click_map(window, x, y)
    model_idle(window)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_Return)
    idle(window)
    click(panel.drawing.click)
    idle(window)


def model_idle(window):
    wait_until(lambda: not window.dock.review.model_desk.is_busy)
    idle(window)


def submit(window):
    """Hand the target in, by key."""
    window.dock.review.tabs.setCurrentWidget(window.dock.review.drawing)
    press(window, Qt.Key.Key_F)


def send_back(window, comment, place):
    """Answer that the boundary is bad, pin the comment where it is, and send the target back."""
    panel = window.dock.review
    panel.tabs.setCurrentWidget(panel.decision)
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_3):
        press(window, key)
    press(window, Qt.Key.Key_P)
    click_map(window, *place)
    QTest.keyClicks(panel.decision.comment, comment)
    click(panel.decision.moves["return"])
    idle(window)


def correct(window, corners):
    """Erase what is drawn on the target, as the Delete key does, and draw it anew."""
    panel = window.dock.review
    target = panel.state.sample.target
    panel.tabs.setCurrentWidget(panel.drawing)
    click(panel.drawing.draw)
    idle(window)
    layer = panel.digitising.layer
    layer.selectByExpression(f"target_id = {target.id}")
    if layer.selectedFeatureCount():
        layer.beginEditCommand("Delete")
        layer.deleteSelectedFeatures()
        layer.endEditCommand()
        idle(window)
    draw(window, corners)


def approve(window):
    """Answer the three questions with yes, and approve, by keys."""
    panel = window.dock.review
    panel.tabs.setCurrentWidget(panel.decision)
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_A):
        press(window, key)


def propose_texts(window, core, dataset):
    """Add what a language model would: a text for each target that has none."""
    with dataset.writing("a model") as edit:
        with_text = {row.target_id for row in edit.queries()}
        for target in list(edit.targets()):
            if target.id not in with_text:
                edit.add(core.QueryRow(f"q{target.id}", target.id, "vocabulary", "positive",
                                       "fuel station", state="proposed"))  # fmt: skip
    window.dock.open_dataset.wrote("queries")


def accept_text(window, target):
    """Accept the text of a target in the table of queries."""
    panel = window.dock.review
    panel.state.go_to(target.image_id, target.id)
    idle(window)
    panel.tabs.setCurrentWidget(panel.queries)
    panel.queries.table.selectRow(0)
    click(panel.queries.accept)
    idle(window)


def derive_boxes(window):
    click(window.dock.review.boxes.derive)
    idle(window)


def run_algorithm(name, **parameters):
    """Run one of the provider's algorithms; return what it gives."""
    module = importlib.import_module("ovearth.ovearth_plugin.processing.provider")
    provider = module.OVEarthProvider()
    provider.loadAlgorithms()
    algorithm = provider.algorithm(name).create()
    found, is_done = algorithm.run(parameters, QgsProcessingContext(), QgsProcessingFeedback())
    assert is_done, found
    return found


def export(dataset, path):
    """Export the approved targets as a benchmark; return its document."""
    run_algorithm("exportbenchmark", DATASET=str(dataset.folder), BENCHMARK=str(path))
    return json.loads(path.read_text(encoding="utf-8"))


def write_run(path, benchmark):
    """Write a run that finds every true box, but the last one by half its width to the right."""
    header = {"format": "ovearth-predictions/1", "model": "tiny", "coordinates": "pixel",
              "modalities": ["hbb"], "tasks": ["vocabulary"]}  # fmt: skip
    lines = [header]
    for query in benchmark["queries"]:
        boxes = []
        for shape in benchmark["annotations"]:
            if shape["target_id"] == query["target_id"]:
                points = np.reshape(shape["segmentation"][0], (-1, 2))
                boxes.append([*points.min(axis=0), *points.max(axis=0)])
        lines.append({"query_id": query["id"], "hbb": boxes})
    last = lines[-1]["hbb"][0]
    shift = (last[2] - last[0]) / 2
    last[0], last[2] = last[0] + shift, last[2] + shift
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def score(benchmark, run, scores):
    """Score a run; return the document."""
    run_algorithm("score", BENCHMARK=str(benchmark), PREDICTIONS=[str(run)], SCORES=str(scores))
    return json.loads(scores.read_text(encoding="utf-8"))


def inspect(window, benchmark, run):
    """Open a benchmark and a run in Inspect, and look at its worst query; return its number."""
    window.dock.tabs.setCurrentWidget(window.dock.inspect)
    open_benchmark(window, benchmark)
    add_run(window, run)
    choose(window.panel.runs.first, "tiny")
    click(window.panel.queries.filter_bar.worst)
    return click_row(window)


def return_from_inspect(window, comment):
    """Return the target of the query that is looked at, with a pin in the middle of the map."""
    form = window.panel.return_form
    click(form.pin)
    viewport = window.canvas.viewport()
    click(viewport, viewport.rect().center())
    QTest.keyClicks(form.comment, comment)
    click(form.send)
    reviewing.idle(window)
