"""The longest block of QGIS's main thread while Collect works, in a dataset of 5,000 images.

Run it with QGIS's own Python, in the checkout's folder, after `make package`:
    QT_QPA_PLATFORM=offscreen .venv-qgis/bin/python benchmarks/collect_responsiveness.py \
        EXTRACT.osm.pbf W S E N .venv/bin/python
The extract and its bounds are searched; the last Python has rasterio and serves the tiles.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
import pyproj.datadir  # noqa: E402

pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))
sys.path.insert(0, "build")

from heartbeat import Heart, end  # noqa: E402
from osgeo import gdal, osr  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsMessageBar  # noqa: E402
from qgis.PyQt.QtCore import Qt  # noqa: E402
from qgis.PyQt.QtTest import QTest  # noqa: E402
from qgis.PyQt.QtWidgets import QMainWindow  # noqa: E402

IMAGES, PLACES, POLYGONS = 5000, 5000, 50_000
PORT = 8765
STEPS = 60


def core(name: str):
    """Import a module of the core, as it lies in the plugin."""
    return importlib.import_module(f"ovearth.ovearth_core.{name}")


def made(folder: Path, bounds: list[float]):
    """Make a dataset of many images, polygons and undecided places in the bounds."""
    rows, blob = core("dataset"), core("dataset.geometries")
    dataset = core("dataset.categories").init_dataset(folder, core("taxonomy").load())
    rng = np.random.default_rng(0)
    west, south, east, north = bounds
    lon, lat = rng.uniform(west, east, PLACES), rng.uniform(south, north, PLACES)
    with dataset.writing("bench") as edit:
        for number in range(PLACES):
            edit.add(rows.PoiRow(None, lon[number], lat[number], 1 + number % 172, f"p{number}",
                                 source="bench", source_id=f"b:{number}"))  # fmt: skip
    frame = core("frame").ImageFrame("EPSG:32632", (0.5, 0, 530000, 0, -0.5, 5240000), 512, 512)
    operation = frame.operation_to("EPSG:4326").proj

    def add(edit, number: int) -> None:
        transform = (0.5, 0, 530000 + number % 70 * 300, 0, -0.5, 5240000 - number // 70 * 300)
        placed = core("frame").ImageFrame("EPSG:32632", transform, 512, 512, operation)
        image = edit.add(rows.ImageRow(None, f"images/{number}.tif", 512, 512, "EPSG:32632",
                                       transform, operation, 0.5))  # fmt: skip
        target = edit.add(rows.TargetRow(None, image.id, 1 + number % 172))
        ring = np.array([[0, 0], [20, 0], [20, 20], [0, 20], [0, 0.0]])
        shapes = [((ring + 24 * n,),) for n in range(POLYGONS // IMAGES)]
        for shape, wkb in zip(shapes, blob.geometries(placed, shapes), strict=True):
            edit.add(rows.InstanceRow(None, target.id, polygons=shape), wkb)

    dataset.write_all(range(IMAGES), add, "bench")
    return dataset


def raster(path: Path) -> Path:
    """Write a scene of noise over the places, tiled and of one metre."""
    width, height = 6000, 6000
    options = ["TILED=YES", "COMPRESS=DEFLATE"]
    file = gdal.GetDriverByName("GTiff").Create(str(path), width, height, 3, 1, options)
    file.SetGeoTransform((534000.0, 1.0, 0.0, 5232000.0, 0.0, -1.0))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    file.SetProjection(reference.ExportToWkt())
    for band in range(3):
        values = np.random.default_rng(band).integers(0, 255, (height, width), dtype=np.uint8)
        file.GetRasterBand(band + 1).WriteRaster(0, 0, width, height, values.tobytes())
    file.FlushCache()
    return path


def accept_within(dataset, box: tuple[float, float, float, float], count: int) -> None:
    """Add accepted places in a box of EPSG:32632."""
    rng = np.random.default_rng(3)
    way = core("operation").choose_operation("EPSG:32632", "EPSG:4326")
    points = np.column_stack(
        [rng.uniform(box[0], box[2], count), rng.uniform(box[1], box[3], count)]
    )
    with dataset.writing("bench") as edit:
        for number, (lon, lat) in enumerate(way.forward(points)):
            edit.add(core("dataset").PoiRow(None, lon, lat, 1, None, "accepted", "bench",
                                            f"a:{number}"))  # fmt: skip


def main(extract: str, bounds: list[float], server_python: str) -> None:  # noqa: PLR0915
    """Measure, and print a line for each kind of work."""
    application = QgsApplication([], True)
    application.initQgis()
    plugin = {
        name: importlib.import_module(f"ovearth.ovearth_plugin.{name}")
        for name in ("messages", "tasks", "dock")
    }
    window, canvas = QMainWindow(), QgsMapCanvas()
    window.setCentralWidget(canvas)
    bar = QgsMessageBar()
    tasks = plugin["tasks"].Tasks(lambda failure: print(failure.details))
    dock = plugin["dock"].OVEarthDock(canvas, tasks, plugin["messages"].Messages(bar), window)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.resize(1300, 850)
    window.show()
    heart, collect = Heart(), dock.collect
    QgsProject.instance().layersAdded.connect(
        lambda _: canvas.setLayers([n.layer() for n in QgsProject.instance().layerTreeRoot()
                                    .findLayers() if n.layer().isSpatial()])
    )  # fmt: skip

    def measured(name: str, act, settle_ms: int = 300) -> None:
        QTest.qWait(300)
        heart.reset()
        start = time.perf_counter()
        act()
        QTest.qWait(1)
        while tasks.running:
            QTest.qWait(2)
        QTest.qWait(settle_ms)
        whole = time.perf_counter() - start - settle_ms / 1000
        longest, held = 1000 * heart.longest_s, 1000 * heart.longest_held_s
        said = f"longest block {longest:5.0f} ms, held {held:4.0f} ms, in all {whole:6.2f} s"
        print(f"{name:45} {said}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = made(folder / "dataset", bounds)
        accept_within(dataset, (534300, 5226300, 539700, 5231700), 200)
        scene = QgsRasterLayer(str(raster(folder / "scene.tif")), "scene")
        west, south, east, north = bounds
        canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
        canvas.setExtent(QgsRectangle(west, south, east, north))
        measured("nothing", lambda: QTest.qWait(1000))
        measured("open the dataset, its layers on the map",
                 lambda: (dock.open_dataset.open(dataset.folder), QTest.qWait(1500)))  # fmt: skip
        QgsProject.instance().addMapLayer(scene)
        collect.search.source.text.setText(extract)
        collect.state.choose(list(collect.state.taxonomy)[:60])
        # What the dataset has counts: with a limit nothing would be written.
        collect.search.limit.setValue(0)
        measured("search 60 categories in the extract", collect.search.start.click)
        print("   ", collect.search.said.text())
        pauses = []

        def step() -> None:
            for _ in range(STEPS):
                start = time.perf_counter()
                QTest.keyClick(canvas, Qt.Key.Key_A)
                pauses.append(time.perf_counter() - start)
                QTest.qWait(120)

        collect.stepper.go_on()
        measured(f"accept {STEPS} places by key", step)
        print(
            f"    a step takes {1000 * np.median(pauses):.0f} ms, {1000 * max(pauses):.0f} at most"
        )
        form = collect.patches.imagery
        form.layer.setLayer(scene)
        form.size.setValue(256)
        measured("estimate 200 patches", collect.patches.estimate.click)
        print("   ", collect.patches.said.text().splitlines()[0])
        measured("cut them from a raster file", collect.patches.extract.click)
        print("   ", collect.patches.said.text().splitlines()[0])
        server = subprocess.Popen(
            [server_python, "benchmarks/tile_server.py", str(PORT), "20", "64"],
            stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            server.stdout.readline()
            url = f"http://127.0.0.1:{PORT}/%7Bz%7D/%7Bx%7D/%7By%7D"
            tiles = QgsRasterLayer(f"type=xyz&url={url}&zmax=18&zmin=0", "tiles", "wms")
            QgsProject.instance().addMapLayer(tiles)
            form.layer.setLayer(tiles)
            form.gsd.setValue(0.9)
            measured("cut 200 from tiles that answer in 20 ms", collect.patches.extract.click)
            print("   ", collect.patches.said.text().splitlines()[0])
        finally:
            server.kill()
            server.wait()
        dock.stop()
        tasks.stop()
        heart.stop()
        end(application, [window, bar])


if __name__ == "__main__":
    main(sys.argv[1], [float(text) for text in sys.argv[2:6]], sys.argv[6])
