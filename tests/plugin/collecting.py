"""The tab Collect by mouse and keys, imagery of our own, and small servers on loopback."""

import importlib
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import numpy as np
import pytest
from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice, QPoint, Qt
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtTest import QTest

from ..core.shared import DATA
from .inspecting import LEFT, choose, click, idle, wait_until

LIECHTENSTEIN = DATA / "osm" / "liechtenstein-2013-08-03.osm.pbf"
WORLD = 20037508.342789244
NONE = Qt.KeyboardModifier.NoModifier
# Values swing by so much, once in so many pixels, about the middle.
SWING, WAVE_PX, MIDDLE = 100.0, 64.0, 128.0
needs_osm = pytest.mark.skipif(not LIECHTENSTEIN.exists(), reason="the real data is not here")


def open_dataset(window, folder):
    """Open a dataset, and wait for its layers, categories and counts."""
    shared = window.dock.open_dataset
    heard = []
    shared.opened.connect(lambda: heard.append(1))
    shared.open(folder)
    wait_until(lambda: heard and window.dock.collect.state.taxonomy is not None)
    idle(window)
    window.dock.tabs.setCurrentWidget(window.dock.collect)
    return shared.dataset


def show_map(window, west, south, east, north, crs="EPSG:4326"):
    window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem(crs))
    window.canvas.setExtent(QgsRectangle(west, south, east, north))


def tick(window, text, name):
    """Search the tree by keys, and tick a category with the space bar."""
    tree = window.dock.collect.tree
    tree.search.clear()
    QTest.keyClicks(tree.search, text)
    found = []

    def look():
        found[:] = tree.model.findItems(name, Qt.MatchFlag.MatchRecursive)
        index = found[0].index() if found else None
        return index is not None and tree.view.visualRect(index).isValid() and not (
            tree.view.isRowHidden(index.row(), index.parent())
        )  # fmt: skip

    wait_until(look)
    tree.view.setFocus()
    tree.view.setCurrentIndex(found[0].index())
    QTest.keyClick(tree.view, Qt.Key.Key_Space)
    assert found[0].checkState() == Qt.CheckState.Checked


def search_file(window, path, limit=5):
    """Fill the form, and press Search."""
    form = window.dock.collect.search
    choose(form.source.kind, form.source.kind.itemText(0))
    form.source.text.clear()
    QTest.keyClicks(form.source.text, str(path))
    form.limit.setValue(limit)
    click(form.start)
    idle(window)


def press(window, key):
    """Press a key on the map."""
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, key)
    idle(window)


def drag(window, start, end):
    """Drag with the mouse from one place of the map to another, in the map's CRS."""
    to_pixel = window.canvas.getCoordinateTransform()
    first, last = (to_pixel.transform(*place) for place in (start, end))
    first, last = (QPoint(round(place.x()), round(place.y())) for place in (first, last))
    view = window.canvas.viewport()
    QTest.mousePress(view, LEFT, NONE, first)
    for part in (0.5, 1.0):
        QTest.mouseMove(view, first + (last - first) * part)
    QTest.mouseRelease(view, LEFT, NONE, last)
    idle(window)


def step(window):
    """Press the button for the next undecided place."""
    click(window.dock.collect.stepper.next)
    idle(window)


def states(dataset):
    with dataset.reading() as view:
        return [row.state for row in view.pois()]


def images(dataset):
    with dataset.reading() as view:
        return list(view.images())


def add_places(core, dataset, places, state="accepted", first=0):
    """Put places (lon, lat) into a dataset, each of an object of its own from that number on."""
    with dataset.writing("anna") as edit:
        for number, (lon, lat) in enumerate(places, first):
            edit.add(
                core.PoiRow(None, lon, lat, 7, f"place {number}", state, "test", f"t:{number}")
            )


def make_raster(path, epsg=32632, origin=(533500.0, 5240500.0), pixel=2.0, size=(1200, 1600)):
    """Write a raster of noise."""
    width, height = size
    values = np.random.default_rng(1).integers(0, 255, (3, height, width), dtype=np.uint8)
    file = gdal.GetDriverByName("GTiff").Create(str(path), width, height, 3, gdal.GDT_Byte)
    file.SetGeoTransform((origin[0], pixel, 0.0, origin[1], 0.0, -pixel))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(epsg)
    file.SetProjection(reference.ExportToWkt())
    for number, band in enumerate(values):
        file.GetRasterBand(number + 1).WriteRaster(0, 0, width, height, band.tobytes())
    file.FlushCache()
    return path


def read(path):
    """Return the pixels (B,h,w) of a file, its geotransform, and its tags."""
    file = gdal.Open(str(path))
    raw = file.ReadRaster()
    kind = np.uint8
    shape = (file.RasterCount, file.RasterYSize, file.RasterXSize)
    return np.frombuffer(raw, kind).reshape(shape), file.GetGeoTransform(), file.GetMetadata()


def add_raster(source, name, provider="gdal"):
    layer = QgsRasterLayer(str(source), name, provider)
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    return layer


def choose_imagery(window, layer, size=64, gsd=0.0):
    """Go to the patches, and choose their imagery and size."""
    collect = window.dock.collect
    collect.tabs.setCurrentWidget(collect.patches)
    form = collect.patches.imagery
    form.layer.setLayer(layer)
    form.size.setValue(size)
    form.gsd.setValue(gsd)
    return collect.patches


