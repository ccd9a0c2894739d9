"""The scenes of the pictures, run by `qgis --code` in a folder that has the sample in demo/.

Everything is done by the functions with which the plugin's tests press its buttons and keys.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import traceback
from pathlib import Path

from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface, plugins

from tests.plugin import collecting, inspecting, journey, reviewing
from tests.plugin.inspecting import choose, click

DEMO = Path("demo")
CRS = "EPSG:32632"
# Two of the sample's images that lie side by side in this CRS.
SIDE_BY_SIDE = ("works-summer.tif", "market.tif")
TANK, HELIPAD = "storage tank", "helipad"
PATCH_PX, PATCH_GSD_M = 160, 0.3
# The sixth tank of the sample's first image, in its pixels, and an outline that crosses itself.
CROSSED = [(202, 182), (209, 164), (227, 157), (245, 164), (252, 182), (214, 203), (240, 203)]
# What is seen of that image.
SEEN = (40, 40, 340, 260)
# The helipad in the middle of its patch, as far as it is drawn.
STARTED = [(47, 80), (57, 57), (80, 47), (103, 57), (113, 80)]
SHOWN_PLACE = "osm:way/6"
QUERY = "works-tanks-voc-1"
# Until what is drawn in steps is drawn.
SETTLED_MS = 600


class RealWindow:
    """QGIS's own window under the names that the tests' window has."""

    def __init__(self) -> None:
        plugin = plugins["ovearth"]
        self.main = iface.mainWindow()
        self.main.showNormal()
        self.main.setGeometry(QGuiApplication.primaryScreen().geometry())
        hidden = self.main.findChild(QDockWidget, "Browser")
        if hidden is not None:
            hidden.hide()
        begin_anew()
        plugin.dock_button.action.trigger()
        self.canvas, self.bar = iface.mapCanvas(), iface.messageBar()
        self.dock, self.tasks = plugin.dock_button.dock, plugin.tasks
        self.panel = self.dock.inspect
        self.state = self.panel.state

    def __getattr__(self, name: str):
        return getattr(self.main, name)


def shoot(window: RealWindow, name: str) -> None:
    """Write what the whole screen shows, without QGIS's own messages; ours stand for a fault."""
    ours = [item.text() for item in window.bar.items() if item.title() == "OVEarth"]
    if ours:
        raise RuntimeError(f"{name}: {ours}")
    window.bar.clearWidgets()
    iface.statusBarIface().clearMessage()
    QTest.qWait(SETTLED_MS)
    window.canvas.waitWhileRendering()
    QTest.qWait(SETTLED_MS)
    QGuiApplication.primaryScreen().grabWindow(0).save(f"{name}.png")


def zoom_to_pixels(window: RealWindow, frame, box: tuple[float, float, float, float]) -> None:
    """Show a part of an image, left, top, right and bottom in its pixels."""
    left, top, right, bottom = box
    corners = frame.pixel_to_lonlat([[left, top], [right, top], [right, bottom], [left, bottom]])
    points = [window.dock.review.scene.to_canvas(float(x), float(y)) for x, y in corners]
    shape = QgsGeometry.fromMultiPointXY([QgsPointXY(point) for point in points])
    window.canvas.setExtent(QgsRectangle(shape.boundingBox()))
    window.canvas.refresh()


def write_osm(places: Path, out: Path) -> None:
    """Write the sample's places as an extract of OpenStreetMap, which needs osmium alone."""
    nodes, ways = [], []
    for feature in json.loads(places.read_text(encoding="utf-8"))["features"]:
        corners = feature["geometry"]["coordinates"][0][:-1]
        ids = range(len(nodes) + 1, len(nodes) + 1 + len(corners))
        nodes += [
            f'<node id="{i}" version="1" lat="{lat}" lon="{lon}"/>'
            for i, (lon, lat) in zip(ids, corners, strict=True)
        ]
        ends = "".join(f'<nd ref="{i}"/>' for i in (*ids, ids[0]))
        tags = "".join(f'<tag k="{k}" v="{v}"/>' for k, v in feature["properties"]["tags"].items())
        ways.append(f'<way id="{len(ways) + 1}" version="1">{ends}{tags}</way>')
    lines = ['<osm version="0.6">', *nodes, *ways, "</osm>"]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def unfold(table: str) -> None:
    """Unfold a layer of the dataset in the tree of layers, and its group."""
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        if node.layer().name().endswith(f" {table}"):
            for part in (node.parent(), node):
                # The view only follows changes.
                part.setExpanded(False)
                part.setExpanded(True)


def hide(*tables: str) -> None:
    """Untick layers of the dataset."""
    for node in QgsProject.instance().layerTreeRoot().findLayers():
        if node.layer().name().split()[-1] in tables:
            node.setItemVisibilityChecked(False)


def begin_anew() -> None:
    """Leave what was open behind, as by New Project."""
    QgsProject.instance().setDirty(False)
    iface.newProject()


def collect(window: RealWindow) -> None:
    """Search the sample's places over its images, and step through them."""
    images = [str(DEMO / "images" / name) for name in SIDE_BY_SIDE]
    # Rotated ones among them: warped where they lie, and seen through where there is nothing.
    gdal.Warp("works-and-market.tif", images, dstSRS=CRS, dstAlpha=True).FlushCache()
    imagery = collecting.add_raster("works-and-market.tif", "works and market")
    journey.make_dataset(window, Path("harbour").resolve())
    reviewing.project_crs(window, imagery.crs())
    window.canvas.setExtent(imagery.extent())
    collecting.choose_imagery(window, imagery, PATCH_PX, PATCH_GSD_M)
    panel = window.dock.collect
    panel.tabs.setCurrentIndex(0)
    collecting.tick(window, "helipad", HELIPAD)
    collecting.tick(window, "storage tank", TANK)
    write_osm(DEMO / "places.geojson", Path("harbour.osm"))
    collecting.search_file(window, "harbour.osm", 20)
    collecting.step(window)
    keys = itertools.cycle((Qt.Key.Key_A, Qt.Key.Key_A, Qt.Key.Key_R))
    while panel.state.poi.source_id != SHOWN_PLACE:
        collecting.press(window, next(keys))
    unfold("pois")
    shoot(window, "collect")


def collect_patches(window: RealWindow) -> None:
    """Cut the patches of the accepted places, then estimate those of all."""
    panel = window.dock.collect
    panel.tabs.setCurrentWidget(panel.patches)
    collecting.extract(window)
    choose(panel.patches.places, panel.patches.places.itemText(1))
    click(panel.patches.estimate)
    collecting.idle(window)
    shoot(window, "collect-patches")


def journey_review(window: RealWindow) -> None:
    """Begin to draw on a patch that was cut."""
    journey.review_as(window, "anna")
    sample = journey.take_next(window)
    panel = window.dock.review
    reviewing.type_category(window, HELIPAD)
    reviewing.idle(window)
    panel.tabs.setCurrentWidget(panel.drawing)
    click(panel.drawing.draw)
    reviewing.idle(window)
    zoom_to_pixels(window, sample.image.frame(), (0, 0, PATCH_PX, PATCH_PX))
    QTest.qWait(SETTLED_MS)
    for x, y in STARTED[:-1]:
        reviewing.click_map(window, x, y)
    QTest.mouseMove(window.canvas.viewport(), reviewing.place_of(window, *STARTED[-1]))
    shoot(window, "journey-review")
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
    reviewing.idle(window)


def review(window: RealWindow) -> None:
    """Draw a tank that came back anew: its outline crosses itself, which is said at once."""
    begin_anew()
    collecting.open_dataset(window, (DEMO / "dataset").resolve())
    reviewing.project_crs(window, QgsCoordinateReferenceSystem(CRS))
    journey.review_as(window, "anna")
    panel = window.dock.review
    frame = journey.take_next(window).image.frame()
    panel.tabs.setCurrentWidget(panel.drawing)
    click(panel.drawing.draw)
    reviewing.idle(window)
    hide("obb", "hbb", "images")
    erase(window, panel.digitising.layer, frame, CROSSED)
    zoom_to_pixels(window, frame, SEEN)
    QTest.qWait(SETTLED_MS)
    reviewing.draw_polygon(window, *CROSSED)
    reviewing.idle(window)
    shoot(window, "review")