def extract(window):
    click(window.dock.collect.patches.extract)
    idle(window)


def results(window):
    """Return the shown rows: place, result, detail."""
    model = window.dock.collect.patches.results.model
    return [
        tuple(model.index(row, column).data() for column in range(3))
        for row in range(model.rowCount())
    ]


# A world whose pixels say where they lie


def wave(x, y):
    """Return what the world's pixels hold at positions in pixels of a level: (h,w,4) RGBA."""
    red = MIDDLE + SWING * np.sin(2.0 * np.pi * x / WAVE_PX)
    green = MIDDLE + SWING * np.sin(2.0 * np.pi * y / WAVE_PX)
    blue = MIDDLE + SWING * np.sin(2.0 * np.pi * (x + y) / (7.0 * WAVE_PX))
    alpha = np.full_like(red, 255.0)
    return np.rint(np.stack([red, green, blue, alpha], axis=-1)).astype(np.uint8)


def png(values):
    """Encode (h,w,4) RGBA."""
    height, width, _ = values.shape
    raw = np.ascontiguousarray(values).tobytes()
    image = QImage(raw, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data)


def tiles(path):
    """Answer as an XYZ server."""
    found = re.search(r"/(\d+)/(\d+)/(\d+)", path)
    _, x, y = (int(text) for text in found.groups())
    row, column = np.mgrid[0:256, 0:256] + 0.5
    return png(wave(column + 256 * x, row + 256 * y)), "image/png"


_CAPABILITIES = """<?xml version="1.0"?>
<WMT_MS_Capabilities version="1.1.1" xmlns:xlink="http://www.w3.org/1999/xlink">
<Service><Name>WMS</Name><Title>t</Title><OnlineResource xlink:href="{url}"/></Service>
<Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get>
<OnlineResource xlink:href="{url}"/></Get></HTTP></DCPType></GetCapabilities>
<GetMap><Format>image/png</Format><DCPType><HTTP><Get>
<OnlineResource xlink:href="{url}"/></Get></HTTP></DCPType></GetMap></Request>
<Exception><Format>XML</Format></Exception>
<Layer><Title>all</Title><SRS>EPSG:3857</SRS>
<LatLonBoundingBox minx="-180" miny="-85" maxx="180" maxy="85"/>
<BoundingBox SRS="EPSG:3857" minx="-20037508" miny="-20037508" maxx="20037508" maxy="20037508"/>
<Layer><Name>world</Name><Title>world</Title></Layer></Layer></Capability>
</WMT_MS_Capabilities>"""


def wms(paint):
    """Answer as a WMS in EPSG:3857; paint: (west, south, east, north), width, height -> RGBA."""

    def answer(path):
        said = {name.lower(): v[0] for name, v in parse_qs(path.partition("?")[2]).items()}
        if said.get("request") == "GetCapabilities":
            url = "http://127.0.0.1:PORT/wms?"
            return _CAPABILITIES.format(url=url).encode(), "text/xml"
        bounds = tuple(map(float, said["bbox"].split(",")))
        return png(paint(bounds, int(said["width"]), int(said["height"]))), "image/png"

    return answer


def drawn(zoom, sizes):
    """Answer as a WMS that draws the world of a zoom level; sizes: what was asked for."""
    pixel = 2.0 * WORLD / 256 / 2**zoom

    def paint(bounds, width, height):
        west, south, east, north = bounds
        sizes.append((width, height))
        x = west + (np.arange(width) + 0.5) / width * (east - west)
        y = north - (np.arange(height) + 0.5) / height * (north - south)
        columns, rows = np.broadcast_arrays((x + WORLD)[None] / pixel, (WORLD - y)[:, None] / pixel)
        return wave(columns, rows)

    return wms(paint)


class Served:
    """A running server: its address, what was asked, and whether it fails now."""

    def __init__(self):
        self.port = 0
        self.asked = []
        self.is_down = False
        # What of the paths has to be true for an answer.
        self.gives = lambda path: True


@contextmanager
def serving(answer):
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            served.asked.append(self.path)
            if served.is_down or not served.gives(self.path):
                self.send_error(503)
                return
            body, kind = answer(self.path)
            body = body.replace(b":PORT/", f":{served.port}/".encode())
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


def xyz_layer(served, zmax=18):
    url = f"http://127.0.0.1:{served.port}/%7Bz%7D/%7Bx%7D/%7By%7D.png"
    return add_raster(f"type=xyz&url={url}&zmax={zmax}&zmin=0", "tiles", "wms")


def wms_layer(served):
    source = f"crs=EPSG:3857&format=image/png&layers=world&styles=&url=http://127.0.0.1:{served.port}/wms"
    return add_raster(source, "drawn", "wms")


def expected(frame, zoom):
    """Return what the world of a zoom level holds under the centres of a frame's pixels."""
    frames = importlib.import_module("ovearth.ovearth_core.operation")
    row, column = np.mgrid[0 : frame.height, 0 : frame.width] + 0.5
    points = frame.pixel_to_map(np.column_stack([column.ravel(), row.ravel()]))
    there = frames.choose_operation(frame.crs, "EPSG:3857").forward(points)
    pixel = 2.0 * WORLD / 256 / 2**zoom
    x, y = (there[:, 0] + WORLD) / pixel, (WORLD - there[:, 1]) / pixel
    shape = (frame.height, frame.width)
    return np.moveaxis(wave(x.reshape(shape), y.reshape(shape))[:, :, :3], 2, 0)