def erase(window: RealWindow, layer, frame, near: list[tuple[float, float]]) -> None:
    """Erase what lies in the middle of these pixels, as the Delete key does."""
    x, y = (sum(values) / len(near) for values in zip(*near, strict=True))
    lon, lat = map(float, frame.pixel_to_lonlat([[x, y]])[0])
    there = QgsRectangle(lon, lat, lon, lat).buffered(1e-6)
    layer.selectByRect(there)
    layer.beginEditCommand("Delete")
    layer.deleteSelectedFeatures()
    layer.endEditCommand()
    reviewing.idle(window)


def inspect(window: RealWindow) -> None:
    """Open the benchmark and both runs, and look at a query."""
    begin_anew()
    window.dock.tabs.setCurrentWidget(window.dock.inspect)
    panel = window.panel
    inspecting.open_benchmark(window, (DEMO / "benchmark.json").resolve())
    for run in ("hasty.jsonl.gz", "careful.jsonl"):
        inspecting.add_run(window, (DEMO / "runs" / run).resolve())
    choose(panel.runs.first, "hasty")
    choose(panel.runs.second, "careful")
    choose(panel.threshold.modality, "Oriented boxes")
    inspecting.idle(window)
    go_to_query(window, QUERY)
    QTest.qWait(SETTLED_MS)
    zoom_to_pixels(window, frame_of_query(window), (-20, -60, 420, 400))
    shoot(window, "inspect")


def go_to_query(window: RealWindow, query_id: str) -> None:
    """Click the row of a query."""
    queries = window.state.inspected.benchmark.queries
    row = next(place for place, query in enumerate(queries) if query.id == query_id)
    inspecting.click_row(window, window.panel.queries.model.index_of(row).row())


def frame_of_query(window: RealWindow):
    """Return the frame of the image that is looked at."""
    inspected = window.state.inspected
    return inspected.benchmark.image_by_id[inspected.image_of(window.state.row)].frame()


def inspect_scores(window: RealWindow) -> None:
    """Look at the scores of what is inspected."""
    window.panel.tabs.setCurrentWidget(window.panel.scores)
    shoot(window, "inspect-scores")


def inspect_swipe(window: RealWindow) -> None:
    """Swipe from A to B."""
    window.panel.tabs.setCurrentIndex(0)
    choose(window.panel.mode, "Swipe from A to B")
    zoom_to_pixels(window, frame_of_query(window), (-20, -60, 380, 400))
    inspecting.idle(window)
    shoot(window, "inspect-swipe")


# What has to be done before a scene, whether its picture is wanted or not.
SCENES = {
    "collect": (collect, ()),
    "collect-patches": (collect_patches, ("collect",)),
    "journey-review": (journey_review, ("collect-patches",)),
    "review": (review, ()),
    "inspect": (inspect, ()),
    "inspect-scores": (inspect_scores, ("inspect",)),
    "inspect-swipe": (inspect_swipe, ("inspect",)),
}


def play(window: RealWindow, name: str, played: list[str]) -> None:
    """Play a scene after those that it builds on, each once."""
    scene, before = SCENES[name]
    for other in before:
        play(window, other, played)
    if name not in played:
        scene(window)
        played.append(name)


def begin() -> None:
    """Play what is wanted, and leave QGIS without a question about the project."""
    # Without a window manager no window ever becomes active.
    QTest.qWaitForWindowActive = lambda *_: True
    # Also of a slot's: QGIS would open a window about it, and wait.
    sys.excepthook = fail
    window = RealWindow()
    played: list[str] = []
    for name in os.environ["OVEARTH_PICTURES"].split():
        play(window, name, played)
    os._exit(0)


def fail(*fault) -> None:
    """Say what went wrong and show how it looked, then leave."""
    traceback.print_exception(*fault)
    QGuiApplication.primaryScreen().grabWindow(0).save("failed.png")
    sys.stderr.flush()
    os._exit(1)


def wait() -> None:
    """Begin as soon as QGIS is there."""
    is_there = "ovearth" in plugins and iface.mainWindow().isVisible()
    QTimer.singleShot(1500 if is_there else 50, begin if is_there else wait)


wait()
